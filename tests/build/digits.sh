#!/usr/bin/env bash
# usage: digits.sh PROGRAM DATA (the folder)
# Trains on the real digits: at least 97 % of the held-out rows must be right, and the picture must be one. Then hands it
# files that are missing or malformed: one line that says where, and exit code 1.
set -u
program=$1 data=$2/digits.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }

out=$("$program" "$data" "$folder/graph.dot" 2>"$folder/progress") || fail "exit code $? on good data"
grep -q '^ConcreteFunction train_step(model, optimizer, x, labels, seed)$' <<<"$out" || fail 'no signature'
grep -q '^graph of [0-9]* nodes, [0-9]* after the passes$' <<<"$out" || fail 'no sizes of the graph'
grep -q 'epoch .* loss' "$folder/progress" || fail 'no progress line'
accuracy=$(sed -n 's/^held-out accuracy \([0-9]*\)\..*/\1/p' <<<"$out")
[ "${accuracy:-0}" -ge 97 ] || fail "held-out accuracy ${accuracy:-unknown} is below 97 %"
grep -q '^digraph' "$folder/graph.dot" || fail 'no picture'
if command -v dot >/dev/null; then dot -Tsvg "$folder/graph.dot" >/dev/null || fail 'dot refuses the picture'; fi

# usage: refused FILE PATTERN
refused() {
  local message code=0
  message=$("$program" "$1" "$folder/none.dot" 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$1: exit code $code instead of 1"
  [ "$(wc -l <<<"$message")" -eq 1 ] || fail "$1: not one line: $message"
  grep -q "$2" <<<"$message" || fail "$1: '$message' does not say '$2'"
  [ ! -e "$folder/none.dot" ] || fail "$1: a picture was written all the same"
}
# usage: broken NAME LINE: the data with another third line.
broken() { sed "3s/.*/$2/" "$data" >"$folder/$1"; }

refused "$folder/missing.csv" 'cannot be opened'
broken short "$(sed -n 3p "$data" | cut -d, -f1-64)"
refused "$folder/short" ':3: expected 65 numbers'
broken long "$(sed -n 3p "$data"),1"
refused "$folder/long" ':3: expected 65 numbers'
broken word "$(sed -n 3p "$data" | sed 's/^0/zero/')"
refused "$folder/word" ':3: expected 65 numbers'
broken big "$(sed -n 3p "$data" | sed 's/^0/17/')"
refused "$folder/big" ':3: expected pixels from 0 to 16'
broken overflow "$(sed -n 3p "$data" | sed 's/^0/99999999999/')"
refused "$folder/overflow" ':3: expected 65 numbers'
broken class "$(sed -n 3p "$data" | sed 's/.$/10/')"
refused "$folder/class" ':3: expected pixels'
broken empty ''
refused "$folder/empty" ':3: expected 65 numbers'
head -n 39 "$data" >"$folder/few"
refused "$folder/few" 'at least 40 rows'
: >"$folder/nothing"
refused "$folder/nothing" 'at least 40 rows'
exit $status
