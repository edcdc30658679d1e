// SPDX-License-Identifier: MIT
#pragma once
// The kernels of effects, and the same effects on tensors and numbers.

#include <jig/core/summary_text.hpp>
#include <jig/eval/control.hpp>
#include <jig/eval/print_stream.hpp>
#include <jig/graph/names.hpp>
#include <jig/ops/effect.hpp>
#include <jig/ops/select.hpp>
#include <jig/trace/effect.hpp>
#include <jig/trace/signature_text.hpp>

namespace jig {

namespace detail {

/// Calls f with the places of all elements of a shape in row-major order until it returns false.
template <class F>
void for_each_place(const shape& extents, F f) {
  const index n = extents.size();
  shape at = extents;
  for (int a = 0; a < at.rank; ++a) at[a] = 0;
  for (index i = 0; i < n && f(at); ++i)
    for (int a = at.rank; a-- > 0 && ++at[a] == extents[a];) at[a] = 0;
}

// The offset of the element at a place of a shape that v broadcasts to.
inline index offset_at(const any_view& v, const shape& place) {
  index offset = 0;
  const int shift = place.rank - v.extents.rank;
  for (int a = 0; a < v.extents.rank; ++a) offset += v.extents[a] == 1 ? 0 : place[a + shift] * v.strides[a];
  return offset;
}

std::string assertion_text(const auto& message) {
  std::string text = "assertion failed: ";
  if (!message.empty()) text.append("[").append(message).append("] ");
  return text;
}

template <class View>
[[noreturn, gnu::cold, gnu::noinline]] void throw_difference(const View& x, const View& y, std::string_view message) {
  rule_context c;
  const shape space = broadcast(c, x.extents, y.extents);
  std::string text = assertion_text(message) + "[x and y differ";
  for_each_place(space, [&](const shape& place) {
    const index i = offset_at(x, place), j = offset_at(y, place);
    if (with_type_of(x.dtype, [&]<class T>(const T&) { return x.template at<T>(i) == y.template at<T>(j); })) return true;
    if (space.rank > 0) text += " at " + shape_text(place);
    text += ": " + printing::short_element(x, i) + " and " + printing::short_element(y, j);
    return false;
  });
  for (const auto* v : {&x, &y}) text += (v == &x ? "] [x = " : "] [y = ") + summary_text(*v) + ", shape " + shape_text(v->extents);
  throw_invalid_argument(text + ']');
}

// What is wrong with the first element that is not finite, and where: `NaN at (1,)`.
template <class View>
std::string not_finite_text(const View& v) {
  const any_view x = untyped(v);
  using T = typename View::value_type;
  std::string text;
  for_each_place(x.extents, [&](const shape& place) {
    const T element = x.at<T>(offset_at(x, place));
    if (std::isfinite(element)) return true;
    text = std::isnan(element) ? "NaN" : "infinity";
    if (place.rank > 0) text += " at " + shape_text(place);
    return false;
  });
  return text;
}

// A node that hands on what another one made is called like that.
std::vector<std::string> makers(const auto& g, std::vector<std::string> names) {
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (!is_op(n.kind(), ops::check_numerics) && !n.kind().is(fact::output)) continue;
    const int port = n.kind().is(fact::output) ? static_cast<int>(n.attribute("port").values[0]) : 0;
    names[static_cast<std::size_t>(id)] = output_name(names, {n.inputs()[0].node, port});
  }
  return names;
}

/// The names of a program's nodes. Arguments of bodies are called like what they stand for in the program around them.
template <class P>
struct names_in {
  static std::vector<std::string> get() { return makers(P::graph, node_names(P::graph)); }
};
template <class P, int Node, text Key, char... Dense>
struct names_in<program<body_trace<P, Node, Key>, Dense...>> {
  static std::vector<std::string> get() {
    constexpr const graph_view& body = program<body_trace<P, Node, Key>, Dense...>::graph;
    return makers(body, body_names(body, P::graph.node(Node), names_in<P>::get()));
  }
};

/// The node that made what a CheckNumerics node reads.
constexpr auto node_under_check(const auto& g, int id) {
  auto n = g.node(id);
  while (is_op(n.kind(), ops::check_numerics)) n = g.node(n.inputs()[0]);
  return n;
}

/// What a node made, of a CheckNumerics node what it reads: `div = RealDiv(x, y) made`.
std::string maker_text(const auto& g, int id, const std::vector<std::string>& names) {
  const auto n = node_under_check(g, id);
  const auto& name = names[static_cast<std::size_t>(n.id())];
  if (n.kind().is(fact::input)) return (n.attribute("name").text.empty() ? "" : "argument ") + name + " holds";
  std::string inputs;
  for (const auto& e : n.inputs()) inputs += (inputs.empty() ? "" : ", ") + output_name(names, e);
  return name + " = " + std::string(n.op()) + '(' + inputs + ") made";
}

template <class View>
bool all_finite(const View& v) {
  using T = typename View::value_type;
  const T* data = v.data();
  bool finite = true;
  if (v.strides() == row_major_strides(v.shape())) {
    for (index i = 0, n = v.size(); i < n; ++i) finite &= data[i] - data[i] == T(0);
  } else {
    const any_view x = untyped(v);
    for_each_place(x.extents, [&](const shape& place) { return finite = std::isfinite(x.at<T>(offset_at(x, place))); });
  }
  return finite;
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_not_finite(const auto& message, const std::string& maker, const std::string& what) {
  throw_invalid_argument(message.empty() ? "check_numerics: " + maker + what : std::string(message) + ": " + what);
}

template <class View>
std::string filled_in_line(std::string_view format, std::string_view placeholder, stretch<View> values) {
  return filled_in(format, placeholder, values);
}
template <class... In>
std::string filled_in_line(std::string_view format, std::string_view placeholder, const In&... in) {
  const any_view values[] = {untyped(in)..., {}};
  return filled_in(format, placeholder, {values, sizeof...(In)});
}
// The line of an effect, with its inputs or a list of them.
template <class Attributes, class... In>
std::string line_of(const Attributes& attributes, const In&... in) {
  return filled_in_line(attribute_of<"template">(attributes).text, attribute_of<"placeholder">(attributes).text, in...);
}

}  // namespace detail

template <>
struct kernel<ops::print> {
  template <class Attributes, class Out, class... In>
  static void run(Attributes attributes, const Out& out, const In&... in) {
    detail::write_line(detail::line_of(attributes, in...));
    *out.data() = true;
  }
};

template <>
struct kernel<ops::assert_that> {
  template <class Attributes, class Out, class Condition, class... In>
  static void run(Attributes attributes, const Out& out, const Condition& condition, const In&... in) {
    if (!*condition.data()) [[unlikely]]
      fail(attributes, in...);
    *out.data() = true;
  }
  template <class Attributes, class... In>
  [[noreturn, gnu::cold, gnu::noinline]] static void fail(Attributes attributes, const In&... in) {
    detail::throw_invalid_argument(detail::line_of(attributes, in...));
  }
};

template <>
struct kernel<ops::assert_equal> {
  template <class Attributes, class Out, class Condition, class X, class Y>
  static void run(Attributes attributes, const Out& out, const Condition& condition, const X& x, const Y& y) {
    if (!*condition.data()) [[unlikely]]
      detail::throw_difference(untyped(x), untyped(y), detail::attribute_of<"message">(attributes).text);
    *out.data() = true;
  }
};

template <>
struct kernel<ops::check_numerics> {
  template <class P, int Node, class Out, class In>
  static void run(detail::attributes_of<P, Node>, const Out& out, const In& x) {
    if (!detail::all_finite(x)) [[unlikely]]
      fail<P, Node>(x);
    detail::copy_strided(out.data(), out.strides(), x.data(), x.strides(), x.shape());
  }
  // Of a graph that is not a type, whose nodes have no names here but those that were noted.
  template <class Attributes, class Out, class In>
  static void run(Attributes attributes, const Out& out, const In& x) {
    if (!detail::all_finite(x)) [[unlikely]]
      detail::throw_not_finite(detail::attribute_of<"message">(attributes).text,
                               std::string(detail::attribute_of<"maker">(attributes).text),
                               detail::not_finite_text(x) + std::string(detail::attribute_of<"line">(attributes).text));
    detail::copy_strided(out.data(), out.strides(), x.data(), x.strides(), x.shape());
  }
  template <class P, int Node, class In>
  [[noreturn, gnu::cold, gnu::noinline]] static void fail(const In& x) {
    const auto message = detail::attribute_of<"message">(detail::attributes_of<P, Node>()).text;
    detail::throw_not_finite(message, message.empty() ? detail::maker_text(P::graph, Node, detail::names_in<P>::get()) + ' ' : "",
                             detail::not_finite_text(x) + detail::at_line(detail::node_under_check(P::graph, Node).line()));
  }
};

namespace detail {

// Of strings that are texts of the call, nothing.
template <class X>
void append_value(any_view* values, std::size_t& count, const X& x) {
  if constexpr (Constant<X>) {
    static constexpr auto value = X::value;
    append_value(values, count, value);
  } else if constexpr (!is_words<X> && !is_anchor<X>) {
    values[count++] = untyped(argument<X>::bind(x));
  }
}

template <class... X>
std::string filled_in_now(const line_template& line, const X&... x) {
  any_view values[sizeof...(X) + 1];
  std::size_t count = 0;
  (append_value(values, count, x), ...);
  return filled_in(line.text(), line.placeholder(), {values, count});
}

// What is no part of a trace by itself belongs to the one that this thread makes at run time.
template <class... X>
void print_now_or_in_a_trace_add_jig_beside(const X&... x) {
  const line_template line = printed_line(x...);
  if constexpr (((is_words<X> || is_anchor<X> || world_of<X> == world::literal) && ...)) {
    if (builder* b = recording_of_thread()) {
      enter_kernels<ops::print>();
      attribute_view with[2];
      line.as_attributes(with);
      record_effect<ops::print, effect_result>(b, with, x...);
      return;
    }
  }
  write_line(filled_in_now(line, x...));
}

template <class C, class... X>
void assert_now(const C& condition, const X&... x) {
  any_view value[1];
  std::size_t count = 0;
  append_value(value, count, condition);
  if (!value[0].at<bool>(0)) throw_invalid_argument(filled_in_now(assertion_line(x...), x...));
}

template <class Spec, class X>
decltype(auto) in_dtype_of(const X& x) {
  if constexpr (world_of<X> == world::literal) return static_cast<typename Spec::value_type>(number_in(x));
  else return (x);
}

template <class S, class T, class X, class Y>
void differ(types<S, T>, const X& x, const Y& y, std::string_view message) {
  any_view values[2];
  std::size_t count = 0;
  const auto& a = in_dtype_of<S>(x);
  const auto& b = in_dtype_of<T>(y);
  append_value(values, count, a);
  append_value(values, count, b);
  throw_difference(values[0], values[1], message);
}

template <class Specs, class X, class Y>
void assert_equal_now(const X& x, const Y& y, std::string_view message) {
  differ(Specs(), x, y, message);
}

template <class X>
auto check_numerics_now(const X& x, std::string_view message) {
  auto out = call<ops::identity>(x);
  if (!all_finite(out.view())) throw_not_finite(message, "", not_finite_text(out.view()));
  return out;
}

}  // namespace detail

}  // namespace jig
