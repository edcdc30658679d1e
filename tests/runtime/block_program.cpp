// SPDX-License-Identifier: MIT
#include <jig/runtime/block_program.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using jig::dtype;
using jig::index;
namespace detail = jig::detail;
using program = detail::block_program<>;

// The longest run and the number of calls tell whether it goes block by block.
index longest = 0;
int calls = 0;
template <class F>
void each(void* out, index n, F f) {
  longest = std::max(longest, n);
  ++calls;
  for (index i = 0; i < n; ++i) static_cast<int*>(out)[i] = f(i);
}
int at(const void* in, index i) { return static_cast<const int*>(in)[i]; }

void add(const void* const* in, void* out, index n) {
  each(out, n, [&](index i) { return at(in[0], i) + at(in[1], i); });
}
void subtract(const void* const* in, void* out, index n) {
  each(out, n, [&](index i) { return at(in[0], i) - at(in[1], i); });
}
void twice(const void* const* in, void* out, index n) {
  each(out, n, [&](index i) { return 2 * at(in[0], i); });
}
void twice_less(const void* const* in, void* out, index n) {
  each(out, n, [&](index i) { return 2 * at(in[0], i) - at(in[1], i); });
}
void wide(const void* const* in, void* out, index n) {
  for (index i = 0; i < n; ++i) static_cast<std::int64_t*>(out)[i] = std::int64_t{1000000007} * at(in[0], i);
}

std::vector<int> counting(index n, int from) {
  std::vector<int> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = from + static_cast<int>(i);
  return out;
}
// A guard behind the end of every result.
constexpr int guard = -77;
std::vector<int> room(index n) { return std::vector<int>(static_cast<std::size_t>(n) + 1, guard); }

constexpr index lengths[] = {0, 1, 63, 64, 127, 128, 129, 2047, 2048, 2049, 5000};

TEST_CASE("a chain with an element that does not move, in blocks of any length") {
  program p;
  const int x = p.add_leaf(dtype::int32, true), y = p.add_leaf(dtype::int32, false);
  const int sum_of[] = {x, y};
  const int sum = p.add(&add, {sum_of, 2}, dtype::int32);
  const int twice_of[] = {sum};
  const int doubled = p.add(&twice, {twice_of, 1}, dtype::int32);
  const int difference_of[] = {doubled, x};
  const int difference = p.add(&subtract, {difference_of, 2}, dtype::int32);
  p.add_root(difference, {});
  p.add_root(sum, {});
  p.finish();
  CHECK((p.leaves() == 2 && p.roots() == 2 && p.moves(0) && !p.moves(1) && p.bytes_of_leaf(0) == 4 && p.bytes_of_root(1) == 4));
  for (index n : lengths) {
    CAPTURE(n);
    const auto a = counting(n, 5);
    const int b = 3;
    auto out = room(n), sums = room(n);
    const void* leaves[] = {a.data(), &b};
    void* roots[] = {out.data(), sums.data()};
    longest = calls = 0;
    p(leaves, roots, n);
    CHECK(longest <= 2048);
    CHECK(calls == 3 * ((n + std::max<index>(longest, 1) - 1) / std::max<index>(longest, 1)));
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += out[i] != 2 * (a[i] + b) - a[i] || sums[i] != a[i] + b;
    CHECK(wrong == 0);
    CHECK((out.back() == guard && sums.back() == guard));
  }
}

TEST_CASE("a root may lie over a leaf that is read later: it is stored at the end of each block") {
  for (const bool later : {false, true}) {
    program p;
    const int x = p.add_leaf(dtype::int32, true);
    const int of_x[] = {x};
    const int doubled = p.add(&twice, {of_x, 1}, dtype::int32);
    const int second_of[] = {doubled, later ? x : doubled};
    const int second = p.add(&add, {second_of, 2}, dtype::int32);
    p.add_root(doubled, {of_x, 1});
    p.add_root(second, {});
    p.finish();
    for (index n : lengths) {
      CAPTURE(n);
      auto a = counting(n, -2);
      const auto before = a;
      auto out = room(n);
      const void* leaves[] = {a.data()};
      void* roots[] = {a.data(), out.data()};
      p(leaves, roots, n);
      int wrong = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        wrong += a[i] != 2 * before[i] || out[i] != 2 * before[i] + (later ? before[i] : 2 * before[i]);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the same value may be stored twice, and a leaf as it is") {
  program p;
  const int x = p.add_leaf(dtype::int32, true);
  const int of_x[] = {x};
  const int doubled = p.add(&twice, {of_x, 1}, dtype::int32);
  p.add_root(doubled, {});
  p.add_root(doubled, {});
  p.add_root(x, {});
  p.finish();
  const auto a = counting(300, 1);
  auto first = room(300), second = room(300), third = room(300);
  const void* leaves[] = {a.data()};
  void* roots[] = {first.data(), second.data(), third.data()};
  p(leaves, roots, 300);
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) wrong += first[i] != 2 * a[i] || second[i] != 2 * a[i] || third[i] != a[i];
  CHECK(wrong == 0);
}

TEST_CASE("elements of several sizes") {
  program p;
  const int x = p.add_leaf(dtype::int32, true);
  const int of_x[] = {x};
  const int doubled = p.add(&twice, {of_x, 1}, dtype::int32);
  const int of_doubled[] = {doubled};
  const int products = p.add(&wide, {of_doubled, 1}, dtype::int64);
  p.add_root(products, {});
  p.finish();
  CHECK(p.bytes_of_root(0) == 8);
  for (index n : lengths) {
    const auto a = counting(n, 11);
    std::vector<std::int64_t> out(a.size());
    const void* leaves[] = {a.data()};
    void* roots[] = {out.data()};
    p(leaves, roots, n);
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += out[i] != std::int64_t{2000000014} * a[i];
    CHECK(wrong == 0);
  }
}

TEST_CASE("two functions become one where there is one for both, unless the value between them is needed") {
  detail::paired_kernel pair{&twice, &subtract, 0, &twice_less, detail::first_paired_kernel};
  detail::first_paired_kernel = &pair;
  for (const bool needed : {false, true}) {
    program p;
    const int x = p.add_leaf(dtype::int32, true), y = p.add_leaf(dtype::int32, true);
    const int of_x[] = {x};
    const int doubled = p.add(&twice, {of_x, 1}, dtype::int32);
    const int difference_of[] = {doubled, y};
    const int difference = p.add(&subtract, {difference_of, 2}, dtype::int32);
    p.add_root(difference, {});
    if (needed) p.add_root(doubled, {});
    p.finish();
    const auto a = counting(100, 5), b = counting(100, 1);
    auto out = room(100), between = room(100);
    const void* leaves[] = {a.data(), b.data()};
    void* roots[] = {out.data(), between.data()};
    calls = 0;
    p(leaves, roots, 100);
    CHECK(calls == (needed ? 2 : 1));
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += out[i] != 2 * a[i] - b[i] || (needed && between[i] != 2 * a[i]);
    CHECK(wrong == 0);
  }
  detail::first_paired_kernel = pair.next;
}

}  // namespace
