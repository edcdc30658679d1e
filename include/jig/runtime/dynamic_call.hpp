// SPDX-License-Identifier: MIT
#pragma once
// Calls of ops in dynamic traces: they ask the same rules as those of symbols, and append the same nodes.

#include <jig/core/any_view.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/runtime/all_ops.hpp>
#include <jig/runtime/dynamic_symbol.hpp>
#include <jig/runtime/kernels.hpp>

namespace jig {

namespace detail {

/// One operand of a dynamic call.
struct dynamic_operand {
  world from = world::dynamic;
  bool weak = false;
  tensor_spec spec{};  // a literal's is its own
  jig::builder* recorder = nullptr;
  edge place{};
  std::uint64_t word = 0;  // a literal
  any_view elements{};     // a tensor
};

template <class X>
dynamic_operand dynamic_operand_of(const X& x);
// What was read from a variable outside the trace is a tensor; a variable itself may change behind its back.
template <class X>
dynamic_operand dynamic_operand_of_tensor(const X& x) {
  if constexpr (is_variable<X>) throw_no_variable_of_the_trace();
  else return dynamic_operand_of(x.value());
}
template <class X>
dynamic_operand dynamic_operand_of(const X& x) {
  dynamic_operand o;
  o.from = world_of<X>;
  if constexpr (world_of<X> == world::dynamic) {
    o.spec = x.spec();
    o.weak = x.is_weak();
    o.recorder = x.builder();
    o.place = x.place();
  } else if constexpr (world_of<X> == world::literal) {
    using L = typename literal_element<X>::type;
    o.spec = {dtype_of<L>, {}};
    o.word = to_word(static_cast<L>(number_in(x)));
  } else if constexpr (world_of<X> == world::dual) {
    if (!x.is_traced()) return dynamic_operand_of_tensor(x);
    o.from = world::dynamic;
    o.spec = operand_spec<X>::type::value();
    o.weak = is_weak<X>;
    o.recorder = x.builder();
    o.place = x.place();
  } else if constexpr (world_of<X> == world::eager) {
    o.elements = untyped(argument<X>::bind(x));
    o.spec = {argument<X>::spec_type::value().dtype, o.elements.extents};
  } else {
    (void)refuse_with<"symbols of a static trace cannot take part in a dynamic one", X>();
  }
  return o;
}

/// A number as a constant of a dtype.
template <class Builder>
edge literal_as(Builder& b, dtype as, dtype own, std::uint64_t word) {
  return with_type_of(as, [&](auto element) -> edge {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::string>) throw_invalid_argument("a number cannot become a string");
    else if (own == dtype::float32) return b.template literal<T>(from_word<float>(word));
    else if (own == dtype::float64) return b.template literal<T>(from_word<double>(word));
    else if (is_signed(own)) return b.template literal<T>(from_word<std::int64_t>(word));
    else return b.template literal<T>(word);
  });
}

/// Elements that lie anywhere as a constant.
template <class Builder>
edge constant_of(Builder& b, const any_view& v) {
  return with_type_of(v.dtype, [&](auto element) {
    using T = decltype(element);
    const T* data = static_cast<const T*>(v.data);
    if (v.strides == row_major_strides(v.extents)) return b.constant(v.extents, data);
    list<T> copied(static_cast<int>(v.extents.size()));
    copy_strided(copied.data(), row_major_strides(v.extents), data, v.strides, v.extents);
    return b.constant(v.extents, static_cast<const T*>(copied.data()));
  });
}

/// The node of an operand. A literal becomes a constant of this dtype, a weak number is converted.
template <class Builder, class Operand>
edge place_of_operand(Builder& b, const Operand& x, dtype as) {
  if (x.recorder != nullptr && x.recorder != &b) dynamic_symbol::throw_other_trace();
  if (x.from == world::dynamic) return x.weak ? with_dtype(b, x.place, as) : x.place;
  return x.from == world::literal ? literal_as(b, as, x.spec.dtype, x.word) : constant_of(b, x.elements);
}

/// The dtype of two numbers together, as in C++.
constexpr dtype common_dtype(dtype a, dtype b) {
  if (a == b) return a;
  if (is_floating(a) || is_floating(b)) return !is_floating(b) || (is_floating(a) && size_of(a) >= size_of(b)) ? a : b;
  const auto promoted = [](dtype d) { return size_of(d) < size_of(dtype::int32) ? dtype::int32 : d; };
  a = promoted(a), b = promoted(b);
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  return is_signed(a) ? b : a;
}

/// The dtype that literals and weak numbers among the operands take: that of the first tied one that has its own. Without such a leader
/// it is that of the weak numbers, unless it would change the kind of a literal, or this one if there are none.
struct joined_dtype {
  dtype joined;
  bool has_leader = false, has_weak = false;

