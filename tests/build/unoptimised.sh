#!/usr/bin/env bash
# usage: unoptimised.sh ROOT COMPILER FLAGS...
# Compiles unoptimised.cpp without optimisation for this machine and runs it.
set -eu
root=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -O0 -march=native -Wall -Wextra -Werror -o "$folder/program" "$root/tests/build/unoptimised.cpp"
"$folder/program"
