// SPDX-License-Identifier: MIT
// Calls with views of every layout, as arguments and as results, beside plain loops. Whole numbers: sums are exact in every order.
#include <jig/eval/call_layouts.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <random>

namespace {

using jig::column_major, jig::row_major, jig::view, jig::dyn, jig::shape;

enum class lies { in_rows, in_columns, with_gaps, backwards };
constexpr lies every_way[] = {lies::in_rows, lies::in_columns, lies::with_gaps, lies::backwards};

// A tensor in memory that lies like this, with marks around it.
template <jig::index... E>
class array {
 public:
  array(lies how, const shape& extents) : extents_(extents), strides_(extents) {
    jig::index step = how == lies::with_gaps ? 2 : 1;
    for (int k = 0; k < extents.rank; ++k) {
      const int a = how == lies::in_columns ? k : extents.rank - 1 - k;
      strides_[a] = how == lies::backwards ? -step : step;
      step *= extents[a] + (how == lies::with_gaps);
    }
    memory_.assign(static_cast<std::size_t>(step + 2), -99);
    first_ = 1;
    for (int a = 0; a < extents.rank && how == lies::backwards; ++a)
      if (extents[a] > 0) first_ -= (extents[a] - 1) * strides_[a];
  }
  array& fill(unsigned seed) {
    std::mt19937 random(seed);
    each([&](double& x) { x = static_cast<double>(static_cast<int>(random() % 9) - 4); });
    return *this;
  }
  double& at(const shape& place) {
    jig::index offset = first_;
    for (int a = 0; a < place.rank; ++a) offset += place[a] * strides_[a];
    return memory_[static_cast<std::size_t>(offset)];
  }
  template <class... I>
  double& operator()(I... i) {
    return at(shape{sizeof...(I), {static_cast<jig::index>(i)...}});
  }
  view<double, E...> strided() { return {data(), extents_, strides_}; }
  view<row_major<double>, E...> rows() { return {data(), extents_}; }
  view<column_major<double>, E...> columns() { return {data(), extents_}; }
  // Whether all that is no element is as it was.
  bool is_intact() {
    array copy = *this;
    copy.each([](double& x) { x = -99; });
    for (double x : copy.memory_)
      if (x != -99) return false;
    return true;
  }

 private:
  double* data() { return memory_.data() + first_; }
  template <class F>
  void each(F f) {
    shape place = extents_;
    for (int a = 0; a < place.rank; ++a) place[a] = 0;
    for (jig::index n = extents_.size(); n-- > 0;) {
      f(at(place));
      for (int a = place.rank; a-- > 0;) {
        if (++place[a] < extents_[a]) break;
        place[a] = 0;
      }
    }
  }
  shape extents_, strides_;
  std::vector<double> memory_;
  jig::index first_;
};

// Elementwise with broadcasting along each axis, reductions over each axis, views and constants between them.
constexpr auto mixed = jig::function<"mixed(x, y, v)">([](auto x, auto y, auto v) {
  auto centred = x - jig::reduce_sum<1>(y, jig::keepdims);
  auto largest = jig::reduce_max<0>(x * y + v);
  return std::tuple(centred * 2 + largest, largest, jig::where(x > y, x + v, -y));
});
// Products in every order, transposes and slices.
constexpr auto products = jig::function<"products(x, y)">([](auto x, auto y) {
  auto gram = jig::matmul(x, jig::transpose<1, 0>(y));
  auto turned = jig::transpose<1, 0>(x) + 1;
  return std::tuple(gram + jig::reduce_sum<1>(x), jig::matmul(turned, y), jig::reverse<0>(turned) * 3);
});

template <class Result>
bool same(Result r, jig::index rows, jig::index columns, auto value) {
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index j = 0; j < columns; ++j)
      if (r(i, j) != value(i, j)) return false;
  return true;
}

