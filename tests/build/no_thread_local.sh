#!/usr/bin/env bash
# usage: no_thread_local.sh ROOT COMPILER FLAGS...
# Compiles no_thread_local.cpp, looks that it has no variables of a thread and asks for none, and runs it. A program that calls without
# with_workspace has some: the search finds them there. 77: there is no nm.
set -u
root=$1
shift
command -v nm >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# usage: asks_for_threads OBJECT: prints what of it is of a thread. Mach-O and emulation have names of their own for it.
asks_for_threads() {
  { nm "$1"; objdump -t -h "$1" 2>/dev/null; } | grep -E '__tls_get_addr|__emutls|_tlv_bootstrap|\.tbss|\.tdata|_ZTH|_ZTW'
}

"$@" -O1 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c -o "$folder/object.o" \
  "$root/tests/build/no_thread_local.cpp" || exit 1
if found=$(asks_for_threads "$folder/object.o"); then
  echo "calls with a workspace have variables of a thread:"
  head -n 5 <<<"$found"
  exit 1
fi
"$@" -o "$folder/program" "$folder/object.o" || exit 1
"$folder/program" || exit 1

cat >"$folder/other.cpp" <<'CODE'
#include <jig.hpp>
constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::sort<0>(x); });
void g(const jig::tensor<float, 1000>& x, jig::tensor<float, 1000>& y) { f.into(y, x); }
CODE
"$@" -O1 -I"$root/include" -c -o "$folder/other.o" "$folder/other.cpp" || exit 1
asks_for_threads "$folder/other.o" >/dev/null || { echo "the search finds nothing where there is something"; exit 1; }
