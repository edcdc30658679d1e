// SPDX-License-Identifier: MIT
#include <jig/adapt/shard_sum.hpp>

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

namespace {

using jig::dtype;
using jig::index;

// Numbers whose sum depends on the order.
float number(index shard, index i) {
  return static_cast<float>(std::sin(static_cast<double>(shard * 31 + i)) * std::pow(10.0, static_cast<double>((shard * 7 + i) % 9) - 4));
}

// The sum over shards from first on, as many as a power of two: the left half and the right half.
template <class F, class T = std::invoke_result_t<F, index>>
T tree(F of, index first, index count) {
  T sum = of(first);
  if (count > 1) {
    const T left = tree(of, first, count / 2), right = tree(of, first + count / 2, count / 2);
    sum = static_cast<T>(left + right);
  }
  return sum;
}
// Over any number: the largest power of two, and then what is left.
template <class F, class T = std::invoke_result_t<F, index>>
T whole(F of, index first, index count) {
  index power = 1;
  while (2 * power <= count) power *= 2;
  T sum = tree(of, first, power);
  if (count > power) sum = static_cast<T>(sum + whole(of, first + power, count - power));
  return sum;
}

constexpr index floats = 37, longs = 3, halves = 18;

// What rank 0 gets of two sums behind one another.
struct totals {
  std::vector<float> floats;
  std::vector<std::int64_t> longs;
  std::vector<jig::half> halves;
};
totals summed(int size, index shards, int divisor) {
  totals out;
  const auto thrown = test::on_ranks(size, [&](const jig::ranks& r) {
    jig::detail::shard_sum sum(r, shards, {{dtype::float32, floats}, {dtype::int64, longs}, {dtype::float32, 0}, {dtype::float16, halves}});
    for (int time = 0; time < 2; ++time) {
      for (index s = sum.first(); s < sum.last(); ++s) {
        std::byte* message = sum.next();
        for (index i = 0; i < floats; ++i) reinterpret_cast<float*>(message)[i] = number(s, i);
        for (index i = 0; i < longs; ++i) reinterpret_cast<std::int64_t*>(message + sum.offset(1))[i] = (std::int64_t{1} << 62) + s + i;
        for (index i = 0; i < halves; ++i) reinterpret_cast<jig::half*>(message + sum.offset(3))[i] = jig::half(number(s, i));
        sum.add();
      }
      const std::byte* total = sum.total(divisor, 5, [] { return std::vector<std::string>(); });
      if (r.rank() == size - 1) {
        const auto* f = reinterpret_cast<const float*>(total);
        const auto* l = reinterpret_cast<const std::int64_t*>(total + sum.offset(1));
        const auto* h = reinterpret_cast<const jig::half*>(total + sum.offset(3));
        out = {{f, f + floats}, {l, l + longs}, {h, h + halves}};
      }
      // What others write into the memory in between does not matter.
      std::memset(r.memory(64), 255, 64);
    }
  });
  for (const std::string& t : thrown) CHECK(t == "");
  return out;
}

TEST_CASE("Sums have the bits of one tree, on any number of ranks") {
  int wrong = 0;
  for (const index shards : {1, 2, 3, 5, 8, 13, 16})
    for (const int size : {1, 2, 3, 4, 7}) {
      const totals t = summed(size, shards, 1);
      REQUIRE(t.floats.size() == floats);
      for (index i = 0; i < floats; ++i) {
        const float expected = whole([i](index s) { return number(s, i); }, 0, shards);
        wrong += t.floats[static_cast<std::size_t>(i)] != expected;
      }
      for (index i = 0; i < longs; ++i) {
        std::uint64_t expected = 0;  // it wraps
        for (index s = 0; s < shards; ++s) expected += (std::uint64_t{1} << 62) + static_cast<std::uint64_t>(s + i);
        wrong += static_cast<std::uint64_t>(t.longs[static_cast<std::size_t>(i)]) != expected;
      }
      for (index i = 0; i < halves; ++i) {
        const jig::half expected = whole([i](index s) { return jig::half(number(s, i)); }, 0, shards);
        wrong += static_cast<float>(t.halves[static_cast<std::size_t>(i)]) != static_cast<float>(expected);
      }
    }
  // Many ranks that are no power of two, of which each has one subtree, or not.
  for (const int size : {17, 24, 31})
    for (const index shards : {size, 2 * size, 2 * size + 1}) {
      const totals t = summed(size, shards, 1);
      for (index i = 0; i < floats; ++i)
        wrong += t.floats[static_cast<std::size_t>(i)] != whole([i](index s) { return number(s, i); }, 0, shards);
    }
  CHECK(wrong == 0);
  // Another order would have other bits.
  int other = 0;
  for (index i = 0; i < floats; ++i) {
    float in_order = 0;
    for (index s = 0; s < 13; ++s) in_order += number(s, i);
    other += in_order != whole([i](index s) { return number(s, i); }, 0, 13);
  }
  CHECK(other > 0);
}

TEST_CASE("Floating sums are divided, integers are not") {
  for (const int size : {1, 3}) {
    const totals t = summed(size, 6, 3), sums = summed(size, 6, 1);
    for (std::size_t i = 0; i < t.floats.size(); ++i) CHECK(t.floats[i] == sums.floats[i] / 3);
    CHECK(t.longs == sums.longs);
    CHECK(static_cast<float>(t.halves[4]) == static_cast<float>(jig::half(static_cast<float>(sums.halves[4]) / 3)));
  }
}

// Long enough for halves between as many ranks as have to be there for them, and short by an element.
TEST_CASE("Long messages: every rank has the bits of the same tree, of numbers and of what is none") {
  int wrong = 0, other = 0;
  for (const int size : {2, 4, 8, 3, 21})
    for (const index count : {7000, 16384, 16385, 40000}) {
      const index shards = size > 8 ? size : 8;
      std::vector<std::vector<float>> of_ranks(static_cast<std::size_t>(size));
      std::vector<std::vector<std::int64_t>> longs_of_ranks(static_cast<std::size_t>(size));
      const auto thrown = test::on_ranks(size, [&](const jig::ranks& r) {
        jig::detail::shard_sum sum(r, shards, {{dtype::float32, count}, {dtype::int64, 5}});
        for (index s = sum.first(); s < sum.last(); ++s) {
          auto* message = reinterpret_cast<float*>(sum.next());
          for (index i = 0; i < count; ++i) message[i] = static_cast<float>((s * 31 + i) % 97) * (i % 2 == 0 ? 1e-4f : 3.7f);
          message[0] = std::bit_cast<float>(0x7fc00000u + static_cast<std::uint32_t>(s));
          message[count - 1] = s == 3 ? HUGE_VALF : 1;
          for (index i = 0; i < 5; ++i) reinterpret_cast<std::int64_t*>(sum.next() + sum.offset(1))[i] = s * i;
          sum.add();
        }
        const std::byte* total = sum.total(2, 7, [] { return std::vector<std::string>(); });
        const auto* f = reinterpret_cast<const float*>(total);
        const auto* l = reinterpret_cast<const std::int64_t*>(total + sum.offset(1));
        of_ranks[static_cast<std::size_t>(r.rank())] = {f, f + count};
        longs_of_ranks[static_cast<std::size_t>(r.rank())] = {l, l + 5};
      });
      for (const std::string& t : thrown) CHECK(t == "");
      for (const auto& mine : of_ranks) {
        REQUIRE(mine.size() == static_cast<std::size_t>(count));
        other += std::memcmp(mine.data(), of_ranks[0].data(), mine.size() * sizeof(float)) != 0;
      }
      for (const auto& mine : longs_of_ranks)
        for (index i = 0; i < 5; ++i) wrong += mine[static_cast<std::size_t>(i)] != shards * (shards - 1) / 2 * i;
      for (index i = 1; i < count - 1; ++i) {
        const float expected =
            whole([i](index s) { return static_cast<float>((s * 31 + i) % 97) * (i % 2 == 0 ? 1e-4f : 3.7f); }, 0, shards) / 2;
        wrong += of_ranks[0][static_cast<std::size_t>(i)] != expected;
      }
      wrong += !std::isnan(of_ranks[0][0]) + !std::isinf(of_ranks[0][static_cast<std::size_t>(count - 1)]);
    }
  CHECK(wrong == 0);
  CHECK(other == 0);
}

TEST_CASE("Elements are added in blocks and behind them") {
  const auto add = [](dtype d, auto* to, const auto* from, std::size_t count) {
    auto* bytes = reinterpret_cast<std::byte*>(to);
    jig::detail::add_elements(d, bytes, bytes, reinterpret_cast<const std::byte*>(from), count);
  };
  for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 40u}) {
    std::vector<double> a(count + 1), b(count + 1);
    for (std::size_t i = 0; i <= count; ++i) a[i] = static_cast<double>(i), b[i] = 0.5 * static_cast<double>(i);
    add(dtype::float64, a.data(), b.data(), count);
    for (std::size_t i = 0; i <= count; ++i) CHECK(a[i] == static_cast<double>(i) * (i < count ? 1.5 : 1));
  }
  // Small integers wrap, as do the largest; bool is a byte.
  std::int8_t small[] = {127}, one[] = {1};
  add(dtype::int8, small, one, 1);
  CHECK(small[0] == -128);
  bool no[] = {false, true}, first[] = {true, false};
  add(dtype::boolean, no, first, 2);
  CHECK((no[0] && no[1]));
}

TEST_CASE("Ranks that are not at the same sum all say so") {
  const auto thrown = test::on_ranks(3, [](const jig::ranks& r) {
    const index count = r.rank() == 2 ? 5 : 4;
    jig::detail::shard_sum sum(r, 3, {{dtype::float32, count}});
    sum.next();
    sum.add();
    sum.total(1, static_cast<std::uint64_t>(count), [&] { return std::vector<std::string>{"step", std::to_string(count) + " numbers"}; });
  });
  CHECK(thrown == std::vector<std::string>(3, "step: ranks disagree: ranks 0 and 1 have 4 numbers, rank 2 has 5 numbers"));
}

}  // namespace
