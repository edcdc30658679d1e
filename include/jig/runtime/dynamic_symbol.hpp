// SPDX-License-Identifier: MIT
#pragma once
// Dynamic symbols: what a lambda computes with while it is traced at run time. dtype, rank and extents are values.

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
template <class X, class Symbol>
edge place_for_part(const Symbol& part, const X& x);
template <class X>
void enter_kernels_of_updates();

// A scalar of one dtype as one of another. No template, so that programs without dynamic traces do not pay for it.
inline edge number_with_dtype(jig::builder& b, const edge& e, dtype from, dtype to) {
  if (from == to) return e;
  const index attribute = static_cast<index>(to);
  const attribute_view with[] = {{"DstT", attribute_kind::type, {&attribute, 1}}};
  const edge made = b.graph.add(ops::cast, {to, {}}, {&e, 1}, with);
  if (b.computed != nullptr) b.computed->compute();
  return made;
}
}  // namespace detail

/// Whether a traced value has a dtype of its own, or is a number that takes the dtype of what it meets, as a weak_symbol is.
enum class typing : unsigned char { strong, weak };

/// A value that is traced at run time. It must not outlive the trace.
class dynamic_symbol : public detail::line_operators<dynamic_symbol> {
 public:
  dynamic_symbol(jig::builder* b, edge e, jig::typing t = jig::typing::strong) : builder_(b), serial_(b->track(e)), typing_(t) {}
  /// A part of another object, by its number among the builder's.
  dynamic_symbol(jig::builder* b, edge e, int part) : builder_(b), serial_(b->track(e)), part_(part) {}
  dynamic_symbol(const dynamic_symbol& o) : dynamic_symbol(o.builder_, o.place(), o.typing_) {}
  /// Errors: a value of another spec throws invalid_argument, unless it is a weak number of which this scalar takes the value.
  dynamic_symbol& operator=(const dynamic_symbol& o) & {
    if (o.builder_ != builder_) throw_other_trace();
    const bool takes = o.is_weak() && rank() == 0 && detail::literal_joins(o.dtype(), dtype());
    if (!takes && !(o.spec() == spec())) detail::throw_invalid_argument(detail::assignment_refusal(spec(), o.spec()).view());
    rebind(detail::number_with_dtype(*builder_, o.place(), o.dtype(), dtype()));
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
    if (owns_) builder_->release(serial_);
  }

  jig::dtype dtype() const { return spec().dtype; }
  jig::typing typing() const { return typing_; }
  bool is_weak() const { return typing_ == jig::typing::weak; }
  jig::shape shape() const { return spec().shape; }
  int rank() const { return spec().shape.rank; }
  /// The extent along an axis: a number, `jig::dyn` or a name.
  /// Errors: there is no such axis: throws invalid_argument.
  index extent(index axis) const {
    const jig::shape s = shape();
    if (axis < -s.rank || axis >= s.rank) {
      message text;
      text << "extent: there is no axis " << axis << ": " << spec();
      detail::throw_invalid_argument(text.view());
    }
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
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument when the graph runs.
  template <class I>
  auto operator[](const I& i) & {
    return detail::dynamic_part<true>(*this, serial_, false, i);
  }
  template <class I>
  auto operator[](const I& i) const& {
    return detail::dynamic_part_of_part<true>(*this, -1, i);
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
  /// A second name for what `of` names, which ends with this one then; in a lambda a copy.
  dynamic_symbol(dynamic_symbol& of, taking) noexcept
      : builder_(of.builder_),
        serial_(builder_->has_arguments ? builder_->track(of.place()) : of.serial_),
        owns_(builder_->has_arguments || std::exchange(of.owns_, false)) {}
  /// A name for what the builder tracks with this number.
  dynamic_symbol(jig::builder* b, int serial) : builder_(b), serial_(serial) { b->share(serial); }
  void rebind(edge e) { builder_->value[static_cast<std::size_t>(serial_)] = e; }
  int serial() const { return serial_; }

 private:
  template <class Edge>
  dynamic_symbol& update(const Edge& e) {
    detail::update_whole(builder_, part_, e);
    rebind(e);
    return *this;
  }
  jig::builder* builder_;
  int serial_;
  int part_ = -1;
  jig::typing typing_ = jig::typing::strong;
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

}  // namespace jig
