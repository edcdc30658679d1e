// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

using u8 = std::uint8_t;

namespace {

// What a lambda computes with, beside its arguments and results.
template <class... Spec>
std::string computed_in(auto f) {
  const std::string text = jig::to_text(jig::lower(jig::graph_of(f, Spec()...)));
  std::string found;
  for (const char* name : {": int16", ": uint16", ": int32", ": int64", ": uint32"})
    if (text.find(name) != std::string::npos) found += name + 2 + std::string(" ");
  return found;
}

// A lambda on all pairs of bytes, beside a function of two integers.
template <class T, class F, class Plain>
void on_all_pairs(F, Plain plain) {
  static constexpr auto f = jig::function<"f(x, y)">(F());
  static const auto x = [] {
    auto t = jig::zeros<T, 65536>();
    for (int i = 0; i < 65536; ++i) t.data()[i] = static_cast<T>(i >> 8);
    return t;
  }();
  static const auto y = [] {
    auto t = jig::zeros<T, 65536>();
    for (int i = 0; i < 65536; ++i) t.data()[i] = static_cast<T>(i);
    return t;
  }();
  const auto given = f(x, y);
  using R = typename std::remove_cvref_t<decltype(given)>::value_type;
  bool same = true;
  for (int i = 0; i < 65536; ++i)
    same = same && given.data()[i] == static_cast<R>(plain(static_cast<int>(x.data()[i]), static_cast<int>(y.data()[i])));
  CHECK(same);
}

using bytes = jig::spec<u8, 65536>;
using small = jig::spec<std::int8_t, 65536>;
constexpr auto wide = [](auto x) { return jig::cast<int>(x); };

}  // namespace

#define CHECK_PAIRS(T, types, expression, reference)                                              \
  {                                                                                               \
    constexpr auto f = [](auto p, auto q) {                                                       \
      [[maybe_unused]] auto x = wide(p);                                                          \
      [[maybe_unused]] auto y = wide(q);                                                          \
      return expression;                                                                          \
    };                                                                                            \
    CHECK(computed_in<jig::spec<T, 65536>, jig::spec<T, 65536>>(f) == types);                     \
    on_all_pairs<T>(f, []([[maybe_unused]] int x, [[maybe_unused]] int y) { return reference; }); \
  }

TEST_CASE("bytes that end as bytes are computed in 16 bits"){
    CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x * 3 + y * 5) >> 3), (x * 3 + y * 5) >> 3)
        CHECK_PAIRS(u8, "int16 ", jig::cast<u8>(jig::abs(x - y)), std::abs(x - y))
            CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x - y) >> 1), (x - y) >> 1)
                CHECK_PAIRS(u8, "int16 ", jig::cast<u8>(jig::maximum(jig::minimum(x + y - 100, 255), 0)),
                            x + y - 100 < 0     ? 0
                            : x + y - 100 > 255 ? 255
                                                : x + y - 100)
                    CHECK_PAIRS(std::int8_t, "int16 ", jig::cast<std::int8_t>((x * y + 64) >> 7), (x * y + 64) >> 7)
                        CHECK_PAIRS(std::int8_t, "int16 ", jig::cast<std::int16_t>(jig::square(x) - (-y)), x* x + y)
                            CHECK_PAIRS(u8, "int16 ", (x * 2 > y + 1), x * 2 > y + 1)
                                CHECK_PAIRS(u8, "int16 ", jig::cast<std::int16_t>(jig::where(x < y, x - y, (x & 15) << 2)),
                                            x < y ? x - y : (x & 15) << 2)} TEST_CASE("sums of bytes that need all 16 bits have no sign"){
    CHECK_PAIRS(u8, "uint16 ", jig::cast<u8>((x * y + 128) >> 8), (x * y + 128) >> 8)
        CHECK_PAIRS(u8, "uint16 ", jig::cast<u8>((x * 257) >> 8),
                    (x * 257) >> 8)} TEST_CASE("as soon as one value does not fit, all stay as wide as they were"){
    CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x * 128 - y) >> 8), (x * 128 - y) >> 8)
        CHECK_PAIRS(u8, "int32 ", jig::cast<u8>((x * 129 - y) >> 9), (x * 129 - y) >> 9)
            CHECK_PAIRS(u8, "uint16 ", jig::cast<u8>((x * 256 + y) >> 8), (x * 256 + y) >> 8)
                CHECK_PAIRS(u8, "int32 ", jig::cast<u8>((x * 257 + y) >> 9), (x * 257 + y) >> 9)
                    CHECK_PAIRS(u8, "int32 ", jig::cast<u8>((x << 9) >> 9),
                                (x << 9) >> 9)} TEST_CASE("integers that somebody wants as they are stay so") {
  CHECK_PAIRS(u8, "int32 ", x * 3 + y, x * 3 + y)
  constexpr auto both = [](auto x) {
    const auto y = jig::cast<int>(x) * 3;
    return std::tuple(jig::cast<u8>(y >> 2), y);
  };
  CHECK(computed_in<bytes>(both) == "int32 ");
  // Nobody knows how large an argument is.
  CHECK(computed_in<jig::spec<int, 17>, jig::spec<u8, 17>>([](auto x, auto y) { return jig::cast<u8>(x + jig::cast<int>(y)); }) ==
        "int32 ");
  CHECK(computed_in<bytes>([](auto x) { return jig::cast<float>(jig::cast<int>(x) * 3); }) == "int32 ");
}
TEST_CASE("other wide integers") {
  CHECK(computed_in<bytes, bytes>(
            [](auto x, auto y) { return jig::cast<u8>((jig::cast<std::int64_t>(x) + jig::cast<std::int64_t>(y)) >> 1); }) == "int16 ");
  CHECK(computed_in<bytes, bytes>(
            [](auto x, auto y) { return jig::cast<u8>((jig::cast<std::uint32_t>(x) + jig::cast<std::uint32_t>(y)) >> 1); }) == "int16 ");
  // Below zero they wrap to what does not fit.
  CHECK(computed_in<bytes, bytes>(
            [](auto x, auto y) { return jig::cast<u8>((jig::cast<std::uint32_t>(x) - jig::cast<std::uint32_t>(y)) / 2u); }) == "uint32 ");
}

