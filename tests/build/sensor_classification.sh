#!/usr/bin/env bash
# usage: sensor_classification.sh PROGRAM DATA (the folder)
# Trains on the first 200 radar returns: a line for each epoch, and at least 95 % of the others must be right. Then hands it files that are
# missing or malformed: one line that says where, and exit code 1.
. "${BASH_SOURCE%/*}/example.bash"
data+=/ionosphere.csv

out=$("$program" "$data") || fail "exit code $? on good data"
[ "$(grep -c '^Epoch [0-9]*/30 - .*/step - loss: [0-9.e-]* - binary_accuracy: [0-9.e-]*$' <<<"$out")" -eq 30 ] || fail "not thirty epochs: $out"
accuracy=$(sed -n 's/^held-out accuracy \([0-9.]*\) %$/\1/p' <<<"$out")
awk -v a="${accuracy:-0}" 'BEGIN { exit !(a >= 95) }' || fail "held-out accuracy ${accuracy:-unknown} is below 95 %"

refused 'cannot be opened' "$folder/missing.csv"
sed '3s/,[gb]$//' "$data" >"$folder/short"
refused ':3: expected 34 numbers and g or b' "$folder/short"
sed '3s/,[gb]$/,x/' "$data" >"$folder/class"
refused ':3: expected 34 numbers and g or b' "$folder/class"
sed '203s/^[0-9]*,/one,/' "$data" >"$folder/word"
refused ':203: expected 34 numbers and g or b' "$folder/word"
: >"$folder/nothing"
refused 'fit: there are no samples' "$folder/nothing"
head -n 200 "$data" >"$folder/no_others"
refused 'evaluate: there are no samples' "$folder/no_others"
exit $status
