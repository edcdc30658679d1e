// SPDX-License-Identifier: MIT
#pragma once
// Effects: what a graph does besides computing results. Effects happen in every call, in the order of the program; on tensors
// and numbers they happen at once. Texts become attributes of the node. The kernels are in eval/effect.hpp.

#include <jig/core/list.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/effect_arguments.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

namespace detail {

constexpr void effect_rule(rule_context& c) { c.result = {dtype::boolean, {}}; }

constexpr void assert_rule(rule_context& c) {
  if (!(c.inputs[0] == tensor_spec{dtype::boolean, {}})) return c.fail("the condition must be a scalar of dtype bool");
  effect_rule(c);
}

constexpr void check_numerics_rule(rule_context& c) {
  check_dtypes(c, floats);
  c.result = c.inputs[0];
}

}  // namespace detail

namespace ops {

/// Writes a line. Attributes `template`: its text, and `placeholder`: what stands in it for the inputs. The results of effects
/// mean nothing.
inline constexpr op print{.name = "PrintV2", .label = "PrintV2", .facts = fact::stateful, .rule = detail::effect_rule};

/// Throws unless its first input is true. Attributes as of print.
inline constexpr op assert_that{.name = "Assert", .label = "Assert", .facts = fact::stateful, .rule = detail::assert_rule};

/// Throws unless its first input is true, which says whether the other two are equal. Attribute `message`.
inline constexpr op assert_equal{.name = "Assert", .label = "Assert", .facts = fact::stateful, .rule = detail::assert_rule};

/// Its input, which must be finite. Attribute `message`; without it, the node is named whose result the input is, in a graph that keeps no
/// names by attribute `maker`.
inline constexpr op check_numerics{.name = "CheckNumerics",
                                   .label = "CheckNumerics",
                                   .facts = fact::stateful,
                                   .rule = detail::check_numerics_rule,
                                   .gradient = [](gradient_context& c) { c.give(0, c.adjoint()); },
                                   .operands = {.elements = floats}};

/// Nothing. Attribute `note`: a text that a trace has left, and if it has inputs `placeholder`: what stands in it for them.
inline constexpr op trace_note{
    .name = "NoOp", .label = "NoOp", .rule = detail::effect_rule, .flops = [](const rule_context&) { return index{0}; }};

}  // namespace ops

namespace detail {

/// A line with placeholders for values: `{}` or, where a text of the line has that, one with more underscores.
class line_template {
 public:
  template <class... X>
  constexpr explicit line_template(const X&... x) {
    while ((occurs_in(x) || ...)) lengthen();
  }
  constexpr void append(std::string_view words) {
    for (char c : words) text_.push_back(c);
  }
  /// One argument: words as they are, a placeholder for a value, nothing for an anchor.
  template <class X>
  constexpr void append_argument(const X& x) {
    if constexpr (is_words<X>) append(std::string_view(x));
    else append(placeholder());
  }
  constexpr void as_attributes(attribute_view (&out)[2]) const {
    out[0] = {"template", attribute_kind::text, {}, text(), {}};
    out[1] = {"placeholder", attribute_kind::text, {}, placeholder(), {}};
  }
  constexpr std::string_view text() const { return {text_.data(), text_.size()}; }
  constexpr std::string_view placeholder() const { return {placeholder_.data(), placeholder_.size()}; }

