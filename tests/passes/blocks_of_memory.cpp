// SPDX-License-Identifier: MIT
#include <jig/passes/blocks_of_memory.hpp>

#include <jig/trace/builder.hpp>

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

namespace {

using jig::attribute_kind, jig::attribute_view, jig::dtype, jig::dyn, jig::edge, jig::shape, jig::tensor_spec;
using jig::detail::padded_read;

constexpr jig::index none = 0;  // no axis in a mask

// x[begin:end:step, ...] with static extents, as one node.
struct sliced {
  jig::builder b;
  edge made;
  shape from, to;
  std::vector<jig::index> elements;  // of the whole, in the order of the part
};
sliced slice(const shape& from, const std::vector<std::array<jig::index, 3>>& ranges) {
  sliced s;
  s.from = s.to = from;
  const edge x = s.b.input({dtype::float32, from}, "x");
  std::vector<jig::index> begin, end, step;
  for (const auto& r : ranges) begin.push_back(r[0]), end.push_back(r[1]), step.push_back(r[2]);
  std::vector<std::vector<jig::index>> places;
  for (int a = 0; a < from.rank; ++a) {
    places.emplace_back();
    const auto r =
        static_cast<std::size_t>(a) < ranges.size() ? ranges[static_cast<std::size_t>(a)] : std::array<jig::index, 3>{0, from[a], 1};
    for (jig::index i = r[0]; r[2] > 0 ? i < r[1] : i > r[1]; i += r[2]) places.back().push_back(i);
    s.to[a] = static_cast<jig::index>(places.back().size());
  }
  s.elements = {0};
  for (int a = 0; a < from.rank; ++a) {
    std::vector<jig::index> next;
    for (const jig::index e : s.elements)
      for (const jig::index p : places[static_cast<std::size_t>(a)]) next.push_back(e * from[a] + p);
    s.elements = next;
  }
  const attribute_view with[] = {
      {"begin", attribute_kind::integers, begin},        {"end", attribute_kind::integers, end},
      {"strides", attribute_kind::integers, step},       {"begin_mask", attribute_kind::integer, {&none, 1}},
      {"end_mask", attribute_kind::integer, {&none, 1}}, {"shrink_axis_mask", attribute_kind::integer, {&none, 1}}};
  s.made = s.b.graph.add(jig::ops::strided_slice, {dtype::float32, s.to}, {&x, 1}, with);
  return s;
}
std::optional<jig::index> block_in(const std::vector<jig::index>& elements) {
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (elements[k] != elements[0] + static_cast<jig::index>(k)) return {};
  return elements.empty() ? std::optional<jig::index>() : elements[0];
}

}  // namespace

TEST_CASE("a slice shows a block where its elements follow each other in memory, which it finds") {
  std::mt19937 random(5);
  const auto number = [&](jig::index least, jig::index most) { return std::uniform_int_distribution<jig::index>(least, most)(random); };
  int blocks = 0, others = 0;
  for (int k = 0; k < 4000; ++k) {
    shape from;
    for (jig::index rank = number(1, 3); rank > 0; --rank) from.push_back(number(1, 4));
    std::vector<std::array<jig::index, 3>> ranges;
    for (jig::index given = number(1, from.rank); given > 0; --given) {
      const jig::index extent = from[static_cast<int>(ranges.size())];
      const jig::index begin = number(0, extent - 1), end = number(begin + 1, extent);
      ranges.push_back(number(0, 2) == 0 ? std::array<jig::index, 3>{0, extent, 1} : std::array<jig::index, 3>{begin, end, number(1, 2)});
    }
    const sliced s = slice(from, ranges);
    const auto g = s.b.graph.view();
    jig::index offset = -1;
    const auto expected = block_in(s.elements);
    CHECK(jig::detail::shows_block(g, s.made.node, s.from, s.to, offset) == expected.has_value());
    if (expected) CHECK(offset == *expected);
    const jig::list<char> dense{1, 0}, strided{0, 0};
    const auto shape_of = [&](int v) { return g.data(v).spec.shape; };
    CHECK(jig::detail::lies_dense(g, s.made.node, dense, shape_of) == expected.has_value());
    CHECK_FALSE(jig::detail::lies_dense(g, s.made.node, strided, shape_of));
    // As what a gradient adds to: all that is not inside lies before or behind.
    const padded_read read = jig::detail::read_of_slice(g, s.made.node, s.from, s.to);
    if (read.exists) {
      REQUIRE(expected);
      CHECK(read.before == *expected);
      CHECK(read.before + s.to.size() + read.behind == s.from.size());
    }
    ++(expected ? blocks : others);
  }
  CHECK(blocks > 300);
  CHECK(others > 300);
}

