#!/usr/bin/env bash
# usage: array_files.sh ROOT COMPILER FLAGS...
# Files of arrays that NumPy and a small reader of safetensors write and read, and an event file that protoc decodes.
set -eu
export LC_ALL=C
root=$1
shift
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo 'NumPy is not there: skipped'; exit 77; }
command -v protoc >/dev/null || { echo 'protoc is not there: skipped'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$@" -O0 "$root/tests/build/array_files.cpp" -o "$folder/program" -lzip -pthread
"$python" "$root/tests/build/array_files.py" make "$folder"
"$folder/program" "$folder"
"$python" "$root/tests/build/array_files.py" check "$folder"

# usage: decode NUMBER TYPE: the text of a record.
decode() { protoc --decode="tensorflow.$2" -I "$root/tests/build" event.proto <"$folder/$1"; }
expect() { [ "$1" = "$2" ] || { printf 'expected:\n%s\ngot:\n%s\n' "$2" "$1"; exit 1; }; }
expect "$(decode event0 Event | sed 1d)" 'file_version: "brain.Event:2"'
expect "$(decode event1 Event | sed 1d)" $'step: 3\nsummary {\n  value {\n    tag: "loss"\n    simple_value: 0.5\n  }\n}'
expect "$(decode event2 Event | sed 1d)" 'graph_def: "\n\003\n\001x"'
