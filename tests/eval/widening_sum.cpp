// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <jig.hpp>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;

template <class T>
std::vector<T> numbers(jig::index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& e : x) e = static_cast<T>(generator());
  return x;
}
template <class T>
std::vector<T> all(jig::index n, T e) {
  return std::vector<T>(static_cast<std::size_t>(n), e);
}

constexpr auto total = jig::function([](auto x) { return jig::reduce_sum(jig::cast<int>(x)); });
constexpr auto long_total = jig::function([](auto x) { return jig::reduce_sum(jig::cast<std::int64_t>(x)); });
constexpr auto mean = jig::function([](auto x) { return jig::reduce_mean(jig::cast<int>(x)); });
constexpr auto distance = jig::function([](auto x, auto y) { return jig::reduce_sum(jig::abs(jig::cast<int>(x) - jig::cast<int>(y))); });
constexpr auto squares = jig::function([](auto x, auto y) { return jig::reduce_sum(jig::square(jig::cast<int>(x) - jig::cast<int>(y))); });
constexpr auto products = jig::function([](auto x, auto y) { return jig::reduce_sum(jig::cast<int>(x) * jig::cast<int>(y)); });
constexpr auto chosen =
    jig::function([](auto x, auto y) { return jig::reduce_sum(jig::cast<int>(jig::where(x > y, x ^ y, jig::zeros_like(x)))); });

template <class T>
void check_totals(const std::vector<T>& x) {
  std::int64_t sum = 0;
  for (T e : x) sum += e;
  const auto n = static_cast<std::int64_t>(x.size());
  const auto wrapped = static_cast<int>(static_cast<std::uint32_t>(sum));
  CHECK(total(x)() == wrapped);
  CHECK(long_total(x)() == sum);
  CHECK(mean(x)() == (n == 0 ? 0 : wrapped / static_cast<int>(n)));
}
template <class T>
void check_pairs(const std::vector<T>& x, const std::vector<T>& y) {
  std::uint32_t apart = 0, squared = 0, dot = 0, some = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::int64_t a = x[k], b = y[k];
    apart += static_cast<std::uint32_t>(std::abs(a - b));
    squared += static_cast<std::uint32_t>((a - b) * (a - b));
    dot += static_cast<std::uint32_t>(a * b);
    some += static_cast<std::uint32_t>(a > b ? static_cast<T>(x[k] ^ y[k]) : T(0));
  }
  CHECK(distance(x, y)() == static_cast<int>(apart));
  CHECK(squares(x, y)() == static_cast<int>(squared));
  CHECK(products(x, y)() == static_cast<int>(dot));
  CHECK(chosen(x, y)() == static_cast<int>(some));
}

constexpr jig::index sizes[] = {0,  1,   2,   7,   8,   15,  16,  17,  31,  32,  33,   63,   64,   65,
                                66, 127, 128, 129, 191, 192, 255, 256, 257, 300, 1000, 4097, 20011};

}  // namespace

TEST_CASE_TEMPLATE("sums of narrow integers are those of wide ones", T, u8, i8, u16, i16) {
  for (jig::index n : sizes) {
    CAPTURE(n);
    check_totals(numbers<T>(n, static_cast<unsigned>(n)));
    check_pairs(numbers<T>(n, static_cast<unsigned>(n)), numbers<T>(n, static_cast<unsigned>(n) + 1));
  }
  // The largest and the smallest ones, as many as no narrower accumulator holds.
  constexpr T low = (std::numeric_limits<T>::min)(), high = (std::numeric_limits<T>::max)();
  for (jig::index n : {jig::index{129}, jig::index{70000}, jig::index{2100003}}) {
    CAPTURE(n);
    check_totals(all(n, high));
    check_totals(all(n, low));
    check_pairs(all(n, high), all(n, low));
    check_pairs(all(n, low), all(n, high));
    check_pairs(all(n, low), all(n, low));
  }
}