TEST_CASE("sums and extremes of few narrow integers are narrow") {
  constexpr auto grey = [](auto x) {
    return jig::cast<u8>(jig::reduce_sum<1>(jig::cast<int>(x) * jig::constant(jig::tensor<int, 4>{77, 151, 28, 0})) >> 8);
  };
  constexpr auto heavier = [](auto x) {
    return jig::cast<u8>(jig::reduce_sum<1>(jig::cast<int>(x) * jig::constant(jig::tensor<int, 4>{77, 151, 28, 2})) >> 8);
  };
  constexpr auto span = [](auto x) {
    return jig::cast<u8>(jig::reduce_max<1>(jig::cast<int>(x) - 3) - jig::reduce_min<1>(jig::cast<int>(x) - 3));
  };
  CHECK(computed_in<jig::spec<u8, jig::dyn, 4>>(grey) == "uint16 ");
  CHECK(computed_in<jig::spec<u8, jig::dyn, 4>>(heavier) == "int32 ");
  CHECK(computed_in<jig::spec<u8, jig::dyn, 4>>(span) == "int16 ");
  // Of nothing they are the bounds of their dtype.
  CHECK(computed_in<jig::spec<u8, 4, 0>>(span) == "int32 ");
  CHECK(computed_in<jig::spec<u8, 4, jig::dyn>>(span) == "int32 ");
  for (jig::index n : {0, 1, 5, 31, 32, 33, 200}) {
    CAPTURE(n);
    auto x = jig::zeros<u8, jig::dyn, 4>(n);
    int i = 0;
    for (auto& e : x) e = static_cast<u8>(255 - (i++ * 37) % 256);
    const auto a = jig::function<"f(x)">(grey)(x), b = jig::function<"f(x)">(heavier)(x), c = jig::function<"f(x)">(span)(x);
    bool same = true;
    for (jig::index r = 0; r < n; ++r) {
      const int p = x(r, 0), q = x(r, 1), s = x(r, 2), t = x(r, 3);
      same = same && a(r) == static_cast<u8>((p * 77 + q * 151 + s * 28) >> 8) &&
             b(r) == static_cast<u8>((p * 77 + q * 151 + s * 28 + t * 2) >> 8);
      same = same && c(r) == std::max(std::max(p, q), std::max(s, t)) - std::min(std::min(p, q), std::min(s, t));
    }
    CHECK(same);
  }
}

