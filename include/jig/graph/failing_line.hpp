// SPDX-License-Identifier: MIT
#pragma once
// Errors of calls, with the line of the program that wrote the op they come from.

#include <jig/core/error.hpp>
#include <jig/graph/source_line.hpp>
#include <jig/graph/walk.hpp>

#include <algorithm>
#include <vector>

namespace jig::detail {

/// Whether ops may throw because of their values, at lines that are known.
constexpr bool has_lines_of_checked(const graph_view& g) {
  return holds_for_any(g, [](const graph_view&, const node_data& n) { return n.at.is_known() && n.kind->is(fact::checked); });
}

/// The sentence of an error, which begins with the name of its op, and the lines of those ops that may have thrown it. The same sentence
/// where none is known, or another call has told its own.
template <class Graph = graph_view>
[[gnu::cold]] std::string with_lines_of(std::string_view what, const std::type_identity_t<Graph>& g) {
  std::string out(what);
  const std::string_view name = what.substr(0, what.find(':'));
  if (out.find(before_line) != std::string::npos) return out;
  std::vector<std::string> lines;
  holds_for_any(g, [&](const graph_view&, const node_data& n) {
    if (n.kind->name != name) return false;
    std::string line = to_text(n.at);
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    return false;
  });
  for (std::size_t k = 0; k < lines.size(); ++k) out += (k == 0 ? std::string(before_line) : " or ") + lines[k];
  return lines.empty() ? out : out + ')';
}

#ifdef __cpp_exceptions
/// Throws the error that is being handled again, with the line that it comes from.
template <class Graph = graph_view>
[[noreturn, gnu::cold, gnu::noinline]] void throw_with_lines(const invalid_argument& e, const std::type_identity_t<Graph>& g) {
  const std::string what = with_lines_of<Graph>(e.what(), g);
  if (what == e.what()) throw;
  throw_invalid_argument(what);
}
#endif

/// Runs `work`. An invalid_argument that it throws goes on with the line that it comes from.
template <class Graph = graph_view, class Work>
[[gnu::always_inline]] inline void run_at_lines([[maybe_unused]] const std::type_identity_t<Graph>& g, const Work& work) {
#ifdef __cpp_exceptions
  try {
    work();
  } catch (const invalid_argument& e) {
    throw_with_lines<Graph>(e, g);
  }
#else
  work();
#endif
}

}  // namespace jig::detail
