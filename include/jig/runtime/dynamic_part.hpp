// SPDX-License-Identifier: MIT
#pragma once
// Parts of dynamic symbols, `x[i]` and `x(i, j)`, and assignments to them.

#include <jig/ops/scatter.hpp>
#include <jig/ops/slice.hpp>
#include <jig/runtime/dynamic_call.hpp>

namespace jig {

namespace detail {

// Of positions only run time knows whether they are scalar integers.
template <class I>
bool is_one_position(const I& i) {
  if constexpr (is_range<I>) return true;
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

template <class... I>
dynamic_symbol dynamic_value_of_part(const dynamic_symbol& x, const I&... i) {
  if constexpr (sizeof...(I) == 1 && (!is_range<I> && ...) && !(is_number_position<I> && ...)) {
    return element(x, i...);
  } else if constexpr (((Constant<I> || is_fixed_range<I>) && ...)) {
    // An assignment to the part takes more.
    if constexpr ((is_range<I> || ...)) enter_kernels<ops::strided_slice_update>();
    return strided_slice<slice_of_position<I>()...>(x);
  } else {
    enter_kernels<ops::gather, ops::slice, ops::pack, ops::cast, ops::add, ops::shape_of>();
    list<part_position> at = {position_of(i)...};
    if constexpr ((is_range<I> || ...)) {
      enter_kernels<ops::strided_slice, ops::strided_slice_update>();
      for (auto& p : at) p.told = true;
    }
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
  if constexpr (Element && !(is_range<I> || ...))
    if (!(is_one_position(i) && ...)) return element(x, i...);
  require_positions<Element>(x, i...);
  return dynamic_reference_to(dynamic_value_of_part(x, i...), serial, lost, {position_of(i)...});
}

template <bool Element, class... I>
dynamic_symbol dynamic_part_of_part(const dynamic_symbol& x, int part, const I&... i) {
  if constexpr (Element && !(is_range<I> || ...))
    if (!(is_one_position(i) && ...)) return element(x, i...);
  require_positions<Element>(x, i...);
  const dynamic_symbol value = dynamic_value_of_part(x, i...);
  if (part < 0) return value;
  const traced_part of = x.builder()->parts[part];
  if (has_ranges(of.at)) return value;
  return dynamic_reference_to(value, of.whole, of.lost, positions_within(of.at, {position_of(i)...}));
}

// Only of programs that assign to parts: kernels take long to compile.
template <class X>
void enter_kernels_of_updates() {
  enter_kernels<ops::tensor_scatter_update, ops::slice_update, ops::pack, ops::cast, ops::add, ops::shape_of>();
}

template <class X, class Symbol>
edge place_for_part(const Symbol& part, const X& x) {
  const dynamic_operand o = dynamic_operand_of(x);
  const tensor_spec own = part.spec();
  tensor_spec given = o.spec;
  if ((o.from == world::literal || o.weak) && literal_joins(given.dtype, own.dtype)) given.dtype = own.dtype;
  if (!may_fit(given, own)) throw_invalid_argument(part_refusal(own, given).view());
  const Symbol value(part.builder(), place_of_operand(*part.builder(), o, given.dtype));
  if (!own.shape.is_static()) return broadcast_like(value, part).place();
  if (given == own) return value.place();
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
