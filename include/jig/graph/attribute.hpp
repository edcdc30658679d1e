// SPDX-License-Identifier: MIT
#pragma once
// Attributes: what a node knows besides its inputs, such as axes. As types they are template arguments of an op's
// call; as values they are stored in the graph.

#include <jig/core/shape.hpp>
#include <jig/core/stretch.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace jig {

enum class attribute_kind : unsigned char { integer, integers, boolean, real, type, text, words, body };

/// One attribute as a value. `words` holds the bits of a constant's elements; of kind `body` is the number of a body of the
/// graph.
struct attribute_view {
  std::string_view key;
  attribute_kind kind = attribute_kind::integer;
  stretch<index> values{};
  std::string_view text{};
  stretch<std::uint64_t> words{};
};

/// An attribute with several integers, as a type: `integers<"perm", 1, 0>`.
template <text Key, index... V>
struct integers {
  static constexpr index values[sizeof...(V) + 1] = {V..., 0};
  static constexpr attribute_view view() { return {Key.view(), attribute_kind::integers, {values, sizeof...(V)}, {}, {}}; }
};

/// An attribute with one integer, as a type.
template <text Key, index V>
struct integer {
  static constexpr index values[1] = {V};
  static constexpr attribute_view view() { return {Key.view(), attribute_kind::integer, values, {}, {}}; }
};

/// An attribute that is true or false, as a type.
template <text Key, bool V>
struct boolean {
  static constexpr index values[1] = {V};
  static constexpr attribute_view view() { return {Key.view(), attribute_kind::boolean, values, {}, {}}; }
};

/// An attribute that is a dtype, as a type.
template <text Key, dtype D>
struct type_attribute {
  static constexpr index values[1] = {static_cast<index>(D)};
  static constexpr attribute_view view() { return {Key.view(), attribute_kind::type, values, {}, {}}; }
};

/// An attribute that is a text, as a type.
template <text Key, text V>
struct text_attribute {
  static constexpr attribute_view view() { return {Key.view(), attribute_kind::text, {}, V.view(), {}}; }
};

/// The attributes of one call, as a type.
template <class... A>
struct attributes {
  static constexpr attribute_view values[sizeof...(A) + 1] = {A::view()..., {}};
  static constexpr stretch<attribute_view> view() { return {values, sizeof...(A)}; }
};

/// The attribute with this key, or one without values.
constexpr attribute_view find_attribute(stretch<attribute_view> list, std::string_view key) {
  for (const auto& a : list)
    if (a.key == key) return a;
  return {};
}

}  // namespace jig
