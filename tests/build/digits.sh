#!/usr/bin/env bash
# usage: digits.sh PROGRAM DATA (the folder)
# Trains on the real digits: at least 97 % of the held-out rows must be right, and the picture must be one. Then hands it
# files that are missing or malformed: one line that says where, and exit code 1.
. "${BASH_SOURCE%/*}/example.bash"
data+=/digits.csv

out=$("$program" "$data" "$folder/graph.dot" 2>"$folder/progress") || fail "exit code $? on good data"
grep -q '^ConcreteFunction train_step(model, optimizer, x, labels, seed)$' <<<"$out" || fail 'no signature'
grep -q '^graph of [0-9]* nodes, [0-9]* after the passes$' <<<"$out" || fail 'no sizes of the graph'
grep -q 'epoch .* loss' "$folder/progress" || fail 'no progress line'
accuracy=$(sed -n 's/^held-out accuracy \([0-9]*\)\..*/\1/p' <<<"$out")
[ "${accuracy:-0}" -ge 97 ] || fail "held-out accuracy ${accuracy:-unknown} is below 97 %"
grep -q '^digraph' "$folder/graph.dot" || fail 'no picture'
if command -v dot >/dev/null; then dot -Tsvg "$folder/graph.dot" >/dev/null || fail 'dot refuses the picture'; fi

# usage: no_picture FILE PATTERN
no_picture() {
  refused "$2" "$1" "$folder/none.dot"
  [ ! -e "$folder/none.dot" ] || fail "$1: a picture was written all the same"
}
# usage: broken NAME LINE: the data with another third line.
broken() { sed "3s/.*/$2/" "$data" >"$folder/$1"; }

no_picture "$folder/missing.csv" 'cannot be opened'
broken short "$(sed -n 3p "$data" | cut -d, -f1-64)"
no_picture "$folder/short" ':3: expected 65 numbers'
broken long "$(sed -n 3p "$data"),1"
no_picture "$folder/long" ':3: expected 65 numbers'
broken word "$(sed -n 3p "$data" | sed 's/^0/zero/')"
no_picture "$folder/word" ':3: expected 65 numbers'
broken big "$(sed -n 3p "$data" | sed 's/^0/17/')"
no_picture "$folder/big" ':3: expected pixels from 0 to 16'
broken overflow "$(sed -n 3p "$data" | sed 's/^0/99999999999/')"
no_picture "$folder/overflow" ':3: expected 65 numbers'
broken class "$(sed -n 3p "$data" | sed 's/.$/10/')"
no_picture "$folder/class" ':3: expected pixels'
broken empty ''
no_picture "$folder/empty" ':3: expected 65 numbers'
head -n 39 "$data" >"$folder/few"
no_picture "$folder/few" 'at least 40 rows'
: >"$folder/nothing"
no_picture "$folder/nothing" 'at least 40 rows'
exit $status
