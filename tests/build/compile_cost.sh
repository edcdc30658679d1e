#!/usr/bin/env bash
# usage: compile_cost.sh ROOT COMPILER FLAGS...
# Compiles what includes jig.hpp, files with one small function, whose result goes into an array or is returned, and one with a function
# of each family, with -O2, and compares user time and peak memory with those of a file that includes xsimd. Fails where memory or the
# size of the object has grown by a quarter since the figures below were measured: they follow what the compiler makes, and hardly vary
# but for 16 kB of small objects, which versions of a compiler leave out or not.
# Times vary with the machine and what else it does: they may grow to twice the figure, the best of six counting where the first is too
# much.
# Whoever makes compiling cheaper, or has to make it dearer, writes the new figures here: the script prints them.
set -eu
root=$1
shift
[ -x /usr/bin/time ] || { echo "compile_cost: needs GNU time as /usr/bin/time"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $("$@" --version) in
  # Percents of the time, and of the memory, that including xsimd takes; kilobytes of the object.
  *clang*) limits='include 450 165 1 small 600 175 73 call 550 175 17 families 1900 240 402' ;;
  *) limits='include 400 265 1 small 700 295 77 call 700 290 31 families 2400 470 391' ;;
esac

echo '#include <xsimd/xsimd.hpp>' >"$folder/xsimd.cpp"
echo '#include <jig.hpp>' >"$folder/include.cpp"
cat >"$folder/small.cpp" <<'CODE'
#include <jig.hpp>
#include <vector>
constexpr auto f = jig::function([](auto x, auto y) { return x * y + 1; });
void run(std::vector<float>& out, const std::vector<float>& x, const std::vector<float>& y) { f.into(out, x, y); }
CODE
cat >"$folder/call.cpp" <<'CODE'
#include <jig.hpp>
constexpr auto f = jig::function([](auto x, auto y) { return x * y + 1; });
auto run(const jig::tensor<float, 8, 16>& x, const jig::tensor<float, 8, 16>& y) { return f(x, y); }
CODE
cp "$root/tests/build/compile_cost.cpp" "$folder/families.cpp"

# usage: measure NAME COMPILER FLAG...: the best so far, in hundredths of seconds and kilobytes; and of the object.
declare -A best memory object
measure() {
  local name=$1 seconds kilobytes
  shift
  /usr/bin/time -o "$folder/time" -f '%U %M' "$@" -DNDEBUG -O2 -c "$folder/$name.cpp" -o "$folder/out.o"
  read -r seconds kilobytes <"$folder/time"
  seconds=$((10#${seconds/./}))
  if [ -z "${best[$name]-}" ] || [ "$seconds" -lt "${best[$name]}" ]; then best[$name]=$seconds; fi
  if [ -z "${memory[$name]-}" ] || [ "$kilobytes" -lt "${memory[$name]}" ]; then memory[$name]=$kilobytes; fi
  object[$name]=$((($(stat -c %s "$folder/out.o") + 1023) / 1024))
}

wrong=0
for name in xsimd include small call families; do measure "$name" "$@"; done
read -ra limit <<<"$limits"
for ((i = 0; i < ${#limit[@]}; i += 4)); do
  name=${limit[i]} time_limit=${limit[i + 1]} memory_limit=${limit[i + 2]} object_limit=${limit[i + 3]}
  time=$((100 * best[$name] / best[xsimd]))
  for ((k = 0; time > 2 * time_limit && k < 5; ++k)); do
    measure xsimd "$@"
    measure "$name" "$@"
    time=$((100 * best[$name] / best[xsimd]))
  done
  space=$((100 * memory[$name] / memory[xsimd])) size=${object[$name]}
  echo "$name: $time % of the time that including xsimd takes (it was $time_limit %), $space % of the memory (it was $memory_limit %)," \
    "an object of $size kB (it was $object_limit kB)"
  if ((time > 2 * time_limit || 4 * space > 5 * memory_limit || 4 * size > 5 * object_limit + 64)); then wrong=1; fi
done
[ "$wrong" = 0 ] || echo "compile_cost: compiling has become dearer"
exit "$wrong"
