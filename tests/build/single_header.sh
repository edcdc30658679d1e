#!/usr/bin/env bash
# usage: single_header.sh ROOT COMPILER FLAGS...
# Makes the single header, and compiles the examples with it and nothing else of jig; two that print something run and print it. Of those
# that train networks, which take long, there is the first.
set -eu
root=$1
shift
alone=()
for argument in "$@"; do
  [ "$argument" = "-I$root/include" ] || alone+=("$argument")
done
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
"$root/.ci/single_header" >"$temp/jig.hpp"

# The one header has what others have.
with_one_header() { sed 's|^#include <jig/.*|#include <jig.hpp>|' "$1"; }
for header in "$root"/examples/*.hpp; do
  with_one_header "$header" >"$temp/${header##*/}"
done
while read -r example; do
  # What reads and writes files is not in it.
  ! grep -q '<jig/io' "$root/examples/$example" || continue
  with_one_header "$root/examples/$example" >"$temp/$example"
  expected=$root/examples/${example%.cpp}.txt
  if grep -qE '<jig/nn|"(digits|guide_model).hpp"' "$root/examples/$example"; then
    [ -z "${network:-}" ] || continue
    network=$example
  fi
  if [ -f "$expected" ] && [ "${network:-}" != "$example" ] && [ "${ran:-0}" -lt 2 ]; then
    ran=$((${ran:-0} + 1))
    "${alone[@]}" -O0 -I"$temp" "$temp/$example" -o "$temp/program"
    (cd "$root/examples" && "$temp/program") | diff - "$expected"
  else
    "${alone[@]}" -I"$temp" -fsyntax-only "$temp/$example"
  fi
done <"$root/examples/programs.txt"
