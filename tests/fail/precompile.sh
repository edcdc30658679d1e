#!/usr/bin/env bash
# usage: precompile.sh FOLDER COMPILER FLAGS...
# Makes FOLDER/jig.hpp, which the cases include first where JIG_PRECOMPILED names the folder, and precompiles it.
set -eu
folder=$1
shift
mkdir -p "$folder"
echo '#include <jig.hpp>' >"$folder/jig.hpp"
"$@" -x c++-header "$folder/jig.hpp" -o "$folder/jig.hpp.gch"
