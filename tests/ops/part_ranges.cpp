// SPDX-License-Identifier: MIT
// Ranges among the positions of a part, read and assigned: in traces, of tensors and of views, beside plain loops that follow NumPy's
// rules.
#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using jig::all, jig::dyn, jig::range_of, jig::tensor, jig::unbounded;
using floats = std::vector<float>;

template <class X>
floats elements(const X& x) {
  floats out;
  for (const auto& e : x) out.push_back(static_cast<float>(e));
  return out;
}

// The positions that NumPy's begin:end:step takes.
std::vector<jig::index> positions(const jig::slice_range& r, jig::index n) {
  std::vector<jig::index> out;
  const auto place = [&](jig::index bound, jig::index least, jig::index most) {
    if (bound < 0) bound += n;
    return bound < least ? least : bound > most ? most : bound;
  };
  if (r.step > 0) {
    const jig::index first = r.begin == unbounded ? 0 : place(r.begin, 0, n), last = r.end == unbounded ? n : place(r.end, 0, n);
    for (jig::index i = first; i < last; i += r.step) out.push_back(i);
  } else {
    const jig::index first = r.begin == unbounded ? n - 1 : place(r.begin, -1, n - 1),
                     last = r.end == unbounded ? -1 : place(r.end, -1, n - 1);
    for (jig::index i = first; i > last; i += r.step) out.push_back(i);
  }
  return out;
}

tensor<float, dyn, dyn> counted(jig::index rows, jig::index columns) {
  tensor<float, dyn, dyn> x(rows, columns);
  float next = 1;
  for (auto& e : x) e = next++;
  return x;
}

constexpr auto right = jig::function<"right(x)">([](auto x) { return 2 * x(all, range_of(1, unbounded)); });
constexpr auto row_end = jig::function<"row_end(x)">([](auto x) { return 2 * x(1, range_of<1, unbounded>()); });
constexpr auto backwards = jig::function<"backwards(x, i)">([](auto x, auto i) { return x(i, range_of(unbounded, unbounded, -2)); });
constexpr auto assigned = jig::function<"assigned(x, i)">([](auto x, auto i) {
  x(i, range_of(1, unbounded)) = -1;
  x(all, range_of<0, 1>()) *= 10;
  return x;
});
// A row, or a value that stands for each of its elements.
constexpr auto put_behind = jig::function<"put_behind(x, y)">([](auto x, auto y) {
  x(0, range_of(1, unbounded)) = y;
  for (auto i : jig::range(1, jig::extent<0>(x))) x(i, range_of(1, unbounded)) = y;
  return x;
});
constexpr auto reversed_rows = jig::function<"reversed_rows(x)">([](auto x) {
  x(range_of(unbounded, unbounded, 2), all) = x(range_of(unbounded, unbounded, 2), range_of(unbounded, unbounded, -1));
  return x;
});

}  // namespace

TEST_CASE("parts of tensors and views by ranges") {
  std::mt19937 random(1);
  const auto bound = [&]() -> jig::index { return random() % 5 == 0 ? unbounded : static_cast<jig::index>(random() % 17) - 8; };
  for (int trial = 0; trial < 500; ++trial) {
    const jig::index step = static_cast<jig::index>(random() % 7) - 3;
    const jig::slice_range rows = range_of(bound(), bound(), step == 0 ? 1 : step),
                           columns = range_of(bound(), bound(), trial % 2 == 0 ? 1 : -2);
    auto x = counted(static_cast<jig::index>(random() % 6), static_cast<jig::index>(random() % 6));
    const auto taken_rows = positions(rows, x.extent(0)), taken_columns = positions(columns, x.extent(1));
    floats expected;
    for (auto i : taken_rows)
      for (auto j : taken_columns) expected.push_back(x(i, j));
    const auto part = x(rows, columns);
    CHECK(part.extent(0) == static_cast<jig::index>(taken_rows.size()));
    CHECK(part.extent(1) == static_cast<jig::index>(taken_columns.size()));
    CHECK(elements(part) == expected);
    CHECK(elements(std::as_const(x)(rows, columns)) == expected);
    CHECK(elements(jig::view<const float, dyn, dyn>(x.data(), x.shape(), x.strides())(rows, columns)) == expected);
    auto changed = x;
    changed(rows, columns) = 0;
    for (auto i : taken_rows)
      for (auto j : taken_columns) x(i, j) = 0;
    CHECK(elements(changed) == elements(x));
  }
  tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  static_assert(std::is_same_v<decltype(std::as_const(x)(all, range_of<1, unbounded>())), tensor<float, 2, 2>>);
  static_assert(std::is_same_v<decltype(std::as_const(x)(all, range_of(1, unbounded))), tensor<float, 2, dyn>>);
  static_assert(std::is_same_v<decltype(std::as_const(x)(1, range_of<unbounded, unbounded, -2>())), tensor<float, 2>>);
  x(all, range_of(0, 2)) = x(all, range_of(1, 3));
  CHECK(elements(x) == floats{2, 3, 3, 5, 6, 6});
  CHECK_THROWS_AS(x(all, range_of(0, 2, 0)), jig::invalid_argument);
  const floats three{1, 2, 3};
  CHECK_THROWS_AS(x(all, range_of(0, 2)) = three, jig::invalid_argument);
}

