// SPDX-License-Identifier: MIT
#pragma once
// Calls that take what memory they need from their caller, and nothing from anywhere else.

#include <jig/eval/concrete_function.hpp>
#include <jig/runtime/run_time_arguments.hpp>

#include <cstddef>
#include <span>

namespace jig {

/// A function, or one signature of it, with memory that its calls work in; `f.with_workspace(memory)` makes it. It refers to the memory.
template <class Function>
class function_with_workspace {
  std::span<std::byte> memory_;

  template <class F, class... X>
  struct signature_of : std::type_identity<decltype(F().get_concrete_function(std::declval<const X&>()...))> {};
  template <class F, class... X>
    requires requires { F::peak_workspace(); }
  struct signature_of<F, X...> : std::type_identity<F> {};

 public:
  constexpr explicit function_with_workspace(std::span<std::byte> memory) : memory_(memory) {}

  /// As `into` of the function, but no memory is allocated, and none of the thread's is used, from the first call on. What `peak_workspace`
  /// tells is enough where arguments and results are dense and apart; others are copied there as well.
  /// Errors: as of `into`; too few bytes throw invalid_argument with the number that is needed before anything is written, as far as
  /// extents are static. A function that has to allocate (text, extents that only the run tells, loops of any number of trips whose
  /// gradients remember them, run-time tensors) is refused at compile time.
  template <class Out, class... X>
  void into(Out&& out, X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      refuse_with<"with_workspace: run-time tensors allocate: pass tensors or views", Function>();
    } else {
      using signature = typename signature_of<Function, std::remove_cvref_t<X>...>::type;
      if constexpr (is_refused<signature>) {
      } else if constexpr (signature::allocates()) {
        refuse_with<
            "with_workspace: the function has to allocate: for text, for extents that only the run tells, or to remember what a loop of "
            "any number of trips computed",
            Function>();
      } else {
        constexpr index needed = signature::peak_workspace();
        detail::lent_memory lent(memory_.data(), memory_.size());
        if constexpr (needed > 0) lent.require_room(static_cast<std::size_t>(needed));
        const detail::parallel_pause pause;
        Function().into_in(lent, out, x...);
      }
    }
  }
};

}  // namespace jig
