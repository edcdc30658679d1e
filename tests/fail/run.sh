#!/usr/bin/env bash
# usage: run.sh COMPILER FLAGS... FILE
# FILE must not compile, for the reasons its `// expect-error: REGEX` lines give; with
# -DJIG_CONTROL it must compile, which shows that nothing else is wrong with it. Where JIG_PRECOMPILED is a folder that
# precompile.sh made, jig.hpp comes from there: most of the time goes into it.
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

mapfile -t expected < <(sed -n 's|^// expect-error: *||p' "$file")
[ ${#expected[@]} -gt 0 ] || fail 'has no "// expect-error: ..." line'

messages=$("${compile[@]}" -DJIG_CONTROL "$file" 2>&1) || fail 'its control does not compile:'
messages=$("${compile[@]}" "$file" 2>&1) && fail 'compiles, but should not'
for text in "${expected[@]}"; do
  [ -n "$text" ] || fail 'has an empty expectation'
  grep -q -e "$text" <<<"$messages" || fail "expected \"$text\", but the compiler says:"
done
