// SPDX-License-Identifier: MIT
#pragma once
// The positions in `x[i]` and `x(i, j)`: which there are, what part they name, and what may be assigned to it.

#include <jig/ops/gather.hpp>
#include <jig/ops/strided_slice.hpp>

namespace jig {

/// Bounds that are no numbers, such as jig::extent<0>(x) - 1, are refused: negative ones count from the end.
template <class Begin, class End, class... Step>
  requires(sizeof...(Step) < 2 &&
           !(std::convertible_to<Begin, index> && std::convertible_to<End, index> && (std::convertible_to<Step, index> && ...)))
constexpr auto range_of(const Begin&, const End&, const Step&...) {
  return refuse_with<
      "range_of: bounds are numbers; those from the end are negative, x(range_of(0, -1)), and slice<N>(x, begin) begins at a traced "
      "position",
      Begin, End>();
}

namespace detail {

template <class I>
inline constexpr bool is_range = std::derived_from<I, slice_range>;
// Whether types tell what a range takes.
template <class I>
inline constexpr bool is_fixed_range = is_range<I> && !std::is_same_v<I, slice_range>;
template <class I>
inline constexpr bool is_all = std::is_same_v<I, std::remove_const_t<decltype(all)>>;

constexpr index extent_of_part(const slice_range& r, index extent) {
  if (is_static_extent(extent) && r.step != 0) return positions_of(r, extent).count;
  return r.begin == unbounded && r.end == unbounded && r.step == 1 ? extent : dyn;
}

/// Whether a position is one number, so that the part may be assigned to.
template <class I>
inline constexpr bool is_single_position = [] {
  if constexpr (world_of<I> == world::dynamic) return true;
  else if constexpr (world_of<I> == world::literal) return is_integer(dtype_of<typename literal_element<I>::type>);
  else if constexpr (world_of<I> == world::foreign || world_of<I> == world::refused) return false;
  else return operand_spec<I>::type::value().shape.rank == 0 && is_integer(operand_spec<I>::type::value().dtype);
}();

/// Whether `x[i]` takes it; all else is what element() refuses.
template <class... I>
inline constexpr bool is_position_in_brackets = ((is_range<I> || is_single_position<I>) && ...);

/// Whether a position is a number that types do not tell.
template <class I>
inline constexpr bool is_number_position = world_of<I> == world::literal && !Constant<I>;

template <class I>
constexpr slice_range range_in() {
  if constexpr (is_fixed_range<I>) return I();
  else return {};
}

template <class Spec, class... I>
struct spec_of_part;
template <class T, index... E, class... I>
struct spec_of_part<spec<T, E...>, I...> {
  static constexpr shape kept = [] {
    constexpr bool stays[] = {is_range<I>..., true}, known[] = {is_fixed_range<I>..., true};
    constexpr slice_range ranges[] = {range_in<I>()..., {}};
    constexpr index extents[] = {E..., 0};
    shape s;
    for (std::size_t a = 0; a < sizeof...(E); ++a)
      if (a >= sizeof...(I) || stays[a])
        s.push_back(a >= sizeof...(I) ? extents[a] : known[a] ? extent_of_part(ranges[a], extents[a]) : dyn);
    return s;
  }();
  template <std::size_t... A>
  static auto of(std::index_sequence<A...>) -> spec<T, kept.extents[A]...>;
  using type = decltype(of(std::make_index_sequence<static_cast<std::size_t>(kept.rank)>()));
};

template <class I>
constexpr auto slice_of_position() {
  if constexpr (Constant<I>) return static_cast<index>(I::value);
  else return range_in<I>();
}

inline constexpr text positions_refusal = "x(i, j): positions are integers of rank 0, numbers, ranges or jig::all, one for each axis";

/// Whether these may be the positions of a part; says why not.
template <bool Element, class Spec, class... I>
constexpr bool are_positions() {
  constexpr auto axes = static_cast<std::size_t>(Spec::value().shape.rank);
  if constexpr ((Element ? sizeof...(I) > axes : sizeof...(I) != axes) || !((is_range<I> || is_single_position<I>) && ...)) {
    (void)refuse_with<positions_refusal, Spec, I...>();
    return false;
  } else {
    using within = inferred<ops::strided_slice, typename slice_attributes<slice_of_position<I>()...>::type, types<Spec>>;
    if constexpr (!within::accepted) (void)refuse<rule_reason<within>>();
    return within::accepted;
  }
}

constexpr message part_refusal(const tensor_spec& part, const tensor_spec& given) {
  message m;
  m << "an element or part of spec " << part << " cannot take a value of spec " << given;
  if (part.dtype != given.dtype) m << ": dtypes differ, convert one with jig::cast";
  return m;
}
template <class Part, class Given>
struct part_reason {
  static constexpr message sentence = part_refusal(Part::value(), Given::value());
};

/// Whether a value of a spec may have extents that broadcast to those of a part, and its dtype.
constexpr bool may_fit(const tensor_spec& given, const tensor_spec& part) {
  if (given.dtype != part.dtype || given.shape.rank > part.shape.rank) return false;
  for (int back = 1; back <= given.shape.rank; ++back) {
    const index from = given.shape[given.shape.rank - back], to = part.shape[part.shape.rank - back];
    if (from != 1 && from != to && is_static_extent(from) && is_static_extent(to)) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace jig