TEST_CASE("rows of a tensor are a padded read as long as the whole is small, or little is around them") {
  using jig::detail::rows_between;
  CHECK(rows_between({2, {10, 4}}, 2, 3) == padded_read{true, 8, 12});
  CHECK(rows_between({2, {10, 4}}, 0, 9) == padded_read{true, 0, 36});
  // Nothing around it, nothing inside, nothing at all.
  CHECK(rows_between({2, {10, 4}}, 0, 0) == padded_read{});
  CHECK(rows_between({2, {10, 4}}, 5, 5) == padded_read{});
  CHECK(rows_between({2, {10, 0}}, 1, 1) == padded_read{});
  // The cap on what is known.
  CHECK(rows_between({2, {16383, 4}}, 1, 1) == padded_read{true, 4, 4});
  CHECK(rows_between({2, {16384, 4}}, 1, 1) == padded_read{});
  // Of so many rows as only the call knows.
  CHECK(rows_between({2, {dyn, 4}}, 32, 32) == padded_read{true, 128, 128});
  CHECK(rows_between({2, {dyn, 4}}, 32, 33) == padded_read{});
  CHECK(rows_between({2, {10, dyn}}, 1, 1) == padded_read{});
}

TEST_CASE("a slice along an axis whose extent only the call knows") {
  const shape whole{2, {dyn, 4}};
  const auto rows = [&](jig::index begin, jig::index end, jig::index step) {
    jig::builder b;
    const edge x = b.input({dtype::float32, whole}, "x");
    const attribute_view with[] = {
        {"begin", attribute_kind::integers, {&begin, 1}},  {"end", attribute_kind::integers, {&end, 1}},
        {"strides", attribute_kind::integers, {&step, 1}}, {"begin_mask", attribute_kind::integer, {&none, 1}},
        {"end_mask", attribute_kind::integer, {&none, 1}}, {"shrink_axis_mask", attribute_kind::integer, {&none, 1}}};
    const edge made = b.graph.add(jig::ops::strided_slice, {dtype::float32, whole}, {&x, 1}, with);
    return jig::detail::rows_of_slice(b.graph.view(), made.node, whole, whole);
  };
  const auto from_start = rows(2, jig::unbounded, 1);
  CHECK((from_start.exists && from_start.before == 2 && from_start.behind == 0));
  const auto inner = rows(1, -3, 1);
  CHECK((inner.exists && inner.before == 1 && inner.behind == 3));
  const auto first = rows(0, 5, 1);
  CHECK((first.exists && first.before == 0 && first.behind < 0));
  CHECK_FALSE(rows(-2, jig::unbounded, 1).exists);  // begins where only the call knows
  CHECK_FALSE(rows(0, jig::unbounded, 2).exists);
  CHECK_FALSE(rows(jig::unbounded, jig::unbounded, -1).exists);
}

TEST_CASE("paddings along the first axis alone are padded reads") {
  jig::builder b;
  const edge x = b.input({dtype::float32, shape{2, {3, 4}}}, "x");
  const edge zero = b.input({dtype::float32, {}}, "zero");
  const edge both[] = {x, zero};
  const auto read = [&](std::array<jig::index, 4> paddings) {
    const attribute_view with[] = {{"paddings", attribute_kind::integers, paddings}};
    const shape whole{2, {3 + paddings[0] + paddings[1], 4 + paddings[2] + paddings[3]}};
    const edge made = b.graph.add(jig::ops::pad, {dtype::float32, whole}, both, with);
    CHECK(jig::detail::is_padding(*b.graph.view().data(made.node).kind));
    return jig::detail::padded_read_of(b.graph.view(), made.node, whole);
  };
  CHECK(read({1, 2, 0, 0}) == padded_read{true, 4, 8});
  CHECK(read({0, 1, 0, 0}) == padded_read{true, 0, 4});
  CHECK(read({0, 0, 0, 0}) == padded_read{});
  CHECK(read({1, 0, 1, 0}) == padded_read{});
}
