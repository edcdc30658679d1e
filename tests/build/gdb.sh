#!/usr/bin/env bash
# usage: gdb.sh ROOT COMPILER FLAGS...
# Fails when gdb, with the printers that are installed beside the headers, prints something else than it should; skipped without gdb.
set -eu
root=$1
shift
command -v gdb >/dev/null || exit 77
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
"$@" -g -O0 "$root/tests/build/gdb.cpp" -o "$temp/program"

expected='fixed = float32 (2, 3) = {{1, 2, 3}, {4, 5, 6.5}}
wild = int32 (3, 2) = {{1, 2}, {3, 4}, {5, 6}}
scalar = float64 () = 2.5
none = float64 (0,)
flags = bool (2,) = {true, false}
halves = float16 (2,) = {1.5, -2}
brain = bfloat16 (1,) = {3}
many = int32 (300,) = {0, 0, 0, 0, ...}
strided = float32 (3, 2) = {{5, 4}, {3, 2}, {1, 0}}
dense = float32 (2, 3) = {{0, 1, 2}, {3, 4, 5}}
any = float32 (2, 3) = {{1, 2, 3}, {4, 5, 6.5}}
variable = float32 (2,) = {7, 8}
shape = (4, 5)'
commands=(-ex "source $root/include/jig/gdb.py" -ex 'break stop' -ex run -ex up)
while IFS= read -r line; do
  name=${line%% *}
  limit=200
  [ "$name" != many ] || limit=4
  commands+=(-ex "set print elements $limit" -ex "printf \"$name\"" -ex "print $name")
done <<<"$expected"
printed=$(gdb -q -nx -batch -ex 'set debuginfod enabled off' "${commands[@]}" "$temp/program" 2>&1) || { echo "$printed"; exit 1; }
# Some containers do not let a debugger start programs.
if grep -q 'ptrace: Operation not permitted\|Cannot create process' <<<"$printed"; then exit 77; fi
diff <(echo "$expected") <(sed -nE 's/^([a-z]+)\$[0-9]+ = /\1 = /p' <<<"$printed") || { echo "$printed"; exit 1; }