TEST_CASE("parts of traced values by ranges") {
  const tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  const tensor<float, dyn, dyn> w = counted(2, 3);
  static_assert(std::is_same_v<decltype(right(x)), tensor<float, 2, dyn>> && std::is_same_v<decltype(row_end(x)), tensor<float, 2>>);
  CHECK(elements(right(x)) == floats{4, 6, 10, 12});
  CHECK(elements(right(w)) == floats{4, 6, 10, 12});
  CHECK(elements(right.eager(x)) == floats{4, 6, 10, 12});
  CHECK(right(counted(3, 1)).size() == 0);
  CHECK(right(counted(0, 4)).shape() == jig::shape{2, {0, 3}});
  CHECK(elements(row_end(x)) == floats{10, 12});
  CHECK(elements(row_end(w)) == floats{10, 12});
  CHECK(elements(row_end.eager(w)) == floats{10, 12});
  CHECK(elements(backwards(x, 1)) == floats{6, 4});
  CHECK(elements(backwards(w, 0)) == floats{3, 1});
  CHECK(elements(backwards.eager(w, 0)) == floats{3, 1});
  // Plans know what types do not.
  constexpr auto text = right.get_concrete_function(jig::spec<float, 2, 3>()).plan();
  CHECK(jig::to_text(text).find("(2, 2)") != std::string::npos);
}

TEST_CASE("assignments to ranges of traced values") {
  const tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  const tensor<float, dyn, dyn> w = counted(2, 3);
  CHECK(elements(assigned(x, 1)) == floats{10, 2, 3, 40, -1, -1});
  CHECK(elements(assigned(w, 0)) == floats{10, -1, -1, 40, 5, 6});
  CHECK(elements(assigned.eager(w, 0)) == floats{10, -1, -1, 40, 5, 6});
  CHECK(elements(reversed_rows(x)) == floats{3, 2, 1, 4, 5, 6});
  CHECK(elements(reversed_rows(w)) == floats{3, 2, 1, 4, 5, 6});
  CHECK(elements(reversed_rows.eager(x)) == floats{3, 2, 1, 4, 5, 6});
  // Every bit arrives, and stays around them.
  constexpr auto inside = jig::function([](auto a, auto b) {
    a(range_of(1, -1)) = b;
    return a;
  });
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const floats mixed = elements(inside(floats{-0.0f, 1, 2, nan}, floats{-0.0f, infinity}));
  CHECK((std::signbit(mixed[0]) && std::signbit(mixed[1]) && mixed[1] == 0 && mixed[2] == infinity && std::isnan(mixed[3])));
  CHECK(elements(inside(std::vector<int>{1, 2, 3, 4}, std::vector<int>{-5, 6})) == floats{1, -5, 6, 4});
  CHECK(elements(inside(tensor<bool, 4>{true, false, true, false}, tensor<bool>(true))) == floats{1, 1, 1, 0});
  CHECK_THROWS_AS(inside(floats{1, 2, 3, 4}, floats{1, 2, 3}), jig::invalid_argument);
  // In loops, of variables.
  constexpr auto filled = jig::function([](auto& y) {
    for (auto i : jig::range(3)) y(range_of(0, 2)) += jig::cast<float>(i * 0 + 1);
  });
  jig::variable<float, dyn> v{1, 2, 3};
  filled(v);
  CHECK(elements(v.value()) == floats{4, 5, 3});
}

