// SPDX-License-Identifier: MIT
// Functions that change shapes or move elements, with specs that only run time knows.
#include "../dynamic_trace.hpp"

#include <limits>
#include <tuple>

namespace {

using jig::dyn;
using jig::spec;

constexpr spec<float, 2, 3> matrix{};
constexpr spec<float, dyn, 3> rows{};
constexpr spec<float, 2, 4, 3> cube{};
constexpr spec<float, 3> vector{};
constexpr spec<int> number{};
constexpr spec<int, 5> numbers{};
constexpr spec<std::int64_t, 2> seed{};

}  // namespace

TEST_CASE("constants like a value") {
  same_graphs([](auto& x) {
    return std::tuple(jig::zeros_like(x), jig::ones_like(x), jig::full_like(x, 3), jig::eye_like(x), jig::constant_like(x, 2),
                      jig::rank(x));
  });
  same_graphs([](auto& x) { return std::tuple(jig::shape_of(x), jig::size(x), jig::extent<0>(x), jig::extent<-1>(x)); });
  CHECK(refused_dynamically([](auto& x) { return jig::constant_like(x, 2.5); }, number) ==
        "constant_like: a number of another kind cannot join this dtype: use jig::cast, or write the number as that kind");
  CHECK(refused_dynamically([](auto& x) { return jig::extent<3>(x); }, number) == "extent: there is no axis 3: int32 ()");
}

TEST_CASE("shapes") {
  same_graphs([](auto& x) { return std::tuple(jig::reshape<3, jig::infer>(x), jig::flatten(x), jig::reshape_like(jig::transpose(x), x)); });
  same_graph([](auto& x) { return jig::reshape<3, jig::dim<"n">>(x); }, spec<float, jig::dim<"n">, 3>());
  same_graphs([](auto& x) { return std::tuple(jig::expand_dims<0>(x), jig::expand_dims<-1>(x), jig::squeeze<1>(jig::expand_dims<1>(x))); });
  same_graph([](auto& x) { return jig::squeeze(x); }, spec<float, 1, dyn, 1, 3>());
  same_graphs([](auto& x) { return std::tuple(jig::transpose(x), jig::transpose<1, 0>(x), jig::transpose<-1, -2>(x)); });
  same_graph([](auto& x) { return jig::transpose<2, 0, 1>(x); }, cube);
  same_graph([](auto& x) { return std::tuple(jig::broadcast_to<4, 2, 3>(x), jig::broadcast_to<5, dyn, 3>(x)); }, matrix);
  same_graph([](auto& x, auto& y) { return jig::broadcast_like(x, y); }, vector, rows);
  same_graphs([](auto& x) {
    return std::tuple(jig::concat<0>(x, x), jig::concat<-1>(x, x, x), jig::stack(x, x), jig::stack<-1>(x, x), jig::tile<2, 3>(x));
  });
  same_graph([](auto& x) { return jig::split<2, 1>(x); }, cube);
  same_graph([](auto& x) { return std::get<1>(jig::split<3, -1>(x)); }, matrix);
  same_graphs([](auto& x) { return std::tuple(jig::pad<1, 2, 0, 1>(x), jig::pad<1, 1, 1, 1>(x, 7)); });
  same_graphs([](auto& x) { return std::tuple(jig::reverse(x), jig::reverse<0>(x), jig::reverse<-1>(x)); });
  same_graphs([](auto& x) {
    return std::tuple(jig::strided_slice<0>(x), jig::strided_slice<jig::all, 1>(x), jig::strided_slice<jig::range_of(0, 1)>(x),
                      x[jig::lit<-1>]);
  });
  CHECK(refused_dynamically([](auto& x) { return jig::reshape<4>(x); }, matrix) ==
        "Reshape: the numbers of elements differ: float32 (2, 3)");
}

TEST_CASE("unstack gives a vector") {
  const auto made = traced_dynamically(
      [](auto& x) {
        auto parts = jig::unstack<1>(x);
        CHECK(parts.size() == 3);
        auto sum = parts[0];
        for (std::size_t k = 1; k < parts.size(); ++k) sum = sum + parts[k];
        return sum;
      },
      matrix);
  const auto expected = jig::graph_of(
      [](auto& x) {
        auto parts = jig::unstack<1>(x);
        auto sum = std::get<0>(parts);
        sum = sum + std::get<1>(parts);
        sum = sum + std::get<2>(parts);
        return sum;
      },
      matrix);
  CHECK(jig::to_text(made.graph) == jig::to_text(expected));
  CHECK(refused_dynamically([](auto& x) { return jig::unstack(x)[0]; }, rows) ==
        "unstack: the extent of the axis must be known in the trace");
}

