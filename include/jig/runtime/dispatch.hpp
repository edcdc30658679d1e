// SPDX-License-Identifier: MIT
#pragma once
// Calls with run-time tensors: the signature that fits is looked up, or traced and kept.

#include <jig/eval/effect.hpp>
#include <jig/ops/select.hpp>
#include <jig/runtime/declared_signatures.hpp>
#include <jig/runtime/dynamic_eager.hpp>
#include <jig/trace/run_functions_eagerly.hpp>
#include <jig/trace/trace_with_options.hpp>

namespace jig::detail {

template <class... L>
void enter_casts_of_numbers_in(leaf_list<L...>) {
  const auto enter = []<class X>(std::type_identity<X>) {
    if constexpr (is_number_argument<X>) enter_casts_of_numbers<typename number_of_argument<X>::type>();
    else if constexpr (is_variable<X>)
      if constexpr (X::rank() == 0 && is_number(dtype_of<typename X::value_type>)) enter_casts_of_numbers<typename X::value_type>();
  };
  (enter(std::type_identity<L>()), ...);
}
// Kernels of ops that native control flow and plans put into graphs though the program does not name them.
template <class... Nothing>
void enter_kernels_of_traces() {
  enter_kernels<ops::identity, ops::equal, ops::logical_and>();
  if constexpr (!has_prebuilt_kernel(ops::cast)) (void)&casts_of_traces<Nothing...>::entered;
}
// Casts of the numbers among the arguments, and kernels of what is computed of variables of structs alone: no dynamic value enters them.
template <class... X>
void enter_kernels_of_arguments() {
  if constexpr (!has_prebuilt_kernel(ops::cast)) (enter_casts_of_numbers_in(leaves_of<X>()), ...);
  if constexpr ((holds_struct_of_variables<X> || ...))
    enter_kernels<ops::add, ops::subtract, ops::multiply, ops::divide, ops::less, ops::less_equal, ops::greater, ops::greater_equal,
                  ops::logical_or, ops::floor_divide, ops::select>();
}

#ifdef JIG_PREBUILT_KERNELS
// Defined in jig's run-time library; named here so that linkers keep it, and find none for another instruction set.
void require_runtime_library_for(simd::instruction_set);
inline void require_runtime_library() { require_runtime_library_for({}); }
#ifndef JIG_BUILD_KERNELS
extern template void finish_recording(const dynamic_recordings&, recorded_graph&, std::string_view);
extern template runtime_graph<> runtime_graph_of(const graph&);
extern template std::vector<any_tensor> run_graph(const runtime_graph<>&, stretch<any_tensor>);
extern template class eager_values<any_tensor>;
#endif
#else
inline void require_runtime_library() {}
#endif

template <class F, class Keys>
struct result_with_keys;
template <class F, class... Key>
struct result_with_keys<F, std::tuple<Key...>> : std::type_identity<dynamic_result<F, Key...>> {};

// The tensors at the front in the structure of a result.
template <class Result>
auto as_run_time_results(std::vector<any_tensor>& results) {
  if constexpr (!std::is_void_v<Result>) {
    auto next = [at = results.begin()]() mutable { return std::move(*at++); };
    return structure_of_leaves<Result>(next);
  }
}

// Graphs that are made at run time are called without their names: checks have them written beside.
template <class Graph = graph_view>
class maker_notes {
 public:
  maker_notes(const Graph& g, std::vector<std::string> names) : g_(g), names_(std::move(names)) {}
  stretch<attribute_view> beside(int id) const {
    text_ = maker_text(g_, id, names_) + ' ';
    line_ = at_line(node_under_check(g_, id).line());
    notes_[0] = {"maker", attribute_kind::text, {}, text_, {}};
    notes_[1] = {"line", attribute_kind::text, {}, line_, {}};
    return notes_;
  }
  maker_notes of_body(const node_view& n, const Graph& body) const { return {body, makers(body, body_names(body, n, names_))}; }

