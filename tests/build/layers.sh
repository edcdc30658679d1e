#!/usr/bin/env bash
# usage: layers.sh ROOT
# Fails when a header includes from a folder below its own, or names xsimd outside eval/.
set -u
cd "$1/include" || exit 1
status=0
fail() { printf '%s\n' "$1"; status=1; }

# Each folder may include itself and those before it; near the end are the front doors and jig.hpp.
layers=(core adapt graph ops passes trace eval runtime io front jig.hpp data nn profile)
declare -A rank
for i in "${!layers[@]}"; do rank[${layers[i]}]=$i; done

# usage: layer_of PATH (relative to include/)
layer_of() {
  case $1 in
    jig.hpp) echo jig.hpp ;;
    jig/data.hpp) echo data ;;
    jig/nn.hpp) echo nn ;;
    jig/profile.hpp) echo profile ;;
    jig/*/*) local rest=${1#jig/} && echo "${rest%%/*}" ;;
    *) echo front ;;
  esac
}

while read -r header; do
  own=$(layer_of "$header")
  [ -n "${rank[$own]:-}" ] || { fail "$header: $own/ is no known layer"; continue; }

  while IFS=: read -r line path; do
    case $path in
      jig.hpp | jig/*) ;;
      *)  # relative to the header, or not ours
        path=$(realpath -m --relative-to=. "$(dirname "$header")/$path")
        [ -f "$path" ] || continue ;;
    esac
    other=$(layer_of "$path")
    if [ -z "${rank[$other]:-}" ]; then
      fail "$header:$line: $other/ is no known layer"
    elif [ "${rank[$other]}" -gt "${rank[$own]}" ]; then
      fail "$header:$line: $own must not include $path"
    fi
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "$header" |
    sed -E 's/^([0-9]+):[^<"]*[<"]([^>"]*).*/\1:\2/')

  [ "$own" = eval ] || while IFS=: read -r line text; do
    fail "$header:$line: only eval/ names xsimd: $text"
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]xsimd|xsimd::' "$header")
done < <(find . -name '*.hpp' | sed 's|^\./||' | sort)

exit $status
