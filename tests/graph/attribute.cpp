// SPDX-License-Identifier: MIT
#include <jig/graph/attribute.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace {

using kind = jig::attribute_kind;

constexpr bool holds(const jig::attribute_view& a, std::string_view key, kind k, std::initializer_list<jig::index> values) {
  return a.key == key && a.kind == k && std::equal(a.values.begin(), a.values.end(), values.begin(), values.end()) && a.text.empty() &&
         a.words.empty();
}

}  // namespace

TEST_CASE("attributes as types have values") {
  static_assert(holds(jig::integers<"axes", 1, 0, -1>::view(), "axes", kind::integers, {1, 0, -1}));
  static_assert(holds(jig::integers<"axes">::view(), "axes", kind::integers, {}));
  static_assert(holds(jig::integer<"axis", -2>::view(), "axis", kind::integer, {-2}));
  static_assert(holds(jig::boolean<"keep_dims", true>::view(), "keep_dims", kind::boolean, {1}));
  static_assert(holds(jig::boolean<"keep_dims", false>::view(), "keep_dims", kind::boolean, {0}));
  static_assert(
      holds(jig::type_attribute<"DstT", jig::dtype::string>::view(), "DstT", kind::type, {static_cast<jig::index>(jig::dtype::string)}));
  constexpr auto text = jig::text_attribute<"equation", "ij,jk->ik">::view();
  static_assert(text.key == "equation" && text.kind == kind::text && text.text == "ij,jk->ik" && text.values.empty());
  CHECK(jig::text_attribute<"empty", "">::view().text.empty());
  CHECK(holds(jig::integers<"perm", jig::dyn, jig::dim<"n">>::view(), "perm", kind::integers, {jig::dyn, jig::dim<"n">}));
}

TEST_CASE("equal attributes are equal types") {
  static_assert(std::is_same_v<jig::integers<"perm", 1, 0>, jig::integers<"perm", 1, 0>>);
  static_assert(!std::is_same_v<jig::integers<"perm", 1, 0>, jig::integers<"perm", 0, 1>>);
  static_assert(!std::is_same_v<jig::integers<"perm", 1>, jig::integers<"axes", 1>>);
}

TEST_CASE("the attributes of a call, in order") {
  using some = jig::attributes<jig::integers<"axes", 1>, jig::boolean<"keep_dims", true>>;
  static_assert(some::view().size() == 2);
  static_assert(some::view()[1].key == "keep_dims");
  static_assert(jig::attributes<>::view().empty());
  CHECK(holds(some::view()[0], "axes", kind::integers, {1}));
}

TEST_CASE("attributes are found by key") {
  using some = jig::attributes<jig::integer<"axis", 3>, jig::integer<"a", 4>, jig::integer<"axis", 5>>;
  static_assert(jig::find_attribute(some::view(), "a").values[0] == 4);
  // The first of several.
  static_assert(jig::find_attribute(some::view(), "axis").values[0] == 3);
  static_assert(jig::find_attribute(some::view(), "ax").key.empty());
  static_assert(jig::find_attribute(some::view(), "").values.empty());
  static_assert(jig::find_attribute({}, "axis").key.empty());
  const std::uint64_t words[] = {1, 2};
  std::vector<jig::attribute_view> list{{"value", kind::words, {}, {}, words}};
  CHECK(jig::find_attribute(list, "value").words.data() == words);
  CHECK(jig::find_attribute(list, "text").key.empty());
}
