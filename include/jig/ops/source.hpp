// SPDX-License-Identifier: MIT
#pragma once
// The ops that graphs begin with: arguments and constants.

#include <jig/graph/graph.hpp>

namespace jig {

namespace ops {

/// An argument of the function. Attribute `name`: the parameter's name.
inline constexpr op placeholder{.name = "Placeholder", .label = "Placeholder", .facts = fact::input};

/// Elements that are part of the graph. Attribute `value`: their bits; for strings their lengths, and the attribute
/// `text` holds the characters.
inline constexpr op constant{.name = "Const", .label = "Const", .facts = fact::constant};

}  // namespace ops

namespace detail {

/// Appends a constant, of which these are the bits.
constexpr edge add_constant(graph& to, const tensor_spec& spec, stretch<std::uint64_t> words) {
  const attribute_view value[] = {{"value", attribute_kind::words, {}, {}, words}};
  return to.add(ops::constant, spec, {}, value);
}
constexpr edge add_constant(graph& to, dtype type, std::uint64_t word) { return add_constant(to, {type, {}}, {&word, 1}); }

}  // namespace detail

}  // namespace jig
