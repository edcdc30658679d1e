// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <tuple>

namespace {

using jig::dyn;
using jig::extent;
using jig::range;
using jig::spec;

constexpr spec<float> scalar{};
constexpr spec<float, 3> vector{};
constexpr spec<float, 4, 3> matrix{};
constexpr spec<float, dyn, 3> rows{};
constexpr spec<int> number{};

}  // namespace

TEST_CASE("cond") {
  same_graph([](auto& c, auto& x) { return jig::cond(c > 0, [&] { return x * 2; }, [&] { return x - 1; }); }, number, vector);
  same_graph([](auto& c, auto& x) { return jig::cond(c > 0, [&] { return x; }, [&] { return x - 1; }); }, number, vector);
  same_graph(
      [](auto& c, auto& x) { return jig::cond(c > 0, [&] { return std::tuple(x, 1.5f); }, [&] { return std::tuple(x - 1, 2.5f); }); },
      number, vector);
  same_graph(
      [](auto& n, auto& x) {
        return jig::cond(
            n > 0,
            [&] {
              auto y = x;
              for (auto i : range(n)) y = y + jig::cast<float>(i);
              return jig::cond(n > 5, [&] { return y; }, [&] { return y * 2; });
            },
            [&] {
              auto y = x;
              JIG_WHILE(jig::reduce_sum(y) < 10) { y = y + 1; }
              return y;
            });
      },
      number, vector);
  same_graph(
      [](auto& c, auto& x) {
        auto y = x;
        jig::cond(c > 0, [&] { y = y + 1; }, [&] {});
        return y;
      },
      number, vector);
  same_graph([](auto& i, auto& x) { return jig::switch_case(i, [&] { return x; }, [&] { return x + 1; }, [&] { return x * 2; }); }, number,
             vector);
  CHECK(refused_dynamically([](auto& c, auto& x) { return jig::cond(c > 0, [&] { return x; }, [&] { return jig::reduce_sum(x); }); },
                            number, vector) == "cond: float32 (3,) and float32 () differ: both branches must return values of equal specs");
  CHECK(refused_dynamically([](auto& c) { return jig::cond(c, [&] { return c; }, [&] { return c; }); }, number) ==
        "a condition must be a scalar of dtype bool, given int32 (): compare, or use jig::reduce_all or jig::reduce_any");
}

TEST_CASE("while_loop") {
  same_graph([](auto& x) { return jig::while_loop([](auto y) { return y < 100; }, [](auto y) { return y * 2; }, x); }, scalar);
  same_graph(
      [](auto& x) {
        return jig::while_loop([](auto& i, auto&) { return i < 10; }, [](auto& i, auto& y) { return std::tuple(i + 1, y * 2); },
                               std::tuple(0, x));
      },
      vector);
  same_graph(
      [](auto& x) {
        return jig::while_loop([](auto& i, auto&) { return i < 3; },
                               [](auto& i, auto& y) { return std::tuple(i + 1, jig::concat<0>(y, y)); }, std::tuple(0, x),
                               jig::shape_invariants<spec<int>, spec<float, dyn, 3>>());
      },
      matrix);
  CHECK(
      refused_dynamically(
          [](auto& x) { return jig::while_loop([](auto&) { return true; }, [](auto& y) { return jig::expand_dims<0>(y); }, x); }, scalar) ==
      "while_loop: float32 () and float32 (1,) differ: a value that a loop carries must keep its spec, or have wildcard extents declared "
      "with jig::shape_invariants");
  CHECK(refused_dynamically(
            [](auto& x) {
              return jig::while_loop([](auto&) { return true; }, [](auto& y) { return y; }, x, jig::shape_invariants<spec<float, dyn>>());
            },
            scalar) == "while_loop: the shape invariants (float32 (None,)) do not fit the values float32 ()");
}

TEST_CASE("scan, map, rows and arrays") {
  same_graph([](auto& x, auto& s) { return jig::scan([](auto& a, auto b) { return a + b; }, x, s); }, matrix, vector);
  same_graph([](auto& x, auto& s) { return jig::scan([](auto& a, auto b) { return a + b; }, x, s); }, rows, vector);
  same_graph([](auto& x) { return jig::map([](auto row) { return jig::reduce_sum(row); }, x); }, rows);
  same_graph([](auto& x) { return jig::map([](auto row) { return row * 2; }, x); }, spec<float, 4, dyn>());
  same_graph(
      [](auto& x) {
        return jig::map(
            [](auto row) {
              auto y = row;
              for (auto i : range(3)) y = y * (i + 1);
              if (y > 3) y = y + 1;
              return y;
            },
            x);
      },
      spec<float, dyn>());
  same_graph(
      [](auto& x) {
        auto sum = x[0] * 0;
        for (auto row : jig::rows(x)) sum = sum + row;
        return sum;
      },
      rows);
  same_graph(
      [](auto& x) {
        auto a = jig::tensor_array(extent<0>(x), x[0]);
        for (auto i : range(a.size())) {
          auto y = x[i];
          if (jig::reduce_sum(y) > 0) a = a.write(i, y);
        }
        return std::tuple(a.stack(), a.read(0));
      },
      rows);
  same_graph(
      [](auto& x) {
        auto a = jig::tensor_array(jig::lit<5>, x);
        for (auto i : range(5)) a = a.write(i, x);
        return a.stack();
      },
      scalar);
  CHECK(refused_dynamically([](auto& n, auto& x) { return jig::tensor_array(n, x).stack(); }, number, scalar) ==
        "tensor_array: in a trace the number of elements must be an extent, jig::extent<0>(x), or a literal");
}

TEST_CASE("ranges") {
  CHECK(refused_dynamically(
            [](auto& n) {
              for (auto i : range(n)) n = n + i;
              return n;
            },
            vector) == "range: the bounds and the step must be scalars of one number dtype");
  CHECK_THROWS_WITH_AS((void)traced_dynamically(
                           [](auto& n) {
                             for (auto i : range(0, n, 0)) n = n + i;
                             return n;
                           },
                           number),
                       "range: the step must not be 0", jig::invalid_argument);
  same_graph(
      [](auto& n) {
        auto y = n * 2;
        for (auto i : range(n, 0, -1)) y = y + i;
        return y;
      },
      scalar);
}
