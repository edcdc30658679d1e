#!/usr/bin/env bash
# usage: image_filter.sh PROGRAM DATA (the folder)
# Filters pictures of the real digits, which a Python script makes and checks, and the picture of libpng's documentation, where it is. Then
# hands the program what it cannot filter: one line that says why, and exit code 1.
. "${BASH_SOURCE%/*}/example.bash"

command -v python3 >/dev/null || { echo 'python3 is not there: skipped'; exit 77; }
python3 "$(dirname "$0")/image_filter.py" "$program" "$data" "$folder" || fail 'the filters differ from plain loops'

# usage: size FILE: its columns and rows.
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'; }
picture=/usr/share/doc/libpng-dev/examples/pngtest.png
if [ -f $picture ]; then
  "$program" $picture "$folder/blur.png" || fail "exit code $? on $picture"
  [ "$(size "$folder/blur.png")" = '91 69' ] || fail "blur: $(size "$folder/blur.png")"
fi

refused '^image_filter: usage: ' "$folder/1x1.png"
refused 'missing.png: ' "$folder/missing.png" "$folder/out.png"
refused 'image_filter.sh: ' "$0" "$folder/out.png"
refused "'sharpen' is none of" "$folder/1x1.png" "$folder/out.png" sharpen
refused 'no/out.png: ' "$folder/1x1.png" "$folder/no/out.png"
refused 'too small' "$folder/5x1.png" "$folder/out.png" edges
exit $status
