// SPDX-License-Identifier: MIT
// The largest error of every function of one number over all floats, against double, and over as many doubles, against long
// double. Fails where one is more than 4 ulp. Takes hours; `maths exp 1001` looks at every 1001st number of exp only.

#include "../maths_reference.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

template <class T>
bool good(const char* name, const char* type, auto function, auto judge, std::uint64_t stride) {
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr jig::index n = 1 << 14;
  static std::vector<T> x(n), y(n);
  constexpr auto traced = jig::function<"f(x)">(function);
  double worst = 0;
  T where = 0;
  std::uint64_t next = 0, end = std::uint64_t{1} << 32;
  while (next < end) {
    for (auto& v : x) {
      // The upper half of a double's bits counts, the lower one is arbitrary.
      auto bits = static_cast<word>(next);
      if constexpr (sizeof(T) == 8) bits = next << 32 | ((next * 0x9e3779b97f4a7c15u) >> 32);
      v = std::bit_cast<T>(bits);
      if (next < end) next += stride;
    }
    traced.into(y, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double off = ulps_off(y[i], judge(static_cast<wider<T>>(x[i])));
      if (off > worst) worst = off, where = x[i];
    }
  }
  std::printf("%-10s %-7s %10.3f ulp at %a\n", name, type, worst, static_cast<double>(where));
  std::fflush(stdout);
  return worst <= 4;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "all";
  const std::uint64_t stride = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  bool all_good = true;
  for_each_function([&](const char* name, auto function, auto judge) {
    if (wanted != "all" && wanted != name) return;
    all_good &= good<float>(name, "float", function, judge, stride);
    all_good &= good<double>(name, "double", function, judge, stride);
  });
  return all_good ? 0 : 1;
}