 private:
  template <class X>
  constexpr bool occurs_in(const X& x) const {
    if constexpr (is_words<X>) {
      const std::string_view words(x);
      for (std::size_t i = 0; i + placeholder_.size() <= words.size(); ++i)
        if (words.substr(i, placeholder_.size()) == placeholder()) return true;
    }
    return false;
  }
  constexpr void lengthen() {
    placeholder_.back() = '_';
    placeholder_.push_back('}');
  }
  list<char> text_, placeholder_{'{', '}'};
};

// Its arguments with blanks between them.
template <class... X>
constexpr line_template printed_line(const X&... x) {
  line_template line(x...);
  [[maybe_unused]] bool first = true;
  [[maybe_unused]] auto append = [&](const auto& item) {
    if constexpr (!is_anchor<std::remove_cvref_t<decltype(item)>>) {
      if (!first) line.append(" ");
      first = false;
      line.append_argument(item);
    }
  };
  (append(x), ...);
  return line;
}

template <class X>
constexpr bool has_brackets(const X& x) {
  if constexpr (is_words<X> || world_of<X> == world::literal) return false;
  else if constexpr (is_dynamic<X>) return x.rank() > 0;
  else return operand_spec<X>::type::value().shape.rank > 0;
}

// What trace_note tells: integers as Python writes them, all else as it is.
template <class X>
inline constexpr bool is_whole_literal = false;
template <class X>
  requires(world_of<X> == world::literal)
inline constexpr bool is_whole_literal<X> = std::is_integral_v<typename literal_element<X>::type>;
template <class X>
inline constexpr bool is_noted = is_effect_argument<X> && (world_of_effect<X> != world::literal || is_whole_literal<X> || is_anchor<X>);
template <class X>
inline constexpr bool is_told = is_words<X> || is_anchor<X> || is_whole_literal<X>;
struct told : message {
  constexpr operator std::string_view() const { return view(); }
};
template <class X>
constexpr decltype(auto) noted(const X& x) {
  if constexpr (!is_whole_literal<X>) {
    return (x);
  } else {
    told t;
    const auto value = number_in(x);
    if constexpr (std::is_same_v<typename literal_element<X>::type, bool>) {
      t << (value ? "True" : "False");
    } else if constexpr (std::is_signed_v<std::remove_const_t<decltype(value)>>) {
      t << static_cast<index>(value);
    } else {
      if (value >= 10u) t << static_cast<index>(value / 10u);
      t << static_cast<char>('0' + static_cast<int>(value % 10u));
    }
    return t;
  }
}

// As tf.debugging.Assert says it, each argument in brackets.
template <class... X>
constexpr line_template assertion_line(const X&... x) {
  line_template line(x...);
  line.append(sizeof...(X) == 0 ? "assertion failed" : "assertion failed:");
  [[maybe_unused]] auto append = [&](const auto& item) {
    const bool bare = !has_brackets(item);
    line.append(bare ? " [" : " ");
    line.append_argument(item);
    if (bare) line.append("]");
  };
  (append(x), ...);
  return line;
}

struct effect_result {
  static constexpr tensor_spec value{dtype::boolean, {}};
};

// A literal in the dtype of the other operand; everything else as it is.
template <class X, class Other>
constexpr decltype(auto) joined(const X& x, const Other& other) {
  if constexpr (world_of<X> == world::literal) return constant_like(other, x);
  else return (x);
}

// Defined by the worlds: trace/effect.hpp and eval/effect.hpp. Of a node, Result::value is the spec.
template <const op& Op, class Result, class Builder, class... X>
constexpr auto record_effect(Builder* b, stretch<attribute_view> with, const X&... x);
template <class Builder, class... X>
constexpr void record_note(Builder* b, stretch<attribute_view> with, const X&... x);
template <class... X>
void print_now_or_in_a_trace_add_jig_beside(const X&... x);  // compilers name it where a trace cannot be told
template <class C, class... X>
void assert_now(const C& condition, const X&... x);
template <class Specs, class X, class Y>
void assert_equal_now(const X& x, const Y& y, std::string_view message);
template <class X>
auto check_numerics_now(const X& x, std::string_view message);

constexpr message assert_refusal(const tensor_spec* given) {
  message m;
  m << "assert_that: the condition must be a scalar of dtype bool";
  if (given) m << ", given " << *given;
  m << ": compare, or use jig::reduce_all or jig::reduce_any";
  return m;
}
template <class X>
struct assert_reason {
  static constexpr message sentence = [] {
    if constexpr (world_of<X> == world::literal) return assert_refusal(nullptr);
    else {
      const tensor_spec given = operand_spec<X>::type::value();
      return assert_refusal(&given);
    }
  }();
};
template <class X>
void check_assertion(const X& x) {
  const tensor_spec given = x.spec();
  if (!(given == tensor_spec{dtype::boolean, {}})) throw_invalid_argument(assert_refusal(&given).view());
}

}  // namespace detail

/// Writes its arguments as a line, with blanks between them, in every call and in the order of the program: texts, numbers,
/// literals, tensors and traced values. Numbers and arrays look as tf.print writes them. Lines go to the stream of
/// set_print_stream; those of several threads do not mix.
template <class... X>
constexpr void print(const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return;
  } else if constexpr (!(detail::is_effect_argument<X> && ...)) {
    (void)refuse_with<"print: an argument is neither a text, number or literal nor a tensor, container or traced value", X...>();
  } else {
    if constexpr (detail::may_be_in_trace<X...>) {
      if (detail::belong_to_trace(x...)) {
        attribute_view with[2];
        const auto line = detail::printed_line(x...);
        line.as_attributes(with);
        detail::record_effect<ops::print, detail::effect_result>(detail::recorder_of(x...), with, x...);
        return;
      }
    }
    if constexpr (!detail::always_in_trace<X...>) detail::print_now_or_in_a_trace_add_jig_beside(x...);
  }
}