template <jig::index M, jig::index N>
void compare_mixed(jig::index m, jig::index n, auto arguments, auto results) {
  for (lies how_x : every_way)
    for (lies how_y : every_way) {
      array<M, N> x(how_x, {2, {m, n}}), y(how_y, {2, {m, n}}), first(how_y, {2, {m, n}}), third(how_x, {2, {m, n}});
      array<N> v(lies::with_gaps, {1, {n}}), second(lies::in_rows, {1, {n}});
      x.fill(1), y.fill(2), v.fill(3);
      auto sum = [&](jig::index i) {
        double s = 0;
        for (jig::index j = 0; j < n; ++j) s += y(i, j);
        return s;
      };
      auto largest = [&](jig::index j) {
        double most = -1e9;
        for (jig::index i = 0; i < m; ++i) most = std::max(most, x(i, j) * y(i, j) + v(j));
        return most;
      };
      auto expected = [&](jig::index i, jig::index j) { return (x(i, j) - sum(i)) * 2 + largest(j); };
      auto chosen = [&](jig::index i, jig::index j) { return x(i, j) > y(i, j) ? x(i, j) + v(j) : -y(i, j); };
      if (!arguments(how_x, how_y)) continue;
      const auto run = [&](auto xv, auto yv) {
        const auto [a, b, c] = mixed(xv, yv, v.strided());
        CHECK(same(a, m, n, expected));
        CHECK(same(c, m, n, chosen));
        for (jig::index j = 0; j < n; ++j) CHECK(b(j) == largest(j));
        results(how_x, how_y, [&](auto as_first, auto as_third) {
          mixed.into(std::tuple(as_first(first), second.rows(), as_third(third)), xv, yv, v.strided());
          CHECK(same([&](jig::index i, jig::index j) { return first(i, j); }, m, n, expected));
          CHECK(same([&](jig::index i, jig::index j) { return third(i, j); }, m, n, chosen));
          CHECK(first.is_intact());
          CHECK(third.is_intact());
        });
      };
      if constexpr (requires { arguments.typed; }) arguments.typed(run, x, y);
      else run(x.strided(), y.strided());
    }
}

struct any_strides {
  bool operator()(lies, lies) const { return true; }
};
template <bool ColumnsX, bool ColumnsY>
struct known {
  bool operator()(lies x, lies y) const {
    return x == (ColumnsX ? lies::in_columns : lies::in_rows) && y == (ColumnsY ? lies::in_columns : lies::in_rows);
  }
  static constexpr bool typed_ = true;
  struct run_typed {
    template <class Run, class X, class Y>
    void operator()(Run& run, X& x, Y& y) const {
      if constexpr (ColumnsX && ColumnsY) run(x.columns(), y.columns());
      else if constexpr (ColumnsX) run(x.columns(), y.rows());
      else if constexpr (ColumnsY) run(x.rows(), y.columns());
      else run(x.rows(), y.rows());
    }
  } typed{};
};
constexpr auto strided_results = [](lies, lies, auto into) {
  into([](auto& a) { return a.strided(); }, [](auto& a) { return a.strided(); });
};
// The first result lies as the second argument does, the third one as the first.
template <bool ColumnsX, bool ColumnsY>
constexpr auto known_results = [](lies, lies, auto into) {
  const auto as_y = [](auto& a) {
    if constexpr (ColumnsY) return a.columns();
    else return a.rows();
  };
  const auto as_x = [](auto& a) {
    if constexpr (ColumnsX) return a.columns();
    else return a.rows();
  };
  into(as_y, as_x);
};

}  // namespace

TEST_CASE("strided views, which may lie densely at the call, in either order") {
  for (auto [m, n] : {std::pair<jig::index, jig::index>{1, 1}, {3, 1}, {1, 9}, {17, 33}})
    compare_mixed<dyn, dyn>(m, n, any_strides(), strided_results);
}

TEST_CASE("views of known layout") {
  compare_mixed<5, 7>(5, 7, known<true, true>(), known_results<true, true>);
  compare_mixed<5, 7>(5, 7, known<true, false>(), known_results<true, false>);
  for (auto [m, n] : {std::pair<jig::index, jig::index>{1, 1}, {3, 1}, {1, 9}, {17, 33}, {40, 16}}) {
    compare_mixed<dyn, dyn>(m, n, known<true, true>(), known_results<true, true>);
    compare_mixed<jig::dim<"m">, 33>(m, 33, known<false, true>(), known_results<false, true>);
  }
}

