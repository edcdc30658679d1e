#!/usr/bin/env bash
# usage: programs_without_graphs.sh ROOT COMPILER FLAGS...
# Compiles programs_without_graphs.cpp and looks that it refers to no op: a program that does contains the op's gradient and its
# simplifications, which take a part of the time that compiling a small function takes. Clang keeps what is referred to without
# optimisation too; GCC keeps all constants then. 77: there is no nm.
set -eu
root=$1
shift
command -v nm >/dev/null || exit 77
out=$(mktemp)
trap 'rm -f "$out"' EXIT
case $("$@" --version) in
  *clang*) level=-O0 ;;
  *) level=-O1 ;;
esac

# usage: ops_in COMPILER FLAGS...: the ops that a program on standard input refers to.
ops_in() {
  "$@" -DNDEBUG "$level" -c -o "$out" -x c++ - || return 1
  nm -C "$out" | grep -oE 'jig::ops::[a-z_0-9]+$' || true
}
found=$(ops_in "$@" <"$root/tests/build/programs_without_graphs.cpp")
if [ -n "$found" ]; then
  echo "a program refers to ops of its graph:"
  sort -u <<<"$found" | head -n 20
  exit 1
fi
# What asks for them is found.
found=$(ops_in "$@" <<<'#include <jig.hpp>
const jig::op& of_node(int k) { return k == 0 ? jig::ops::add : jig::ops::tanh; }')
[ -n "$found" ] || { echo "ops in programs are not found"; exit 1; }
