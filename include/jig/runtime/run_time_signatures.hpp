// SPDX-License-Identifier: MIT
#pragma once
// The signatures of a function: how those of run-time tensors are found, kept, generalised and printed, with those of types.

#include <jig/eval/print_stream.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/runtime_graph.hpp>
#include <jig/trace/registry.hpp>

#include <bit>

namespace jig::detail {

// The type of an argument in a printed signature: what the specs are is entered later.
template <class X>
constexpr auto placeholder_key() {
  using S = structure<X>;
  if constexpr (is_struct_of_variables<X>) return struct_key<X>();
  else if constexpr (S::nested)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return S::make(placeholder_key<part<X, I>>()...);
    }(std::make_index_sequence<S::size>());
  else if constexpr (Constant<X>) return X();
  else if constexpr (is_variable<X>) return typename variable_key<X>::type();
  else return spec<float>();
}
template <class X>
struct described_run_time_key {
  using type = described_key<decltype(placeholder_key<X>())>;
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
  const void* types;              // tells the types of the arguments apart
  Objects objects;                // which of the arguments that are variables are one
  const void* options = nullptr;  // tells graphs with other options apart
  friend bool operator==(const argument_form&, const argument_form&) = default;
};

constexpr const tensor_spec& spec_of(const tensor_spec& s) { return s; }
template <class Tensor>
  requires is_any_tensor<Tensor>
tensor_spec spec_of(const Tensor& x) {
  return {x.dtype(), x.shape()};
}

/// One signature of a function that was traced at run time.
template <class Tensor = any_tensor>
struct run_time_signature {
  argument_form<> form;
  std::vector<tensor_spec> specs;
  runtime_graph<Tensor> graph;
  list<int> updated;  // of the distinct variables
  std::vector<signature_entries> parameters;
  signature_entries result;
  std::vector<tensor_spec> declared{};  // with the ranks that are left open; empty if there are none

  // Whether both are traces of one signature that leaves ranks open.
  bool is_trace_of(const run_time_signature& o) const { return !declared.empty() && declared == o.declared && form == o.form; }
  bool is_of(const argument_form<>& other_form, const std::vector<tensor_spec>& other_specs) const {
    return form == other_form && specs == other_specs;
  }
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
  /// Whether signature i is the first of those that are traces of one.
  bool is_first(int i) const {
    for (int k = 0; k < i; ++k)
      if (signatures_[k].is_trace_of(signatures_[i])) return false;
    return true;
  }
  /// Whether there is a trace of a signature that leaves ranks open.
  bool has_traces_of(const argument_form<>& form, const std::vector<tensor_spec>& declared) const {
    for (int i = 0; i < count(); ++i)
      if (!declared.empty() && signatures_[i].form == form && signatures_[i].declared == declared) return true;
    return false;
  }
  /// How many there are where several traces of one count as one.
  int distinct() const {
    int n = 0;
    for (int i = 0; i < count(); ++i) n += is_first(i);
    return n;
  }
  /// The result of a signature, of several traces what all of them have.
  signature_entries result_of(int i) const {
    signature_entries out = signatures_[i].result;
    for (int k = i + 1; k < count(); ++k)
      if (signatures_[k].is_trace_of(signatures_[i]))
        for (std::size_t e = 0; e < out.size(); ++e)
          out[e].spec = most_specific_common_supertype(out[e].spec, signatures_[k].result[e].spec);
    return out;
  }
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
    return signatures_.add(made, [&](const signature& s) { return s.is_of(made->form, specs); });
  }
  /// The signature that was traced for these specs; null if there is none.
  const signature* find_exactly(const argument_form<>& form, const std::vector<tensor_spec>& specs) const {
    for (int i = 0; i < signatures_.size(); ++i)
      if (signatures_[i].is_of(form, specs)) return &signatures_[i];
    return nullptr;
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
    for (std::size_t k = 0; k < specs.size(); ++k) specs[k] = most_specific_common_supertype(specs[k], with[k]);
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

// Of a type that depends on a parameter: Clang would instantiate it, and how it is destroyed, where this header is included.
template <class Function, class Tensor = any_tensor>
inline run_time_signatures<Tensor> run_time_signatures_of;

/// A run-time signature as TensorFlow prints it.
template <class Signature>
std::string printed_at_run_time(std::string_view declaration, const Signature& s, const signature_entries& result, bool full) {
  std::vector<signature_record::part> parts;
  for (const auto& p : s.parameters) parts.push_back({p.data()});
  const signature_record record{declaration, parts.data(), static_cast<int>(parts.size()), {result.data()}};
  return full ? printed<true>(record) : printed<false>(record);
}

/// The signatures of one function: those of types, which are known before main begins, and those that calls with run-time tensors made.
template <class Traced = run_time_signatures<>>
struct function_signatures {
  std::string_view declaration;
  const signature_list& compiled;
  Traced& traced;

  int count() const { return compiled.count + traced.distinct(); }
  /// As TensorFlow prints them, with a blank line between two.
  std::string printed(bool full = false) const {
    std::string out;
    for (auto* signature = compiled.first; signature; signature = signature->next) {
      if (!out.empty()) out += '\n';
      out += full ? detail::printed<true>(*signature->record) : detail::printed<false>(*signature->record);
    }
    for (int i = 0; i < traced.count(); ++i)
      if (traced.is_first(i)) out += (out.empty() ? "" : "\n") + printed_at_run_time(declaration, traced[i], traced.result_of(i), full);
    return out;
  }
  void require_at_most(int most) const {
    if (count() > most) [[unlikely]]
      refuse_more_than(most);
  }
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_more_than(int most) const {
    message m;
    m << function_name(declaration) << ": max_traces: the limit of " << most << " is exceeded:\n";
    throw_invalid_argument(std::string(m.view()) + printed());
  }
};

}  // namespace jig::detail
