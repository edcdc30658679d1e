// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace {

// The generator once more, as a plain loop over one block, without a word of the library's.
struct plain_philox {
  std::uint32_t k0, k1, c2, c3;

  static void block(std::uint32_t (&c)[4], std::uint32_t k0, std::uint32_t k1) {
    for (int round = 0; round < 10; ++round) {
      std::uint64_t p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
      std::uint32_t next[4] = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(q),
                               static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p)};
      for (int j = 0; j < 4; ++j) c[j] = next[j];
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
  }
  plain_philox(std::int64_t a, std::int64_t b) {
    auto u = static_cast<std::uint64_t>(a), v = static_cast<std::uint64_t>(b);
    std::uint32_t c[4] = {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(u >> 32), static_cast<std::uint32_t>(v),
                          static_cast<std::uint32_t>(v >> 32)};
    block(c, 0x3ec8f720, 0x02461e29);
    k0 = c[0], k1 = c[1], c2 = c[2], c3 = c[3];
  }
  std::uint32_t word(std::size_t i) const {
    std::uint32_t c[4] = {static_cast<std::uint32_t>(i / 4), 0, c2, c3};
    block(c, k0, k1);
    return c[i % 4];
  }

  double uniform_float(std::size_t i) const { return (word(i) & 0x7fffff) * 0x1p-23; }
  double uniform_double(std::size_t i) const { return (word(2 * i) & 0xfffff) * 0x1p-20 + word(2 * i + 1) * 0x1p-52; }
  template <class T>
  T uniform(std::size_t i) const {
    if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>(uniform_float(i));
    } else if constexpr (std::is_same_v<T, double>) {
      return uniform_double(i);
    } else if constexpr (sizeof(T) == 8) {
      return static_cast<T>(word(2 * i) | std::uint64_t{word(2 * i + 1)} << 32);
    } else {
      const std::size_t per_word = 4 / sizeof(T);
      return static_cast<T>(word(i / per_word) >> (8 * sizeof(T) * (i % per_word)));
    }
  }
  template <class T>
  double normal(std::size_t i) const {
    const std::size_t even = i / 2 * 2;
    double u = uniform<T>(even), v = uniform<T>(even + 1);
    double radius = std::sqrt(-2 * std::log(std::max(u, 1e-7))), angle = 2 * 3.14159265358979323846 * v;
    return radius * (i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
};

// Lengths around those of one and of two registers of every dtype.
const std::vector<jig::index> lengths = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};

constexpr auto uniform = jig::function<"uniform(x, seed)">([](auto x, auto seed) { return jig::random_uniform_like(x, seed); });
constexpr auto normal = jig::function<"normal(x, seed)">([](auto x, auto seed) { return jig::random_normal_like(x, seed); });

}  // namespace

TEST_CASE_TEMPLATE("uniform numbers and integers equal those of a plain loop at every length", T, float, double, std::int8_t, std::uint16_t,
                   std::int32_t, std::uint64_t) {
  for (std::int64_t seed : {std::int64_t{0}, std::int64_t{-3}, std::int64_t{1} << 40}) {
    const plain_philox expected(seed, 0);
    for (auto n : lengths) {
      CAPTURE(n);
      auto r = uniform(jig::zeros<T, jig::dyn>(n), seed);
      REQUIRE(r.size() == n);
      bool same = true;
      for (jig::index i = 0; i < n; ++i) same = same && r(i) == expected.uniform<T>(static_cast<std::size_t>(i));
      CHECK(same);
    }
  }
}

TEST_CASE_TEMPLATE("normal numbers equal those of a plain loop at every length", T, float, double) {
  const std::array<std::int64_t, 2> seed{5, -6};
  const plain_philox expected(5, -6);
  auto all = normal(jig::zeros<T, jig::dyn>(100000), seed);
  double worst = 0;
  for (jig::index i = 0; i < all.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(all(i)) - expected.normal<T>(static_cast<std::size_t>(i))));
  CHECK(worst < (sizeof(T) == 4 ? 2e-6 : 4e-15));
  for (auto n : lengths) {
    CAPTURE(n);
    auto r = normal(jig::zeros<T, jig::dyn>(n), seed);
    REQUIRE(r.size() == n);
    CHECK(std::equal(r.begin(), r.end(), all.begin()));
  }
}

TEST_CASE("a number depends on the seed and its row-major position only") {
  constexpr auto check = []<class T>(const auto& f, T, std::int64_t seed) {
    auto all = f(jig::zeros<T, 60>(), seed);
    auto same = [&](const auto& r) {
      jig::index i = 0;
      for (T x : r) CHECK(x == all(i++));
    };
    same(f(jig::zeros<T, jig::dyn>(60), seed));
    same(f(jig::zeros<T, jig::dyn>(59), seed));
    same(f(jig::zeros<T, 3, 4, 5>(), seed));
    same(f(jig::zeros<T, jig::dyn, 4, jig::dyn>(3, 5), seed));
    // An argument with strides of its own.
    std::vector<T> in(120), out(180, T(-9));
    same(f(jig::view<const T, jig::dyn, jig::dyn>(in.data(), {6, 10}, {1, 12}), seed));
    // Results at any address, and with strides.
    for (std::size_t shift = 0; shift < 3; ++shift) {
      f.into(std::span<T>(out.data() + shift, 60), std::span<const T>(in.data(), 60), seed);
      for (std::size_t i = 0; i < 60; ++i) CHECK(out[shift + i] == all(static_cast<jig::index>(i)));
    }
    std::fill(out.begin(), out.end(), T(-9));
    jig::view<T, jig::dyn> every_third(out.data(), {60}, {3});
    f.into(every_third, std::span<const T>(in.data(), 60), seed);
    for (std::size_t i = 0; i < 180; ++i) CHECK(out[i] == (i % 3 == 0 ? all(static_cast<jig::index>(i / 3)) : T(-9)));
  };
  check(uniform, 0.0f, 11);
  check(normal, 0.0, 12);
}

TEST_CASE("a seed inside the result's memory is read before it is overwritten") {
  std::vector<std::int64_t> memory{4, 5, 6, 7, 8};
  auto expected = uniform(memory, 7);
  uniform.into(memory, memory, memory[3]);
  for (std::size_t i = 0; i < 5; ++i) CHECK(memory[i] == expected(static_cast<jig::index>(i)));
}

TEST_CASE("a pair of seeds may have strides") {
  std::int32_t memory[] = {3, 0, -4};
  auto r = uniform(jig::zeros<float, 9>(), jig::view<const std::int32_t, 2>(memory, {2}, {2}));
  auto expected = uniform(jig::zeros<float, 9>(), std::array<int, 2>{3, -4});
  for (int i = 0; i < 9; ++i) CHECK(r(i) == expected(i));
}
