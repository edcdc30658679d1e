#!/usr/bin/env bash
# usage: digits_convolution.sh PROGRAM DATA (the folder)
# Trains on the real digits: a line for each epoch, and at least 98.5 % of the held-out rows must be right. Then hands it files that
# are missing or malformed: one line that says where, and exit code 1.
. "${BASH_SOURCE%/*}/example.bash"
data+=/digits.csv

out=$("$program" "$data") || fail "exit code $? on good data"
[ "$(grep -c '^Epoch [0-9]*/10 - .*/step - loss: [0-9.e-]* - accuracy: [0-9.e-]*$' <<<"$out")" -eq 10 ] || fail "not ten epochs: $out"
accuracy=$(sed -n 's/^held-out accuracy \([0-9.]*\) %$/\1/p' <<<"$out")
awk -v a="${accuracy:-0}" 'BEGIN { exit !(a >= 98.5) }' || fail "held-out accuracy ${accuracy:-unknown} is below 98.5 %"

refused 'cannot be opened' "$folder/missing.csv"
sed '3s/^[0-9]*/17/' "$data" >"$folder/big"
refused ':3: expected 64 pixels' "$folder/big"
sed '3s/,[^,]*$//' "$data" >"$folder/short"
refused ':3: expected 64 pixels' "$folder/short"
: >"$folder/nothing"
refused 'fit: there are no samples' "$folder/nothing"
exit $status
