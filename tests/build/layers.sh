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

# usage: layer_of PATH (relative to include/): sets `layer`.
layer_of() {
  case $1 in
    jig.hpp) layer=jig.hpp ;;
    jig/data.hpp) layer=data ;;
    jig/nn.hpp) layer=nn ;;
    jig/profile.hpp) layer=profile ;;
    jig/*/*) layer=${1#jig/} layer=${layer%%/*} ;;
    *) layer=front ;;
  esac
}

mapfile -t headers < <(find . -name '*.hpp' | sed 's|^\./||' | sort)
for header in "${headers[@]}"; do
  layer_of "$header"
  [ -n "${rank[$layer]:-}" ] || fail "$header: $layer/ is no known layer"
done

while IFS=: read -r header line path; do
  layer_of "$header"
  own=$layer
  [ -n "${rank[$own]:-}" ] || continue
  case $path in
    jig.hpp | jig/*) ;;
    *)  # relative to the header, or not ours
      [[ $header == */* ]] && path=${header%/*}/$path
      [ -f "$path" ] || continue
      path=$(realpath -m --relative-to=. "$path") ;;
  esac
  layer_of "$path"
  if [ -z "${rank[$layer]:-}" ]; then
    fail "$header:$line: $layer/ is no known layer"
  elif [ "${rank[$layer]}" -gt "${rank[$own]}" ]; then
    fail "$header:$line: $own must not include $path"
  fi
done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include' "${headers[@]}" | sed -E 's/^([^:]+:[0-9]+):[^<"]*[<"]([^>"]*).*/\1:\2/')

while IFS=: read -r header line text; do
  layer_of "$header"
  [ "$layer" = eval ] || fail "$header:$line: only eval/ names xsimd: $text"
done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]xsimd|xsimd::' "${headers[@]}")

exit $status
