// SPDX-License-Identifier: MIT
#pragma once
// The ops that gradients need besides those of the graph they are taken of.

#include <jig/ops/compare.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/shape.hpp>
#include <jig/ops/source.hpp>

#include <string>
#include <vector>

namespace jig {

namespace detail {

constexpr void broadcast_like_rule(rule_context& c) { c.result = c.inputs[1]; }
constexpr void shrinkage_rule(rule_context& c) { c.result = {c.inputs[0].dtype, {}}; }
constexpr void push_rule(rule_context& c) { c.result = {dtype::int64, {}}; }
constexpr void recall_rule(rule_context& c) { c.result = c.inputs[2]; }

}  // namespace detail

namespace ops {

/// The gradient of the first input with respect to each of the others, as long as the graph is being made.
inline constexpr op gradient{.name = "SymbolicGradient", .label = "gradients", .rule = detail::broadcast_like_rule};

/// The first input, whose gradient is said by the program. Inputs: the value, what stands for its adjoint, then pairs of a value
/// and its share.
inline constexpr op custom_gradient{.name = "IdentityN", .label = "IdentityN", .rule = detail::same_rule, .free_inputs = ~0u};
/// What stands for the adjoint of its input, as long as the graph is being made.
inline constexpr op adjoint_of{
    .name = "PlaceholderWithDefault", .label = "adjoint", .facts = fact::elementwise, .rule = detail::same_rule};

/// The first input with the extents of the second, to which it broadcasts.
inline constexpr op broadcast_like{.name = "BroadcastLike",
                                   .label = "BroadcastLike",
                                   .facts = fact::elementwise,
                                   .rule = detail::broadcast_like_rule,
                                   .flops = detail::no_flops,
                                   .gradient = [](gradient_context& c) { c.give(0, c.full_adjoint()); }};
/// The first input summed to the extents of the second, which broadcast to those of the first.
inline constexpr op sum_like{.name = "SumLike",
                             .label = "SumLike",
                             .rule = detail::broadcast_like_rule,
                             .flops = detail::elements_of_first_input,
                             .gradient = [](gradient_context& c) {
                               auto g = c.full_adjoint();
                               c.give(0, c.call(broadcast_like, {g, c.input(0)}));
                             }};
/// How many elements the second input has for each of the first.
inline constexpr op shrinkage{
    .name = "Shrinkage", .label = "Shrinkage", .rule = detail::shrinkage_rule, .gradient = [](gradient_context& c) {
      c.nothing();
    }};

/// A value put into a history. Inputs: how many values it holds, and the value. The result is how many it holds now. Attribute
/// `history`: which one.
inline constexpr op history_push{.name = "TensorListPushBack",
                                 .label = "TensorListPushBack",
                                 .facts = fact::remembers,
                                 .rule = detail::push_rule,
                                 .free_inputs = 3,
                                 .flops = detail::no_flops};
/// A value of a history. Inputs: how many values it holds, the position, and a value of the same spec. Attribute `history`.
inline constexpr op history_recall{.name = "TensorListGetItem",
                                   .label = "TensorListGetItem",
                                   .facts = fact::remembers,
                                   .rule = detail::recall_rule,
                                   .free_inputs = 7,
                                   .flops = detail::no_flops};

}  // namespace ops

template <>
struct meaning<ops::broadcast_like> {
  static auto apply(const auto& x, const auto&) { return x; }
};
template <>
struct kernel<ops::sum_like> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like&) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    // Along axes that the result does not have, or has with extent 1, its position stays.
    shape strides = in.shape();
    for (int a = 0; a < In::rank(); ++a) {
      const int b = a - (In::rank() - Out::rank());
      strides[a] = b < 0 || out.extent(b) == 1 ? 0 : out.stride(b);
    }
    detail::add_strided(out.data(), strides, in);
  }
};
template <>
struct kernel<ops::shrinkage> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like& like) {
    using T = typename Out::value_type;
    *out.data() = in.size() == 0 ? T(0) : T(static_cast<double>(like.size()) / static_cast<double>(in.size()));
  }
};

namespace detail {

/// The values that the loops of one call have kept for their gradients. Memory: all values of all trips, until the call ends; the
/// thread keeps it for its next call.
class call_history {
 public:
  call_history() : kept_(std::move(spare())) {}
  call_history(const call_history&) = delete;
  call_history& operator=(const call_history&) = delete;
  ~call_history() { spare() = std::move(kept_); }

  /// The memory of n elements at position i of a history, which grows as far.
  template <class T>
  T* at(std::size_t history, index i, index n) {
    if (kept_.size() <= history) kept_.resize(history + 1);
    const auto first = static_cast<std::size_t>(i * n), last = first + static_cast<std::size_t>(n);
    if constexpr (std::is_same_v<T, std::string>) {
      auto& texts = kept_[history].texts;
      if (texts.size() < last) texts.resize(last);
      return texts.data() + first;
    } else {
      auto& bytes = kept_[history].bytes;
      if (bytes.size() < last * sizeof(T)) bytes.resize(last * sizeof(T));
      return reinterpret_cast<T*>(bytes.data()) + first;
    }
  }

 private:
  struct values {
    std::vector<unsigned char> bytes;
    std::vector<std::string> texts;
  };
  static std::vector<values>& spare() {
    static thread_local std::vector<values> memory;
    return memory;
  }
  std::vector<values> kept_;
};

template <class Attributes>
inline constexpr auto number_of_history = static_cast<std::size_t>(find_attribute(Attributes::view(), "history").values[0]);

}  // namespace detail

template <>
struct kernel<ops::history_push> {
  template <class Attributes, class Out, class Count, class In>
  static void run(detail::call_history& history, Attributes, const Out& out, const Count& count, const In& in) {
    using T = typename In::value_type;
    const index i = static_cast<index>(*count.data()), n = in.size();
    T* to = history.at<T>(detail::number_of_history<Attributes>, i, n);
    if (n > 0) detail::copy_strided(to, detail::row_major_strides(in.shape()), in.data(), in.strides(), in.shape());
    *out.data() = static_cast<typename Out::value_type>(i + 1);
  }
};
template <>
struct kernel<ops::history_recall> {
  template <class Attributes, class Out, class Count, class Position, class Like>
  static void run(detail::call_history& history, Attributes, const Out& out, const Count&, const Position& position, const Like&) {
    const index n = out.size();
    auto* from =
        history.at<typename Out::value_type>(detail::number_of_history<Attributes>, static_cast<index>(*position.data()), n);
    std::copy_n(from, n, out.data());
  }
};

namespace detail {

inline constexpr gradient_ops made_of_ops{.constant = ops::constant,
                                          .add = ops::add,
                                          .subtract = ops::subtract,
                                          .multiply = ops::multiply,
                                          .divide = ops::divide,
                                          .negate = ops::neg,
                                          .select = ops::select,
                                          .equal = ops::equal,
                                          .less = ops::less,
                                          .greater_equal = ops::greater_equal,
                                          .log = ops::log,
                                          .cast = ops::cast,
                                          .sum = ops::reduce_sum,
                                          .squeeze = ops::squeeze,
                                          .expand_dims = ops::expand_dims,
                                          .zeros_like = ops::zeros_like,
                                          .ones_like = ops::ones_like,
                                          .broadcast_like = ops::broadcast_like,
                                          .sum_like = ops::sum_like,
                                          .shrinkage = ops::shrinkage};

}  // namespace detail

}  // namespace jig