  template <class Operand>
  joined_dtype(stretch<Operand> x, unsigned free_inputs, dtype without_leader) : joined(without_leader) {
    const auto tied = [&](std::size_t i) { return i >= 32 || (free_inputs >> i & 1) == 0; };
    for (std::size_t i = 0; i < x.size() && !has_leader; ++i) {
      if (!tied(i) || x[i].from == world::literal) continue;
      has_leader = !x[i].weak;
      joined = has_leader || !has_weak ? x[i].spec.dtype : common_dtype(joined, x[i].spec.dtype);
      has_weak = true;
    }
    const dtype weak = joined;
    for (std::size_t i = 0; i < x.size() && has_weak && !has_leader; ++i)
      if (tied(i) && x[i].from == world::literal && !literal_joins(x[i].spec.dtype, weak)) joined = common_dtype(joined, x[i].spec.dtype);
  }
  bool only_weak() const { return has_weak && !has_leader; }
};

/// The specs of the operands of a call, where literals and weak numbers have the dtype that they take. `refuse` says what happens with
/// those that do not join.
template <class Operand, class Refuse>
list<tensor_spec> specs_of_operands(const op& kind, stretch<Operand> x, dtype without_leader, Refuse refuse) {
  const dtype joined = joined_dtype(x, kind.free_inputs, without_leader).joined;
  list<tensor_spec> specs;
  for (std::size_t i = 0; i < x.size(); ++i) {
    tensor_spec s = x[i].spec;
    if ((x[i].from == world::literal || x[i].weak) && (i >= 32 || (kind.free_inputs >> i & 1) == 0)) {
      if (!literal_joins(s.dtype, joined)) refuse(x[i], joined);
      s.dtype = joined;
    }
    specs.push_back(s);
  }
  return specs;
}

/// Appends the node of a call, or the nodes that it stands for, and returns its results. Without a tied operand that has a dtype, literals
/// take this one.
template <class Operand>
list<edge> dynamic_node(const op& kind, stretch<attribute_view> with, stretch<Operand> x, dtype without_leader) {
  jig::builder* b = nullptr;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].recorder != nullptr && b != nullptr && b != x[i].recorder) dynamic_symbol::throw_other_trace();
    if (x[i].recorder != nullptr) b = x[i].recorder;
  }
  [[maybe_unused]] const auto refuse = [&](const message& why) {
    throw_invalid_argument(std::string(why.view()) + at_line(b->graph.here));
  };
  const list<tensor_spec> specs = specs_of_operands(kind, x, without_leader, [&](const Operand& o, dtype joined) {
    refuse(o.weak ? number_refusal(kind, o.spec.dtype, joined) : literal_refusal(kind, joined));
  });
  const auto places = [&] {
    list<edge> inputs;
    for (std::size_t i = 0; i < x.size(); ++i) inputs.push_back(place_of_operand(*b, x[i], specs[i].dtype));
    return inputs;
  };
  if (kind.is(fact::composite)) {
    const expansion listed = expand(kind, specs, with);
    if (listed.failed()) refuse(listed.why());
    const list<edge> results = append_expansion(b->graph, listed.nodes(), places());
    if (b->computed != nullptr) b->computed->compute();
    return results;
  }
  auto asked = [&](int port) {
    const inference found = infer(kind, specs, with, port);
    if (found.failed) refuse(refusal(kind, found.failure, specs));
    return found.result;
  };
  const tensor_spec first = asked(0);
  list<edge> made{b->graph.add(kind, first, places(), with)};
  for (int port = 1; port < kind.outputs; ++port) {
    b->graph.add_output(asked(port));
    made.push_back({made[0].node, port});
  }
  if (b->computed != nullptr) b->computed->compute();
  return made;
}

/// Whether the interpreter has to compute an op.
constexpr bool needs_kernel(const op& o) {
  return !o.is(fact::view) && !o.is(fact::input) && !o.is(fact::constant) && !o.is(fact::control) && !o.is(fact::composite);
}
// Whether a program has the kernels of an op from jig's run-time library.
#ifdef JIG_PREBUILT_KERNELS
constexpr bool has_prebuilt_kernel(const op& o) { return is_of_library(o); }
#else
constexpr bool has_prebuilt_kernel(const op&) { return false; }
#endif
// Of an op and of all that its gradients, of any order, and the passes may make of it. To be named, not to be called.
template <const op& Op>
void name_kernels() {
  if constexpr (has_prebuilt_kernel(Op)) return;
  else if constexpr (needs_kernel(Op)) (void)&runtime_kernel_registration<Op>::entered;
  []<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] void (*const named[])() = {nullptr, &name_kernels<*Op.makes()[I]>...};
  }(std::make_index_sequence<Op.makes().size()>());
}
template <const op&... Op>
void enter_kernels() {
  [[maybe_unused]] void (*const named[])() = {nullptr, &name_kernels<Op>...};
}

// The place of a value that stands alone, such as a leaf of the result: literals keep their own dtype.
template <class Builder, class X>
auto dynamic_place(Builder& b, const X& x) {
  const dynamic_operand o = dynamic_operand_of(x);
  return place_of_operand(b, o, o.spec.dtype);
}

