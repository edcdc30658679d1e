#!/usr/bin/env bash
# usage: headers_alone.sh ROOT COMPILER FLAGS...
# Compiles each header as the only include of a file, and names those that need another first. Without the kernels of all ops:
# that takes long, and tests/runtime/all_kernels.cpp does it.
set -eu
cd "$1/include"
shift

# Through a file that includes it: compiled itself, `#pragma once` would warn.
compile() {
  echo "#include <$1>" | "${@:2}" -fsyntax-only -x c++ - && return
  echo "not alone: $1"
  return 1
}
export -f compile
find jig.hpp jig -name '*.hpp' ! -name all_kernels.hpp -print0 |
  xargs -0 -P "$(nproc)" -I {} bash -c 'compile "$@"' _ {} "$@"
