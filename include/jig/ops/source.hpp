// SPDX-License-Identifier: MIT
#pragma once
// The ops that graphs begin with: arguments and constants.

#include <jig/graph/op.hpp>

namespace jig::ops {

/// An argument of the function. Attribute `name`: the parameter's name.
inline constexpr op placeholder{.name = "Placeholder", .label = "Placeholder", .facts = fact::input};

/// Elements that are part of the graph. Attribute `value`: their bits; for strings their lengths, and the attribute
/// `text` holds the characters.
inline constexpr op constant{.name = "Const", .label = "Const", .facts = fact::constant};

}  // namespace jig::ops
