#!/usr/bin/env bash
# usage: together.sh FILE...
# Prints a source that compiles these tests at once, which takes a quarter less time than one by one: what they share is instantiated
# once. What they include comes first, then each of them stands in a namespace of its own.
set -eu
cat "$@" | sed -nE 's|^#include "(\.\./)+|#include "|; /^#include /p' | sort -u
for file in "$@"; do
  name=${file##*/}
  printf 'namespace test_%s {\n#include "%s"\n}\n' "${name%.cpp}" "$file"
done
