// SPDX-License-Identifier: MIT
#pragma once
// Parts of traced values, `x[i]` and `x(i, j)`: what they read, and the update of x that an assignment to one is.

#include <jig/ops/compound_assignment.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/part.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/slice.hpp>
#include <jig/trace/symbol.hpp>

namespace jig::detail {

// Their names are what compilers say where constant evaluation meets them.
inline void an_assignment_to_a_temporary_value_is_lost_assign_to_an_element_of_a_named_value_or_to_the_value_itself() {
  throw_invalid_argument("an assignment to a temporary value is lost: assign to an element of a named value, or to the value itself");
}
inline void an_assignment_to_a_copy_of_a_variable_is_lost_take_the_variable_by_reference() {
  throw_invalid_argument("an assignment to a copy of a variable is lost: take the variable by reference");
}

/// Appends the node of an op.
/// Errors: what the op refuses throws invalid_argument.
template <class Builder>
constexpr edge record_node(Builder& b, const op& kind, const list<edge>& inputs, stretch<attribute_view> with) {
  list<tensor_spec> specs;
  for (const edge& e : inputs) specs.push_back(b.graph.view().spec(e));
  const inference found = infer(kind, specs, with);
  if (found.failed) throw_invalid_argument(refusal(kind, found.failure, specs).view());
  const edge made = b.graph.add(kind, found.result, inputs, with);
  if (b.computed != nullptr) b.computed->compute();
  return made;
}

template <class Builder>
constexpr edge number_node(Builder& b, dtype d, index number) {
  std::uint64_t word = static_cast<std::uint64_t>(number);
  if (d == dtype::int32) word = to_word(static_cast<std::int32_t>(number));
  const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&word, 1}}};
  return b.graph.add(ops::constant, {d, {}}, {}, with);
}
template <class Builder>
constexpr edge with_dtype(Builder& b, const edge& e, dtype d) {
  if (b.graph.view().spec(e).dtype == d) return e;
  const index to = static_cast<index>(d);
  const attribute_view with[] = {{"DstT", attribute_kind::type, {&to, 1}}};
  return record_node(b, ops::cast, {e}, with);
}

constexpr bool has_ranges(const list<part_position>& at) {
  for (const auto& p : at)
    if (p.is == part_position::kind::range) return true;
  return false;
}

/// How the nodes of one part are made: of its ranges first, of its positions in what these show.
template <class Builder>
class part_nodes {
 public:
  constexpr part_nodes(Builder& b, const edge& whole, const list<part_position>& at)
      : b_(b), whole_(whole), at_(at), shape_(b.graph.view().spec(whole).shape) {
    int places = 0;
    bool numbers_fit = true;
    for (const auto& p : at_) {
      if (p.is == part_position::kind::place) {
        const dtype d = b_.graph.view().spec(p.place).dtype;
        if (places++ == 0) dtype_ = d;
        else if (dtype_ != d) dtype_ = dtype::int64;
      }
      numbers_fit = numbers_fit && p.number == static_cast<std::int32_t>(p.number);
    }
    // Numbers that count from the end of a wildcard extent are negative on the way.
    if (!numbers_fit || (at_.size() > 1 && !is_signed(dtype_))) dtype_ = dtype::int64;
  }

