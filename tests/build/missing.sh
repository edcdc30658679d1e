#!/usr/bin/env bash
# usage: missing.sh ROOT CMAKE COMPILER
# Shows that what jig needs and does not find is told in a sentence, within 25 lines: by the compiler without Boost, without xsimd,
# without C++20 and without MPI, by CMake without Boost, both where it cannot be fetched and for an installed jig.
set -eu
export LC_ALL=C
root=$1 cmake=$2 compiler=$3
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
status=0

# usage: check NAME SENTENCE COMMAND...: it fails with the sentence.
check() {
  local name=$1 sentence=$2 output
  shift 2
  if output=$("$@" 2>&1); then
    echo "$name: works, but should not"
    status=1
  elif ! tr -s ' \n' '  ' <<<"$output" | grep -qF -e "$sentence" || [ "$(wc -l <<<"$output")" -gt 25 ]; then
    printf '%s: wanted "%s" in 25 lines, got:\n%s\n' "$name" "$sentence" "$(head -n 40 <<<"$output")"
    status=1
  fi
}

echo '#include <jig.hpp>' >"$temp/program.cpp"

# usage: headers_without NAME: the folders where the compiler looks, as options, without what is called so.
headers_without() {
  local folder copy n=0
  while read -r folder; do
    copy=$temp/without_$1/$((++n))
    mkdir -p "$copy"
    find "$folder" -mindepth 1 -maxdepth 1 -not -name "$1" -exec ln -s -t "$copy" {} +
    printf -- '-isystem\n%s\n' "$copy"
  done < <("$compiler" -std=c++20 -E -x c++ -v /dev/null 2>&1 | sed -n '/^#include </,/^End/ s/^ //p' | xargs realpath)
}
compile=("$compiler" -fsyntax-only -I "$root/include" "$temp/program.cpp")
for missing in boost:'Boost.Hana: apt-get install libboost-dev' xsimd:'xsimd: apt-get install libxsimd-dev'; do
  mapfile -t folders < <(headers_without "${missing%%:*}")
  check "no ${missing%%:*}" "jig needs ${missing#*:}" "${compile[@]}" -std=c++20 -nostdinc -nostdinc++ "${folders[@]}"
done
# Not on the include path, but for mpicxx.
echo '#include <jig/adapt/mpi.hpp>' >"$temp/over_ranks.cpp"
mapfile -t folders < <(headers_without mpi.h)
check 'no MPI' 'jig: adapt/mpi.hpp needs MPI: apt-get install libopenmpi-dev' \
  "$compiler" -fsyntax-only -std=c++20 -I "$root/include" "$temp/over_ranks.cpp" -nostdinc -nostdinc++ "${folders[@]}"
check 'C++17' 'jig needs C++20: compile with -std=c++20' "${compile[@]}" -std=c++17

# Nothing listens there, so that nothing can be fetched.
export https_proxy=http://127.0.0.1:9
options=(-DCMAKE_CXX_COMPILER="$compiler" -DJIG_BUILD_TESTS=OFF -DJIG_BUILD_EXAMPLES=OFF -DJIG_BUILD_BENCH=OFF)
check 'CMake without Boost' 'jig needs Boost.Hana: apt-get install libboost-dev' \
  "$cmake" -S "$root" -B "$temp/build" "${options[@]}" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON

# An installed jig needs what it was built with.
if "$cmake" -S "$root" -B "$temp/whole" "${options[@]}" >/dev/null 2>&1; then
  "$cmake" --install "$temp/whole" --prefix "$temp/prefix" >/dev/null
  check 'installed, without Boost' 'jig needs Boost.Hana: apt-get install libboost-dev' \
    "$cmake" -S "$root/tests/build/consumer" -B "$temp/consumer" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$temp/prefix" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
fi
exit $status
