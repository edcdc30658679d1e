// SPDX-License-Identifier: MIT
#pragma once
// Functions of callables that may capture: every call looks its signature up, as calls with run-time tensors do.

#include <jig/runtime/copy_results.hpp>
#include <jig/runtime/dispatch.hpp>
#include <jig/trace/options.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace jig {

/// A function of any callable, which may capture: it is traced when it is called, once for each signature, and what it captures
/// becomes a constant of the trace. Copies share the signatures.
template <class F, class O = options<>>
class dynamic_function_object : public detail::function_options<dynamic_function_object<F, O>, O> {
 public:
  explicit dynamic_function_object(std::string declaration, F f)
      : declaration_(std::move(declaration)), f_(std::move(f)), signatures_(std::make_shared<detail::run_time_signatures<>>()) {}

  /// The same function, with its signatures, with other options, which is what the methods named for them return.
  template <class P>
  auto with_options() const {
    return dynamic_function_object<F, P>(*this);
  }
  /// The same function with another name, and signatures of its own.
  template <text Other>
  auto named() const {
    return dynamic_function_object(std::string(Other.view()), f_);
  }
  template <class Other>
  explicit dynamic_function_object(const dynamic_function_object<F, Other>& o)
      : declaration_(o.declaration_), f_(o.f_), signatures_(o.signatures_) {}

  /// Runs the graph of the arguments' signature. Results are any_tensors in the structure that the callable returned.
  /// Errors: what a trace refuses throws invalid_argument.
  template <class... X>
  auto operator()(X&&... x) const {
    return detail::call_at_run_time<O>(signatures(), f_, x...);
  }
  /// As a call, but copies the results into memory of the caller.
  template <class Out, class... X>
  void into(Out&& out, X&&... x) const {
    detail::copy_results(declaration_, (*this)(x...), out);
  }
  /// What the callable returns when it runs as it stands, op by op, on these values: for a debugger. What it captures is read as it is now.
  template <class... X>
  auto eager(X&&... x) const {
    return detail::call_eagerly_at_run_time<O>(declaration_, f_, x...);
  }
  /// A function of what Make returns for the callable, with a prefix in front of its name, and the options of this one.
  template <class Make>
  auto made(std::string_view prefix, Make make) const {
    auto callable = make(f_);
    return dynamic_function_object<decltype(callable), O>(std::string(prefix) + declaration_, std::move(callable));
  }
  /// How many signatures have been traced.
  int experimental_get_tracing_count() const { return signatures().count(); }
  /// All signatures, as TensorFlow prints them, with a blank line between two.
  std::string pretty_printed_concrete_signatures(bool full = false) const { return signatures().printed(full); }

 private:
  template <class, class>
  friend class dynamic_function_object;
  static constexpr detail::signature_list none_compiled{};
  detail::function_signatures<> signatures() const { return {declaration_, none_compiled, *signatures_}; }

  std::string declaration_;
  F f_;
  std::shared_ptr<detail::run_time_signatures<>> signatures_;
};

/// Makes a function of a callable that may capture; see dynamic_function_object.
template <class F>
auto dynamic_function(std::string declaration, F f) {
  return dynamic_function_object<F>(std::move(declaration), std::move(f));
}
template <class F>
  requires(!std::is_convertible_v<F, std::string>)
auto dynamic_function(F f) {
  return dynamic_function_object<F>("", std::move(f));
}

}  // namespace jig