 private:
  Graph g_;
  std::vector<std::string> names_;
  mutable std::string text_, line_;
  mutable attribute_view notes_[2];
};

/// A graph that was traced at run time behind what the options say.
/// Errors: more trips of loops than may be copied throw invalid_argument.
template <option_values V, class Graph, class... Pass>
Graph graph_with_options(std::string_view declaration, Graph g, types<Pass...>) {
  if constexpr (V.unrolled_trips >= 0) {
    if (!can_unroll(g.view(), V.unrolled_trips)) throw_invalid_argument(unroll_refusal(declaration, V.unrolled_trips).view());
    g = unroll(g.view(), V.unrolled_trips);
  }
  if constexpr (!V.without_passes && !V.checked_numerics) g = optimize(g.view());
  ((g = Pass{}(g.view())), ...);
  g = prune(g.view());
  if constexpr (V.checked_numerics) {
    Graph out;
    const auto view = g.view();
    append_checked(out, view, false, maker_notes<std::remove_const_t<decltype(view)>>(view, makers(view, node_names(view))));
    return out;
  } else {
    return g;
  }
}

template <class Passes>
struct kernels_of_passes;
template <class... Pass>
struct kernels_of_passes<types<Pass...>> {
  template <class P>
  static void enter() {
    if constexpr (requires { P::makes; })
      []<std::size_t... I>(std::index_sequence<I...>) {
        enter_kernels<*P::makes()[I]...>();
      }(std::make_index_sequence<P::makes().size()>());
  }
  static void enter_all() { (enter<Pass>(), ...); }
};
/// Kernels of ops that options put into graphs.
template <class O>
void enter_kernels_of_options() {
  kernels_of_passes<typename O::passes>::enter_all();
  if constexpr (O::values.checked_numerics) enter_kernels<ops::check_numerics>();
}
/// A graph that was traced at run time, ready to be called.
template <class O>
runtime_graph<> runtime_graph_with(std::string_view declaration, graph& traced) {
  if constexpr (std::is_same_v<options_of_graph<O>, options<>>) return runtime_graph_of(traced);
  else return runtime_graph<>(graph_with_options<O::values>(declaration, std::move(traced), typename O::passes()));
}

/// Runs a callable op by op. Variables have their new values at the end.
template <class F, class... X>
auto run_eagerly_at_run_time(std::string_view declaration, F& f, X&... x) {
  enter_kernels_of_traces();
  enter_kernels_of_arguments<std::remove_const_t<X>...>();
  require_runtime_library();
  const run_time_arguments<X...> arguments(x...);
  list<int> updated;
  auto results = std::apply([&](const auto&... key) { return detail::eager_results(declaration, f, arguments.tensors(), updated, key...); },
                            arguments.keys_with(arguments.specs(x...), x...));
  arguments.variables.require_assignable(updated);
  arguments.variables.commit(updated, results.data() + (results.size() - updated.size()));
  return as_run_time_results<typename result_with_keys<F, typename run_time_arguments<X...>::keys>::type>(results);
}

/// Calls a callable as a graph that is traced for each signature once. Variables have their new values at the end.
template <class O, class F, class... X>
auto call_signature_at_run_time(const function_signatures<>& signatures, F& f, X&... x) {
  enter_kernels_of_traces();
  enter_kernels_of_arguments<std::remove_const_t<X>...>();
  enter_kernels_of_options<O>();
  require_runtime_library();
  constexpr int most = O::values.most_traces;
  if constexpr (most >= 0) signatures.require_at_most(most);
  run_time_arguments<X...> arguments(x...);
  arguments.form.options = &options_tag<options_of_graph<O>>;
  using result = typename result_with_keys<F, typename run_time_arguments<X...>::keys>::type;
  auto& all = signatures.traced;
  std::vector<tensor_spec> specs, declared;
  const run_time_signature<>* signature = nullptr;
  if constexpr (has_signatures<O>) {
    specs = detail::declared_specs<typename O::signatures>(signatures.declaration, arguments, x...);
    if (leave_rank_open(specs)) specs = with_ranks_of(declared = specs, arguments.specs(x...));
    signature = all.find_exactly(arguments.form, specs);
  } else {
    signature = all.find(arguments.form, arguments.tensors());
  }
  std::unique_ptr<run_time_signature<>> made;
  const bool known = signature != nullptr;
  if (!known) {
    if constexpr (most >= 0)
      if (signatures.count() >= most && !all.has_traces_of(arguments.form, declared)) signatures.refuse_more_than(most);
    if constexpr (!has_signatures<O>) specs = arguments.specs(x...);
    if constexpr (!has_signatures<O> && O::values.relaxed_shapes) specs = all.relaxed(arguments.form, std::move(specs));
    auto traced = std::apply([&](const auto&... key) { return detail::dynamic_trace(signatures.declaration, f, key...); },
                             arguments.keys_with(specs, x...));
    std::vector<tensor_spec> results;
    for (const auto& e : traced.graph.output_edges) results.push_back(traced.graph.view().spec(e));
    const tensor_spec* next = declared.empty() ? specs.data() : declared.data();
    std::vector<signature_entries> parameters{entries_with<std::remove_const_t<X>>(next)...};
    next = results.data();
    made.reset(new run_time_signature<>{arguments.form, specs, runtime_graph_with<O>(signatures.declaration, traced.graph),
                                        std::move(traced.updated), std::move(parameters), entries_with<result>(next), std::move(declared)});
    signature = all.add(made);
    if (signature == nullptr) signature = made.get();
  }
  all.note_call(signatures.declaration, !known);
  arguments.variables.require_assignable(signature->updated);
  auto results = run_graph(signature->graph, arguments.tensors());
  arguments.variables.commit(signature->updated, results.data() + (results.size() - signature->updated.size()));
  return as_run_time_results<result>(results);
}

/// Runs a callable op by op on arguments that a declared signature takes, if there are such.
template <class O, class F, class... X>
auto call_eagerly_at_run_time(std::string_view declaration, F& f, X&... x) {
  if constexpr (has_signatures<O>) (void)detail::declared_number<typename O::signatures>(declaration, run_time_arguments<X...>(x...), x...);
  return detail::run_eagerly_at_run_time(declaration, f, x...);
}

/// Calls a callable with arguments of which some are run-time tensors: as a graph, or as it stands if that is switched on. Where a
/// declared signature leaves ranks open, types of arguments do not tell traces apart.
template <class O, class F, class... X>
auto call_at_run_time(const function_signatures<>& signatures, F& f, X&... x) {
  if constexpr (has_unknown_ranks<O> && !(is_without_types<std::remove_const_t<X>> && ...)) {
    auto arguments = std::tuple_cat(detail::without_types(x)...);
    return std::apply([&](auto&... seen) { return detail::call_at_run_time<O>(signatures, f, seen...); }, arguments);
  } else if constexpr (O::values.checked_numerics) {
    return call_signature_at_run_time<O>(signatures, f, x...);
  } else if constexpr (O::values.eager) {
    return call_eagerly_at_run_time<O>(signatures.declaration, f, x...);
  } else {
#ifndef JIG_NO_EAGER
    if (functions_run_eagerly()) [[unlikely]]
      return call_eagerly_at_run_time<O>(signatures.declaration, f, x...);
#endif
    return call_signature_at_run_time<O>(signatures, f, x...);
  }
}

}  // namespace jig::detail
