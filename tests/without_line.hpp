// SPDX-License-Identifier: MIT
#pragma once
// What errors of calls say, for tests that do not look at where the op is written.

#include <jig/graph/source_line.hpp>

#include <string>

/// The sentence without the line of the program at its end.
inline std::string without_line(std::string what) {
  const std::size_t at = what.rfind(jig::detail::before_line);
  return at == std::string::npos || !what.ends_with(')') ? what : what.substr(0, at);
}
