// SPDX-License-Identifier: MIT
#pragma once
// Calls with run-time tensors: the signature that fits is looked up, or traced and kept.

#include <jig/eval/print_stream.hpp>
#include <jig/ops/select.hpp>
#include <jig/runtime/dynamic_eager.hpp>
#include <jig/runtime/dynamic_trace.hpp>
#include <jig/runtime/dynamic_variable.hpp>
#include <jig/runtime/runtime_graph.hpp>
#include <jig/trace/registry.hpp>
#include <jig/trace/run_functions_eagerly.hpp>

#include <limits>

namespace jig {

namespace detail {

/// Whether a run-time tensor is among the leaves of an argument.
template <class X>
inline constexpr bool holds_any_tensors = is_any_tensor<X>;
template <class X>
  requires(structure<X>::nested)
inline constexpr bool holds_any_tensors<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (holds_any_tensors<part<X, I>> || ...);
}(std::make_index_sequence<structure<X>::size>());

/// All tensors of the arguments of a call, in order; literals are part of the types. The values of variables are among them.
template <class X>
void collect_tensors(any_tensor*& to, const X& x) {
  for_each_leaf(x, [&](const auto& leaf) {
    using T = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (is_any_tensor<T>) *to++ = leaf;
    else if constexpr (std::is_convertible_v<const T&, const char*>) *to++ = any_tensor(leaf);
    else if constexpr (!Constant<T>) *to++ = any_tensor::viewing(leaf);
  });
}
template <class X>
void collect_variables(bound_variables<>& to, X& x) {
  for_each_leaf(x, [&](auto& leaf) {
    if constexpr (is_variable<std::remove_cvref_t<decltype(leaf)>>) to.add(leaf);
  });
}

// Its methods know variables only, not what stands for them in a dynamic trace.
template <class X>
inline constexpr bool holds_struct_of_variables = is_struct_of_variables<X>;
template <class X>
  requires(structure<X>::nested && !is_struct_of_variables<X>)
inline constexpr bool holds_struct_of_variables<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (holds_struct_of_variables<part<X, I>> || ...);
}(std::make_index_sequence<structure<X>::size>());

constexpr const tensor_spec& spec_of(const tensor_spec& s) { return s; }
template <class Tensor>
  requires is_any_tensor<Tensor>
tensor_spec spec_of(const Tensor& x) {
  return {x.dtype(), x.shape()};
}

/// The specs that a trace of an argument is for: those of tensors, and of variables the ones of their types.
template <class X>
void append_specs(std::vector<tensor_spec>& to, stretch<any_tensor> tensors, const X& x) {
  for_each_leaf(x, [&]<class T>(const T&) {
    if constexpr (is_variable<T>) to.push_back(variable_key<T>::type::value());
    else if constexpr (!Constant<T>) to.push_back(spec_of(tensors[to.size()]));
  });
}

/// The structure of an argument with specs in place of tensors, and of variables, which are these objects.
template <class X>
auto specs_in_place(const tensor_spec*& next, const int*& object, const X& x) {
  return map_leaves(x, [&](const auto& leaf) {
    using T = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (Constant<T>) return leaf;
    else if constexpr (is_variable<T>) return dynamic_variable_key{*next++, *object++};
    else return tensor_spec(*next++);
  });
}

// The type of an argument in a printed signature: what the specs are is entered later.
struct placeholder_key {
  template <class X>
  constexpr auto operator()(const X& x) const {
    if constexpr (Constant<X>) return x;
    else if constexpr (is_variable<X>) return typename variable_key<X>::type();
    else return spec<float>();
  }
};
template <class X>
struct described_run_time_key {
  using type = described_key<decltype(map_leaves(std::declval<const X&>(), placeholder_key()))>;
};
template <>
struct described_run_time_key<void> {
  using type = described_key<void>;
};

/// A part of a printed signature with the specs that a trace was made for.
using signature_entries = std::vector<signature_entry>;
template <class X>
signature_entries entries_with(const tensor_spec*& next) {
  using described = typename described_run_time_key<X>::type;
  signature_entries out(described::entries.at, described::entries.at + described::count);
  for (auto& e : out)
    if (e.kind == signature_value::form::tensor || e.kind == signature_value::form::variable) e.spec = *next++;
  return out;
}