namespace {

// Rows of C, of static tensors.
template <class T, jig::index C>
void check_rows() {
  static constexpr auto f = jig::function([](auto x, auto y) {
    return std::tuple(jig::reduce_sum<1>(jig::cast<int>(x)), jig::reduce_sum<1>(jig::abs(jig::cast<int>(x) - jig::cast<int>(y))),
                      jig::reduce_sum(jig::cast<int>(x)));
  });
  auto x = jig::zeros<T, 9, C>(), y = x;
  const auto from = numbers<T>(9 * C, 1), other = numbers<T>(9 * C, 2);
  std::copy(from.begin(), from.end(), x.begin());
  std::copy(other.begin(), other.end(), y.begin());
  const auto [sums, distances, whole] = f(x, y);
  int all_of_them = 0;
  for (jig::index i = 0; i < 9; ++i) {
    int sum = 0, apart = 0;
    for (jig::index k = 0; k < C; ++k) {
      sum += x(i, k);
      apart += std::abs(x(i, k) - y(i, k));
    }
    CHECK(sums(i) == sum);
    CHECK(distances(i) == apart);
    all_of_them += sum;
  }
  CHECK(whole() == all_of_them);
}

template <class F, class... Spec>
std::string lowered(F f, Spec... specs) {
  return jig::to_text(jig::lower(jig::graph_of(f, specs...)));
}

}  // namespace

TEST_CASE("rows of narrow integers are added up one by one") {
  check_rows<u8, 15>();
  check_rows<u8, 63>();
  check_rows<u8, 64>();
  check_rows<u8, 65>();
  check_rows<u8, 257>();
  check_rows<i16, 31>();
  check_rows<i16, 32>();
  check_rows<i16, 300>();
}

TEST_CASE("narrow integers that do not lie side by side are added up as well") {
  constexpr auto f = [](auto x) {
    return std::tuple(jig::reduce_sum(jig::cast<int>(jig::strided_slice<jig::range_of(jig::unbounded, jig::unbounded, 2)>(x))),
                      jig::reduce_sum(jig::cast<int>(jig::reverse<0>(x)) * 3));
  };
  const auto x = numbers<u8>(1001, 3);
  auto whole = jig::zeros<u8, 1001>();
  std::copy(x.begin(), x.end(), whole.begin());
  const auto [every_other, three_times] = jig::function(f)(whole);
  int expected = 0, sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    expected += k % 2 == 0 ? x[k] : 0;
    sum += x[k];
  }
  CHECK(every_other() == expected);
  CHECK(three_times() == 3 * sum);
  std::vector<u8> apart(3000);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (3 * k < apart.size()) apart[3 * k] = x[k];
  const jig::view<const u8, jig::dyn> view(apart.data(), {1000}, {3});
  CHECK(total(view)() == sum - x[1000]);
}

TEST_CASE("what is added up in rows is as narrow as its values") {
  using bytes = jig::spec<u8, 1000>;
  const auto apart = [](auto x, auto y) { return jig::reduce_sum(jig::abs(jig::cast<int>(x) - jig::cast<int>(y))); };
  const auto text = lowered(apart, bytes(), bytes());
  CHECK(text.find("Maximum(args_0, args_1) : uint8") != std::string::npos);
  CHECK(text.find("int16") == std::string::npos);
  const auto squared = [](auto x, auto y) { return jig::reduce_sum(jig::square(jig::cast<int>(x) - jig::cast<int>(y))); };
  CHECK(lowered(squared, bytes(), bytes()).find(": int16") != std::string::npos);
  // Few of them, or what does not fit, stays as it is.
  using few = jig::spec<u8, 63>;
  CHECK(lowered(apart, few(), few()).find("Maximum") == std::string::npos);
  const auto cubed = [](auto x) { return jig::reduce_sum(jig::cast<int>(x) * jig::cast<int>(x) * jig::cast<int>(x)); };
  CHECK(lowered(cubed, bytes()).find(": int16") == std::string::npos);
  // A value that somebody else reads stays wide.
  const auto two = [](auto x, auto y) {
    const auto d = jig::cast<int>(x) - jig::cast<int>(y);
    return std::tuple(jig::reduce_sum(d * d), d);
  };
  CHECK(lowered(two, bytes(), bytes()).find("int16") == std::string::npos);
}

