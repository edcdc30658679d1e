#!/usr/bin/env bash
# usage: headers_alone.sh ROOT COMPILER FLAGS...
# Compiles each header as the only include of a file, and names those that need another first. Some headers that many include are
# precompiled, and stand in front of those that include them anyway: each of their headers is compiled alone itself, and nothing else
# comes with them. Without the kernels of all ops, which take long, also where headers of files include them: jig/runtime/all_kernels.cpp
# compiles them. Without the adaptors that programs include themselves, and others that need a library: these may be absent, and their
# tests include them first.
set -eu
cd "$1/include"
shift
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export made

# usage: kernels HEADER: the folder of what is precompiled for it.
kernels() {
  case $1 in jig/io*) echo without ;; *) echo with ;; esac
}
export -f kernels

# usage: precompile HEADER FOLDER COMPILER FLAGS...
precompile() {
  local written=$made/$2/$1
  [ "$2" = with ] || set -- "$@" -DJIG_PREBUILT_KERNELS
  mkdir -p "${written%/*}"
  echo "#include <$1>" >"$written"
  "${@:3}" -x c++-header "$written" -o "$written.gch"
}

# usage: compile HEADER PRECOMPILED COMPILER FLAGS...: PRECOMPILED may be `none`.
# Through a file that includes it: compiled itself, `#pragma once` would warn.
compile() {
  local header=$1 folder
  folder=$(kernels "$1")
  [ "$2" = none ] || set -- "$@" -include "$made/$folder/$2"
  [ "$folder" = with ] || set -- "$@" -DJIG_PREBUILT_KERNELS
  echo "#include <$header>" | "${@:3}" -fsyntax-only -x c++ - && return
  echo "not alone: $header"
  return 1
}
export -f precompile compile

optional=(jig/data/csv.hpp jig/data/parse_example.hpp jig/io/npz.hpp jig/io/safetensors.hpp jig/io/safetensors_header.hpp jig/io/tfjs.hpp
  jig/io/tensorflow/json.hpp jig/profile/chrome_trace.hpp)
adaptors=$(comm -23 <(find jig/adapt "${optional[@]}" -name '*.hpp' | sort) <(grep -rhoE '^#include <jig/adapt/[^>]+' jig.hpp jig | sed 's/.*<//' | sort -u))
# What others define that include it first: alone a compiler misses that.
defined_by_others=jig/io/tensorflow/importer.hpp

# The largest first: what a header includes in the end decides which it takes.
precompiled=(jig.hpp jig/runtime/kernels.hpp jig/eval/control.hpp jig/eval/program.hpp jig/trace/variable_value.hpp jig/ops/select.hpp)
# usage: with_precompiled < HEADERS: each, and what is precompiled of what it includes, or `none`.
with_precompiled() {
  awk -v precompiled="${precompiled[*]}" '
    function close_over(header, root,    list, i, n) {
      if ((root, header) in reached) return
      reached[root, header] = 1
      n = split(included[header], list)
      for (i = 1; i <= n; ++i) close_over(list[i], root)
    }
    FILENAME != "-" {
      if (sub(/^#include <jig/, "jig")) { sub(/>.*/, ""); included[FILENAME] = included[FILENAME] " " $0 }
      next
    }
    {
      close_over($0, $0)
      n = split(precompiled, list)
      for (i = 1; i <= n && (list[i] == $0 || !(($0, list[i]) in reached)); ++i) {}
      print $0, i <= n ? list[i] : "none"
    }
  ' $(find jig.hpp jig -name '*.hpp') -
}

headers=$(find jig.hpp jig -name '*.hpp' ! -name all_kernels.hpp | grep -vxF -e "$adaptors" -e "$defined_by_others" | with_precompiled)
while read -r header needed; do
  [ "$needed" = none ] || echo "$needed $(kernels "$header")"
done <<<"$headers" | sort -u | tr ' \n' '\0\0' | xargs -0 -P "$(nproc)" -n 2 bash -c 'precompile "${@: -2}" "${@:1:$#-2}"' _ "$@"
tr ' \n' '\0\0' <<<"$headers" | xargs -0 -P "$(nproc)" -n 2 bash -c 'compile "${@: -2}" "${@:1:$#-2}"' _ "$@"
