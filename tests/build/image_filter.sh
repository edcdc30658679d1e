#!/usr/bin/env bash
# usage: image_filter.sh PROGRAM DATA (the folder)
# Filters pictures of the real digits, which a Python script makes and checks, and the picture of libpng's documentation, where it is. Then
# hands the program what it cannot filter: one line that says why, and exit code 1.
set -u
program=$1 data=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }

command -v python3 >/dev/null || { echo 'python3 is not there: skipped'; exit 77; }
python3 "$(dirname "$0")/image_filter.py" "$program" "$data" "$folder" || fail 'the filters differ from plain loops'

# usage: size FILE: its columns and rows.
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'; }
picture=/usr/share/doc/libpng-dev/examples/pngtest.png
if [ -f $picture ]; then
  "$program" $picture "$folder/blur.png" || fail "exit code $? on $picture"
  [ "$(size "$folder/blur.png")" = '91 69' ] || fail "blur: $(size "$folder/blur.png")"
fi

# usage: refused PATTERN ARGUMENT...
refused() {
  local message code=0 pattern=$1
  shift
  message=$("$program" "$@" 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$*: exit code $code instead of 1"
  [ "$(wc -l <<<"$message")" -eq 1 ] || fail "$*: not one line: $message"
  grep -q "$pattern" <<<"$message" || fail "$*: '$message' does not say '$pattern'"
}
refused '^image_filter: usage: ' "$folder/1x1.png"
refused 'missing.png: ' "$folder/missing.png" "$folder/out.png"
refused 'image_filter.sh: ' "$0" "$folder/out.png"
refused "'sharpen' is none of" "$folder/1x1.png" "$folder/out.png" sharpen
refused 'no/out.png: ' "$folder/1x1.png" "$folder/no/out.png"
refused 'too small' "$folder/5x1.png" "$folder/out.png" edges
exit $status