/// What is the same in all calls of a signature besides specs.
template <class Objects = std::vector<int>>
struct argument_form {
  const void* types;  // tells the types of the arguments apart
  Objects objects;    // which of the arguments that are variables are one
  friend bool operator==(const argument_form&, const argument_form&) = default;
};

/// One signature of a function that was traced at run time.
template <class Tensor = any_tensor>
struct run_time_signature {
  argument_form<> form;
  std::vector<tensor_spec> specs;
  runtime_graph<Tensor> graph;
  list<int> updated;  // of the distinct variables
  std::vector<signature_entries> parameters;
  signature_entries result;

  // Whether arguments of these specs fit.
  template <class Given>
  bool takes(const argument_form<>& of, const Given& given) const {
    if (!(of == form)) return false;
    for (std::size_t k = 0; k < specs.size(); ++k)
      if (!is_subtype(spec_of(given[k]), specs[k])) return false;
    return true;
  }
};

/// The signatures of one function that were traced at run time, in order. Calls may run at the same time.
template <class Tensor = any_tensor>
class run_time_signatures {
  using signature = run_time_signature<Tensor>;

 public:
  /// How many are kept; more are traced in every call.
  static constexpr int most = 256;

  int count() const { return signatures_.size(); }
  const signature& operator[](int i) const { return signatures_[i]; }

  /// The most specific signature that takes these arguments, of incomparable ones the first; null if there is none.
  const signature* find(const argument_form<>& form, stretch<Tensor> given) const {
    const signature* best = nullptr;
    for (int i = 0; i < signatures_.size(); ++i) {
      const auto& s = signatures_[i];
      if (s.takes(form, given) && (best == nullptr || best->takes(form, s.specs))) best = &s;
    }
    return best;
  }
  /// Keeps a signature unless another thread was faster; null when there is no room.
  const signature* add(std::unique_ptr<signature>& made) {
    const auto& specs = made->specs;
    return signatures_.add(made, [&](const signature& s) { return s.form == made->form && s.specs == specs; });
  }
  /// The least general specs that these and those of one signature after another fit, as far as there are such.
  std::vector<tensor_spec> relaxed(const argument_form<>& form, std::vector<tensor_spec> specs) const {
    for (int i = 0; i < signatures_.size(); ++i)
      if (signatures_[i].form == form) generalise(specs, signatures_[i].specs);
    return specs;
  }

  /// Notes whether a call traced, and warns once when half of the last ten did.
  void note_call(std::string_view declaration, bool traced) {
    const unsigned before = __atomic_load_n(&recent_, __ATOMIC_RELAXED);
    const unsigned now = (before << 1 | unsigned{traced}) & 0x3ff;
    if (now != before) __atomic_store_n(&recent_, now, __ATOMIC_RELAXED);
    if (traced && std::popcount(now) >= 5 && !__atomic_test_and_set(&warned_, __ATOMIC_RELAXED)) warn(declaration, std::popcount(now));
  }

 private:
  static void generalise(std::vector<tensor_spec>& specs, const std::vector<tensor_spec>& with) {
    for (std::size_t k = 0; k < specs.size(); ++k)
      if (specs[k].dtype != with[k].dtype || specs[k].shape.rank != with[k].shape.rank) return;
    for (std::size_t k = 0; k < specs.size(); ++k)
      for (int a = 0; a < specs[k].shape.rank; ++a)
        if (specs[k].shape[a] != with[k].shape[a]) specs[k].shape[a] = dyn;
  }
  static void warn(std::string_view declaration, int traced) {
    message m;
    m << "WARNING: " << traced << " out of the last 10 calls to " << function_name(declaration)
      << " triggered retracing, which is expensive: the shapes or dtypes of its arguments keep changing. relax_shapes() traces once for "
         "all shapes, with_signature<...>() says which there are.";
    write_line(std::string(m.view()), line_writer::of_warnings());
  }

  shared_list<signature, most> signatures_;
  unsigned recent_ = 0;
  bool warned_ = false;
};

template <class... X>
inline constexpr char structure_tag = 0;

template <class Function>
inline run_time_signatures<> run_time_signatures_of;

// Kernels of ops that native control flow and plans put into graphs though the program does not name them.
template <class...>
void enter_kernels_of_traces() {
  enter_kernels<ops::cast, ops::identity, ops::equal, ops::logical_and>();
}