  constexpr edge read() {
    if (has_ranges(at_)) {
      const edge shown = ranges();
      return has_positions() ? part_nodes(b_, shown, positions()).read() : shown;
    }
    if (slices_first_axis()) {
      const index axis = 0;
      const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}};
      return record_node(b_, ops::gather, {whole_, position(0)}, with);
    }
    const edge part = record_node(b_, ops::slice, {whole_, begin()}, sizes());
    list<index> axes;
    for (int a = 0; a < shape_.rank; ++a)
      if (picks(a)) axes.push_back(a);
    const attribute_view with[] = {{"squeeze_dims", attribute_kind::integers, axes}};
    return record_node(b_, ops::squeeze, {part}, with);
  }

  constexpr edge update(edge part) {
    if (has_ranges(at_)) return put(has_positions() ? part_nodes(b_, ranges(), positions()).update(part) : part);
    if (slices_first_axis()) {
      const index ones[] = {1, 1};
      const attribute_view with[] = {{"shape", attribute_kind::integers, ones}};
      const edge at = record_node(b_, ops::reshape, {position(0)}, with);
      return record_node(b_, ops::tensor_scatter_update, {whole_, at, with_axis(part, 0)}, {});
    }
    for (int a = 0; a < shape_.rank; ++a)
      if (picks(a)) part = with_axis(part, a);
    const edge first = begin();
    return record_node(b_, ops::slice_update, {whole_, first, part}, sizes());
  }

 private:
  // The attributes of a StridedSlice.
  struct range_attributes {
    list<index> begin, end, steps;
    index begin_mask = 0, end_mask = 0, none = 0;
    attribute_view with[6];
    constexpr explicit range_attributes(const list<part_position>& at) {
      index bit = 1;
      for (const auto& p : at) {
        const bool is_range = p.is == part_position::kind::range;
        const bool from_start = !is_range || p.begin == unbounded, to_end = !is_range || p.end == unbounded;
        begin.push_back(from_start ? 0 : p.begin);
        end.push_back(to_end ? 0 : p.end);
        steps.push_back(is_range ? p.step : 1);
        begin_mask += from_start ? bit : 0;
        end_mask += to_end ? bit : 0;
        bit *= 2;
      }
      with[0] = {"begin", attribute_kind::integers, begin};
      with[1] = {"end", attribute_kind::integers, end};
      with[2] = {"strides", attribute_kind::integers, steps};
      with[3] = {"begin_mask", attribute_kind::integer, {&begin_mask, 1}};
      with[4] = {"end_mask", attribute_kind::integer, {&end_mask, 1}};
      with[5] = {"shrink_axis_mask", attribute_kind::integer, {&none, 1}};
    }
    range_attributes(const range_attributes&) = delete;
  };
  // What the ranges show. Where types do not tell how much that is, the graph does not either.
  constexpr edge ranges() {
    const range_attributes attributes(at_);
    const tensor_spec whole = b_.graph.view().spec(whole_);
    const inference found = infer(ops::strided_slice, {&whole, 1}, attributes.with);
    if (found.failed) throw_invalid_argument(refusal(ops::strided_slice, found.failure, {&whole, 1}).view());
    tensor_spec spec = found.result;
    for (int a = 0; a < static_cast<int>(at_.size()); ++a)
      if (at_[a].is == part_position::kind::range && !at_[a].told) spec.shape[a] = dyn;
    const edge made = b_.graph.add(ops::strided_slice, spec, {&whole_, 1}, attributes.with);
    if (b_.computed != nullptr) b_.computed->compute();
    return made;
  }
  constexpr bool has_positions() const {
    for (const auto& p : at_)
      if (p.is == part_position::kind::place || p.is == part_position::kind::number) return true;
    return false;
  }
  constexpr list<part_position> positions() const {
    list<part_position> out = at_;
    for (auto& p : out)
      if (p.is == part_position::kind::range) p = {};
    return out;
  }
  // The whole with these elements where the ranges show.
  constexpr edge put(const edge& part) { return record_node(b_, ops::strided_slice_update, {whole_, part}, range_attributes(at_).with); }

  constexpr bool picks(int axis) const { return axis < static_cast<int>(at_.size()) && at_[axis].is != part_position::kind::whole; }
  constexpr bool slices_first_axis() const {
    for (int a = 1; a < shape_.rank; ++a)
      if (picks(a)) return false;
    return picks(0);
  }
  constexpr edge with_axis(const edge& e, index axis) {
    const attribute_view with[] = {{"dim", attribute_kind::integer, {&axis, 1}}};
    return record_node(b_, ops::expand_dims, {e}, with);
  }
  constexpr edge position(int axis) {
    if (!picks(axis)) return number_node(b_, dtype_, 0);
    const part_position& p = at_[axis];
    if (p.is == part_position::kind::place) return with_dtype(b_, p.place, dtype_);
    if (p.number >= 0 || is_static_extent(shape_[axis])) {
      const bool from_end = p.number < 0 && p.number + shape_[axis] >= 0;
      return number_node(b_, dtype_, from_end ? p.number + shape_[axis] : p.number);
    }
    const index from[] = {axis}, to[] = {axis + 1}, one[] = {1}, none = 0;
    const attribute_view with[] = {{"begin", attribute_kind::integers, from},         {"end", attribute_kind::integers, to},
                                   {"strides", attribute_kind::integers, one},        {"begin_mask", attribute_kind::integer, {&none, 1}},
                                   {"end_mask", attribute_kind::integer, {&none, 1}}, {"shrink_axis_mask", attribute_kind::integer, one}};
    const edge extent = record_node(b_, ops::strided_slice, {record_node(b_, ops::shape_of, {whole_}, {})}, with);
    return record_node(b_, ops::add, {with_dtype(b_, extent, dtype_), number_node(b_, dtype_, p.number)}, {});
  }
  // The first position along each axis.
  constexpr edge begin() {
    list<tensor_spec> specs;
    list<edge> positions;
    for (int a = 0; a < shape_.rank; ++a) {
      positions.push_back(position(a));
      specs.push_back({dtype_, {}});
    }
    const index axis = 0;
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}};
    const edge made = b_.graph.add(ops::pack, infer(ops::pack, specs, with).result, positions, with);
    if (b_.computed != nullptr) b_.computed->compute();
    return made;
  }
  constexpr stretch<attribute_view> sizes() {
    sizes_ = {};
    for (int a = 0; a < shape_.rank; ++a) sizes_.push_back(picks(a) ? 1 : dyn);
    sizes_attribute_ = {"size", attribute_kind::integers, sizes_};
    return {&sizes_attribute_, 1};
  }

  Builder& b_;
  edge whole_;
  const list<part_position>& at_;
  shape shape_;
  dtype dtype_ = dtype::int32;
  list<index> sizes_;
  attribute_view sizes_attribute_{};
};