/// Leaves a line in the trace that its arguments belong to, once for each time the trace comes by, as a print in Python does while
/// TensorFlow traces: `jig::trace_note("Tracing with", a)`, or a text alone `jig::trace_note("first layer", jig::beside(x))`. Of traced
/// values it says what they are, `Tensor("a:0", shape=(), dtype=int32)`. It is in the text of the graph and among the notes() of a
/// concrete function; notes_text() has the lines. Calls do nothing for it, nor does a lambda that runs on tensors.
/// Errors: floating literals are refused at compile time.
template <class... X>
constexpr void trace_note(std::string_view note, [[maybe_unused]] const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return;
  } else if constexpr (!(detail::is_noted<X> && ...)) {
    (void)refuse_with<"trace_note: what is noted must be texts, integers or traced values", X...>();
  } else if constexpr (detail::may_be_in_trace<X...>) {
    if (detail::belong_to_trace(x...)) {
      const auto line = detail::printed_line(note, detail::noted(x)...);
      const attribute_view with[] = {{"note", attribute_kind::text, {}, line.text(), {}},
                                     {"placeholder", attribute_kind::text, {}, line.placeholder(), {}}};
      constexpr bool has_values = (!detail::is_told<X> || ...);
      detail::record_note(detail::recorder_of(x...), stretch(with, has_values ? 2 : 1), detail::noted(x)...);
    }
  }
}

/// Throws invalid_argument unless the condition is true, in every call and in the order of the program. The other arguments say
/// why: texts and values, which are written as print writes them.
/// Errors: a condition that is not a scalar of dtype bool is refused at compile time.
template <Operand C, class... X>
constexpr void assert_that(const C& condition, const X&... x) {
  if constexpr (is_refused<C> || (is_refused<X> || ...)) {
    return;
  } else if constexpr (!detail::is_scalar_bool<C>) {
    (void)refuse<detail::assert_reason<C>>();
  } else if constexpr (!((detail::is_words<X> || Operand<X>) && ...)) {
    (void)refuse_with<"assert_that: what is told must be texts, numbers, literals, tensors, containers or traced values", X...>();
  } else {
    if constexpr (detail::is_dynamic<C>) detail::check_assertion(condition);
    if constexpr (detail::may_be_in_trace<C, X...>) {
      if (detail::belong_to_trace(condition, x...)) {
        attribute_view with[2];
        const auto line = detail::assertion_line(x...);
        line.as_attributes(with);
        detail::record_effect<ops::assert_that, detail::effect_result>(detail::recorder_of(condition, x...), with, condition, x...);
        return;
      }
    }
    if constexpr (!detail::always_in_trace<C, X...>) detail::assert_now(condition, x...);
  }
}

/// Throws invalid_argument unless x and y, broadcast, are equal everywhere; it says the first place where they differ and both
/// values with their shapes.
/// Errors: dtypes and shapes that do not fit are refused at compile time.
template <Operand X, Operand Y>
constexpr void assert_equal(const X& x, const Y& y, std::string_view message = "") {
  const auto equal = call<ops::equal>(x, y);
  if constexpr (!is_refused<std::remove_const_t<decltype(equal)>>) {
    const auto everywhere = reduce_all(equal);
    if constexpr (detail::may_be_in_trace<X, Y>) {
      if (detail::belong_to_trace(x, y)) {
        const attribute_view with[] = {{"message", attribute_kind::text, {}, message, {}}};
        detail::record_effect<ops::assert_equal, detail::effect_result>(detail::recorder_of(x, y), with, everywhere, detail::joined(x, y),
                                                                        detail::joined(y, x));
        return;
      }
    }
    if constexpr (!detail::always_in_trace<X, Y>) {
      if (!everywhere()) detail::assert_equal_now<typename detail::operands<ops::equal, X, Y>::specs>(x, y, message);
    }
  }
}

/// x itself. Throws invalid_argument if it holds NaN or infinity, in every call, also when nobody uses the result. Without a
/// message, the node that x comes from is named.
/// Errors: a dtype that is not floating is refused at compile time.
template <Operand X>
constexpr auto check_numerics(const X& x, std::string_view message = "", const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (detail::is_dynamic<X>) {
    const attribute_view with[] = {{"message", attribute_kind::text, {}, message, {}}};
    return detail::dynamic_call<ops::check_numerics>({with, message.empty() ? std::size_t{0} : 1}, x);
  } else {
    using result = detail::inferred<ops::check_numerics, attributes<>, typename detail::operands<ops::check_numerics, X>::specs>;
    if constexpr (!result::accepted) {
      return refuse<detail::rule_reason<result>>();
    } else if constexpr (detail::may_be_in_trace<X>) {
      const attribute_view with[] = {{"message", attribute_kind::text, {}, message, {}}};
      if constexpr (detail::always_in_trace<X>) {
        return detail::record_effect<ops::check_numerics, result>(x.builder(), stretch(with, message.empty() ? 0 : 1), x);
      } else {
        using dual = typed<variable_value, result>;
        if (x.is_traced()) {
          auto checked = detail::record_effect<ops::check_numerics, result>(x.builder(), stretch(with, message.empty() ? 0 : 1), x);
          return dual(checked.builder(), checked.place());
        }
        return dual(detail::check_numerics_now(x, message));
      }
    } else {
      return detail::check_numerics_now(x, message);
    }
  }
}

/// The same as check_numerics, under TensorFlow's other name.
template <Operand X>
constexpr auto assert_all_finite(const X& x, std::string_view message = "", const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return check_numerics(x, message);
}

}  // namespace jig
