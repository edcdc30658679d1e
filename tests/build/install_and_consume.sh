#!/usr/bin/env bash
# usage: install_and_consume.sh ROOT BUILD CMAKE [CMAKE_OPTIONS...]
# Installs the build, then builds and runs a project that finds it there, and the same project
# with jig as a subdirectory.
set -eu
consumer=$1/tests/build/consumer
root=$1 build=$2 cmake=$3
shift 3
compiler=g++
for option in "$@"; do
  case $option in -DCMAKE_CXX_COMPILER=*) compiler=${option#*=} ;; esac
done
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

"$cmake" --install "$build" --prefix "$temp/prefix" >/dev/null

# usage: prints PROGRAM NUMBER
prints() { [ "$("$1")" = "$2" ] || { echo "$1 does not print $2"; exit 1; }; }
# usage: consume NAME CMAKE_OPTIONS...
consume() {
  local name=$1
  shift
  "$cmake" -S "$consumer" -B "$temp/$name" "$@"
  "$cmake" --build "$temp/$name"
  prints "$temp/$name/consumer" 12
}
consume subdirectory "$@" -DJIG_SOURCE="$root"

if compgen -G "$temp/prefix/lib*/libjig_runtime.a" >/dev/null || compgen -G "$temp/prefix/lib/*/libjig_runtime.a" >/dev/null; then
  consume installed "$@" -DCMAKE_PREFIX_PATH="$temp/prefix" -DRUN_TIME=ON
  prints "$temp/installed/run_time" 12
  if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$temp/prefix/share/pkgconfig
    read -ra flags < <(pkg-config --cflags --libs jig-runtime)
    "$compiler" -std=c++20 "$consumer/run_time.cpp" "${flags[@]}" -o "$temp/by_pkg_config"
    prints "$temp/by_pkg_config" 12
  fi
else
  consume installed "$@" -DCMAKE_PREFIX_PATH="$temp/prefix"
  if "$cmake" -S "$consumer" -B "$temp/without" "$@" -DCMAKE_PREFIX_PATH="$temp/prefix" -DRUN_TIME=ON >"$temp/log" 2>&1; then
    echo "a run-time library that is not there is found" >&2
    exit 1
  fi
  grep -q JIG_BUILD_RUNTIME "$temp/log" || { echo "nothing says how to build the run-time library"; exit 1; }
fi