namespace {

constexpr auto between = jig::function([](auto x, auto low, auto high) { return jig::count_nonzero((x >= low) & (x < high)); });
constexpr auto not_between =
    jig::function([](auto x, auto low, auto high) { return jig::reduce_sum(jig::cast<int>((!(x > low)) | (x >= high))); });
constexpr auto between_in_rows = jig::function([](auto x, auto low, auto high) { return jig::count_nonzero<1>((x >= low) & (x <= high)); });
constexpr auto where_bytes_are = jig::function([](auto x, auto b) { return jig::count_nonzero((x < 0) != (b != u8(0))); });
constexpr auto of_two = jig::function([](auto x) { return std::tuple(jig::count_nonzero(x > 0), jig::reduce_max(x)); });

// Numbers of which some are equal to limits, and some are not numbers.
template <class T>
std::vector<T> around_zero(jig::index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& e : x) e = static_cast<T>(static_cast<int>(generator() % 17) - (std::is_signed_v<T> ? 8 : 0));
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t k = 3; k < x.size(); k += 11) x[k] = std::numeric_limits<T>::quiet_NaN();
  return x;
}

template <class T>
void check_counts(jig::index n) {
  CAPTURE(n);
  const auto x = around_zero<T>(n, static_cast<unsigned>(n));
  const T low = std::is_signed_v<T> ? T(-3) : T(2), high = T(5);
  std::int64_t in = 0, out = 0, positive = 0;
  for (T e : x) {
    in += e >= low && e < high;
    out += !(e > low) || e >= high;
    positive += e > T(0);
  }
  CHECK(between(x, low, high)() == in);
  CHECK(not_between(x, low, high)() == out);
  CHECK(std::get<0>(of_two(x))() == positive);
}

template <class T, int Columns>
void check_counts_of_rows() {
  CAPTURE(Columns);
  for (jig::index rows : {1, 3, 9, 40}) {
    CAPTURE(rows);
    const auto x = around_zero<T>(rows * Columns, 7);
    const T low = T(1), high = T(6);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < x.size(); ++k) expected[k / static_cast<std::size_t>(Columns)] += x[k] >= low && x[k] <= high;
    std::vector<std::int64_t> known(expected.size(), -1), wild(expected.size(), -1);
    between_in_rows.into(known, jig::view<const T, jig::dyn, Columns>(x.data(), {2, {rows, Columns}}), low, high);
    between_in_rows.into(wild, jig::view<const T, jig::dyn, jig::dyn>(x.data(), {2, {rows, Columns}}), low, high);
    CHECK(known == expected);
    CHECK(wild == expected);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("truth values are counted in registers of what they are computed of", T, float, double, int, i16) {
  for (jig::index n = 0; n < 70; ++n) check_counts<T>(n);
  for (jig::index n : {127, 128, 129, 500, 1003}) check_counts<T>(n);
}

TEST_CASE("truth values of rows are counted") {
  check_counts_of_rows<float, 8>();
  check_counts_of_rows<float, 64>();
  check_counts_of_rows<i16, 129>();
}

TEST_CASE("counts are of more than a part of a register holds, and of numbers of two sizes") {
  const std::vector<i16> x(3'000'017, i16(-4));
  CHECK(between(x, i16(-4), i16(0))() == 3'000'017);
  CHECK(not_between(x, i16(-4), i16(0))() == 3'000'017);
  for (jig::index n : {1, 7, 9, 31, 100, 333}) {
    const auto numbers_of_n = around_zero<float>(n, 5);
    const auto bytes = numbers<u8>(n, 6);
    std::int64_t expected = 0;
    for (std::size_t k = 0; k < bytes.size(); ++k) expected += (numbers_of_n[k] < 0) != (bytes[k] != 0);
    CHECK(where_bytes_are(numbers_of_n, bytes)() == expected);
  }
}
