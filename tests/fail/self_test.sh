#!/usr/bin/env bash
# usage: self_test.sh COMPILER FLAGS...
# Shows that run.sh accepts a good case and rejects each kind of bad one, for the right reason.
set -eu
run=$(dirname "$0")/run.sh
case=$(mktemp -d)/case.cpp
trap 'rm -rf "$(dirname "$case")"' EXIT
status=0

# usage: check NAME WANTED_STATUS WANTED_TEXT COMPILER FLAGS...  (the case itself on stdin)
check() {
  local name=$1 wanted=$2 text=$3 got=0 output
  shift 3
  cat >"$case"
  output=$(bash "$run" "$@" "$case") || got=$?
  if [ "$got" -ne "$wanted" ] || ! grep -qF -e "$text" <<<"$output"; then
    printf '%s: wanted status %s and "%s", got status %s:\n%s\n' \
      "$name" "$wanted" "$text" "$got" "$output"
    status=1
  fi
}

check 'good case' 0 '' "$@" <<'END'
// expect-error: extents [0-9] and 3 differ
// expect-error: static assertion
#ifdef JIG_CONTROL
static_assert(true, "extents 2 and 3 differ");
#else
static_assert(false, "extents 2 and 3 differ");
#endif
END

check 'missing expectation' 1 'has no' "$@" <<'END'
#ifndef JIG_CONTROL
static_assert(false, "extents differ");
#endif
END

check 'unexpected success' 1 'compiles, but should not' "$@" <<'END'
// expect-error: extents differ
#ifdef JIG_CONTROL
#endif
END

check 'broken control' 1 'control does not compile' "$@" <<'END'
// expect-error: extents differ
#ifdef JIG_CONTROL
static_assert(false, "typing error");
#else
static_assert(false, "extents differ");
#endif
END

check 'wrong message' 1 'expected "extents differ"' "$@" <<'END'
// expect-error: static assertion
// expect-error: extents differ
#ifndef JIG_CONTROL
static_assert(false, "typing error");
#endif
END

check 'many lines' 1 'lines, more than' "$@" <<'END'
// expect-error: extents differ
#ifndef JIG_CONTROL
static_assert(false, "extents differ");
#define TEN(X) X X X X X X X X X X
TEN(TEN(static_assert(false, "typing error");))
#endif
END

check 'as many lines as allowed' 0 'extents differ' "$@" <<'END'
// expect-error: extents differ
// at most: 1000
// at most with clang: 1000
#ifndef JIG_CONTROL
static_assert(false, "extents differ");
#define TEN(X) X X X X X X X X X X
TEN(static_assert(false, "typing error");)
#endif
END

exit $status