TEST_CASE("a range in brackets takes rows, of traced values, tensors, views and variables") {
  tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  const tensor<float, dyn, dyn> w = counted(3, 2);
  constexpr auto read = jig::function([](const auto& a) { return a[range_of(1, unbounded)] * 2 + a[range_of<-2, unbounded>()]; });
  constexpr auto nested = jig::function([](auto a) { return a[range_of(1, unbounded)][1][range_of<0, 1>()]; });
  constexpr auto write = jig::function([](auto a) {
    a[range_of(unbounded, unbounded, 2)] = -1;
    a[range_of<1, 2>()] *= 10;
    a[all] += 1;
    return a;
  });
  static_assert(std::is_same_v<decltype(read(x)), tensor<float, 2, 2>> && std::is_same_v<decltype(nested(w)), tensor<float, dyn>>);
  for (const floats& found : {elements(read(x)), elements(read(w)), elements(read.eager(x)), elements(read.eager(w))})
    CHECK(found == floats{9, 12, 15, 18});
  for (const floats& found : {elements(nested(x)), elements(nested(w)), elements(nested.eager(x)), elements(nested.eager(w))})
    CHECK(found == floats{5});
  for (const floats& found : {elements(write(x)), elements(write(w)), elements(write.eager(x)), elements(write.eager(w))})
    CHECK(found == floats{0, 0, 31, 41, 0, 0});
  static_assert(std::is_same_v<decltype(std::as_const(x)[range_of<1, 3>()]), tensor<float, 2, 2>>);
  CHECK(elements(std::as_const(x)[range_of(unbounded, unbounded, -2)]) == floats{5, 6, 1, 2});
  CHECK(elements(tensor<float, 3, 2>(x)[range_of(5, 9)]).empty());
  CHECK(elements(jig::view<const float, dyn, dyn>(w.data(), w.shape(), w.strides())[range_of(0, 1)]) == floats{1, 2});
  x[range_of(0, 2)] = x[range_of(1, 3)];
  CHECK(elements(x) == floats{3, 4, 5, 6, 5, 6});
  jig::view(x.data(), 3, 2)[range_of(0, 1)] = 0;
  CHECK(elements(x) == floats{0, 0, 5, 6, 5, 6});
  constexpr auto doubled = jig::function([](auto& v) {
    v[range_of(1, unbounded)] *= 2;
    return v[range_of(0, 2)];
  });
  jig::variable<float, dyn> v{1, 2, 3}, u{1, 2, 3};
  CHECK(elements(doubled(v)) == floats{1, 4});
  CHECK(elements(doubled.eager(u)) == floats{1, 4});
  CHECK(elements(v.value()) == floats{1, 4, 6});
  CHECK(elements(u.value()) == floats{1, 4, 6});
}

TEST_CASE("gradients of ranges") {
  constexpr auto read = jig::function(
      [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(x(all, range_of(1, unbounded)) - x(all, range_of(0, -1)))), x); });
  CHECK(elements(read(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}})) == floats{-2, 0, 2, -2, 0, 2});
  CHECK(elements(read(counted(2, 3))) == floats{-2, 0, 2, -2, 0, 2});
  constexpr auto write = jig::function([](auto x, auto y) {
    auto z = x * 1;
    z(range_of(0, unbounded, 2)) = y * y;
    return jig::gradient(jig::reduce_sum(z * z), x, y);
  });
  const auto [dx, dy] = write(floats{1, 2, 3, 4, 5}, floats{1, 2, 3});
  CHECK(elements(dx) == floats{0, 4, 0, 8, 0});
  CHECK(elements(dy) == floats{4, 32, 108});
}

