// SPDX-License-Identifier: MIT
#pragma once
// Dynamic symbols: what a lambda computes with while it is traced at run time. dtype, rank and extents are values; calls of ops
// ask the same rules as those of symbols, and append the same nodes.

#include <jig/core/any_view.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/slice.hpp>
#include <jig/runtime/kernels.hpp>
#include <jig/trace/element_reference.hpp>
#include <jig/trace/symbol.hpp>

namespace jig {

class any_tensor;
class dynamic_symbol;

namespace detail {
template <bool Element, class... I>
dynamic_symbol dynamic_part(const dynamic_symbol& x, int serial, bool lost, const I&... i);
template <bool Element, class... I>
dynamic_symbol dynamic_part_of_part(const dynamic_symbol& x, int part, const I&... i);
template <class X>
edge place_for_part(const dynamic_symbol& part, const X& x);
template <class X>
void enter_kernels_of_updates();
}  // namespace detail

/// A value that is traced at run time. It must not outlive the trace.
class dynamic_symbol {
 public:
  dynamic_symbol(jig::builder* b, edge e) : builder_(b), serial_(b->track(e)) {}
  /// A part of another object, by its number among the builder's.
  dynamic_symbol(jig::builder* b, edge e, int part) : builder_(b), serial_(b->track(e)), part_(part) {}
  dynamic_symbol(const dynamic_symbol& o) : dynamic_symbol(o.builder_, o.place()) {}
  /// Errors: a value of another spec throws invalid_argument.
  dynamic_symbol& operator=(const dynamic_symbol& o) & {
    if (o.builder_ != builder_) throw_other_trace();
    if (!(o.spec() == spec())) detail::throw_invalid_argument(detail::assignment_refusal(spec(), o.spec()).view());
    rebind(o.place());
    return *this;
  }
  /// A scalar takes the value of a number.
  /// Errors: another rank, or a number of another kind, throws invalid_argument.
  template <class X>
    requires(world_of<X> == world::literal)
  dynamic_symbol& operator=(const X& x) &;
  /// Of `x[i] = v` and `x(i, j) = v`: x takes a value that is v in this part, to which v is broadcast, and x elsewhere. What
  /// `auto v = x[i]` names is a value of its own.
  /// Errors: another dtype, a shape that does not broadcast to that of the part, or a value that is no part of an object,
  /// throws invalid_argument.
  template <class X>
    requires Operand<X>
  dynamic_symbol& operator=(const X& x) && {
    detail::enter_kernels_of_updates<X>();
    return update(detail::place_for_part(*this, x));
  }
  ~dynamic_symbol() {
    if (owns_) builder_->alive[static_cast<std::size_t>(serial_)] = 0;
  }

  jig::dtype dtype() const { return spec().dtype; }
  jig::shape shape() const { return spec().shape; }
  int rank() const { return spec().shape.rank; }
  /// The extent along an axis: a number, `jig::dyn` or a name.
  /// Errors: there is no such axis: throws invalid_argument.
  index extent(index axis) const {
    const jig::shape s = shape();
    if (axis < -s.rank || axis >= s.rank) detail::throw_invalid_argument("extent: there is no such axis");
    return s[static_cast<int>(axis < 0 ? axis + s.rank : axis)];
  }
  /// Its elements, in an eager run: for a debugger, and to print them.
  /// Errors: in a trace throws invalid_argument.
  template <class Tensor = any_tensor>
  Tensor value() const;
  tensor_spec spec() const {
    const edge e = place();
    const node_data& n = builder_->graph.nodes[e.node];
    return e.port == 0 ? n.spec : builder_->graph.specs[n.more_specs.first + e.port - 1];
  }

