// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstring>
#include <utility>

namespace {

// The lanes of a register of the transpose of a matrix of 5 rows and 10 columns, from element First on.
template <int Lanes, int First>
struct transposed {
  static constexpr jig::simd::lane_map<Lanes> map = [] {
    jig::simd::lane_map<Lanes> out;
    out.last = 49;
    for (int l = 0; l < Lanes; ++l) out.at[l] = (First + l) % 5 * 10 + (First + l) / 5;
    return out;
  }();
};

template <class T, int Lanes, int First>
bool right() {
  T x[50], y[Lanes];
  for (int i = 0; i < 50; ++i) x[i] = static_cast<T>(i);
  const auto loaded = jig::simd::load_mapped<transposed<Lanes, First>, Lanes>(x);
  std::memcpy(y, &loaded, sizeof(y));
  bool good = true;
  for (int l = 0; l < Lanes; ++l) good = good && y[l] == static_cast<T>((First + l) % 5 * 10 + (First + l) / 5);
  return good;
}

#if defined __AVX512F__
constexpr int bytes = 64;
#elif defined __AVX2__
constexpr int bytes = 32;
#else
constexpr int bytes = 16;
#endif

}  // namespace

// GCC 12 makes wrong instructions of some orders of 8 doubles; those of element 32 are such.
TEST_CASE("lanes come from where the map says") {
  [&]<int... First>(std::integer_sequence<int, First...>) {
    CHECK((right<double, bytes / 8, First>() && ...));
    CHECK((right<float, bytes / 4, First>() && ...));
  }(std::make_integer_sequence<int, 35>());
}