#ifdef JIG_PREBUILT_KERNELS
// Defined where runtime/all_kernels.hpp is compiled; named here so that linkers keep it.
void require_prebuilt_kernels();
#ifndef JIG_BUILD_KERNELS
extern template void finish_recording(const dynamic_recordings&, recorded_graph&, std::string_view);
extern template runtime_graph<> runtime_graph_of(const graph&);
extern template std::vector<any_tensor> run_graph(const runtime_graph<>&, stretch<any_tensor>);
extern template class eager_values<any_tensor>;
#endif
#else
inline void require_prebuilt_kernels() {}
#endif

/// How calls trace.
struct trace_options {
  bool relaxed = false;  // extents that change become wildcards
  int most_traces = (std::numeric_limits<int>::max)();
  void (*refuse)() = nullptr;  // throws when there would be more
};

/// The arguments of a call of which some are run-time tensors.
template <class... X>
class run_time_arguments {
  template <class Key>
  using parts_of_key = decltype(specs_in_place(std::declval<const tensor_spec*&>(), std::declval<const int*&>(), std::declval<Key&>()));

 public:
  using keys = std::tuple<parts_of_key<X>...>;
  bound_variables<> variables;
  argument_form<> form;

  explicit run_time_arguments(X&... x) : form{&structure_tag<std::remove_const_t<X>...>, {}} {
    any_tensor* end = collected_;
    (collect_tensors(end, x), ...);
    count_ = static_cast<std::size_t>(end - collected_);
    (collect_variables(variables, x), ...);
    form.objects = variables.objects();
  }
  stretch<any_tensor> tensors() const { return {collected_, count_}; }
  std::vector<tensor_spec> specs(const X&... x) const {
    std::vector<tensor_spec> out;
    (append_specs(out, tensors(), x), ...);
    return out;
  }
  /// The arguments' structures with specs in place of tensors and variables.
  keys keys_with(const std::vector<tensor_spec>& specs, const X&... x) const {
    const tensor_spec* next = specs.data();
    const int* object = form.objects.data();
    // In a tuple the order of evaluation is that of the arguments.
    return keys{specs_in_place(next, object, x)...};
  }

 private:
  any_tensor collected_[(std::size_t{1} + ... + leaf_count<std::remove_const_t<X>>)];
  std::size_t count_;
};

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

/// Runs a callable op by op. Variables have their new values at the end.
template <class F, class... X>
auto run_eagerly_at_run_time(std::string_view declaration, F& f, X&... x) {
  enter_kernels_of_traces();
  require_prebuilt_kernels();
  const run_time_arguments<X...> arguments(x...);
  list<int> updated;
  auto results = std::apply([&](const auto&... key) { return eager_results(declaration, f, arguments.tensors(), updated, key...); },
                            arguments.keys_with(arguments.specs(x...), x...));
  arguments.variables.require_assignable(updated);
  arguments.variables.commit(updated, results.data() + (results.size() - updated.size()));
  return as_run_time_results<typename result_with_keys<F, typename run_time_arguments<X...>::keys>::type>(results);
}

/// Calls a callable as a graph that is traced for each signature once. Variables have their new values at the end.
template <class F, class... X>
auto call_signature_at_run_time(run_time_signatures<>& signatures, std::string_view declaration, const trace_options& options, F& f,
                                X&... x) {
  enter_kernels_of_traces();
  require_prebuilt_kernels();
  const run_time_arguments<X...> arguments(x...);
  using result = typename result_with_keys<F, typename run_time_arguments<X...>::keys>::type;
  const run_time_signature<>* signature = signatures.find(arguments.form, arguments.tensors());
  std::unique_ptr<run_time_signature<>> made;
  if (signature == nullptr) {
    if (signatures.count() >= options.most_traces) options.refuse();
    std::vector<tensor_spec> specs = arguments.specs(x...);
    if (options.relaxed) specs = signatures.relaxed(arguments.form, std::move(specs));
    auto traced = std::apply([&](const auto&... key) { return dynamic_trace(declaration, f, key...); }, arguments.keys_with(specs, x...));
    std::vector<tensor_spec> results;
    for (const auto& e : traced.graph.output_edges) results.push_back(traced.graph.view().spec(e));
    const tensor_spec* next = specs.data();
    std::vector<signature_entries> parameters{entries_with<std::remove_const_t<X>>(next)...};
    next = results.data();
    made.reset(new run_time_signature<>{arguments.form, specs, runtime_graph_of(traced.graph), std::move(traced.updated),
                                        std::move(parameters), entries_with<result>(next)});
    signature = signatures.add(made);
    if (signature == nullptr) signature = made.get();
    signatures.note_call(declaration, true);
  } else {
    signatures.note_call(declaration, false);
  }
  arguments.variables.require_assignable(signature->updated);
  auto results = run_graph(signature->graph, arguments.tensors());
  arguments.variables.commit(signature->updated, results.data() + (results.size() - signature->updated.size()));
  return as_run_time_results<result>(results);
}

