#!/usr/bin/env bash
# usage: include_is_free.sh ROOT COMPILER FLAGS...
# Compiles a file that only includes jig.hpp, and names the functions that came of it: a file must not compile kernels that it does
# not use, which takes ten times as long as the headers.
set -eu
root=$1
shift
out=$(mktemp)
trap 'rm -f "$out"' EXIT
echo '#include <jig.hpp>' | "$@" -I"$root/include" -O0 -x c++ -c - -o "$out"
functions=$(nm -C --defined-only "$out" | grep ' [TtWw] ' | grep 'jig::' || true)
[ -z "$functions" ] && exit
printf '%s\n' "$functions" | head -n 20
exit 1
