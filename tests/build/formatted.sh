#!/usr/bin/env bash
# usage: formatted.sh ROOT
# Fails when the code is not formatted as .clang-format says; skipped without clang-format 19, since versions differ. The contract
# programs are taken as they stand.
set -u
cd "$1" || exit 1
command -v clang-format-19 >/dev/null || exit 77
find include tests bench examples \( -name '*.hpp' -o -name '*.cpp' \) -not -path 'tests/contract/*' -print0 |
  xargs -0 -n 40 -P "$(nproc)" clang-format-19 --dry-run -Werror --ferror-limit=3
