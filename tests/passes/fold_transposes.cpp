// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "traced_and_eager.hpp"
#include "without_passes.hpp"

#include <cmath>
#include <cstdint>

namespace {

constexpr auto gram = [](auto x) { return jig::matmul(jig::transpose(x), x); };
constexpr auto both_sides = [](auto x, auto y) { return jig::matmul(jig::transpose(x), jig::transpose(y)); };

// No two sums of its products round alike.
template <class T, jig::index... E>
auto uneven() {
  auto x = counted<T, E...>();
  for (auto& e : x) e = 1 / (e + T(1.7));
  return x;
}

}  // namespace

TEST_CASE("products read their matrices transposed") {
  constexpr auto& g = jig::graph_of(gram, jig::spec<float, 4, 3>());
  CHECK(jig::to_text(g) == R"(args_0 = Placeholder() : float32 (4, 3)
Transpose = Transpose(args_0) {perm: [1, 0]} : float32 (3, 4)
MatMul = MatMul(Transpose, args_0) : float32 (3, 3)
return MatMul
)");
  CHECK(jig::to_text(jig::fold_transposes(g)) == R"(args_0 = Placeholder() : float32 (4, 3)
MatMul = MatMul(args_0, args_0) {transpose_a: true} : float32 (3, 3)
return MatMul
)");
  static_assert(jig::verify(jig::fold_transposes(g)) == nullptr);
}

// With the pass, which may round sums in another order.
template <class F, class... X>
void nearly_same(F f, const X&... x) {
  same_without_passes(f, x...);
  const auto folded = f.with_pass([](const jig::graph_view& g) { return jig::fold_transposes(g); })(x...);
  const auto plain = f.without_passes()(x...);
  bool near = folded.shape() == plain.shape();
  for (jig::index i = 0; near && i < plain.size(); ++i)
    near = std::abs(folded.data()[i] - plain.data()[i]) <= 1e-5 * (1 + std::abs(plain.data()[i]));
  CHECK(near);
}

TEST_CASE("integers are folded by default, floating numbers on request") {
  constexpr auto left = [](auto... spec) {
    return jig::function(gram).get_concrete_function(spec...).optimized_graph().count("Transpose");
  };
  static_assert(left(jig::spec<int, 4, 3>()) == 0 && left(jig::spec<float, 4, 3>()) == 1);
  same_without_passes(jig::function(gram), counted<int, 4, 3>());
  same_without_passes(jig::function(gram), counted<std::int64_t, 40, 33>());
}

TEST_CASE("the values stay") {
  nearly_same(jig::function(gram), uneven<float, 4, 3>());
  nearly_same(jig::function(gram), uneven<double, 40, 70>());
  nearly_same(jig::function(gram), uneven<float, 133, 65>());
  nearly_same(jig::function(both_sides), uneven<float, 33, 20>(), uneven<float, 50, 33>());
  nearly_same(jig::function(both_sides), uneven<float, 3, 2>(), uneven<float, 1, 3>());
  nearly_same(jig::function([](auto x, auto y) { return jig::matmul(x, jig::transpose(y)); }), uneven<float, 70, 100>(),
              uneven<float, 80, 100>());
}

TEST_CASE("transposes of products that transpose already, and pairs of transposes") {
  constexpr auto f = [](auto x) { return jig::matmul(jig::transpose(x), x, jig::transpose_a, jig::transpose_b); };
  constexpr auto g = [](auto x) { return jig::matmul(jig::transpose(jig::transpose(x)), x); };
  constexpr auto attributes = [](const jig::graph& o) {
    for (int id = 0; id < o.size(); ++id)
      if (o.node(id).op() == "MatMul")
        return 2 * o.node(id).attribute("transpose_a").values[0] + o.node(id).attribute("transpose_b").values[0];
    return jig::index{-1};
  };
  static_assert(attributes(jig::fold_transposes(jig::graph_of(f, jig::spec<float, 3, 4>()))) == 1);
  static_assert(jig::fold_transposes(jig::graph_of(g, jig::spec<float, 3, 3>())).count("Transpose") == 0);
  static_assert(jig::function(g).get_concrete_function(jig::spec<float, 3, 3>()).optimized_graph().count("Transpose") == 0);
  nearly_same(jig::function(f), uneven<float, 3, 4>());
}

TEST_CASE("batches, where only the last two axes may change places") {
  constexpr auto f = [](auto x, auto y) { return jig::matmul(jig::transpose<0, 2, 1>(x), y); };
  constexpr auto other = [](auto x, auto y) { return jig::matmul(jig::transpose<1, 0, 2>(x), y); };
  static_assert(jig::fold_transposes(jig::graph_of(f, jig::spec<float, 2, 4, 3>(), jig::spec<float, 2, 4, 5>())).count("Transpose") == 0);
  static_assert(jig::fold_transposes(jig::graph_of(other, jig::spec<float, 2, 2, 3>(), jig::spec<float, 2, 3, 5>())).count("Transpose") ==
                1);
  nearly_same(jig::function(f), uneven<float, 2, 4, 3>(), uneven<float, 2, 4, 5>());
  nearly_same(jig::function(f), uneven<float, 3, 40, 17>(), uneven<float, 3, 40, 21>());
}

TEST_CASE("wildcards, and transposes that others read too") {
  constexpr auto f = [](auto x) {
    auto t = jig::transpose(x);
    return std::tuple(jig::matmul(t, x), t);
  };
  static_assert(jig::function(f).get_concrete_function(jig::spec<float, jig::dyn, 3>()).optimized_graph().count("Transpose") == 1);
  same_without_passes(jig::function(f), jig::tensor<float, jig::dyn, 3>(uneven<float, 5, 3>()));
}
