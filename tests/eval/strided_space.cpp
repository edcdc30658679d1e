// SPDX-License-Identifier: MIT
#include <jig/eval/strided_space.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

using namespace jig::detail;

namespace {

// A space of elements of four bytes, whose operands have these strides.
struct small_space {
  strided_operand operands[2];
  strided_space space;

  small_space(std::initializer_list<jig::index> extents, std::initializer_list<jig::index> first,
              std::initializer_list<jig::index> second) {
    space.operands = operands;
    space.leaves = space.roots = 1;
    for (jig::index e : extents) space.extents[space.rank++] = e;
    operands[0].bytes = operands[1].bytes = 4;
    int a = 0;
    for (jig::index stride : first) operands[0].strides[a++] = 4 * stride;
    a = 0;
    for (jig::index stride : second) operands[1].strides[a++] = 4 * stride;
  }
};

}  // namespace

TEST_CASE("axes that run on are joined, axes of one element left out") {
  small_space s({2, 5, 1, 12}, {60, 12, 12, 1}, {60, 12, 12, 1});
  join_axes(s.space);
  CHECK(s.space.rank == 1);
  CHECK(s.space.extents[0] == 120);
  CHECK(s.operands[0].strides[0] == 4);
}

TEST_CASE("axes are joined only where all operands run on, and both are reduced or neither is") {
  small_space turned({10, 12}, {1, 10}, {12, 1});
  join_axes(turned.space);
  CHECK(turned.space.rank == 2);
  small_space reduced({10, 12}, {12, 1}, {12, 1});
  reduced.space.reduced[1] = true;
  join_axes(reduced.space);
  CHECK(reduced.space.rank == 2);
  small_space needed({10, 1}, {1, 3}, {1, 3});
  join_axes(needed.space, 1);
  CHECK(needed.space.rank == 2);
  // One element is a run of memory.
  CHECK(needed.operands[0].strides[1] == 4);
  small_space one({1, 1}, {0, 0}, {0, 0});
  join_axes(one.space);
  CHECK(one.space.rank == 1);
  CHECK(one.space.extents[0] == 1);
  CHECK(one.operands[0].strides[0] == 4);
}

TEST_CASE("operands without gaps from an axis on") {
  const jig::shape space{3, {2, 3, 5}};
  small_space s({2, 3, 5}, {40, 5, 1}, {15, 5, 1});
  CHECK(!contiguous_from(s.operands[0], space, 0));
  CHECK(contiguous_from(s.operands[0], space, 1));
  CHECK(contiguous_from(s.operands[1], space, 0));
  CHECK(!s.space.dense(s.operands[0]));
  CHECK(s.space.dense(s.operands[1]));
}
