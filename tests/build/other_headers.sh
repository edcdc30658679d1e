#!/usr/bin/env bash
# usage: other_headers.sh ROOT COMPILER FLAGS...
# Compiles other_headers.cpp with all standard headers, Hana, Eigen and careless macros before jig.hpp and behind it. In namespace foreign
# every function of jig's has a namesake that takes anything: calls in jig's templates must not find those by their arguments.
set -u
root=$1
shift
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

standard=(algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath
  compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar
  cwctype deque exception execution filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream
  istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio
  regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
  syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version)
others=(complex.h math.h tgmath.h string.h strings.h stdlib.h sys/param.h sys/sysmacros.h sys/types.h termios.h unistd.h boost/hana.hpp
  xsimd/xsimd.hpp Eigen/Dense)
for header in "${standard[@]}" "${others[@]}"; do
  printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$header" "$header"
done >"$made/others.hpp"

# Names in front of a parenthesis at the beginning of a declaration outside classes.
{
  echo 'namespace foreign {'
  find "$root/include" -name '*.hpp' -exec cat {} + | grep -vE '^ |^#|^/' |
    sed -nE 's/^[a-zA-Z[:space:]:<>,&*[]([^()=]*[ &*>])([a-z_0-9]+)\(.*/\2/p' | sort -u |
    grep -vxE 'if|for|while|return|switch|sizeof|static_assert|decltype|operator|requires|alignas|noexcept|min|max|main' |
    sed -E 's/.*/template <class... X> void &(X\&\&...) = delete;\ntemplate <class X> void &(const X\&) = delete;\ntemplate <class X, class Y> void &(const X\&, const Y\&) = delete;/'
  echo '}'
} >"$made/greedy_names.hpp"
[ "$(wc -l <"$made/greedy_names.hpp")" -gt 500 ] || { echo 'the names of the functions were not found'; exit 1; }

status=0
for order in -DJIG_FIRST -UJIG_FIRST; do
  "$@" $order -DJIG_PREBUILT_KERNELS -I"$made" -isystem /usr/include/eigen3 -w -fsyntax-only "$root/tests/build/other_headers.cpp" && continue
  echo "with $order"
  status=1
done
exit $status