  /// The part at position i of the first axis: an element, a row and so on.
  /// Errors: an index out of range throws invalid_argument when the graph runs.
  template <class I>
  auto operator[](const I& i) & {
    return detail::dynamic_part<true>(*this, serial_, false, i);
  }
  template <class I>
  auto operator[](const I& i) const& {
    return element(*this, i);
  }
  template <class I>
  auto operator[](const I& i) && {
    return detail::dynamic_part_of_part<true>(*this, part_, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one. `x(i, j) = v` changes x.
  /// Errors: as for `x[i]`.
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) & {
    return detail::dynamic_part<false>(*this, serial_, false, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) const& {
    return detail::dynamic_part_of_part<false>(*this, -1, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) && {
    return detail::dynamic_part_of_part<false>(*this, part_, i...);
  }
  /// Whether the C++ program goes the way where this is true: `if (x > 0)`.
  /// Errors: what is no scalar of dtype bool throws invalid_argument.
  explicit operator bool() const { return builder_->decide(condition()); }

  jig::builder* builder() const { return builder_; }
  /// The output of a node that this object stands for at the moment.
  edge place() const { return builder_->value[static_cast<std::size_t>(serial_)]; }
  /// The same of what has to be a condition.
  edge condition() const {
    if (!(spec() == tensor_spec{jig::dtype::boolean, {}})) detail::throw_invalid_argument(detail::condition_refusal(spec()).view());
    return place();
  }

  [[noreturn]] static void throw_other_trace() { detail::throw_invalid_argument("a traced value is used in a trace that is not its own"); }

 protected:
  struct taking {};
  /// A second name for what `of` names, which ends with this one then.
  dynamic_symbol(dynamic_symbol& of, taking) noexcept : builder_(of.builder_), serial_(of.serial_), owns_(std::exchange(of.owns_, false)) {}
  /// A name for what the builder tracks with this number.
  dynamic_symbol(jig::builder* b, int serial) : builder_(b), serial_(serial) {}
  void rebind(edge e) { builder_->value[static_cast<std::size_t>(serial_)] = e; }
  int serial() const { return serial_; }

 private:
  dynamic_symbol& update(edge e) {
    detail::update_whole(builder_, part_, e);
    rebind(e);
    return *this;
  }
  jig::builder* builder_;
  int serial_;
  int part_ = -1;
  bool owns_ = true;
};

template <>
inline constexpr world world_of<dynamic_symbol> = world::dynamic;
template <>
inline constexpr bool is_value<dynamic_symbol> = true;

namespace detail {

/// The extent of a dynamic symbol along an axis, which remembers where it is from.
class dynamic_extent : public dynamic_symbol {
 public:
  dynamic_extent(const dynamic_symbol& of, int axis, edge e) : dynamic_symbol(of.builder(), e), of_(of), axis_(axis) {}
  const dynamic_symbol& of() const { return of_; }
  int axis() const { return axis_; }

 private:
  dynamic_symbol of_;
  int axis_;
};

}  // namespace detail

template <>
inline constexpr world world_of<detail::dynamic_extent> = world::dynamic;
template <>
inline constexpr bool is_value<detail::dynamic_extent> = true;

namespace detail {

/// One operand of a dynamic call.
struct dynamic_operand {
  world from = world::dynamic;
  tensor_spec spec{};  // a literal's is its own
  jig::builder* recorder = nullptr;
  edge place{};
  std::uint64_t word = 0;  // a literal
  any_view elements{};     // a tensor
};

template <class X>
dynamic_operand dynamic_operand_of(const X& x) {
  dynamic_operand o;
  o.from = world_of<X>;
  if constexpr (world_of<X> == world::dynamic) {
    o.spec = x.spec();
    o.recorder = x.builder();
    o.place = x.place();
  } else if constexpr (world_of<X> == world::literal) {
    using L = typename literal_element<X>::type;
    o.spec = {dtype_of<L>, {}};
    o.word = to_word(static_cast<L>(number_in(x)));
  } else if constexpr (world_of<X> == world::eager) {
    o.elements = untyped(argument<X>::bind(x));
    o.spec = {argument<X>::spec_type::value().dtype, o.elements.extents};
  } else {
    (void)refuse_with<"variables and symbols of a static trace cannot take part in a dynamic one", X>();
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

/// The node of an operand. A literal becomes a constant of this dtype.
template <class Builder, class Operand>
edge place_of_operand(Builder& b, const Operand& x, dtype as) {
  if (x.recorder != nullptr && x.recorder != &b) dynamic_symbol::throw_other_trace();
  if (x.from == world::dynamic) return x.place;
  return x.from == world::literal ? literal_as(b, as, x.spec.dtype, x.word) : constant_of(b, x.elements);
}

/// The specs of the operands of a call, where literals have the dtype of the others, or this one. `refuse` says what happens with
/// those that do not join.
template <class Operand, class Refuse>
list<tensor_spec> specs_of_operands(const op& kind, stretch<Operand> x, dtype without_leader, Refuse refuse) {
  auto tied = [&](std::size_t i) { return (kind.free_inputs >> i & 1) == 0; };
  dtype joined = without_leader;
  bool led = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (led || x[i].from == world::literal || !tied(i)) continue;
    joined = x[i].spec.dtype;
    led = true;
  }
  list<tensor_spec> specs;
  for (std::size_t i = 0; i < x.size(); ++i) {
    tensor_spec s = x[i].spec;
    if (x[i].from == world::literal && tied(i)) {
      if (!literal_joins(s.dtype, joined)) refuse(joined);
      s.dtype = joined;
    }
    specs.push_back(s);
  }
  return specs;
}

/// Appends the node of a call. Without a tied operand that has a dtype, literals take this one.
template <class Operand>
edge dynamic_node(const op& kind, stretch<attribute_view> with, stretch<Operand> x, dtype without_leader) {
  jig::builder* b = nullptr;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].recorder != nullptr && b != nullptr && b != x[i].recorder) dynamic_symbol::throw_other_trace();
    if (x[i].recorder != nullptr) b = x[i].recorder;
  }
  const list<tensor_spec> specs =
      specs_of_operands(kind, x, without_leader, [&](dtype joined) { throw_invalid_argument(literal_refusal(kind, joined).view()); });
  const auto places = [&] {
    list<edge> inputs;
    for (std::size_t i = 0; i < x.size(); ++i) inputs.push_back(place_of_operand(*b, x[i], specs[i].dtype));
    return inputs;
  };
  if (kind.is(fact::composite)) {
    const expansion listed = expand(kind, specs, with);
    if (listed.failed()) throw_invalid_argument(listed.why().view());
    const edge result = append_expansion(b->graph, listed.nodes(), places());
    if (b->computed != nullptr) b->computed->compute();
    return result;
  }
  auto asked = [&](int port) {
    const inference found = infer(kind, specs, with, port);
    if (found.failed) throw_invalid_argument(refusal(kind, found.failure, specs).view());
    return found.result;
  };
  const tensor_spec first = asked(0);
  const edge made = b->graph.add(kind, first, places(), with);
  for (int port = 1; port < kind.outputs; ++port) b->graph.add_output(asked(port));
  if (b->computed != nullptr) b->computed->compute();
  return made;
}

/// Whether the interpreter has to compute an op.
constexpr bool needs_kernel(const op& o) {
  return !o.is(fact::view) && !o.is(fact::input) && !o.is(fact::constant) && !o.is(fact::control) && !o.is(fact::composite);
}
#ifdef JIG_PREBUILT_KERNELS
inline constexpr bool kernels_are_prebuilt = true;
#else
inline constexpr bool kernels_are_prebuilt = false;
#endif
// Of an op and of all that its gradients, of any order, and the passes may make of it. To be named, not to be called.
template <const op& Op>
void name_kernels() {
  if constexpr (needs_kernel(Op)) (void)&runtime_kernel_registration<Op>::entered;
  []<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] void (*const named[])() = {nullptr, &name_kernels<*Op.makes()[I]>...};
  }(std::make_index_sequence<Op.makes().size()>());
}
template <const op&... Op>
void enter_kernels() {
  (
      [] {
        if constexpr (!kernels_are_prebuilt || Op.is(fact::host)) [[maybe_unused]]
          void (*const named)() = &name_kernels<Op>;
      }(),
      ...);
}

// The place of a value that stands alone, such as a leaf of the result: literals keep their own dtype.
template <class Builder, class X>
auto dynamic_place(Builder& b, const X& x) {
  const dynamic_operand o = dynamic_operand_of(x);
  return place_of_operand(b, o, o.spec.dtype);
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
  const edge made = dynamic_node(Op, with, stretch<dynamic_operand>(operands), dtype_without_leader<Op, X...>());
  if constexpr (Op.outputs == 1) {
    return dynamic_symbol(b, made);
  } else {
    constexpr std::make_index_sequence<static_cast<std::size_t>(Op.outputs)> ports;
    return outputs_at<decltype(dynamic_outputs(ports))>(b, made.node, ports);
  }
}

template <const op& Op, class... X>
list<tensor_spec> dynamic_specs(const X&... x) {
  const dynamic_operand operands[] = {dynamic_operand_of(x)...};
  return specs_of_operands(Op, stretch<dynamic_operand>(operands), dtype_without_leader<Op, X...>(), [](dtype) {});
}

template <class X, class V>
auto dynamic_constant(const X& x, dtype d, V value, int rank) {
  using L = canonical<V>;
  const edge e = literal_as(*x.builder(), d, dtype_of<L>, to_word(static_cast<L>(value)));
  shape ones;
  for (int a = 0; a < rank && a < max_rank; ++a) ones[a] = 1;
  ones.rank = rank;
  x.builder()->graph.nodes[e.node].spec.shape = ones;
  return dynamic_symbol(x.builder(), e);
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

namespace detail {

// Of positions only run time knows whether they are scalar integers.
template <class I>
bool is_one_position(const I& i) {
  if constexpr (is_all<I>) return true;
  else if constexpr (world_of<I> == world::dynamic) return i.rank() == 0 && is_integer(i.dtype());
  else return is_single_position<I>;
}

// Errors: what cannot be positions of x throws invalid_argument.
template <bool Element, class... I>
void require_positions(const dynamic_symbol& x, const I&... i) {
  constexpr int given = sizeof...(I);
  if ((Element ? given > x.rank() : given != x.rank()) || !(is_one_position(i) && ...)) throw_invalid_argument(positions_refusal.view());
  const tensor_spec whole = x.spec();
  const inference found = infer(ops::strided_slice, {&whole, 1}, slice_attributes<slice_of_position<I>()...>::type::view());
  if (found.failed) throw_invalid_argument(refusal(ops::strided_slice, found.failure, {&whole, 1}).view());
}

template <bool Element, class... I>
dynamic_symbol dynamic_value_of_part(const dynamic_symbol& x, const I&... i) {
  if constexpr (Element || (sizeof...(I) == 1 && (!is_all<I> && ...))) {
    return element(x, i...);
  } else if constexpr (((Constant<I> || is_all<I>) && ...)) {
    (void)list<part_position>{position_of(i)...};
    return strided_slice<slice_of_position<I>()...>(x);
  } else {
    enter_kernels<ops::gather, ops::slice, ops::pack, ops::cast, ops::add, ops::shape_of>();
    const list<part_position> at = {position_of(i)...};
    return dynamic_symbol(x.builder(), part_nodes<jig::builder>(*x.builder(), x.place(), at).read());
  }
}

inline dynamic_symbol dynamic_reference_to(const dynamic_symbol& value, int serial, bool lost, const list<part_position>& at) {
  jig::builder* b = value.builder();
  b->parts.push_back({serial, lost, at});
  return dynamic_symbol(b, value.place(), static_cast<int>(b->parts.size()) - 1);
}

template <bool Element, class... I>
dynamic_symbol dynamic_part(const dynamic_symbol& x, int serial, bool lost, const I&... i) {
  if constexpr (Element)
    if (!(is_one_position(i) && ...)) return element(x, i...);
  require_positions<Element>(x, i...);
  return dynamic_reference_to(dynamic_value_of_part<Element>(x, i...), serial, lost, {position_of(i)...});
}

template <bool Element, class... I>
dynamic_symbol dynamic_part_of_part(const dynamic_symbol& x, int part, const I&... i) {
  if constexpr (Element)
    if (!(is_one_position(i) && ...)) return element(x, i...);
  require_positions<Element>(x, i...);
  const dynamic_symbol value = dynamic_value_of_part<Element>(x, i...);
  if (part < 0) return value;
  const traced_part of = x.builder()->parts[part];
  return dynamic_reference_to(value, of.whole, of.lost, positions_within(of.at, {position_of(i)...}));
}

// Only of programs that assign to parts: kernels take long to compile.
template <class X>
void enter_kernels_of_updates() {
  enter_kernels<ops::tensor_scatter_update, ops::slice_update, ops::pack, ops::cast, ops::add, ops::shape_of>();
}

template <class X>
edge place_for_part(const dynamic_symbol& part, const X& x) {
  const dynamic_operand o = dynamic_operand_of(x);
  const tensor_spec own = part.spec();
  tensor_spec given = o.spec;
  if (o.from == world::literal && literal_joins(given.dtype, own.dtype)) given.dtype = own.dtype;
  if (!may_fit(given, own)) throw_invalid_argument(part_refusal(own, given).view());
  const dynamic_symbol value(part.builder(), place_of_operand(*part.builder(), o, given.dtype));
  if (given == own) return value.place();
  if (!own.shape.is_static()) return broadcast_like(value, part).place();
  return call_with_integers<ops::broadcast_to>("shape", {own.shape.extents, static_cast<std::size_t>(own.shape.rank)}, value).place();
}

// What broadcasting leaves unknown is checked to be the extents of x.
template <>
struct compound_assignment<dynamic_symbol> {
  static constexpr bool of_temporaries = true;
  template <class Y>
  static void assign(dynamic_symbol& x, const Y& y) {
    const tensor_spec own = x.spec();
    if (y.spec() == own || !may_be_equal(y.spec(), own)) x = y;
    else x = call_with_integers<ops::set_shape>("shape", {own.shape.extents, static_cast<std::size_t>(own.shape.rank)}, y);
  }
  template <class Y>
  static void assign(dynamic_symbol&& x, const Y& y) {
    std::move(x) = y;
  }
};
template <>
inline constexpr bool may_change<const dynamic_symbol> = false;

}  // namespace detail

}  // namespace jig
