// SPDX-License-Identifier: MIT
#include "../lowered_text.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using u8 = std::uint8_t;
using jig::dyn;

namespace {

// The dtypes of a graph's integers that are no bytes.
template <class... Spec>
std::string computed_in(auto f) {
  const std::string text = lowered_text(f, Spec()...);
  std::string found;
  // Those of arguments come first.
  const auto behind = text.rfind("Placeholder");
  for (const char* name : {": int16", ": uint16", ": int32", ": int64", ": uint32"})
    if (text.find(name, text.find('\n', behind)) != std::string::npos) found += name + 2 + std::string(" ");
  return found;
}
using bytes = jig::spec<u8, dyn>;
using number = jig::spec<int>;

constexpr auto wide = [](auto x) { return jig::cast<int>(x); };
constexpr auto blend = [](auto a, auto b, auto w) { return jig::cast<u8>((wide(a) * w + wide(b) * (256 - w)) >> 8); };
constexpr auto shift_by = [](auto by) { return [](auto a, auto w) { return jig::cast<u8>((wide(a) * w) >> decltype(by)::value); }; };

}  // namespace

TEST_CASE("integers of which 16 bits are read have no more") {
  CHECK(computed_in<bytes, bytes, number>(blend) == "uint16 ");
  CHECK(computed_in<bytes, number>(shift_by(std::integral_constant<int, 8>())) == "uint16 ");
  CHECK(computed_in<bytes, number>(shift_by(std::integral_constant<int, 9>())) == "int32 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<std::uint16_t>((wide(a) ^ w) * 3); }) == "uint16 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<std::uint16_t>(~(wide(a) & w) << 3); }) == "uint16 ");
  CHECK(computed_in<bytes, jig::spec<std::int64_t>>([](auto a, auto w) { return jig::cast<u8>(jig::cast<std::int64_t>(a) * w - w * w); }) ==
        "uint16 ");
  // Two shifts read what both move.
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>((((wide(a) * w) >> 4) + w) >> 4); }) == "uint16 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>((((wide(a) * w) >> 4) + w) >> 5); }) == "int32 ");
}
TEST_CASE("without products, integers that end as bytes are bytes") {
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>(wide(a) + w); }) == "");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<std::int8_t>(-(wide(a) ^ w) - 3); }) == "");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>(wide(a) * w); }) == "uint16 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>((wide(a) + w) >> 1); }) == "uint16 ");
}
TEST_CASE("what reads all bits, or many wide numbers, leaves integers as they are") {
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<bool>(wide(a) * w); }) == "int32 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>(jig::maximum(wide(a) * w, 7)); }) == "int32 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>(wide(a) * w / 3); }) == "int32 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) { return jig::cast<u8>(wide(a) >> w); }) == "int32 ");
  CHECK(computed_in<bytes, number>([](auto a, auto w) {
          const auto x = wide(a) * w;
          return std::tuple(jig::cast<u8>(x), x + 1);
        }) == "int32 ");
  CHECK(computed_in<jig::spec<u8, dyn, 16>, jig::spec<int, 16>>([](auto a, auto w) { return jig::cast<u8>(wide(a) * w); }) == "uint16 ");
  CHECK(computed_in<jig::spec<u8, dyn, 17>, jig::spec<int, 17>>([](auto a, auto w) { return jig::cast<u8>(wide(a) * w); }) == "int32 ");
  CHECK(computed_in<bytes, jig::spec<int, dyn>>([](auto a, auto w) { return jig::cast<u8>(wide(a) * w); }) == "int32 ");
  CHECK(computed_in<bytes, number, jig::spec<int, dyn>>([](auto a, auto w, auto x) { return jig::cast<u8>(((wide(a) | w) + w) ^ x); }) ==
        "int32 ");
  CHECK(computed_in<jig::spec<int, dyn>, number>([](auto a, auto w) { return jig::cast<u8>(a * w); }) == "int32 ");
}
TEST_CASE("products with a vector of integers end as bytes in 16 bits") {
  constexpr auto grey = [](auto x, auto w) { return jig::cast<u8>(jig::matmul(wide(x), w) >> 8); };
  CHECK(computed_in<jig::spec<u8, dyn, 3>, jig::spec<int, 3>>(grey) == "uint16 int32 ");
  static constexpr auto f = jig::function<"f(x, w)">(grey);
  for (const jig::index n : {0, 1, 7, 15, 16, 31, 32, 33, 64, 100}) {
    auto x = jig::zeros<u8, dyn, 3>(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<u8>(i * 53 + 255);
    const std::array<int, 3> weights{77, -1000, 2000000000};
    const auto y = f(x, weights);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      std::uint32_t sum = 0;
      for (jig::index k = 0; k < 3; ++k) sum += std::uint32_t(x(i, k)) * static_cast<std::uint32_t>(weights[static_cast<std::size_t>(k)]);
      wrong += y(i) != static_cast<u8>(static_cast<std::int32_t>(sum) >> 8);
    }
    CHECK(wrong == 0);
  }
}

namespace {

// All bytes with all weights near the ends of their range and near zero, against 64 bits.
template <class T, class W>
void check_all(auto lambda, auto plain) {
  static constexpr auto f = jig::function<"f(a, w)">(decltype(lambda)());
  std::vector<T> a;
  for (int i = 0; i < 300; ++i) a.push_back(static_cast<T>(i * 7 - 300));
  int wrong = 0;
  for (const auto base : {std::int64_t(std::numeric_limits<W>::min()), std::int64_t(-130), std::int64_t(65500),
                          std::int64_t(std::numeric_limits<W>::max()) - 260})
    for (std::int64_t k = 0; k < 260; k += 13) {
      const auto w = static_cast<W>(base + k);
      const auto y = f(a, w);
      for (std::size_t i = 0; i < a.size(); ++i)
        wrong += y.data()[i] != static_cast<std::remove_cvref_t<decltype(y.data()[0])>>(
                                    plain(std::uint64_t(std::int64_t(a[i])), std::uint64_t(std::int64_t(w))));
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("low bits are those of wider integers, whatever the values are") {
  using u64 = std::uint64_t;
  check_all<u8, int>([](auto a, auto w) { return jig::cast<u8>((wide(a) * w) >> 8); }, [](u64 a, u64 w) { return (a * w) >> 8; });
  check_all<std::int8_t, int>([](auto a, auto w) { return jig::cast<u8>((wide(a) * w - w) >> 7); },
                              [](u64 a, u64 w) { return (a * w - w) >> 7; });
  check_all<std::int16_t, int>([](auto a, auto w) { return jig::cast<std::int16_t>((jig::square(wide(a)) + w) * (w | 5)); },
                               [](u64 a, u64 w) { return (a * a + w) * (w | 5); });
  check_all<u8, int>([](auto a, auto w) { return jig::cast<std::int8_t>(-(wide(a) + w) ^ 77); },
                     [](u64 a, u64 w) { return (0 - (a + w)) ^ 77; });
  check_all<u8, int>([](auto a, auto w) { return jig::cast<std::uint16_t>(~((wide(a) & w) << 9)); },
                     [](u64 a, u64 w) { return ~((a & w) << 9); });
  check_all<std::uint16_t, std::int64_t>(
      [](auto a, auto w) { return jig::cast<u8>(jig::squared_difference(jig::cast<std::int64_t>(a), w) >> 3); },
      [](u64 a, u64 w) { return ((a - w) * (a - w)) >> 3; });
}
