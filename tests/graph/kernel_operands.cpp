// SPDX-License-Identifier: MIT
#include <jig/graph/kernel_operands.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

namespace {

using jig::dtype;

constexpr unsigned kinds[] = {jig::floats, jig::integers_only, jig::booleans, jig::strings};

TEST_CASE("every dtype is of one kind") {
  for (std::size_t d = 0; d < jig::dtype_count; ++d) {
    const auto type = static_cast<dtype>(d);
    CAPTURE(d);
    int of = 0;
    for (unsigned kind : kinds) of += jig::detail::is_of(type, kind);
    CHECK(of == 1);
    CHECK(jig::detail::is_of(type, jig::anything));
    CHECK(jig::detail::is_of(type, jig::numbers) == jig::is_number(type));
    CHECK_FALSE(jig::detail::is_of(type, 0));
  }
}
static_assert(jig::detail::is_of(dtype::float32, jig::floats) && jig::detail::is_of(dtype::boolean, jig::booleans) &&
              jig::detail::is_of(dtype::uint8, jig::integers_only) && jig::detail::is_of(dtype::string, jig::strings));

TEST_CASE("an input of an op holds positions, or is looked at for its extents, or holds elements of some kind") {
  for (const jig::op* kind : jig::detail::all_ops) {
    const std::string name(kind->name);
    CAPTURE(name);
    CHECK((kind->operands.positions & kind->operands.shapes) == 0);
    CHECK((kind->operands.elements & ~unsigned{jig::anything}) == 0);
    CHECK((kind->operands.is_list || kind->operands.first_of_list == 0));
  }
}

}  // namespace
