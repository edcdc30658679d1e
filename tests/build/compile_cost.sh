#!/usr/bin/env bash
# usage: compile_cost.sh ROOT COMPILER FLAGS...
# Compiles what includes jig.hpp, a file with one small function, and one with a function of each family, with -O2, and compares user time
# and peak memory with those of a file that includes xsimd. Fails where memory has grown by a quarter since the figures below were
# measured: it follows what the compiler makes, and hardly varies. Times vary with what else a machine does: they may grow by
# a half, the best of three counting, and six where that is too much.
# Whoever makes compiling cheaper, or has to make it dearer, writes the new figures here: the script prints them.
set -eu
root=$1
shift
[ -x /usr/bin/time ] || { echo "compile_cost: needs GNU time as /usr/bin/time"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $("$@" --version) in
  # Percents of the time, and of the memory, that including xsimd takes.
  *clang*) limits='include 385 160 small 590 171 families 1900 240' ;;
  *) limits='include 335 240 small 490 285 families 1800 450' ;;
esac

echo '#include <xsimd/xsimd.hpp>' >"$folder/xsimd.cpp"
echo '#include <jig.hpp>' >"$folder/include.cpp"
cat >"$folder/small.cpp" <<'CODE'
#include <jig.hpp>
#include <vector>
constexpr auto f = jig::function([](auto x, auto y) { return x * y + 1; });
void run(std::vector<float>& out, const std::vector<float>& x, const std::vector<float>& y) { f.into(out, x, y); }
CODE
cp "$root/tests/build/compile_cost.cpp" "$folder/families.cpp"

# usage: measure NAME COMPILER FLAG...: the best so far, in hundredths of seconds and kilobytes.
declare -A best memory
measure() {
  local name=$1 seconds kilobytes
  shift
  /usr/bin/time -o "$folder/time" -f '%U %M' "$@" -DNDEBUG -O2 -c "$folder/$name.cpp" -o "$folder/out.o"
  read -r seconds kilobytes <"$folder/time"
  seconds=$((10#${seconds/./}))
  if [ -z "${best[$name]-}" ] || [ "$seconds" -lt "${best[$name]}" ]; then best[$name]=$seconds; fi
  if [ -z "${memory[$name]-}" ] || [ "$kilobytes" -lt "${memory[$name]}" ]; then memory[$name]=$kilobytes; fi
}

wrong=0
# By turns, since a machine is busy for a while.
for _ in 1 2 3; do
  for name in xsimd include small; do measure "$name" "$@"; done
done
measure families "$@"
read -ra limit <<<"$limits"
for ((i = 0; i < ${#limit[@]}; i += 3)); do
  name=${limit[i]} time_limit=${limit[i + 1]} memory_limit=${limit[i + 2]}
  time=$((100 * best[$name] / best[xsimd]))
  for ((k = 0; 2 * time > 3 * time_limit && k < 3; ++k)); do
    measure xsimd "$@"
    measure "$name" "$@"
    time=$((100 * best[$name] / best[xsimd]))
  done
  space=$((100 * memory[$name] / memory[xsimd]))
  echo "$name: $time % of the time that including xsimd takes (it was $time_limit %), $space % of the memory (it was $memory_limit %)"
  if ((2 * time > 3 * time_limit || 4 * space > 5 * memory_limit)); then wrong=1; fi
done
[ "$wrong" = 0 ] || echo "compile_cost: compiling has become dearer"
exit "$wrong"