/// The positions in an object of what is at these in one of its parts, for an object with so many axes.
constexpr list<part_position> positions_within(const list<part_position>& of_part, const list<part_position>& at) {
  list<part_position> out = of_part;
  std::size_t axis = 0;
  for (const auto& p : at) {
    while (axis < out.size() && out[static_cast<int>(axis)].is != part_position::kind::whole) ++axis;
    if (axis == out.size()) out.push_back(p);
    else out[static_cast<int>(axis)] = p;
    ++axis;
  }
  return out;
}

template <class I>
constexpr part_position position_of(const I& i) {
  part_position p;
  if constexpr (is_all<I>) {
  } else if constexpr (is_range<I>) {
    p = {part_position::kind::range, {}, 0, i.begin, i.end, i.step, is_fixed_range<I>};
  } else if constexpr (world_of<I> == world::literal) {
    p.is = part_position::kind::number;
    p.number = static_cast<index>(number_in(i));
  } else if constexpr (world_of<I> == world::eager) {
    p.is = part_position::kind::number;
    p.number = static_cast<index>(*argument<I>::bind(i).data());
  } else {
    p.is = part_position::kind::place;
    p.place = i.place();
  }
  return p;
}

template <class Builder>
constexpr void update_whole(Builder* b, int part, const edge& e) {
  if (part < 0) return an_assignment_to_a_temporary_value_is_lost_assign_to_an_element_of_a_named_value_or_to_the_value_itself();
  // The list of parts may grow, the table too.
  const traced_part p = b->parts[part];
  if (p.lost) return an_assignment_to_a_copy_of_a_variable_is_lost_take_the_variable_by_reference();
  const edge whole = part_nodes<Builder>(*b, b->value[p.whole], p.at).update(e);
  b->value[p.whole] = whole;
}

template <class X, class... I>
constexpr auto value_of_part(const X& x, const I&... i) {
  using part = typename symbol_of_spec<typename spec_of_part<typename X::spec_type, I...>::type>::type;
  if constexpr (sizeof...(I) == 1 && (!is_range<I> && ...)) {
    // Numbers count from the end when they are negative.
    if constexpr ((is_number_position<I> && ...))
      if (((number_in(i) < 0) && ...)) return part(x.builder(), part_nodes<builder>(*x.builder(), x.place(), {position_of(i)...}).read());
    return part(element(x, i...));
  } else if constexpr (((Constant<I> || is_fixed_range<I>) && ...)) {
    return strided_slice<slice_of_position<I>()...>(x);
  } else {
    builder* b = x.builder();
    const list<part_position> at = {position_of(i)...};
    return part(b, part_nodes<builder>(*b, x.place(), at).read());
  }
}