namespace {

constexpr auto in = range_of<1, -1>();
constexpr auto before = range_of<0, -2>();
constexpr auto behind = range_of<2, unbounded>();

constexpr auto smoothed = jig::function<"smoothed(u)">([](auto u) {
  auto v = u;
  v(in) = (u(before) + u(behind)) * 2 - u(in);
  return v;
});
constexpr auto heat = jig::function<"heat(u)">([](auto u) {
  auto v = u;
  v(in, in) = u(before, in) + u(behind, in) + u(in, before) + u(in, behind) - 4 * u(in, in);
  return v;
});
// The last quarter alone, from the first: less than half of it is written.
constexpr auto moved = jig::function<"moved(u)">([](auto u) {
  u(range_of<3, unbounded>()) = u(range_of<unbounded, -3>());
  u(range_of<-2, unbounded>()) = u(range_of<1, 3>()) * 5;
  return u;
});

template <class X>
floats smooth(const X& u) {
  floats v = elements(u);
  for (std::size_t i = 1; i + 1 < v.size(); ++i) v[i] = (u.data()[i - 1] + u.data()[i + 1]) * 2 - u.data()[i];
  return v;
}
floats move(floats u) {
  const std::size_t n = u.size();
  for (std::size_t i = n; i-- > 3;) u[i] = u[i - 3];
  const float one = u[1], two = u[2];
  u[n - 2] = 5 * one, u[n - 1] = 5 * two;
  return u;
}
template <class X>
void count(X& x) {
  float next = 1;
  for (auto& e : x) e = static_cast<float>(static_cast<int>(next++) * 7 % 23);
}

template <jig::index N>
void check_lines() {
  CAPTURE(N);
  tensor<float, N> u;
  count(u);
  floats w = elements(u);
  CHECK(elements(smoothed(u)) == smooth(u));
  CHECK(elements(smoothed(w)) == smooth(u));
  CHECK(elements(moved(u)) == move(w));
  CHECK(elements(moved(w)) == move(w));
  const floats expected = smooth(u);
  smoothed.into(u, u);
  CHECK(elements(u) == expected);
  moved.into(w, w);
  count(u);
  CHECK(w == move(elements(u)));
}

template <jig::index M, jig::index N>
void check_planes() {
  CAPTURE(M);
  CAPTURE(N);
  tensor<float, M, N> u;
  count(u);
  tensor<float, dyn, dyn> w(u);
  floats expected = elements(u);
  for (jig::index i = 1; i + 1 < M; ++i)
    for (jig::index j = 1; j + 1 < N; ++j)
      expected[static_cast<std::size_t>(i * N + j)] = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j);
  CHECK(elements(heat(u)) == expected);
  CHECK(elements(heat(w)) == expected);
  heat.into(u, u);
  CHECK(elements(u) == expected);
  heat.into(w, w);
  CHECK(elements(w) == expected);
}

}  // namespace

TEST_CASE("neighbours of the elements that are assigned") {
  [&]<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (check_lines<N>(), ...);
  }(std::integer_sequence<jig::index, 6, 15, 16, 17, 64, 65, 300>());
  check_planes<3, 3>();
  check_planes<5, 7>();
  check_planes<10, 10>();  // as many are put one by one, with static extents
  check_planes<10, 11>();
  check_planes<30, 33>();
  // More than loops of one run are told to read so.
  static tensor<float, 65536> u;
  count(u);
  CHECK(elements(smoothed(u)) == smooth(u));
}

TEST_CASE("ranges of variables are assigned in place, and in loops over steps of time") {
  constexpr auto step = jig::function([](auto& u) {
    for (auto k : jig::range(4)) {
      u(in, in) = u(in, in) + (u(before, in) - u(behind, in)) * 0.5f;
      u(all, range_of<0, 1>()) += jig::cast<float>(k);
    }
  });
  tensor<float, 6, 5> start;
  count(start);
  floats u = elements(start);
  for (int k = 0; k < 4; ++k) {
    const floats old = u;
    for (std::size_t i = 1; i < 5; ++i)
      for (std::size_t j = 1; j < 4; ++j) u[i * 5 + j] = old[i * 5 + j] + (old[i * 5 + j - 5] - old[i * 5 + j + 5]) * 0.5f;
    for (std::size_t i = 0; i < 6; ++i) u[i * 5] += static_cast<float>(k);
  }
  jig::variable<float, 6, 5> v(start);
  step(v);
  CHECK(elements(v.value()) == u);
  jig::variable<float, dyn, dyn> w{tensor<float, dyn, dyn>(start)};
  step(w);
  CHECK(elements(w.value()) == u);
}

TEST_CASE("what is assigned to a part of wildcard extents is broadcast to it") {
  for (jig::index columns : {2, 4, 18})
    for (jig::index given : {jig::index{1}, columns - 1}) {
      tensor<float, dyn> y(given);
      for (jig::index k = 0; k < given; ++k) y(k) = -1 - static_cast<float>(k);
      const auto x = counted(3, columns);
      const auto made = put_behind(x, y);
      for (jig::index i = 0; i < 3; ++i)
        for (jig::index j = 0; j < columns; ++j) CHECK(made(i, j) == (j == 0 ? x(i, j) : y(given == 1 ? 0 : j - 1)));
      CHECK_THROWS_AS(put_behind(x, tensor<float, dyn>(columns)), jig::invalid_argument);
    }
}
