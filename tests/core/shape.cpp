// SPDX-License-Identifier: MIT
#include <jig/core/shape.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

constexpr jig::message printed(const auto& x) {
  jig::message m;
  m << x;
  return m;
}

}  // namespace

TEST_CASE("shapes are values") {
  constexpr jig::shape matrix{2, {3, 4}};
  static_assert(matrix.rank == 2);
  static_assert(matrix[0] == 3 && matrix[1] == 4);
  static_assert(jig::shape().rank == 0);
  jig::shape s;
  s.push_back(5);
  s.push_back(jig::dyn);
  CHECK(s == jig::shape{2, {5, jig::dyn}});
  s[1] = 6;
  CHECK(s == jig::shape{2, {5, 6}});
  for (int a = 2; a < jig::max_rank; ++a) s.push_back(1);
  CHECK(s.rank == jig::max_rank);
  CHECK(s.size() == 30);
}

TEST_CASE("equal shapes have equal rank and extents") {
  static_assert(jig::shape{1, {3}} == jig::shape{1, {3}});
  static_assert(jig::shape{1, {3}} != jig::shape{1, {4}});
  static_assert(jig::shape{1, {1}} != jig::shape{2, {1, 1}});
  static_assert(jig::shape{} != jig::shape{1, {1}});
  static_assert(jig::shape{1, {jig::dyn}} != jig::shape{1, {jig::dim<"n">}});
  // What is stored behind the rank does not count.
  static_assert(jig::shape{1, {3, 4}} == jig::shape{1, {3, 5}});
}

TEST_CASE("the number of elements") {
  static_assert(jig::shape{}.size() == 1);
  static_assert(jig::shape{1, {0}}.size() == 0);
  static_assert(jig::shape{3, {2, 3, 4}}.size() == 24);
  static_assert(jig::shape{3, {2, 0, 4}}.size() == 0);
  static_assert(jig::shape{2, {2, jig::dyn}}.size() == -1);
  static_assert(jig::shape{2, {jig::dim<"n">, 2}}.size() == -1);
  static_assert(jig::shape{2, {0, jig::dyn}}.size() == -1);
  static_assert(jig::shape{}.is_static());
  static_assert(jig::shape{2, {0, 1}}.is_static());
  static_assert(!jig::shape{2, {0, jig::dyn}}.is_static());
  static_assert(!jig::shape{1, {jig::dim<"n">}}.is_static());
  CHECK(jig::shape{2, {1 << 20, 1 << 20}}.size() == jig::index{1} << 40);
}

TEST_CASE("no tensor has more than 2^56 bytes") {
  using jig::dtype, jig::dyn;
  using jig::detail::is_possible;
  constexpr jig::index half = jig::index{1} << 28;
  static_assert(is_possible(dtype::int8, {2, {half, half}}) && !is_possible(dtype::int8, {2, {half, half + 1}}));
  static_assert(is_possible(dtype::float32, {2, {half / 4, half}}) && !is_possible(dtype::float32, {2, {half / 2, half}}));
  // What an extent cannot hold, what is not known, nothing.
  static_assert(!is_possible(dtype::int8, {4, {half, half, half, half}}));
  static_assert(!is_possible(dtype::int8, {3, {0, half, 2 * half}}) && is_possible(dtype::int8, {3, {0, half, half}}));
  static_assert(is_possible(dtype::int8, {3, {dyn, half, half}}) && !is_possible(dtype::int8, {3, {dyn, half, 2 * half}}));
  static_assert(is_possible(dtype::float64, {}) && is_possible(dtype::string, {1, {half}}) &&
                !is_possible(dtype::string, {1, {half * half}}));
}

TEST_CASE("shapes and specs are printed as tuples") {
  static_assert(printed(jig::shape{}).view() == "()");
  static_assert(printed(jig::shape{1, {3}}).view() == "(3,)");
  static_assert(printed(jig::shape{2, {jig::dyn, 3}}).view() == "(None, 3)");
  static_assert(printed(jig::shape{3, {0, jig::dim<"width">, jig::dyn}}).view() == "(0, width, None)");
  static_assert(printed(jig::tensor_spec{jig::dtype::boolean, {1, {jig::dim<"n">}}}).view() == "bool (n,)");
  CHECK(printed(jig::tensor_spec{}).view() == "float32 ()");
  CHECK(printed(jig::shape{8, {1, 2, 3, 4, 5, 6, 7, 8}}).view() == "(1, 2, 3, 4, 5, 6, 7, 8)");
}

TEST_CASE("equal specs have equal dtype and shape") {
  constexpr jig::tensor_spec a{jig::dtype::int32, {1, {2}}};
  static_assert(a == jig::tensor_spec{jig::dtype::int32, {1, {2}}});
  static_assert(a != jig::tensor_spec{jig::dtype::int64, {1, {2}}});
  static_assert(a != jig::tensor_spec{jig::dtype::int32, {1, {3}}});
}

TEST_CASE("the most specific common supertype has wildcards where extents differ") {
  using jig::dtype, jig::dyn, jig::most_specific_common_supertype, jig::tensor_spec;
  constexpr tensor_spec a{dtype::int32, {3, {2, 3, 4}}}, b{dtype::int32, {3, {2, 5, dyn}}};
  static_assert(most_specific_common_supertype(a, a) == a);
  static_assert(most_specific_common_supertype(a, b) == tensor_spec{dtype::int32, {3, {2, dyn, dyn}}});
  static_assert(most_specific_common_supertype(b, a) == most_specific_common_supertype(a, b));
  constexpr tensor_spec n{dtype::int32, {1, {jig::dim<"n">}}}, m{dtype::int32, {1, {jig::dim<"m">}}}, four{dtype::int32, {1, {4}}};
  static_assert(most_specific_common_supertype(n, n) == n);
  for (const auto& other : {m, four}) CHECK(most_specific_common_supertype(n, other) == tensor_spec{dtype::int32, {1, {dyn}}});
  constexpr tensor_spec scalar{dtype::string, {}};
  static_assert(most_specific_common_supertype(scalar, scalar) == scalar);
  // What has several ranks has none that is known.
  constexpr tensor_spec number{dtype::int32, {}}, open = most_specific_common_supertype(a, number);
  static_assert(open == tensor_spec{dtype::int32, {jig::unknown_rank, {}}});
  static_assert(most_specific_common_supertype(open, a) == open && most_specific_common_supertype(a, open) == open);
  static_assert(jig::is_subtype(a, open) && jig::is_subtype(number, open) && jig::is_subtype(open, open) && !jig::is_subtype(open, a));
  static_assert(!jig::is_subtype(tensor_spec{dtype::float32, {}}, open));
  jig::message text;
  CHECK((text << open).view() == "int32 <unknown>");
}