TEST_CASE("quotients are narrow where the divisor is above zero"){
    CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x + y + 1) / 2), (x + y + 1) / 2)
        CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x - y) / 3), (x - y) / 3) CHECK_PAIRS(u8, "uint16 ", jig::cast<u8>(x* y / 255), x* y / 255)
            CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x * 100) / (y + 1)), (x * 100) / (y + 1))
                CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((x + y) % 100), (x + y) % 100)
                    CHECK_PAIRS(u8, "int32 ", jig::cast<u8>((x - y) % 100), (x - y) % 100)
    // One that may be below it, and values that do not fit.
    CHECK_PAIRS(u8, "int32 ", jig::cast<u8>(x / (y - 256)), x / (y - 256))
        CHECK_PAIRS(u8, "int32 ", jig::cast<u8>(x * 258 / 300), x * 258 / 300)}

TEST_CASE("one of two constants is as narrow as both"){
    CHECK_PAIRS(u8, "", jig::cast<u8>(jig::where(p > q, 255, 0)), x > y ? 255 : 0)
        CHECK_PAIRS(std::int8_t, "int16 ", jig::cast<std::int8_t>(jig::where(p == q, -100, 7)), x == y ? -100 : 7)
            CHECK_PAIRS(u8, "uint16 ", jig::cast<u8>(jig::where(p > q, 65535, 1)), x > y ? 65535 : 1)
                CHECK_PAIRS(u8, "int32 ", jig::cast<u8>(jig::where(p > q, 65536, -1)), x > y ? 65536 : -1)
                    CHECK_PAIRS(u8, "int16 ", jig::cast<u8>((jig::where(p > q, 200, 10) + x) >> 1), ((x > y ? 200 : 10) + x) >> 1)
                        CHECK_PAIRS(u8, "int16 ", jig::cast<u8>(jig::where(p > q, 200, 10) - jig::where(p == q, 20, 0)),
                                    (x > y ? 200 : 10) - (x == y ? 20 : 0))
                            CHECK_PAIRS(u8, "int32 ", jig::where(p > q, 255, 0), x > y ? 255 : 0)}

TEST_CASE("what is counted of bytes is counted in bytes") {
  constexpr auto count = [](auto x) { return jig::reduce_sum(jig::cast<int>((x >= 48) & (x <= 57))); };
  constexpr auto long_count = [](auto x) { return jig::reduce_sum<-1>(jig::cast<std::int64_t>((x < 48) | (x > 57))); };
  constexpr auto flags = [](auto x) { return jig::reduce_sum(jig::cast<int>(x)); };
  const auto casts_to_bytes = [](auto f, auto spec) {
    const std::string text = jig::to_text(jig::lower(jig::graph_of(f, spec)));
    const auto is_cast_to_byte = [](const std::string& line) {
      return line.find("= Cast(") != std::string::npos && line.find(": uint8") != std::string::npos;
    };
    bool any = false;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      any = any || is_cast_to_byte(text.substr(at, end - at));
    return any;
  };
  CHECK(casts_to_bytes(count, jig::spec<u8, jig::dyn>()));
  CHECK(casts_to_bytes(long_count, jig::spec<std::int8_t, jig::dyn, 64>()));
  CHECK(casts_to_bytes(flags, jig::spec<bool, jig::dyn>()));
  // Short rows, and what is made of wider numbers.
  CHECK_FALSE(casts_to_bytes(long_count, jig::spec<u8, jig::dyn, 63>()));
  CHECK_FALSE(casts_to_bytes(count, jig::spec<std::int16_t, jig::dyn>()));
  CHECK_FALSE(casts_to_bytes(count, jig::spec<float, jig::dyn>()));
  constexpr auto counted = jig::function<"counted(x)">(count);
  constexpr auto rows = jig::function<"rows(x)">(long_count);
  constexpr auto trues = jig::function<"trues(x)">(flags);
  for (const jig::index n : {0, 1, 2, 3, 64, 65, 300}) {
    jig::tensor<u8, jig::dyn, 257> x(n);
    jig::tensor<bool, jig::dyn> b(257 * n);
    jig::tensor<std::int8_t, jig::dyn, jig::dyn> y(n, 257);
    int i = 0, of_x = 0, of_b = 0, wrong = 0;
    for (auto& e : x) e = static_cast<u8>((i++ * 37) % 256), of_x += e >= 48 && e <= 57;
    for (auto& e : b) of_b += e = i++ % 3 != 0;
    for (auto& e : y) e = static_cast<std::int8_t>(i++ * 11);
    CHECK(counted(x)() == of_x);
    CHECK(trues(b)() == of_b);
    const auto of_y = rows(y);
    for (jig::index r = 0; r < n; ++r) {
      std::int64_t expected = 0;
      for (jig::index k = 0; k < 257; ++k) expected += y(r, k) < 48 || y(r, k) > 57;
      wrong += of_y(r) != expected;
    }
    CHECK(wrong == 0);
  }
}
