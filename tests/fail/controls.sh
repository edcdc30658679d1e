#!/usr/bin/env bash
# usage: controls.sh FOLDER COMPILER FLAGS...
# Compiles the controls of all cases that begin with jig.hpp, which FOLDER has precompiled, at once: most of one is reading that.
# FOLDER/controls.txt names them, for run.sh. Those with specialisations of jig's templates cannot stand in a namespace.
set -eu
folder=$1
shift
fail=$(cd "$(dirname "$0")" && pwd)
rm -f "$folder/controls.txt"
cases=()
while read -r case; do
  [ "$(grep -m 1 '^#' "$fail/$case")" = '#include <jig.hpp>' ] || continue
  ! grep -qE '^template <>|^namespace (jig|std)\b|^BOOST_HANA|^#define' "$fail/$case" || continue
  cases+=("$fail/$case")
done <"$fail/cases.txt"
bash "$fail/../build/together.sh" "${cases[@]}" >"$folder/controls.cpp"
"$@" -include "$folder/jig.hpp" -DJIG_CONTROL -w -fsyntax-only "$folder/controls.cpp"
printf '%s\n' "${cases[@]}" >"$folder/controls.txt"
echo "${#cases[@]} controls"
