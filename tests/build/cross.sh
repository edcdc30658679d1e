#!/usr/bin/env bash
# usage: cross.sh ROOT [--installed] [TARGET[:PROGRAM,PROGRAM...]]...
# Compiles programs for other machines and runs them under an emulator; without targets, all programs for all of them. Targets: i686 (no
# SSE), i686-sse2, aarch64, riscv64, arm (32 bits, no NEON), wasm32 (no exceptions), cortex-m4 (no exceptions; only the size of two_layers
# is looked at). Programs: those of tests/contract that apply, and two_layers, optimised for size. A summary says what passed, how long it
# took and what was left out. What is not installed counts as failed, with --installed it does not.
# `.ci/setup cross` installs what is needed. 77: nothing of what was asked for is installed.
set -u
root=$1 may_miss=
shift
[ "${1:-}" != --installed ] || { may_miss=yes; shift; }
[ $# -gt 0 ] || set -- i686 i686-sse2 aarch64 riscv64 arm wasm32 cortex-m4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Headers that are the same for all machines, without those of this one beside them.
mkdir "$folder/include"
for library in boost xsimd; do
  for place in /usr/include /usr/local/include; do
    [ ! -d "$place/$library" ] || ln -s "$place/$library" "$folder/include/$library"
  done
done

# Programs of the contract that need what no target has, and why.
libraries_apart='adaptors needs other libraries, built for the machine'
all_kernels='save_load has the kernels of all ops, which take minutes to compile'
no_system='all but two_layers need an operating system'
# usage: contract [--no-exceptions]: the programs that apply, in the order of their list; what does not is added to left_out.
contract() {
  local program catching=
  applies=
  while read -r program; do
    program=${program%.cpp}
    if [ "$program" = adaptors ]; then
      left_out+=("$libraries_apart")
    elif [ "$program" = save_load ]; then
      left_out+=("$all_kernels")
    elif [ "${1:-}" = --no-exceptions ] && grep -q 'catch (' "$root/tests/contract/$program.cpp"; then
      catching+=" $program"
    else
      applies+="$program "
    fi
  done <"$root/tests/contract/programs.txt"
  [ -z "$catching" ] || left_out+=("these catch exceptions:$catching")
  applies+=two_layers
}

status=0 ran=0 passed=0 summary= missing=
# usage: verdict NAME COMMAND...: runs it and says whether it did what it should.
verdict() {
  local name=$1
  shift
  ran=$((ran + 1))
  if "$@" >"$folder/output" 2>&1; then
    echo "passed: $name"
    passed=$((passed + 1)) good+=" ${name#* }"
  else
    echo "failed: $name"
    head -n 30 "$folder/output"
    status=1 bad+=" ${name#* }"
  fi
}

# usage: compile_and_run PROGRAM
compile_and_run() {
  local source=contract/$1.cpp flags=(-O1)
  [ "$1" != two_layers ] || source=build/$1.cpp flags=(-Os -fno-exceptions -fno-rtti)
  "${compiler[@]}" -std=c++20 "${flags[@]}" -Wall -Wextra -Wno-psabi -I"$root/include" -isystem "$folder/include" -o "$folder/program" \
    "$root/tests/$source" -Wno-mismatched-new-delete &&
    timeout 300 ${emulator[@]+"${emulator[@]}"} "$folder/program"
}

# usage: has_small_text MOST: of the program and what it links.
has_small_text() {
  local text
  "${compiler[@]}" -std=c++20 -Os -Wall -Wextra -Wno-psabi -I"$root/include" -isystem "$folder/include" -o "$folder/program" \
    "$root/tests/build/two_layers.cpp" || return
  text=$(arm-none-eabi-size "$folder/program" | awk 'NR == 2 { print $1 }')
  echo "$text bytes of text, at most $1"
  [ "$text" -le "$1" ]
}

for asked in "$@"; do
  target=${asked%%:*} programs=
  [ "$asked" = "$target" ] || programs=${asked#*:}
  compiler=() emulator=() left_out=() good= bad= begun=$SECONDS
  contract
  case $target in
    i686) compiler=(i686-linux-gnu-g++ -static) ;;
    i686-sse2) compiler=(i686-linux-gnu-g++ -static -msse2 -mfpmath=sse) ;;
    aarch64) compiler=(aarch64-linux-gnu-g++ -static) emulator=(qemu-aarch64) ;;
    riscv64) compiler=(riscv64-linux-gnu-g++ -static) emulator=(qemu-riscv64) ;;
    arm) compiler=(arm-linux-gnueabihf-g++ -static) emulator=(qemu-arm) ;;
    wasm32)
      compiler=(clang++-19 --target=wasm32-wasi -fno-exceptions -D_LIBCPP_ENABLE_CXX20_REMOVED_TYPE_TRAITS -isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1)
      emulator=(node --no-warnings "$root/tests/build/wasi.mjs")
      left_out=()
      contract --no-exceptions ;;
    cortex-m4)
      compiler=(arm-none-eabi-g++ -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -fno-exceptions -fno-rtti
        -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--no-warnings)
      applies=two_layers left_out=("$no_system") ;;
    *) echo "no such target: $target" >&2; exit 1 ;;
  esac
  if ! echo '#include <cstddef>' | "${compiler[0]}" "${compiler[@]:1}" -c -x c++ -o /dev/null - 2>/dev/null ||
    { [ ${#emulator[@]} -gt 0 ] && ! command -v "${emulator[0]}" >/dev/null; }; then
    echo "not installed: what $target needs, ${compiler[0]}${emulator:+ and ${emulator[0]}}"
    summary+="$target: LEFT OUT, not installed"$'\n' missing+=" $target"
    continue
  fi
  [ -n "$programs" ] || programs=$applies
  for program in ${programs//,/ }; do
    [ "$target" != cortex-m4 ] || { verdict "$target $program" has_small_text 12288; continue; }
    verdict "$target $program" compile_and_run "$program"
  done
  printf -v line '%s (%d s): passed:%s%s' "$target" $((SECONDS - begun)) "${good:- none}" "${bad:+; FAILED:$bad}"
  [ -n "${asked##*:*}" ] && [ ${#left_out[@]} -gt 0 ] && line+=$(printf '; %s' "${left_out[@]}")
  summary+=$line$'\n'
done

printf '\n%s%d of %d passed in %d s\n' "$summary" "$passed" "$ran" "$SECONDS"
[ "$ran" -gt 0 ] || exit 77
if [ -n "$missing" ]; then
  printf 'LEFT OUT, since what they need is not installed (see .ci/setup cross):%s\n' "$missing"
  [ -n "$may_miss" ] || status=1
fi
exit $status
