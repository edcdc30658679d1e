// SPDX-License-Identifier: MIT
#include <jig/trace/loop_values.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

constexpr int loop_in(const jig::graph_view& g) {
  for (int id = 0; id < g.size(); ++id)
    if (g.node(id).op() == "While") return id;
  return -1;
}
template <class F>
constexpr jig::index trips_of(F f) {
  const jig::graph_view& g = jig::graph_of(f, jig::spec<double, 6>());
  return jig::detail::known_trips(g, loop_in(g));
}
constexpr auto from(auto x, auto start) { return jig::constant_like(jig::cast<decltype(start)>(x[0]), start); }

}  // namespace

TEST_CASE("known_trips: a loop that only counts from one constant to another") {
  static_assert(trips_of([](auto x) {
                  auto y = x[0];
                  for (auto i : jig::range(jig::extent<0>(x))) y = y * x[i];
                  return y;
                }) == 6);
  // Steps of 4 from -3 to 9 at most, to 8, and down from 5 to 0 without it.
  static_assert(trips_of([](auto x) {
                  auto [k, y] = jig::while_loop([](auto i, auto) { return i <= 9; },
                                                [](auto i, auto z) { return std::tuple(i + 4, z * z); }, std::tuple(from(x, -3), x));
                  return y;
                }) == 4);
  static_assert(trips_of([](auto x) {
                  auto [k, y] = jig::while_loop([](auto i, auto) { return i <= 8; },
                                                [](auto i, auto z) { return std::tuple(i + 4, z * z); }, std::tuple(from(x, -3), x));
                  return y;
                }) == 3);
  static_assert(trips_of([](auto x) {
                  auto [k, y] = jig::while_loop([](auto i, auto) { return i > 0; }, [](auto i, auto z) { return std::tuple(i - 2, z * z); },
                                                std::tuple(from(x, jig::index{5}), x));
                  return y;
                }) == 3);
}

TEST_CASE("known_trips: unknown where values of the call decide, or a counter may wrap around or goes the other way") {
  static_assert(trips_of([](auto x) {
                  auto y = x[0];
                  for (auto i : jig::range(jig::extent<0>(x))) {
                    y = y * x[i];
                    if (y > 2) break;
                  }
                  return y;
                }) == -1);
  static_assert(trips_of([](auto x) {
                  auto y = x[0];
                  for (auto i : jig::range(jig::cast<int>(y))) y = y * x[i];
                  return y;
                }) == -1);
  static_assert(trips_of([](auto x) {
                  auto [k, y] =
                      jig::while_loop([](auto i, auto) { return i <= 2147483647; }, [](auto i, auto z) { return std::tuple(i + 4, z * z); },
                                      std::tuple(from(x, 2147483000), x));
                  return y;
                }) == -1);
  static_assert(trips_of([](auto x) {
                  auto [k, y] = jig::while_loop([](auto i, auto) { return i < 3; }, [](auto i, auto z) { return std::tuple(i - 1, z * z); },
                                                std::tuple(from(x, 0), x));
                  return y;
                }) == -1);
}

TEST_CASE("is_kept: neither counters, nor what stays, nor arrays that are only written") {
  constexpr auto f = [](auto x) {
    auto y = x[0], z = x[1];
    auto written = jig::tensor_array(jig::extent<0>(x), y), read = jig::tensor_array(jig::extent<0>(x), y);
    for (auto i : jig::range(jig::extent<0>(x))) {
      y = y * x[i];
      z = z + read.read(i);
      written = written.write(i, y);
      read = read.write(i, z);
    }
    return jig::reduce_sum(written.stack()) + jig::reduce_sum(read.stack());
  };
  constexpr const jig::graph_view& g = jig::graph_of(f, jig::spec<double, 6>());
  constexpr auto loop = g.node(loop_in(g));
  int kept = 0, all = 0;
  for (int k = 0; k < loop.outputs(); ++k) {
    const bool is = jig::detail::is_kept(g.body(loop, "body"), k);
    const bool is_number = loop.spec(k).shape.rank == 0 && jig::is_floating(loop.dtype(k));
    const bool is_array = loop.spec(k).shape.rank == 1;
    if (is_number) CHECK(is);
    if (!is_number && !is_array) CHECK(!is);
    kept += is;
    ++all;
  }
  // y, z and the array that is read; the counter and the other array are not.
  CHECK(kept == 3);
  CHECK(all == 5);
}
