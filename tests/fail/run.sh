#!/usr/bin/env bash
# usage: run.sh COMPILER FLAGS... FILE
# FILE must not compile, for the reasons its `// expect-error: REGEX` lines give, and the compiler must say so in few lines: 25 of GCC, 40
# of Clang, unless a line `// at most: N` or `// at most with clang: N` tells another number. With
# -DJIG_CONTROL it must compile, which shows that nothing else is wrong with it. Where JIG_PRECOMPILED is a folder that
# precompile.sh made, jig.hpp comes from there: most of the time goes into it. Controls that controls.sh compiled are not compiled again.
# Prints how many lines there are, and the first with a reason.
set -u
export LC_ALL=C  # plain quotes in messages
file=${*: -1}
compile=("${@:1:$#-1}" -fsyntax-only)
if [ -n "${JIG_PRECOMPILED:-}" ] && [ "$(grep -m 1 '^#' "$file")" = '#include <jig.hpp>' ]; then
  compile+=(-include "$JIG_PRECOMPILED/jig.hpp")
fi

fail() {
  printf '%s: %s\n' "$file" "$1"
  [ -z "${messages:-}" ] || printf '%s\n' "$messages" | head -n 60
  exit 1
}

# Clang cuts long texts, so sentences come in pieces.
whole_sentences() { sed -E 's/"\}, (jig::)?text<[0-9]+>\{"//g'; }

mapfile -t expected < <(sed -n 's|^// expect-error: *||p' "$file")
[ ${#expected[@]} -gt 0 ] || fail 'has no "// expect-error: ..." line'

grep -sqxF "$file" "${JIG_PRECOMPILED:-//}/controls.txt" ||
  messages=$("${compile[@]}" -DJIG_CONTROL "$file" 2>&1) || fail 'its control does not compile:'
messages=$("${compile[@]}" "$file" 2>&1) && fail 'compiles, but should not'
for text in "${expected[@]}"; do
  [ -n "$text" ] || fail 'has an empty expectation'
  whole_sentences <<<"$messages" | grep -q -e "$text" || fail "expected \"$text\", but the compiler says:"
done

most=$(sed -n 's|^// at most: *||p' "$file")
most=${most:-25}
if grep -q clang <<<"$("$1" --version)"; then
  most=$(sed -n 's|^// at most with clang: *||p' "$file")
  most=${most:-40}
fi
# A line that says where the precompiled header was included is not counted.
lines=$(grep -vcF "${JIG_PRECOMPILED:-//}/jig.hpp:" <<<"$messages")
[ "$lines" -le "$most" ] || fail "$lines lines, more than $most:"
printf '%d lines: %s\n' "$lines" "$(whole_sentences <<<"$messages" | grep -o -e "${expected[0]}.*" | head -n 1 | sed 's/"}.*//')"
