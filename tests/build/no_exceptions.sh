#!/usr/bin/env bash
# usage: no_exceptions.sh ROOT COMPILER FLAGS...
# Compiles no_exceptions.cpp without exceptions and run-time type information and runs it; without a handler, an error is printed and ends
# the program.
set -u
root=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -O1 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -pthread -o "$folder/program" \
  "$root/tests/build/no_exceptions.cpp" || exit 1
"$folder/program" || exit 1

printed=$({ "$folder/program" unhandled; } 2>&1)
status=$?
[ "$status" -eq 134 ] || { echo "without a handler the program ends with $status, not with abort's 134"; exit 1; }
grep -qx 'AddV2: shapes do not broadcast: float32 (2,) and float32 (3,) (at no_exceptions.cpp:[0-9]*)' <<<"$printed" ||
  { echo "without a handler an error prints: $printed"; exit 1; }