// Part `at` of what the builder tracks with this number.
template <class Value>
constexpr auto reference_to(const Value& value, int serial, bool lost, const list<part_position>& at) {
  if constexpr (is_refused<Value>) {
    return value;
  } else {
    builder* b = value.builder();
    b->parts.push_back({serial, lost, at});
    return Value(b, value.place(), static_cast<int>(b->parts.size()) - 1);
  }
}

template <bool Element, class X, class... I>
constexpr auto part_of_symbol(const X& x, int serial, const I&... i) {
  if constexpr ((is_refused<I> || ...)) {
    return first_refused(i...);
  } else if constexpr (Element && !is_position_in_brackets<I...>) {
    return element(x, i...);
  } else if constexpr (!are_positions<Element, typename X::spec_type, I...>()) {
    return refused<>();
  } else {
    return reference_to(value_of_part(x, i...), serial, false, {position_of(i)...});
  }
}

template <bool Element, class X, class... I>
constexpr auto part_of_part(const X& x, int part, const I&... i) {
  if constexpr ((is_refused<I> || ...)) {
    return first_refused(i...);
  } else if constexpr (Element && !is_position_in_brackets<I...>) {
    return element(x, i...);
  } else if constexpr (!are_positions<Element, typename X::spec_type, I...>()) {
    return refused<>();
  } else {
    auto value = value_of_part(x, i...);
    if constexpr (is_refused<decltype(value)>) {
      return value;
    } else {
      using result = decltype(value);
      if (part < 0) return result(value.builder(), value.place());
      const traced_part of = x.builder()->parts[part];
      // What is assigned to a part of a range goes through the range.
      if (has_ranges(of.at)) return result(value.builder(), value.place());
      return reference_to(value, of.whole, of.lost, positions_within(of.at, {position_of(i)...}));
    }
  }
}

// Wildcards of one spec may be different extents; use_equal_extents finds where they are not.
template <class X, class T, index... E>
constexpr auto broadcast_to_part(const X& x, const symbol<T, E...>& part) {
  if constexpr (!(is_static_extent(E) && ...)) return broadcast_like(x, part);
  else if constexpr (std::is_same_v<typename operand_spec<X>::type, spec<T, E...>>) return symbol<T, E...>(part.builder(), x.place());
  else return broadcast_to<E...>(x);
}

/// What an assignment of x to a part puts there.
template <class Part, class X>
constexpr auto fit_to_part(const Part& part, const X& x) {
  using T = typename Part::value_type;
  if constexpr (world_of<X> == world::literal) {
    using L = typename literal_element<X>::type;
    if constexpr (!literal_joins<L, T>()) return refuse<part_reason<typename Part::spec_type, spec<L>>>();
    else return broadcast_to_part(constant_beside<T>(part, number_in(x)), part);
  } else {
    using given = spec_beside<T, X>;
    if constexpr (!may_fit(given::value(), Part::spec_type::value())) return refuse<part_reason<typename Part::spec_type, given>>();
    else if constexpr (is_weak<X>) return broadcast_to_part(symbol<T>(part.builder(), place_of<given>(part.builder(), x)), part);
    else return broadcast_to_part(beside(part, x), part);
  }
}

// What broadcasting leaves unknown is checked to be the extents of x.
template <class T, index... E>
struct compound_assignment<symbol<T, E...>> {
  static constexpr bool of_temporaries = true;
  template <class Y>
  static constexpr void assign(symbol<T, E...>& x, const Y& y) {
    using given = typename operand_spec<Y>::type;
    if constexpr (!std::is_same_v<given, spec<T, E...>> && may_be_equal(given::value(), spec<T, E...>::value())) {
      const auto checked = call<ops::set_shape, attributes<integers<"shape", E...>>>(y);
      x = symbol<T, E...>(checked.builder(), checked.place());
    } else {
      x = y;
    }
  }
  template <class Y>
  static constexpr void assign(symbol<T, E...>&& x, const Y& y) {
    std::move(x) = y;
  }
};
template <class T, index... E>
inline constexpr bool may_change<const symbol<T, E...>> = false;

}  // namespace jig::detail
