#!/usr/bin/env bash
# usage: page.sh PROGRAM
# Looks at the page that PROGRAM (page.cpp) writes with Chromium, without a window: what is drawn, found and opened (page.py). Skipped where
# there is no Chromium, which not every system has as a package; what else is not installed fails where CI is set.
set -eu
program=$1
lacks() {
  echo "not installed: $1"
  [ -z "${CI:-}" ] || exit 1
  exit 77
}

browser=
for candidate in chromium google-chrome chrome; do
  if command -v $candidate >/dev/null; then browser=$candidate; break; fi
done
[ -n "$browser" ] || { echo 'The page of a profile is not looked at, for there is no Chromium: apt-get install chromium'; exit 77; }
command -v dot >/dev/null || lacks graphviz
# A system may have a second Python, without its packages, before its own.
python=python3
"$python" -c 'import cv2' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import cv2, numpy' 2>/dev/null || lacks 'OpenCV (python3-opencv)'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" "$folder/page.html"
"$python" "${BASH_SOURCE%/*}/page.py" "$browser" "$folder"
