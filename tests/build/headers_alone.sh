#!/usr/bin/env bash
# usage: headers_alone.sh ROOT COMPILER FLAGS...
# Compiles each header as the only include of a file, and names those that need another first. What a header includes before anything
# else is compiled alone by that, and not again. Without the kernels of all ops, which take long, also where headers of files include
# them: jig/runtime/all_kernels.cpp compiles them. Without the adaptors that programs include themselves, and others that need a library:
# these may be absent, and their tests include them first.
set -eu
cd "$1/include"
shift

# Through a file that includes it: compiled itself, `#pragma once` would warn.
compile() {
  local without_kernels=()
  case $1 in jig/io*) without_kernels=(-DJIG_PREBUILT_KERNELS) ;; esac
  echo "#include <$1>" | "${@:2}" "${without_kernels[@]}" -fsyntax-only -x c++ - && return
  echo "not alone: $1"
  return 1
}
export -f compile

# The header that a header includes before all else, if it is one of jig's.
first_includes=$(find jig.hpp jig -name '*.hpp' ! -name all_kernels.hpp -exec \
  awk 'FNR == 1 { seen = 0 } !seen && !/^(\/\/|#pragma once|$)/ { seen = 1; if (sub(/^#include <jig/, "jig")) { sub(/>.*/, ""); print } }' {} + | sort -u)
optional=(jig/data/csv.hpp jig/data/parse_example.hpp jig/io/npz.hpp jig/io/safetensors.hpp jig/io/safetensors_header.hpp jig/io/tfjs.hpp
  jig/io/tensorflow/json.hpp jig/profile/chrome_trace.hpp)
adaptors=$(comm -23 <(find jig/adapt "${optional[@]}" -name '*.hpp' | sort) <(grep -rhoE '^#include <jig/adapt/[^>]+' jig.hpp jig | sed 's/.*<//' | sort -u))
find jig.hpp jig -name '*.hpp' ! -name all_kernels.hpp | grep -vxF -e "$first_includes" -e "$adaptors" | tr '\n' '\0' |
  xargs -0 -P "$(nproc)" -I {} bash -c 'compile "$@"' _ {} "$@"
