// SPDX-License-Identifier: MIT
#pragma once
// Whether a program may write a result into memory that its arguments may share.

#include <jig/eval/update.hpp>

namespace jig::detail {

/// Whether the one step of a program reads everything before it writes.
template <class P>
inline constexpr bool reads_all_first = [] {
  if constexpr (P::plan.size.steps == 1) {
    using only = step<P, 0>;
    if constexpr (only::plan.kind == step_kind::kernel) return kernel_of<P, only::root(0)>::reads_first;
    else if constexpr (only::plan.kind == step_kind::loop)
      return alignment_in<only>::always && !updates_elements<only> && loads_first<only, only::known_size>;
  }
  return false;
}();

/// Whether a loop among several steps writes a result place by place when nobody reads argument J any more, but this loop the same place.
template <class P, int Result, std::size_t J>
inline constexpr bool is_written_after = [] {
  if constexpr (P::value(Result).place == place::result && P::value(Result).step >= 0 && P::value(P::graph.inputs()[J]).dense) {
    using writer = step<P, P::value(Result).step>;
    if constexpr (writer::plan.kind == step_kind::loop && !writer::has_padded_reads && !writer::has_stacks && !updates_elements<writer>)
      return alignment_in<writer>::always && P::extents(Result) == P::extents(writer::plan.space) &&
             updates_in_place<P>(static_cast<int>(J), P::value(Result).number);
  }
  return false;
}();

struct memory_range {
  const char *first, *last;
};
/// The memory of argument J. Of nothing that may have strides it is nowhere.
template <class P, std::size_t J>
[[gnu::always_inline]] inline memory_range argument_range(const frame<P>& fr) {
  constexpr int v = P::graph.inputs()[J];
  using T = element_at<P, v>;
  auto* data = static_cast<const T*>(fr.arguments[J]);
  const T *low = data, *high = data;
  if constexpr (P::value(v).dense) {
    high = data + fr.template size_of<v>();
  } else {
    for (int a = 0; a < P::extents(v).rank; ++a) {
      index n = fr(P::extents(v)[a]);
      if (n == 0) return {};
      index reach = (n - 1) * fr.strides[J][a];
      (reach < 0 ? low : high) += reach;
    }
    ++high;
  }
  return {reinterpret_cast<const char*>(low), reinterpret_cast<const char*>(high)};
}

/// What a program of several steps asks of an argument where it writes a result: to lie apart, or at least in the same place.
enum class overlap_rule : char { anywhere, apart, same_place };
template <class P, int Result, std::size_t J>
constexpr overlap_rule overlap_rule_of(bool kept) {
  if (kept && sizeof(element_at<P, P::graph.inputs()[J]>) == sizeof(element_at<P, Result>) && is_written_after<P, Result, J>)
    return overlap_rule::same_place;
  return overlap_rule::apart;
}
/// Whether memory can be written beside arguments that lie there.
[[gnu::noinline]] inline bool lies_beside(const memory_range* arguments, const overlap_rule* rules, std::size_t n, memory_range written) {
  for (std::size_t j = 0; j < n; ++j) {
    const memory_range x = arguments[j];
    if (x.last <= written.first || written.last <= x.first || rules[j] == overlap_rule::anywhere) continue;
    if (rules[j] == overlap_rule::apart || x.first != written.first) return false;
  }
  return true;
}
/// Whether pairs of arguments and results are so many that this is asked for tables of them, which compile once.
template <class P>
inline constexpr bool has_many_pairs = P::plan.size.steps > 1 && P::arguments* P::results > 16;

/// Whether the memory from `first` to `last` can be written, as node `Result`, while argument J is still being read: it lies apart from
/// the argument's, or a loop reads every element of the argument just before it writes the same place, and nothing does behind it.
/// `Kept`: whether the argument is no variable that the program assigns.
template <class P, int Result, std::size_t J, bool Kept>
[[gnu::always_inline]] inline bool may_write_beside(const frame<P>& fr, const char* first, const char* last) {
  constexpr int v = P::graph.inputs()[J];
  using T = element_at<P, v>;
  const memory_range x = argument_range<P, J>(fr);
  if (x.last <= first || last <= x.first) return true;
  if constexpr (P::plan.size.steps == 1 && Kept) {
    using only = step<P, 0>;
    if constexpr (only::plan.kind == step_kind::loop && !only::has_padded_reads && !only::has_stacks && !updates_elements<only> &&
                  P::value(v).dense && !alignment_in<only>::never)
      if constexpr (sizeof(T) == sizeof(element_at<P, Result>) && P::extents(v) == P::extents(only::plan.space))
        return x.first == first && (alignment_in<only>::always || alignment_in<only>::now(fr));
  } else if constexpr (overlap_rule_of<P, Result, J>(Kept) == overlap_rule::same_place) {
    return x.first == first;
  }
  return false;
}

}  // namespace jig::detail
