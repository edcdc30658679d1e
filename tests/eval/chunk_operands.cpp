// SPDX-License-Identifier: MIT
#include <jig/eval/chunk_operands.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using jig::dyn;

template <class F, class... E>
using program_of = jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>;

struct scaled_rows {
  constexpr auto operator()(auto x, auto w) const {
    auto y = x * w;
    return y - jig::reduce_max<-1>(y, jig::keepdims);
  }
};
struct doubled_rows {
  constexpr auto operator()(auto x) const { return scaled_rows()(x, 2); }
};
struct product_and_bias {
  constexpr auto operator()(auto a, auto b, auto c) const { return jig::relu(jig::matmul(a, b) + c); }
};

// Whether all operands of the step that reads the second argument are contiguous at each place.
template <class P>
constexpr bool first_is_plain = jig::detail::chunk_operands<P, 0>::template all_plain<jig::step<P, 0, P::region(0).axes>>;
template <jig::index... E>
using rows_of = program_of<scaled_rows, jig::spec<float, 6, 5, 40>, jig::spec<float, E...>>;

}  // namespace

TEST_CASE("places and what a value has at each of them") {
  using known = jig::detail::chunk_operands<rows_of<6, 5, 40>, 0>;
  static_assert(known::axes == 2 && known::known_places == 30 && known::known_size(known::space) == 40);
  using any = jig::detail::chunk_operands<program_of<scaled_rows, jig::spec<float, dyn, dyn>, jig::spec<float, dyn, dyn>>, 0>;
  static_assert(any::axes == 1 && any::known_places < 0 && any::known_size(any::space) < 0);
}

TEST_CASE("operands that go along with the places or are the same at all of them are plain; others have strides") {
  static_assert(first_is_plain<rows_of<6, 5, 40>> && first_is_plain<rows_of<6, 5, 1>>);
  static_assert(first_is_plain<rows_of<1>> && first_is_plain<rows_of<40>> && first_is_plain<rows_of<1, 1, 40>>);
  static_assert(!first_is_plain<rows_of<5, 40>> && !first_is_plain<rows_of<6, 1, 40>> && !first_is_plain<rows_of<5, 1>>);
  // An argument that lies anywhere.
  using strided = jig::program<jig::trace<scaled_rows, "f", jig::spec<float, 6, 5, 40>, jig::spec<float, 40>>, 0, 1>;
  static_assert(!first_is_plain<strided>);
  // Extents that a call may find to be 1.
  static_assert(!first_is_plain<program_of<scaled_rows, jig::spec<float, dyn, dyn>, jig::spec<float, dyn, dyn>>>);
  static_assert(first_is_plain<program_of<doubled_rows, jig::spec<float, dyn, dyn>>>);
}

TEST_CASE("the rows of a tile go through a matrix, its columns through that and through a row") {
  using tiled = program_of<product_and_bias, jig::spec<float, dyn, 100>, jig::spec<float, 100, 50>, jig::spec<float, 50>>;
  static_assert(tiled::region(0).kind == jig::region_kind::epilogue);
  using at = jig::detail::chunk_operands<tiled, 0>;
  static_assert(at::axes == 1 && at::known_places < 0);
  static_assert(at::moves(1, at::space) && !at::moves(1, tiled::graph.inputs()[2]));
}
