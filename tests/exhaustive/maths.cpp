// SPDX-License-Identifier: MIT
// The largest error of every function of one number over all floats, against double, and over as many doubles, against long
// double. Fails where it is more than 4 ulp (tanh of floats: 5). Takes hours; `maths exp float 1001` looks at every 1001st
// number of one function and dtype, `all` stands for any.

#include <maths_reference.hpp>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

template <class T>
bool good(std::string_view name, auto function, auto judge, std::uint64_t stride) {
  using batch = jig::simd::batch<T>;
  constexpr std::uint64_t end = std::uint64_t{1} << 32;
  T x[batch::size], y[batch::size];
  double worst = 0;
  T where = 0;
  for (std::uint64_t next = 0; next < end;) {
    for (T& v : x) {
      // The upper half of a double's bits is what counts, the lower one is arbitrary.
      if constexpr (sizeof(T) == 4) v = std::bit_cast<T>(static_cast<std::uint32_t>(next));
      else v = std::bit_cast<T>(next << 32 | ((next * 0x9e3779b97f4a7c15u) >> 32));
      if (next + stride < end || &v == x + batch::size - 1) next += stride;
    }
    function.apply(batch::load_unaligned(x)).store_unaligned(y);
    for (std::size_t i = 0; i < batch::size; ++i) {
      const double off = ulps_off(y[i], judge(static_cast<wider<T>>(x[i])));
      if (off > worst) worst = off, where = x[i];
    }
  }
  std::printf("%-9s %-6s %7.3f ulp at %a\n", name.data(), sizeof(T) == 4 ? "float" : "double", worst, static_cast<double>(where));
  std::fflush(stdout);
  return worst <= (name == "tanh" && sizeof(T) == 4 ? 5 : 4);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "all", type = argc > 2 ? argv[2] : "all";
  const std::uint64_t stride = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  bool all_good = stride > 0;
  for_each_function([&](std::string_view own, auto function, auto judge) {
    if (!all_good || (name != "all" && name != own)) return;
    if (type != "double") all_good &= good<float>(own, function, judge, stride);
    if (type != "float") all_good &= good<double>(own, function, judge, stride);
  });
  return all_good ? 0 : 1;
}
