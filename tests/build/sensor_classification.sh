#!/usr/bin/env bash
# usage: sensor_classification.sh PROGRAM DATA (the folder)
# Trains on the first 200 radar returns: a line for each epoch, and at least 95 % of the others must be right. Then hands it files that are
# missing or malformed: one line that says where, and exit code 1.
set -u
program=$1 data=$2/ionosphere.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }

out=$("$program" "$data") || fail "exit code $? on good data"
[ "$(grep -c '^Epoch [0-9]*/30 - .*/step - loss: [0-9.e-]* - binary_accuracy: [0-9.e-]*$' <<<"$out")" -eq 30 ] || fail "not thirty epochs: $out"
accuracy=$(sed -n 's/^held-out accuracy \([0-9.]*\) %$/\1/p' <<<"$out")
awk -v a="${accuracy:-0}" 'BEGIN { exit !(a >= 95) }' || fail "held-out accuracy ${accuracy:-unknown} is below 95 %"

# usage: refused FILE PATTERN
refused() {
  local message code=0
  message=$("$program" "$1" 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$1: exit code $code instead of 1"
  [ "$(wc -l <<<"$message")" -eq 1 ] || fail "$1: not one line: $message"
  grep -q "$2" <<<"$message" || fail "$1: '$message' does not say '$2'"
}
refused "$folder/missing.csv" 'cannot be opened'
sed '3s/,[gb]$//' "$data" >"$folder/short"
refused "$folder/short" ':3: expected 34 numbers and g or b'
sed '3s/,[gb]$/,x/' "$data" >"$folder/class"
refused "$folder/class" ':3: expected 34 numbers and g or b'
sed '203s/^[0-9]*,/one,/' "$data" >"$folder/word"
refused "$folder/word" ':203: expected 34 numbers and g or b'
: >"$folder/nothing"
refused "$folder/nothing" 'fit: there are no samples'
head -n 200 "$data" >"$folder/no_others"
refused "$folder/no_others" 'evaluate: there are no samples'
exit $status
