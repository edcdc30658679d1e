#!/usr/bin/env bash
# usage: digits_convolution.sh PROGRAM DATA (the folder)
# Trains on the real digits: a line for each epoch, and at least 98.5 % of the held-out rows must be right. Then hands it files that
# are missing or malformed: one line that says where, and exit code 1.
set -u
program=$1 data=$2/digits.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }

out=$("$program" "$data") || fail "exit code $? on good data"
[ "$(grep -c '^Epoch [0-9]*/10 - .*/step - loss: [0-9.e-]* - accuracy: [0-9.e-]*$' <<<"$out")" -eq 10 ] || fail "not ten epochs: $out"
accuracy=$(sed -n 's/^held-out accuracy \([0-9.]*\) %$/\1/p' <<<"$out")
awk -v a="${accuracy:-0}" 'BEGIN { exit !(a >= 98.5) }' || fail "held-out accuracy ${accuracy:-unknown} is below 98.5 %"

# usage: refused FILE PATTERN
refused() {
  local message code=0
  message=$("$program" "$1" 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$1: exit code $code instead of 1"
  [ "$(wc -l <<<"$message")" -eq 1 ] || fail "$1: not one line: $message"
  grep -q "$2" <<<"$message" || fail "$1: '$message' does not say '$2'"
}
refused "$folder/missing.csv" 'cannot be opened'
sed '3s/^[0-9]*/17/' "$data" >"$folder/big"
refused "$folder/big" ':3: expected 64 pixels'
sed '3s/,[^,]*$//' "$data" >"$folder/short"
refused "$folder/short" ':3: expected 64 pixels'
: >"$folder/nothing"
refused "$folder/nothing" 'fit: there are no samples'
exit $status
