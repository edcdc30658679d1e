// SPDX-License-Identifier: MIT
#pragma once
// Functions whose first arguments are given already.

#include <tuple>
#include <utility>

namespace jig {

/// A function, or one signature of it, with its first arguments; `f.bind(model)` makes it. Of arguments that have a name, such as variables
/// and structs of them, it keeps a reference, of literals and other temporary values a copy.
template <class Function, class... Bound>
class bound_function {
  std::tuple<Bound...> bound_;

 public:
  constexpr explicit bound_function(Bound&&... bound) : bound_(std::forward<Bound>(bound)...) {}

  /// A call with these arguments behind the bound ones.
  /// Errors: as of the function.
  template <class... X>
  [[gnu::always_inline]] auto operator()(X&&... x) const {
    return std::apply([&](auto&... bound) { return Function()(bound..., std::forward<X>(x)...); }, bound_);
  }
  /// As a call, but writes the results into memory of the caller.
  template <class Out, class... X>
  [[gnu::always_inline]] void into(Out&& out, X&&... x) const {
    std::apply([&](auto&... bound) { Function().into(out, bound..., std::forward<X>(x)...); }, bound_);
  }
};

}  // namespace jig