TEST_CASE("products") {
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y); }, matrix, spec<float, 3, 5>());
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y, jig::transpose_b); }, rows, matrix);
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y); }, cube, spec<float, 3, 5>());
  same_graph([](auto& x) { return std::tuple(jig::diag_part(x), jig::matrix_trace(x), jig::diag(x)); }, cube);
}

TEST_CASE("positions") {
  same_graph([](auto& x, auto& i) { return std::tuple(x[i], jig::gather<1>(x, i), jig::gather(x, 1)); }, matrix, numbers);
  same_graph([](auto& x, auto& i) { return jig::gather_nd(x, i); }, matrix, spec<int, 4, 2>());
  same_graph([](auto& u, auto& i) { return jig::scatter_nd<6, 3>(i, u); }, matrix, spec<int, 2, 1>());
  same_graph([](auto& x, auto& i, auto& u) { return std::tuple(jig::tensor_scatter_update(x, i, u), jig::tensor_scatter_add(x, i, u)); },
             rows, spec<int, 2, 1>(), matrix);
  same_graph([](auto& x, auto& i, auto& row) { return std::tuple(jig::set_row(x, i, row), jig::set_row(x, 1, row)); }, rows, number,
             vector);
  same_graph([](auto& x, auto& i) { return std::tuple(jig::set_row(x, i, 2), jig::set_row(x, 3, 2.5)); }, vector, number);
  same_graph([](auto& x, auto& at) { return jig::slice<1, dyn>(x, at); }, rows, spec<int, 2>());
  same_graph([](auto& i) { return std::tuple(jig::one_hot<4>(i), jig::one_hot<3, double>(i)); }, numbers);
  same_graphs([](auto& x) { return std::tuple(jig::argmax(x), jig::argmin<-1>(x), jig::cumsum(x), jig::cumprod<1>(x)); });
  same_graphs([](auto& x) { return jig::where(x > 0); });
  same_graph([](auto& x, auto& m) { return jig::boolean_mask(x, m); }, rows, spec<bool, dyn>());
  same_graph([](auto& x) { return jig::boolean_mask(x, x > 0); }, cube);
  same_graphs([](auto& x) { return std::tuple(jig::sort(x), jig::sort<0>(x, jig::descending), jig::argsort(x), jig::top_k<2>(x)); });
  same_graph([](auto& x) { return jig::unique(x); }, spec<int, dyn>());
  CHECK(refused_dynamically([](auto& x) { return jig::boolean_mask(x[0], x > 0); }, rows) ==
        "boolean_mask: the axes of the mask must be the first ones of the tensor");
}

TEST_CASE("random numbers") {
  same_graph(
      [](auto& x, auto& s) { return std::tuple(jig::random_uniform_like(x, s), jig::random_normal_like(x, s), jig::dropout<0.5>(x, s)); },
      rows, seed);
  same_graph([](auto& x, auto& s) { return jig::random_uniform_like(x, s); }, numbers, seed);
}

TEST_CASE("extents that cannot be counted") {
  constexpr jig::index most = std::numeric_limits<jig::index>::max();
  CHECK(refused_dynamically([](auto& x) { return jig::pad<most, most>(x); }, vector) ==
        "PadV2: the result would have more than 2^56 bytes: float32 (3,) and float32 ()");
  CHECK(refused_dynamically([](auto& x) { return jig::tile<most / 2>(x); }, vector) ==
        "Tile: the result would have more than 2^56 bytes: float32 (3,)");
  CHECK(refused_dynamically([](auto& x) { return jig::reshape<most / 2, 3>(x); }, vector) ==
        "Reshape: the result would have more than 2^56 bytes: float32 (3,)");
  CHECK(refused_dynamically([](auto& x) { return jig::broadcast_to<most / 2, 3>(x); }, vector) ==
        "BroadcastTo: the result would have more than 2^56 bytes: float32 (3,)");
  CHECK(refused_dynamically([](auto& x) { return jig::one_hot<most / 2>(x); }, numbers) ==
        "OneHot: the result would have more than 2^56 bytes: int32 (5,)");
  // 2^55 bytes are possible, twice as many and one row more are not.
  CHECK(refused_dynamically(
            [](auto& x) {
              auto y = jig::broadcast_to<(jig::index{1} << 53) / 3, 3>(x);
              return jig::concat<0>(jig::concat<0>(y, y), jig::concat<0>(y, y));
            },
            vector)
            .starts_with("ConcatV2: the result would have more than 2^56 bytes"));
  CHECK(refused_dynamically([](auto& x) { return jig::strided_slice<most - 1>(x); }, vector) ==
        "StridedSlice: the index is out of range: float32 (3,)");
}
