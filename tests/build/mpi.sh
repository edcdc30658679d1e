#!/usr/bin/env bash
# usage: mpi.sh ROOT MPIEXEC PROGRAM
# Runs the program of tests/adapt/mpi.cpp on several numbers of ranks, which print the same numbers, and shows that a mistake in one rank
# ends all of them with a sentence, in time. What the guide says of ranks are lines of that program.
set -u
root=$1 mpiexec=$2 program=$3
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }

. "${BASH_SOURCE%/*}/ranks.bash"
# What MPI itself never frees is no leak of ours, also where it has unloaded the library that asked for it; sanitizers report ours.
printf 'leak:%s\n' libmpi libopen- libpmix libprrte libevent libhwloc '<unknown module>' >"$temp/of_others"
export LSAN_OPTIONS=suppressions=$temp/of_others:print_suppressions=0 ASAN_OPTIONS=fast_unwind_on_malloc=0

for ranks in 1 2 3 4; do
  run $ranks "$program" >"$temp/$ranks" || fail "$ranks ranks: $(cat "$temp/$ranks")"
  [ "$(wc -l <"$temp/$ranks")" -eq 56 ] || fail "$ranks ranks do not print 56 numbers"
  cmp -s "$temp/1" "$temp/$ranks" || { fail "$ranks ranks train to other numbers:"; diff "$temp/1" "$temp/$ranks"; }
done

# usage: ends RANKS NAME SENTENCE: the program ends by itself, as failed, and says so.
ends() {
  run "$1" "$program" "$2" >"$temp/output" 2>&1
  case $? in
    0) fail "$2: does not fail" ;;
    124) fail "$2: does not end" ;;
  esac
  grep -qF -e "$3" "$temp/output" || fail "$2: wanted '$3', got: $(cat "$temp/output")"
}
# Powers of two exchange other messages.
ends 4 throw "rank 3 of 4: there is no file 'shard_1.csv'"
ends 2 shape 'all_reduce: ranks disagree: rank 0 has float64 (5,) as part 2, rank 1 has float64 (4,) as part 2'
ends 4 shape 'all_reduce: ranks disagree: ranks 0, 1 and 2 have float64 (5,) as part 2, rank 3 has float64 (4,) as part 2'
ends 4 end 'ranks disagree: ranks 0, 1 and 2 are at all_reduce, rank 3 is at the end of the program'
ends 2 copy 'ranks disagree: rank 0 is at all_reduce, rank 1 is at broadcast from rank 0'
ends 3 throw "rank 2 of 3: there is no file 'shard_1.csv'"
ends 3 number 'rank 2 of 3: what was thrown is no std::exception'
ends 3 shape 'all_reduce: ranks disagree: ranks 0 and 1 have float64 (5,) as part 2, rank 2 has float64 (4,) as part 2'
ends 3 end 'ranks disagree: ranks 0 and 1 are at all_reduce, rank 2 is at the end of the program'
ends 3 copy 'ranks disagree: ranks 0 and 1 are at all_reduce, rank 2 is at broadcast from rank 0'
ends 3 integers 'all_reduce: the mean of int32 is no int32: cast it first'
[[ $("$program" uninitialised) == *'MPI is not initialised: run the program in jig::mpi::run'* ]] || fail 'MPI that is not initialised is not told'

lines=0
while read -r line; do
  lines=$((lines + 1))
  sed 's/^ *//' "$root/tests/adapt/mpi.cpp" | grep -qxF -e "$line" || fail "examples/guide.md: this is in no program: $line"
done < <(sed -n '/^## Over ranks/,/^## /{/^```c++$/,/^```$/p}' "$root/examples/guide.md" | grep -v '^```' | sed -E 's/^ *//; s| +// .*||; /^$/d')
[ "$lines" -gt 5 ] || fail 'examples/guide.md: no example of ranks is found'
exit $status
