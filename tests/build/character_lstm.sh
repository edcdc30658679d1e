#!/usr/bin/env bash
# usage: character_lstm.sh PROGRAM DATA (the folder)
# Trains on the text of a licence: a line for each epoch, and a loss that is below that of the frequencies of characters and of pairs,
# which awk counts here, with pieces of the text and one character at a time. Then hands it files that are missing, too short or no ASCII:
# one line that says so, and exit code 1.
. "${BASH_SOURCE%/*}/example.bash"
text=/usr/share/common-licenses/GPL-3
[ -f $text ] || { echo "$text is not there: skipped"; exit 77; }

out=$("$program" $text) || fail "exit code $? on good data"
[ "$(grep -c '^Epoch [0-9]*/10 - .*/step - loss: [0-9.e-]*$' <<<"$out")" -eq 10 ] || fail "not ten epochs: $out"
# usage: nats NAME
nats() { sed -n "s/^$1 \([0-9.]*\)$/\1/p" <<<"$out"; }
read -r characters pairs < <(awk '
  { line = $0 "\n"
    for (i = 1; i <= length(line); ++i) {
      c = substr(line, i, 1); ++n; ++count[c]
      if (n > 1) { ++first[last]; ++pair[last, c] }
      last = c
    } }
  END {
    for (c in count) one -= count[c] * log(count[c] / n)
    for (p in pair) { split(p, of, SUBSEP); two -= pair[p] * log(pair[p] / first[of[1]]) }
    printf "%.3f %.3f\n", one / n, two / (n - 1)
  }' $text)
[ "$(nats 'frequencies of characters')" = "$characters" ] || fail "characters: not $characters: $out"
[ "$(nats 'frequencies of pairs')" = "$pairs" ] || fail "pairs: not $pairs: $out"
for name in 'after training' 'one by one'; do
  awk -v loss="$(nats "$name")" -v pairs="$pairs" 'BEGIN { exit !(loss > 1 && loss < pairs - 0.1) }' || fail "$name: $(nats "$name")"
done
[ "$(sed '1,/^one by one/d' <<<"$out" | wc -c)" -ge 300 ] || fail "no text: $out"

refused 'cannot be opened' "$folder/missing"
head -c 300 $text >"$folder/short"
refused 'too short' "$folder/short"
{ cat $text; printf '\303\244'; } >"$folder/umlaut"
refused 'not ASCII' "$folder/umlaut"
exit $status
