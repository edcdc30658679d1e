#!/usr/bin/env bash
# usage: output.sh PROGRAM EXPECTED
# Runs the program; it must succeed and print exactly what the file holds.
set -eu
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
"$1" >"$actual"
diff -u "$2" "$actual"
