// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <sstream>

namespace {

// Running sums over the second axis of [batch, time, features].
constexpr auto running_sums = jig::function<"running_sums(input, state)">([](auto input, auto state) {
  auto steps = jig::transpose<1, 0, 2>(input);
  auto states = jig::tensor_array(jig::extent<0>(steps), state);
  for (auto i : jig::range(jig::extent<0>(steps))) {
    state = jig::element(steps, i) + state;
    states = states.write(i, state);
  }
  return jig::transpose<1, 0, 2>(states.stack());
});

template <class F, class... X>
bool has_zeros(F f, X... x) {
  const auto& g = f.get_concrete_function(x...).optimized_graph();
  for (int id = 0; id < g.size(); ++id)
    if (g.node(id).op() == "TensorListReserve") return g.node(id).attribute("uninitialized").key.empty();
  FAIL("no tensor array");
  return false;
}
constexpr jig::spec<float, 3, 4> rows;

template <class T>
std::string text_of(const T& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

// Writes one more or one less element, or reads one.
template <int First, int Less>
constexpr auto some = jig::function([](auto x) {
  auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
  auto last = [&] {
    if constexpr (Less == 0) return jig::extent<0>(x);
    else return jig::extent<0>(x) - Less;
  };
  for (auto i : jig::range(First, last())) a = a.write(i, jig::element(x, i) * 2);
  return a.stack();
});

}  // namespace

TEST_CASE("elements go where a transpose would put them") {
  constexpr auto f = running_sums.get_concrete_function(jig::spec<float, 2, 3, 4>(), jig::spec<float, 2, 4>());
  static_assert(f.graph().count("Transpose") == 2);
  static_assert(f.optimized_graph().count("Transpose") == 1);
  CHECK(jig::to_text(f.optimized_graph()) ==
        R"(input = Placeholder() : float32 (2, 3, 4)
state = Placeholder() : float32 (2, 4)
Transpose = Transpose(input) {perm: [1, 0, 2]} : float32 (3, 2, 4)
TensorListReserve = TensorListReserve(Transpose, state) {axis: 0, element_axis: 1, uninitialized: true} : float32 (2, 3, 4)
while/x = Const() {value: 0} : int32 ()
while = While(while/x, state, TensorListReserve, Transpose) : int32 (), float32 (2, 4), float32 (2, 3, 4)
  cond(while/x, state, TensorListReserve, Transpose):
    Less/y = Const() {value: 3} : int32 ()
    Less = Less(while/x, Less/y) : bool ()
    return Less
  body(while/x, state, TensorListReserve, Transpose):
    add/y = Const() {value: 1} : int32 ()
    add = AddV2(while/x, add/y) : int32 ()
    GatherV2 = GatherV2(Transpose, while/x) {axis: 0} : float32 (2, 4)
    add_1 = AddV2(GatherV2, state) : float32 (2, 4)
    TensorListSetItem = TensorListSetItem(TensorListReserve, while/x, add_1) {element_axis: 1} : float32 (2, 3, 4)
    return add, add_1, TensorListSetItem
return while:2
)");
  static_assert(jig::verify(f.optimized_graph()) == nullptr);
  // Rows shorter and longer than a register, and extents that only the call knows.
  auto check = [&](auto input, auto state) {
    for (jig::index k = 0; k < input.size(); ++k) input.data()[k] = static_cast<float>(k * 7 % 11);
    auto out = running_sums(input, state);
    for (jig::index b = 0; b < input.extent(0); ++b)
      for (jig::index c = 0; c < input.extent(2); ++c) {
        float s = 0;
        for (jig::index t = 0; t < input.extent(1); ++t) CHECK(out(b, t, c) == (s += input(b, t, c)));
      }
  };
  check(jig::tensor<float, 2, 3, 4>(), jig::tensor<float, 2, 4>{});
  check(jig::tensor<float, 3, 2, 35>(), jig::tensor<float, 3, 35>{});
  check(jig::zeros<float, jig::dyn, jig::dyn, 3>(2, 5), jig::zeros<float, jig::dyn, 3>(2));
}

TEST_CASE("zeros are written where somebody may see them") {
  CHECK_FALSE(has_zeros(some<0, 0>, rows));
  CHECK_FALSE(has_zeros(some<0, 0>, jig::spec<float, jig::dyn, 4>()));
  CHECK(has_zeros(some<1, 0>, rows));
  CHECK(has_zeros(some<0, 1>, rows));
  CHECK(has_zeros(some<0, 1>, jig::spec<float, jig::dyn, 4>()));
  jig::tensor<float, 3, 1> x{{1}, {2}, {3}};
  CHECK(text_of(some<1, 0>(x)) == text_of(jig::tensor<float, 3, 1>{{0}, {4}, {6}}));
  CHECK(text_of(some<0, 1>(x)) == text_of(jig::tensor<float, 3, 1>{{2}, {4}, {0}}));
  // The loop may end early, and an element may be left out.
  static constexpr auto early = jig::function([](auto y) {
    auto a = jig::tensor_array(jig::extent<0>(y), jig::element(y, 0));
    for (auto i : jig::range(jig::extent<0>(y))) {
      if (jig::element(y, i) > 2) break;
      a = a.write(i, jig::element(y, i));
    }
    return a.stack();
  });
  static constexpr auto gaps = jig::function([](auto y) {
    auto a = jig::tensor_array(jig::extent<0>(y), jig::element(y, 0));
    for (auto i : jig::range(jig::extent<0>(y)))
      if (jig::element(y, i) != 2) a = a.write(i, jig::element(y, i));
    return a.stack();
  });
  jig::tensor<int, 4> y{1, 2, 3, 4};
  CHECK(text_of(early(y)) == text_of(jig::tensor<int, 4>{1, 2, 0, 0}));
  CHECK(text_of(gaps(y)) == text_of(jig::tensor<int, 4>{1, 0, 3, 4}));
}

TEST_CASE("an array that is read keeps its order, and so does one that is used as it is") {
  static constexpr auto read = jig::function([](auto x) {
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) a = a.write(i, a.read(i) + jig::element(x, i));
    return jig::transpose<1, 0>(a.stack());
  });
  static constexpr auto twice = jig::function([](auto x) {
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) a = a.write(i, -jig::element(x, i));
    return std::tuple(jig::transpose<1, 0>(a.stack()), a.stack());
  });
  jig::tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  CHECK(text_of(read(x)) == text_of(jig::tensor<int, 3, 2>{{1, 4}, {2, 5}, {3, 6}}));
  auto [turned, plain] = twice(x);
  CHECK(text_of(turned) == text_of(jig::tensor<int, 3, 2>{{-1, -4}, {-2, -5}, {-3, -6}}));
  CHECK(text_of(plain) == text_of(jig::tensor<int, 2, 3>{{-1, -2, -3}, {-4, -5, -6}}));
}
