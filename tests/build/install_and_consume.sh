#!/usr/bin/env bash
# usage: install_and_consume.sh ROOT BUILD CMAKE [CMAKE_OPTIONS...]
# Installs the build, then builds and runs a project that finds it there, and the same project
# with jig as a subdirectory.
set -eu
consumer=$1/tests/build/consumer
root=$1 build=$2 cmake=$3
shift 3
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

"$cmake" --install "$build" --prefix "$temp/prefix" >/dev/null

# usage: consume NAME CMAKE_OPTIONS...
consume() {
  local name=$1
  shift
  "$cmake" -S "$consumer" -B "$temp/$name" "$@"
  "$cmake" --build "$temp/$name"
  [ "$("$temp/$name/consumer")" = 12 ] || { echo "$name: the consumer does not print 12"; exit 1; }
}
consume installed "$@" -DCMAKE_PREFIX_PATH="$temp/prefix"
consume subdirectory "$@" -DJIG_SOURCE="$root"