TEST_CASE("products and transposes of column-major matrices") {
  const auto compare = [](auto x, auto y, auto gram, auto outer, auto turned, jig::index m, jig::index n) {
    const auto gram_at = [&](jig::index i, jig::index j) {
      double s = 0;
      for (jig::index k = 0; k < n; ++k) s += x(i, k) * y(j, k) + x(j, k);
      return s;
    };
    const auto outer_at = [&](jig::index i, jig::index j) {
      double s = 0;
      for (jig::index k = 0; k < m; ++k) s += (x(k, i) + 1) * y(k, j);
      return s;
    };
    const auto turned_at = [&](jig::index i, jig::index j) { return (x(j, n - 1 - i) + 1) * 3; };
    const auto [a, b, c] = products(x, y);
    CHECK(same(a, m, m, gram_at));
    CHECK(same(b, n, n, outer_at));
    CHECK(same(c, n, m, turned_at));
    products.into(std::tuple(gram, outer, turned), x, y);
    CHECK(same(gram, m, m, gram_at));
    CHECK(same(outer, n, n, outer_at));
    CHECK(same(turned, n, m, turned_at));
  };
  {
    array<6, 5> x(lies::in_columns, {2, {6, 5}}), y(lies::in_columns, {2, {6, 5}});
    array<6, 6> gram(lies::in_columns, {2, {6, 6}});
    array<5, 5> outer(lies::in_rows, {2, {5, 5}});
    array<5, 6> turned(lies::in_columns, {2, {5, 6}});
    compare(x.fill(1).columns(), y.fill(2).columns(), gram.columns(), outer.rows(), turned.columns(), 6, 5);
    array<6, 5> z(lies::in_rows, {2, {6, 5}});
    compare(x.columns(), z.fill(2).rows(), gram.rows(), outer.columns(), turned.rows(), 6, 5);
  }
  for (auto [m, n] : {std::pair<jig::index, jig::index>{1, 1}, {9, 2}, {33, 20}}) {
    array<dyn, dyn> x(lies::in_columns, {2, {m, n}}), y(lies::in_columns, {2, {m, n}});
    array<dyn, dyn> gram(lies::in_rows, {2, {m, m}}), outer(lies::in_columns, {2, {n, n}}), turned(lies::in_columns, {2, {n, m}});
    compare(x.fill(1).columns(), y.fill(2).columns(), gram.rows(), outer.columns(), turned.columns(), m, n);
  }
}

TEST_CASE("three axes, as cubes have them") {
  static constexpr auto f = jig::function<"f(x, v)">([](auto x, auto v) {
    auto least = jig::reduce_min<0, 2>(x);
    return std::tuple(x - jig::reduce_sum<1>(x, jig::keepdims) * v, jig::transpose<2, 0, 1>(x) + least,
                      jig::concat<1>(x, jig::expand_dims<1>(jig::reduce_sum<1>(x))));
  });
  const auto compare = [](auto x, auto v, auto centred, auto turned, auto joined, jig::index a, jig::index b, jig::index c) {
    f.into(std::tuple(centred, turned, joined), x, v);
    const auto [r, s, t] = f(x, v);
    for (jig::index i = 0; i < a; ++i)
      for (jig::index k = 0; k < c; ++k) {
        double sum = 0;
        for (jig::index j = 0; j < b; ++j) sum += x(i, j, k);
        for (jig::index j = 0; j < b; ++j) {
          double least = 1e9;
          for (jig::index p = 0; p < a; ++p)
            for (jig::index q = 0; q < c; ++q) least = std::min(least, x(p, j, q));
          CHECK(centred(i, j, k) == x(i, j, k) - sum * v(j, k));
          CHECK(r(i, j, k) == centred(i, j, k));
          CHECK(turned(k, i, j) == x(i, j, k) + least);
          CHECK(s(k, i, j) == turned(k, i, j));
          CHECK(joined(i, j, k) == x(i, j, k));
          CHECK(t(i, j, k) == x(i, j, k));
        }
        CHECK(joined(i, b, k) == sum);
        CHECK(t(i, b, k) == sum);
      }
  };
  array<3, 4, 5> x(lies::in_columns, {3, {3, 4, 5}}), y(lies::in_columns, {3, {3, 4, 5}});
  array<4, 5> v(lies::in_rows, {2, {4, 5}});
  array<5, 3, 4> z(lies::in_columns, {3, {5, 3, 4}});
  array<3, 5, 5> j(lies::in_columns, {3, {3, 5, 5}});
  compare(x.fill(1).columns(), v.fill(2).rows(), y.columns(), z.columns(), j.columns(), 3, 4, 5);
  array<dyn, dyn, dyn> xd(lies::in_columns, {3, {3, 4, 5}}), yd(lies::in_rows, {3, {3, 4, 5}}), zd(lies::in_columns, {3, {5, 3, 4}}),
      jd(lies::in_columns, {3, {3, 5, 5}});
  array<dyn, dyn> vd(lies::in_columns, {2, {4, 5}});
  compare(xd.fill(3).columns(), vd.fill(4).columns(), yd.rows(), zd.columns(), jd.columns(), 3, 4, 5);
}