template <class... X>
constexpr auto refuse_structs_of_variables() {
  return refuse_with<"a struct of variables cannot be passed together with run-time tensors: pass its variables, or a tuple of them",
                     types<X...>>();
}

/// Calls a callable with arguments of which some are run-time tensors: as a graph, or as it stands if that is switched on.
template <class F, class... X>
auto call_at_run_time(run_time_signatures<>& signatures, std::string_view declaration, const trace_options& options, F& f, X&... x) {
  if constexpr ((holds_struct_of_variables<std::remove_const_t<X>> || ...)) {
    return refuse_structs_of_variables<X...>();
  } else {
#ifndef JIG_NO_EAGER
    if (functions_run_eagerly()) [[unlikely]]
      return run_eagerly_at_run_time(declaration, f, x...);
#endif
    return call_signature_at_run_time(signatures, declaration, options, f, x...);
  }
}

template <class F, class... X>
auto call_eagerly_at_run_time(std::string_view declaration, F& f, X&... x) {
  if constexpr ((holds_struct_of_variables<std::remove_const_t<X>> || ...)) return refuse_structs_of_variables<X...>();
  else return run_eagerly_at_run_time(declaration, f, x...);
}

/// A run-time signature as TensorFlow prints it.
template <class Signature>
std::string printed_at_run_time(std::string_view declaration, const Signature& s, bool full) {
  std::vector<signature_record::part> parts;
  for (const auto& p : s.parameters) parts.push_back({p.data()});
  const signature_record record{declaration, parts.data(), static_cast<int>(parts.size()), {s.result.data()}};
  return full ? printed<true>(record) : printed<false>(record);
}

}  // namespace detail

/// A function of any callable, which may capture: it is traced when it is called, once for each signature, and what it captures
/// becomes a constant of the trace. Copies share the signatures.
template <class F>
class dynamic_function_object {
 public:
  explicit dynamic_function_object(std::string declaration, F f)
      : declaration_(std::move(declaration)), f_(std::move(f)), signatures_(std::make_shared<detail::run_time_signatures<>>()) {}

  /// Runs the graph of the arguments' signature. Results are any_tensors in the structure that the callable returned.
  /// Errors: what a trace refuses throws invalid_argument.
  template <class... X>
  auto operator()(X&&... x) const {
    return detail::call_at_run_time(*signatures_, declaration_, {.relaxed = relaxed_}, f_, x...);
  }
  /// What the callable returns when it runs as it stands, op by op, on these values: for a debugger. What it captures is read as it is now.
  template <class... X>
  auto eager(X&&... x) const {
    return detail::call_eagerly_at_run_time(declaration_, f_, x...);
  }
  /// The same function, with its signatures, which generalises shapes that change to wildcards.
  dynamic_function_object relax_shapes() const {
    auto out = *this;
    out.relaxed_ = true;
    return out;
  }
  /// How many signatures have been traced.
  int experimental_get_tracing_count() const { return signatures_->count(); }
  /// All signatures, as TensorFlow prints them, with a blank line between two.
  std::string pretty_printed_concrete_signatures(bool full = false) const {
    std::string out;
    for (int i = 0; i < signatures_->count(); ++i)
      out += (i > 0 ? "\n" : "") + detail::printed_at_run_time(declaration_, (*signatures_)[i], full);
    return out;
  }

 private:
  std::string declaration_;
  F f_;
  std::shared_ptr<detail::run_time_signatures<>> signatures_;
  bool relaxed_ = false;
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
