#!/usr/bin/env bash
# usage: digits_ranks.sh PROGRAM DATA (the folder) MPIEXEC
# Trains on the real digits on 1, 2 and 4 ranks: all print the same losses, digit by digit, which fall, and at least 96 % of the held-out
# rows must be right. A file that is missing ends all ranks with a line that says so.
. "${BASH_SOURCE%/*}/example.bash"
mpiexec=$3
. "${BASH_SOURCE%/*}/ranks.bash"
data+=/digits.csv

for ranks in 1 2 4; do
  run $ranks "$program" "$data" 20 >"$folder/$ranks" || fail "$ranks ranks: exit code $?"
  [ "$(grep -cE '^epoch [0-9]+, loss [0-9]\.[0-9]{9,}$' "$folder/$ranks")" -eq 20 ] || fail "$ranks ranks do not print 20 losses"
  cmp -s "$folder/1" "$folder/$ranks" || { fail "$ranks ranks train to other losses:"; diff "$folder/1" "$folder/$ranks"; }
done
awk '{ loss[NR] = $4 } END { exit !(loss[20] < 0.2 * loss[1]) }' "$folder/1" || fail "the loss does not fall: $(cat "$folder/1")"
accuracy=$(sed -n 's/^held-out accuracy \([0-9]*\)\..*/\1/p' "$folder/1")
[ "${accuracy:-0}" -ge 96 ] || fail "held-out accuracy ${accuracy:-unknown} is below 96 %"

run 2 "$program" "$folder/missing.csv" >"$folder/output" 2>&1
case $? in
  0) fail 'does not fail without data' ;;
  124) fail 'does not end without data' ;;
esac
grep -q '^rank [01] of 2: .*missing.csv: cannot be opened$' "$folder/output" || fail "without data: $(cat "$folder/output")"
exit $status
