// SPDX-License-Identifier: MIT
#pragma once
// Errors of calls, with the line of the program that wrote the op they come from.

#include <jig/core/error.hpp>
#include <jig/graph/source_line.hpp>
#include <jig/graph/walk.hpp>

#include <algorithm>
#include <vector>

namespace jig::detail {

/// An op, and the line that wrote it.
struct op_line {
  std::string_view name;
  source_line at;
};

// Of a graph and of the bodies in it, where the line is known.
template <class Graph, class Predicate>
constexpr list<op_line> op_lines(const Graph& g, Predicate is_wanted) {
  list<op_line> out;
  holds_for_any(g, [&](const graph_view&, const node_data& n) {
    if (n.at.is_known() && is_wanted(n)) out.push_back({n.kind->name, n.at});
    return false;
  });
  return out;
}
template <class Graph>
constexpr list<op_line> op_lines(const Graph& g) {
  return detail::op_lines(g, [](const node_data&) { return true; });
}
/// Those of ops that may throw because of their values.
template <class Graph>
constexpr list<op_line> checked_lines(const Graph& g) {
  return detail::op_lines(g, [](const node_data& n) { return n.kind->is(fact::checked); });
}

/// The sentence of an error, which begins with the name of its op, and those of the lines that may have thrown it. The same sentence where
/// none is of such an op, or another call has told its own.
template <class Lines>
[[gnu::cold]] std::string with_lines_of(std::string_view what, const Lines& known) {
  std::string out(what);
  const std::string_view name = what.substr(0, what.find(':'));
  if (out.find(before_line) != std::string::npos) return out;
  std::vector<std::string> lines;
  for (const op_line& l : known) {
    std::string line = l.name == name ? to_text(l.at) : std::string();
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  for (std::size_t k = 0; k < lines.size(); ++k) out += (k == 0 ? std::string(before_line) : " or ") + lines[k];
  return lines.empty() ? out : out + ')';
}

#ifdef __cpp_exceptions
/// Throws the error that is being handled again, with the line that it comes from.
template <class Lines>
[[noreturn, gnu::cold, gnu::noinline]] void throw_with_lines(const invalid_argument& e, const Lines& known) {
  const std::string what = detail::with_lines_of(e.what(), known);
  if (what == e.what()) throw;
  throw_invalid_argument(what);
}
#endif

/// Runs `work`. An invalid_argument that it throws goes on with the line that it comes from, of those that `lines()` gives.
template <class Lines, class Work>
[[gnu::always_inline]] inline void run_at_lines([[maybe_unused]] const Lines& lines, const Work& work) {
#ifdef __cpp_exceptions
  try {
    work();
  } catch (const invalid_argument& e) {
    detail::throw_with_lines(e, lines());
  }
#else
  work();
#endif
}

}  // namespace jig::detail
