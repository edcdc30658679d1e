// SPDX-License-Identifier: MIT
#pragma once
// What a format of files calls jig's ops: a row for each op in a table of the format. Tables of their own and no parts of `struct op`, so
// that programs which write no files compile no more than before.

#include <jig/graph/op.hpp>

#include <string_view>

namespace jig::detail {

enum class spelling : unsigned char {
  node,     // one node of an op with these inputs, outputs and attributes
  several,  // other nodes, which a function lists
  none      // the format cannot say it
};

/// How an op is written.
struct op_name {
  const op* kind;
  spelling how;
  /// The format's op; of several the ops that are used; why there is none.
  std::string_view name;
  /// Names of inputs, in the format's order: `x`; `values*` is a list of all that are left; `#axis:dim` is jig's attribute `axis`, which
  /// the format takes as the constant input `dim`.
  std::string_view inputs = "";
  /// Names of outputs.
  std::string_view outputs = "";
  /// `T:0` is the dtype of jig's input 0, `T:>1` that of output 1, `T:i` that of constant integers, `N:n` the length of the list; `adj_x=a`
  /// is jig's attribute `a`, `k!true` is always true and no attribute of jig's, others have jig's name.
  std::string_view attributes = "";
};

constexpr op_name several(const op& kind, std::string_view names) { return {&kind, spelling::several, names}; }
constexpr op_name none(const op& kind, std::string_view why) { return {&kind, spelling::none, why}; }

inline constexpr std::string_view of_gradients = "it stands for something only while a gradient is made";
inline constexpr std::string_view of_lowering = "it is made when a graph is lowered for a run";
inline constexpr std::string_view of_composites = "its graph has the nodes that it stands for";

/// The row of an op, or null.
constexpr const op_name* find_name(stretch<op_name> table, const op& kind) {
  for (const auto& n : table)
    if (n.kind->identity == kind.identity) return &n;
  return nullptr;
}
/// The first row of an op that one node of the format is, or null.
constexpr const op_name* find_node(stretch<op_name> table, std::string_view name) {
  for (const auto& n : table)
    if (n.how == spelling::node && n.name == name) return &n;
  return nullptr;
}

/// The words of an entry: f(word) for each.
template <class F>
constexpr void for_each_word(std::string_view words, F f) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    f(words.substr(0, end));
    if (end == words.npos) return;
    words.remove_prefix(end + 1);
  }
}

}  // namespace jig::detail