// A scalar of the dtype of its operands is weak where all of them are weak or literals.
template <class Operand>
typing typing_of_result(const op& kind, stretch<Operand> x, const tensor_spec& result) {
  const joined_dtype found(x, kind.free_inputs, dtype::float32);
  const bool weak = found.only_weak() && &kind != &ops::cast && result == tensor_spec{found.joined, {}};
  return weak ? typing::weak : typing::strong;
}

template <std::size_t... I>
auto dynamic_outputs(std::index_sequence<I...>) -> std::tuple<std::enable_if_t<(I + 1 > 0), dynamic_symbol>...>;

// The dtype of literals among which there is no tensor.
template <const op& Op, class... X>
constexpr dtype dtype_without_leader() {
  if constexpr (sizeof...(X) > 0 && ((world_of<X> == world::literal) || ...)) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      auto of_one = []<std::size_t K, class Y>() {
        if constexpr (world_of<Y> == world::literal && (Op.free_inputs >> K & 1) == 0)
          return std::tuple<typename literal_element<Y>::type>();
        else return std::tuple<>();
      };
      return []<class... L>(std::tuple<L...>) {
        return dtype_of<typename common_literal<L...>::type>;
      }(std::tuple_cat(of_one.template operator()<I, X>()...));
    }(std::index_sequence_for<X...>());
  } else {
    return dtype::float32;
  }
}

template <const op& Op, class... X>
auto dynamic_call(stretch<attribute_view> with, const X&... x) {
  enter_kernels<Op>();
  const dynamic_operand operands[] = {dynamic_operand_of(x)...};
  jig::builder* b = builder_of(x...);
  const list<edge> made = dynamic_node(Op, with, stretch<dynamic_operand>(operands), dtype_without_leader<Op, X...>());
  if constexpr (Op.outputs == 1) {
    return dynamic_symbol(b, made[0], typing_of_result(Op, stretch<dynamic_operand>(operands), b->graph.view().spec(made[0])));
  } else {
    constexpr std::make_index_sequence<static_cast<std::size_t>(Op.outputs)> ports;
    return outputs_at<decltype(dynamic_outputs(ports))>(b, made, ports);
  }
}

// The same of any number of operands, for an op with one output.
template <const op& Op, class X>
auto dynamic_call_of_all(stretch<attribute_view> with, const std::vector<X>& parts) {
  enter_kernels<Op>();
  if (parts.empty()) throw_invalid_argument(std::string(Op.name) + ": expected one tensor at least");
  std::vector<dynamic_operand> operands;
  for (const X& x : parts) operands.push_back(dynamic_operand_of(x));
  const stretch<dynamic_operand> all(operands.data(), operands.size());
  jig::builder* b = parts[0].builder();
  const list<edge> made = dynamic_node(Op, with, all, dtype::float32);
  return dynamic_symbol(b, made[0], typing_of_result(Op, all, b->graph.view().spec(made[0])));
}

template <const op& Op, class... X>
list<tensor_spec> dynamic_specs(const X&... x) {
  const dynamic_operand operands[] = {dynamic_operand_of(x)...};
  return specs_of_operands(Op, stretch<dynamic_operand>(operands), dtype_without_leader<Op, X...>(), [](const dynamic_operand&, dtype) {});
}

template <class X, class V>
auto dynamic_constant(const X& x, dtype d, V value) {
  using L = canonical<V>;
  return dynamic_symbol(x.builder(), literal_as(*x.builder(), d, dtype_of<L>, to_word(static_cast<L>(value))), x.typing());
}
template <class X, class V>
auto dynamic_elements(const X& x, const V& v) {
  return dynamic_symbol(x.builder(), constant_of(*x.builder(), untyped(argument<V>::bind(v))));
}

template <class X, class V>
auto as_dynamic(const X& x, const V& v) {
  return dynamic_symbol(x.builder(), dynamic_place(*x.builder(), v));
}

// As jig::extent of a traced value.
template <class X>
auto dynamic_extent_along(const X& x, index axis) {
  const index known = x.extent(axis);
  const int at = static_cast<int>(axis < 0 ? axis + x.rank() : axis);
  if (is_static_extent(known)) return dynamic_extent(x, at, x.builder()->template literal<std::int32_t>(known));
  const index along = 0, part = at;
  const attribute_view with[] = {{"axis", attribute_kind::integer, {&along, 1}}, {"part", attribute_kind::integer, {&part, 1}}};
  return dynamic_extent(x, at, dynamic_call<ops::unpack>(with, call<ops::shape_of>(x)).place());
}

}  // namespace detail

template <class X>
  requires(world_of<X> == world::literal)
dynamic_symbol& dynamic_symbol::operator=(const X& x) & {
  const detail::dynamic_operand o = detail::dynamic_operand_of(x);
  const tensor_spec own = spec();
  if (own.shape.rank != 0 || !detail::literal_joins(o.spec.dtype, own.dtype))
    detail::throw_invalid_argument(detail::assignment_refusal(own, o.spec).view());
  rebind(detail::literal_as(*builder_, own.dtype, o.spec.dtype, o.word));
  return *this;
}

}  // namespace jig
