#!/usr/bin/env bash
# usage: warnings.sh ROOT COMPILER FLAGS...
# Compiles warnings.cpp as a program that takes jig's headers for its own, without optimisation for any machine and with it for this
# one, which only GCC's warnings depend on. The compiler must say nothing at all; GCC's notes on how parameters are passed count too.
set -u
root=$1
shift
status=0
modes=('-O0 -S' '-O2 -march=native -S')
if grep -q clang <<<"$("$1" --version)"; then modes=('-fsyntax-only' '-march=native -fsyntax-only'); fi
for mode in "${modes[@]}"; do
  # Run-time kernels are compiled by other tests; generated code is needed for what only that tells.
  messages=$("$@" $mode -DJIG_PREBUILT_KERNELS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion \
    -o /dev/null "$root/tests/build/warnings.cpp" 2>&1) && [ -z "$messages" ] && continue
  printf '%s:\n%s\n' "$mode" "$messages" | head -n 40
  status=1
done
exit $status