TEST_CASE("results on top of column-major arguments") {
  static constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });
  static constexpr auto turned = jig::function<"turned(x)">([](auto x) { return jig::transpose<1, 0>(x) + 1; });
  static constexpr auto centred = jig::function<"centred(x)">([](auto x) { return x - jig::reduce_sum<1>(x, jig::keepdims); });
  array<4, 4> x(lies::in_columns, {2, {4, 4}});
  const auto before = array<4, 4>(x.fill(7));
  auto old = before;
  twice.into(x.columns(), x.columns());
  CHECK(same(x, 4, 4, [&](jig::index i, jig::index j) { return 2 * old(i, j); }));
  old = x;
  turned.into(x.columns(), x.columns());
  CHECK(same(x, 4, 4, [&](jig::index i, jig::index j) { return old(j, i) + 1; }));
  old = x;
  centred.into(x.columns(), x.columns());
  CHECK(same(x, 4, 4, [&](jig::index i, jig::index j) { return old(i, j) - old(i, 0) - old(i, 1) - old(i, 2) - old(i, 3); }));
  // The same memory in the other order.
  old = x;
  twice.into(x.rows(), x.columns());
  CHECK(same(x, 4, 4, [&](jig::index i, jig::index j) { return 2 * old(j, i); }));
  // Memory that overlaps in part.
  double memory[20];
  for (int i = 0; i < 20; ++i) memory[i] = i;
  twice.into(view<column_major<double>, 4, 4>(memory + 3), view<column_major<double>, 4, 4>(memory));
  for (int i = 0; i < 16; ++i) CHECK(memory[i + 3] == 2 * i);
}

TEST_CASE("extents are those of the view, in messages too") {
  static constexpr auto product = jig::function<"product(a, b)">([](auto a, auto b) { return jig::matmul(a, b); });
  std::vector<double> memory(100);
  const auto message_of = [](auto call) -> std::string {
    try {
      call();
    } catch (const jig::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  using matrix = view<column_major<double>, dyn, dyn>;
  const matrix a(memory.data(), 2, 3), c(memory.data(), 3, 4), out(memory.data() + 50, 3, 2);
  CHECK(message_of([&] { product.into(out, a, c); }) ==
        "product: result: expected float64 shape=(2, 4), given float64 shape=(3, 2); into resizes nothing");
  const view<column_major<double>, dyn, dyn> wide(memory.data(), 2, 5);
  const auto fixed = product.get_concrete_function(jig::spec<double, dyn, 3>(), jig::spec<double, 3, 4>());
  CHECK(message_of([&] { fixed(wide, c); }) == "product: argument a: expected float64 shape=(None, 3), given float64 shape=(2, 5)");
}

TEST_CASE("memory of no elements") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) { return x - jig::reduce_sum<1>(x, jig::keepdims); });
  const view<column_major<double>, dyn, dyn> none(nullptr, 0, 3), nothing(nullptr, 3, 0);
  CHECK(f(none).shape() == shape{2, {0, 3}});
  CHECK(f(nothing).shape() == shape{2, {3, 0}});
}

TEST_CASE("views as operands and their elements") {
  double memory[6] = {0, 1, 2, 3, 4, 5};
  view x(column_major{memory}, 2, 3);
  view r(memory, 3, 2);
  CHECK((x + 1)(1, 2) == 6);
  CHECK((x * jig::transpose<1, 0>(r))(1, 2) == 25);
  x[1] = 0.5;
  CHECK(memory[3] == 0.5);
  r(jig::all, 0) += 10;
  CHECK(memory[4] == 14);
  x += 1;
  CHECK(memory[0] == 11);
  CHECK(to_text(view(column_major{memory}, 2, 1)) == "tf.Tensor(\n[[11. ]\n [ 1.5]], shape=(2, 1), dtype=float64)");
  CHECK(jig::tensor<double, 2, 3>(x)(0, 1) == x(0, 1));
}
