# Sourced by tests of examples. usage: example.bash PROGRAM DATA
# Gives them program, data, a folder that goes when they end, status, fail and refused.
set -u
program=$1 data=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
fail() { printf '%s\n' "$1"; status=1; }
# usage: refused PATTERN ARGUMENT...: the program must exit with 1 and say why in one line.
refused() {
  local message code=0 pattern=$1
  shift
  message=$("$program" "$@" 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$*: exit code $code instead of 1"
  [ "$(wc -l <<<"$message")" -eq 1 ] || fail "$*: not one line: $message"
  grep -q "$pattern" <<<"$message" || fail "$*: '$message' does not say '$pattern'"
}
