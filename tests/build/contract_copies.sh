#!/usr/bin/env bash
# usage: contract_copies.sh ROOT
# Fails when a contract program differs from its original; skipped where there are no originals.
set -u
originals=$1/../shared/contract
[ -d "$originals" ] || exit 77
status=0
for copy in "$1"/tests/contract/*.cpp; do
  diff -u "$originals/$(basename "$copy")" "$copy" || status=1
done
exit $status
