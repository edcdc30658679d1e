#!/usr/bin/env bash
# usage: lists.sh ROOT
# Fails when a list and its folder disagree, when a header has no twin among the tests, when a function is in no table of ops, when a
# label of a docstring does not begin its line, when a folder is unknown to graph/source_line.hpp, or when the two build files disagree about the version.
set -u
export LC_ALL=C
cd "$1" || exit 1
status=0
fail() { printf '%s\n' "$1"; status=1; }

# usage: check LIST FOLDER [find's tests]: the list names the .cpp files below the folder.
check() {
  local list=$1 folder=$2 line
  shift 2
  while read -r line; do fail "$list: $line"; done < <(
    diff <(sort "$list") <(cd "$folder" && find . -name '*.cpp' "$@" | sed 's|^\./||' | sort) |
      sed -n -e 's/^< \(.*\)/names \1, which does not exist or is named twice/p' \
        -e 's/^> /does not name /p')
}

check tests/sources.txt tests -not -path './contract/*' -not -path './fail/*' -not -path './build/*' \
  -not -path './exhaustive/*' -not -path './random/*' -not -path './io/clients/*'
check tests/contract/programs.txt tests/contract
check tests/fail/cases.txt tests/fail
check examples/programs.txt examples -not -path './instruction_sets/*' -not -path './python_module/*'
check bench/programs.txt bench -not -path './shapes/*' -not -path './compiled/*' -not -path './ranks/*' -not -path './guide_model/*'
check bench/shapes/families.txt bench/shapes
[ "$(head -n 1 tests/sources.txt)" = main.cpp ] || fail 'tests/sources.txt: main.cpp is not first'

for output in examples/*.txt; do
  case $output in */programs.txt | */CMakeLists.txt) continue ;; esac
  [ -f "${output%.txt}.cpp" ] || [ -f "${output%.txt}/main.cpp" ] || fail "$output: no ${output%.txt}.cpp prints it"
done

# Lines of a program are told from those of the library by its folders.
for folder in include/jig/*/; do
  grep -qF "\"$(basename "$folder")\"" include/jig/graph/source_line.hpp || fail "is_in_library does not know $folder"
done

excused=tests/build/no_twin.txt
while read -r header; do
  twin=tests/${header%.hpp}.cpp
  if grep -qxF "$header" $excused; then
    [ ! -f "$twin" ] || fail "$excused: $header has a twin"
  else
    [ -f "$twin" ] || fail "include/jig/$header: no $twin, and not in $excused"
  fi
done < <(cd include/jig && find . -mindepth 2 -name '*.hpp' | sed 's|^\./||' | sort)
while read -r header; do
  [ -f "include/jig/$header" ] || fail "$excused: $header does not exist"
done <$excused

# The functions of ops/ that take an operand are in the table of the README, and in the tables that tests run through.
table=$(sed -n '/^## Ops/,/^## /p' README.md)
# usage: check_row TABLE NAME EXCUSED...: the table calls the function, or it is among those that are tested by themselves.
check_row() {
  local file=$1 name=$2
  shift 2
  if grep -qE "(^|[^a-z_0-9])$name[<(]" "$file"; then
    [[ " $* " != *" $name "* ]] || fail "lists.sh: $file names $name, which is excused"
  else
    [[ " $* " == *" $name "* ]] || fail "$file does not name $name"
  fi
}
while read -r name; do
  grep -q "\`$name[\`<(]" <<<"$table" || fail "README.md: its table of ops does not name $name"
  # Not behind each other: what has effects or extents that only the run tells, what is a number, and what others there are made of, and
  # what differs from others in the number of axes alone.
  check_row tests/op_pairs.hpp "$name" assert_all_finite check_numerics host_call boolean_mask unique extent rank size shape_of \
    constant_like reduce_std moments batch_moments batch_norm embedding_lookup dot_product_attention resize_like reshape unstack conv2d conv3d conv2d_transpose conv3d_transpose max_pool2d max_pool3d avg_pool2d avg_pool3d \
    clip_by_value clip_by_norm clip_by_global_norm count_nonzero zero_fraction l2_normalize log_sigmoid divide_no_nan multiply_no_nan xlogy xdivy \
    cross sequence_mask space_to_depth depth_to_space invert_permutation bucketize
  check_row tests/runtime/table.cpp "$name" assert_all_finite check_numerics host_call extent constant_like
done < <(awk '/^namespace detail/ { inside = 1 } /^}  \/\/ namespace detail/ { inside = 0 }
  /^template <.*Operand/ { operand = 1; next }
  operand && !inside && /^constexpr auto [a-z]/ { sub(/\(.*/, "", $3); print $3 }
  { operand = 0 }' include/jig/ops/*.hpp | sort -u)

# Programs that run any graph have the kernels of all ops.
list=include/jig/runtime/all_ops.hpp
while read -r line; do fail "$list: all_ops $line"; done < <(
  diff <(sed -n '/all_ops\[\] = {/,/};/p' $list 2>/dev/null | grep -o '&ops::[a-z0-9_]*' | sed 's/&ops:://' | sort) \
    <(awk '/^namespace/ { inside = / (jig::)?ops / } inside && /^inline constexpr op [a-z]/ { sub(/[^a-z0-9_].*/, "", $4); print $4 }' \
      include/jig/ops/*.hpp | grep -vx host_call | sort) |
    sed -n -e 's/^< \(.*\)/names \1, which does not exist or is named twice/p' -e 's/^> /does not name /p')

while read -r place; do fail "$place: a label of a docstring begins its line"; done < <(
  grep -rnoE '^ */// .*[.)`] (Shape|Dtype|Errors|Units|Cost|Source):' include --include=*.hpp | sed 's/:[^:]*:*$//')

header=include/jig/version.hpp
version=$(awk '/^#define JIG_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' $header)
grep -q "^  version: '$version'," meson.build ||
  fail "meson.build: its version is not $version, as $header says"

exit $status
