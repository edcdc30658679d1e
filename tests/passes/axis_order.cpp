// SPDX-License-Identifier: MIT
#include <jig/passes/axis_order.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

template <jig::index... E>
constexpr jig::spec<float, E...> f32{};

// What becomes of a function whose arguments and results are marked: ops by name, and extents of the results.
template <class F, class... Key>
struct ordered {
  char arguments[sizeof...(Key)];
  char results[4] = {};
  constexpr jig::graph graph() const {
    return jig::detail::with_column_major(jig::optimize(jig::graph_of(F{}, Key()...)), {arguments, sizeof...(Key)}, {results, 4});
  }
  constexpr int count(std::string_view name) const { return graph().count(name); }
  constexpr int transposes() const { return count("Transpose"); }
  constexpr jig::shape argument(int k) const {
    const jig::graph g = graph();
    return g.node(g.inputs()[static_cast<std::size_t>(k)]).spec().shape;
  }
  constexpr jig::shape result(int k) const {
    const jig::graph g = graph();
    return g.view().spec(g.outputs()[static_cast<std::size_t>(k)]).shape;
  }
};

constexpr jig::shape two(jig::index m, jig::index n) { return {2, {m, n}}; }

}  // namespace

TEST_CASE("column-major arguments and results have their axes reversed, and loops run along them") {
  constexpr auto f = [](auto x) { return x * 2 + 1; };
  using one = ordered<decltype(f), jig::spec<float, 4, 3>>;
  static_assert(one{{1}, {1}}.transposes() == 0);
  static_assert(one{{1}, {1}}.argument(0) == two(3, 4) && one{{1}, {1}}.result(0) == two(3, 4));
  static_assert(one{{0}, {0}}.transposes() == 0 && one{{0}, {0}}.argument(0) == two(4, 3));
  // One loop reads, or writes, across memory.
  static_assert(one{{1}, {0}}.transposes() == 1 && one{{1}, {0}}.result(0) == two(4, 3));
  static_assert(one{{0}, {1}}.transposes() == 1 && one{{0}, {1}}.result(0) == two(3, 4));
  static_assert(jig::verify(one{{1}, {0}}.graph()) == nullptr && jig::verify(one{{1}, {1}}.graph()) == nullptr);
}

TEST_CASE("wildcards, vectors and numbers") {
  constexpr auto f = [](auto x, auto v, auto s) { return (x + v) * s; };
  using open = ordered<decltype(f), jig::spec<float, jig::dyn, jig::dim<"n">>, jig::spec<float, jig::dim<"n">>, jig::spec<float>>;
  static_assert(open{{1, 1, 1}, {1}}.transposes() == 0);
  static_assert(open{{1, 1, 1}, {1}}.argument(0) == two(jig::dim<"n">, jig::dyn));
  static_assert(open{{1, 1, 1}, {1}}.argument(1) == jig::shape{1, {jig::dim<"n">}});
  static_assert(jig::verify(open{{1, 0, 0}, {1}}.graph()) == nullptr);
}

TEST_CASE("reductions follow their operand") {
  constexpr auto f = [](auto x) { return x - jig::reduce_mean<-1>(x, jig::keepdims); };
  using one = ordered<decltype(f), jig::spec<float, 4, 3>>;
  static_assert(one{{1}, {1}}.transposes() == 0);
  constexpr auto sum = [](auto x) { return jig::reduce_sum<0>(x); };
  using vector = ordered<decltype(sum), jig::spec<float, 4, 3>>;
  static_assert(vector{{1}, {1}}.transposes() == 0 && vector{{1}, {1}}.result(0) == jig::shape{1, {3}});
  constexpr auto all = [](auto x) { return jig::reduce_sum(x); };
  using number = ordered<decltype(all), jig::spec<float, 2, 3, 4>>;
  static_assert(number{{1}, {1}}.transposes() == 0 && number{{1}, {1}}.argument(0) == jig::shape{3, {4, 3, 2}});
}

TEST_CASE("constants are laid out as what they meet") {
  constexpr auto f = [](auto x) { return x * jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}; };
  using one = ordered<decltype(f), jig::spec<float, 2, 3>>;
  static_assert(one{{1}, {1}}.transposes() == 0);
  static_assert([] {
    const jig::graph g = one{{1}, {1}}.graph();
    for (int v = 0; v < g.size(); ++v)
      if (g.node(v).kind().name == "Const") {
        const auto words = g.node(v).attribute("value").words;
        return jig::detail::from_word<float>(words[1]) == 4 && jig::detail::from_word<float>(words[2]) == 2;
      }
    return false;
  }());
}

TEST_CASE("reversing axes twice is nothing") {
  constexpr auto f = [](auto x) { return jig::transpose<1, 0>(x) + 1; };
  using one = ordered<decltype(f), jig::spec<float, 4, 3>>;
  static_assert(one{{1}, {0}}.transposes() == 0 && one{{1}, {0}}.result(0) == two(3, 4));
}

TEST_CASE("a line of elements stays where it is") {
  constexpr auto f = [](auto x, auto row) { return x + row; };
  using one = ordered<decltype(f), jig::spec<float, 4, 3>, jig::spec<float, 1, 3>>;
  static_assert(one{{1, 0}, {1}}.transposes() == 0 && one{{1, 0}, {1}}.count("Reshape") == 1);
  using open = ordered<decltype(f), jig::spec<float, jig::dyn, jig::dyn>, jig::spec<float, 1, jig::dyn>>;
  static_assert(open{{1, 0}, {1}}.transposes() == 0 && open{{1, 0}, {1}}.count("Reshape") == 1);
}

TEST_CASE("products read and write either order in place") {
  static constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) { return jig::matmul(x, w) + 1; });
  using C = jig::view<jig::column_major<float>, 4, 8>;
  using program =
      jig::detail::program_of_layouts<jig::trace<std::remove_const_t<decltype([](auto x, auto w) { return jig::matmul(x, w) + 1; })>, "",
                                                 jig::spec<float, 4, 8>, jig::spec<float, 8, 5>>,
                                      true, std::integer_sequence<char, 1, 1>, std::integer_sequence<char, 1>, 1, 1>::type;
  static_assert(program::graph.count("Transpose") == 0 && program::graph.count("MatMul") == 1);
  float memory[32], out[20];
  for (int i = 0; i < 32; ++i) memory[i] = static_cast<float>(i + 1);
  f.into(jig::view<jig::column_major<float>, 4, 5>(out), C(memory), jig::ones<float, 8, 5>());
  CHECK(out[0] == 121);
  CHECK(out[3] == 145);
  CHECK(out[19] == 145);
}
