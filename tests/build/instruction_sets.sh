#!/usr/bin/env bash
# usage: instruction_sets.sh BASELINE OBJECT...
# Objects of the same kernels for several instruction sets, linked in this order, may share a function only
# if the baseline has it too, since the linker takes the first it meets; and they run nothing at the start.
set -eu
baseline=$1
shift
# Weak functions and data, not the compiler's own references.
shared() { nm --defined-only "$1" | awk '$2 ~ /[WVu]/ && $3 !~ /^DW\.ref\./ { print $3 }' | sort; }
status=0
for object in "$@"; do
  while read -r name; do
    case $name in *jig_x86_64_v*) continue ;; esac
    echo "$object: shares $(c++filt "$name"), which the baseline has not"
    status=1
  done < <(comm -13 <(shared "$baseline") <(shared "$object"))
done

# The mnemonics of the functions that run before main.
before_main() {
  local instructions
  instructions=$(objdump -d --no-show-raw-insn "$1") || return
  awk '/^[0-9a-f]+ <.*>:$/ { inside = /<_GLOBAL__sub_I|<__cxx_global_var_init/ } inside && $1 ~ /:$/ { print $2 }' <<<"$instructions"
}
newer='^(v.*|andn|bextr|bls[a-z]*|bzhi|[lt]zcnt|mulx|p?dep|pext|rorx|sarx|sh[lr]x|popcnt|movbe)$'
for object in "$baseline" "$@"; do
  # Not in the condition: an object that cannot be read ends the script.
  mnemonics=$(before_main "$object")
  if grep -xE "$newer" <<<"$mnemonics"; then
    echo "$object: runs that before main" >&2
    status=1
  fi
  nm "$object" | grep -q jig_x86_64 || { echo "$object: has no function of a renamed jig"; status=1; }
done
exit $status
