// SPDX-License-Identifier: MIT
#pragma once
// Numbers for TensorBoard: an effect, as jig::print is one. The kernel is in eval/summary.hpp.

#include <jig/ops/effect.hpp>

namespace jig {

namespace detail {

constexpr bool fits_summary(const tensor_spec& value, const tensor_spec& step) {
  return value.shape.rank == 0 && is_number(value.dtype) && step.shape.rank == 0 && is_integer(step.dtype);
}

constexpr void summary_rule(rule_context& c) {
  if (!fits_summary(c.inputs[0], c.inputs[1])) return c.fail("the value must be a scalar number and the step a scalar integer");
  effect_rule(c);
}

}  // namespace detail

namespace ops {

/// Tells a number and its step to the writer of summaries. Attribute `tag`.
inline constexpr op summary_scalar{
    .name = "WriteScalarSummary", .label = "WriteScalarSummary", .facts = fact::stateful, .rule = detail::summary_rule};

}  // namespace ops

namespace detail {

template <class... X>
void summary_now(std::string_view tag, const X&... x);  // in eval/summary.hpp

constexpr message summary_refusal(const tensor_spec& value, const tensor_spec& step) {
  message m;
  m << "summary_scalar: expected a scalar number and a scalar integer, given " << value << " and " << step;
  return m;
}

// Each by itself: the step takes no dtype from the value.
template <class X>
constexpr tensor_spec spec_in_summary() {
  if constexpr (world_of<X> == world::literal) return {dtype_of<typename literal_element<X>::type>, {}};
  else return operand_spec<X>::type::value();
}
template <class X>
constexpr tensor_spec spec_in_summary([[maybe_unused]] const X& x) {
  if constexpr (is_dynamic<X>) return x.spec();
  else return spec_in_summary<X>();
}
template <class X, class Step>
struct summary_reason {
  static constexpr message sentence = summary_refusal(spec_in_summary<X>(), spec_in_summary<Step>());
};
template <class X, class Step>
void check_summary(const X& x, const Step& step) {
  const tensor_spec value = spec_in_summary(x), at = spec_in_summary(step);
  if (!fits_summary(value, at)) throw_invalid_argument(summary_refusal(value, at).view());
}

}  // namespace detail

/// Writes a number under a tag, for this step, in every call and in the order of the program: `jig::summary_scalar("loss", loss, step)`. It
/// goes to the writer that is the program's at that time (`jig::event_writer::as_default`); without one nothing is written, as in
/// TensorFlow.
/// Errors: a value that is no scalar number, and a step that is no scalar integer, are refused at compile time.
template <class X, class Step>
constexpr void summary_scalar(std::string_view tag, const X& x, const Step& step) {
  if constexpr (is_refused<X> || is_refused<Step>) {
    return;
  } else if constexpr (!(Operand<X> && Operand<Step>)) {
    (void)refuse_with<"summary_scalar: the value and the step must be numbers, literals, tensors, containers or traced values", X, Step>();
  } else if constexpr (detail::in_dynamic_trace<X, Step>) {
    detail::check_summary(x, step);
    const attribute_view with[] = {{"tag", attribute_kind::text, {}, tag, {}}};
    detail::record_effect<ops::summary_scalar, detail::effect_result>(detail::recorder_of(x, step), with, x, step);
  } else if constexpr (!detail::fits_summary(detail::spec_in_summary<X>(), detail::spec_in_summary<Step>())) {
    (void)refuse<detail::summary_reason<X, Step>>();
  } else {
    if constexpr (detail::may_be_in_trace<X, Step>) {
      if (detail::belong_to_trace(x, step)) {
        const attribute_view with[] = {{"tag", attribute_kind::text, {}, tag, {}}};
        detail::record_effect<ops::summary_scalar, detail::effect_result>(detail::recorder_of(x, step), with, x, step);
        return;
      }
    }
    if constexpr (!detail::always_in_trace<X, Step>) detail::summary_now(tag, x, step);
  }
}

}  // namespace jig
