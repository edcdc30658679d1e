// SPDX-License-Identifier: MIT
#pragma once
// Parts of values, `x[i]` and `x(i, j)`, which assignments change: what they are, and those of tensors and views.

#include <jig/ops/create.hpp>
#include <jig/ops/part_positions.hpp>

namespace jig {

template <class T, index... E>
class tensor_part;
template <bool Element, class T, index... E, class... I>
constexpr auto part_of_tensor_part(const tensor_part<T, E...>& x, const I&... i);

template <class T, index... E>
inline constexpr bool is_value<tensor_part<T, E...>> = true;

template <class T, index... E>
struct argument<tensor_part<T, E...>> : argument<tensor<T, E...>> {};

namespace detail {

/// Copies elements to memory with these strides, to which they are broadcast.
template <class T>
constexpr void put_broadcast(T* to, const shape& extents, const shape& strides, const T* from, const shape& from_extents,
                             const shape& from_strides) {
  const index n = extents.size();
  const int more = extents.rank - from_extents.rank;
  for (index flat = 0; flat < n; ++flat) {
    index rest = flat, at = 0, at_from = 0;
    for (int a = extents.rank; a-- > 0;) {
      const index i = rest % extents[a];
      rest /= extents[a];
      at += i * strides[a];
      if (a >= more && from_extents[a - more] != 1) at_from += i * from_strides[a - more];
    }
    to[at] = from[at_from];
  }
}

/// Gives a tensor the elements of x, which are broadcast to it.
/// Errors: extents that do not broadcast throw invalid_argument.
template <class T, index... E, class X>
constexpr void fill_from(tensor<T, E...>& to, const X& x) {
  if constexpr (world_of<X> == world::literal) {
    const T value = fitting<T>(number_in(x));
    for (auto& e : to) e = value;
  } else if constexpr (is_weak<X>) {
    const T value = number_as<T>(x);
    for (auto& e : to) e = value;
  } else {
    const auto from = argument<X>::bind(x);
    const shape extents = to.shape(), given = from.shape();
    if (!may_fit({dtype_of<T>, given}, {dtype_of<T>, extents}))
      throw_invalid_argument(part_refusal({dtype_of<T>, extents}, {dtype_of<T>, given}).view());
    put_broadcast(to.data(), extents, row_major_strides(extents), renamed<const T>(from.data()), given, from.strides());
  }
}

/// Whether x may be put into what has this spec; says why not.
template <class Spec, class X>
constexpr bool fits_into() {
  using T = typename Spec::value_type;
  if constexpr (is_refused<X>) {
    return false;
  } else if constexpr (world_of<X> == world::literal) {
    using L = typename literal_element<X>::type;
    if constexpr (!literal_joins<L, T>()) (void)refuse<part_reason<Spec, spec<L>>>();
    return literal_joins<L, T>();
  } else {
    using given = spec_beside<T, X>;
    constexpr bool fits = may_fit(given::value(), Spec::value());
    if constexpr (!fits) (void)refuse<part_reason<Spec, given>>();
    return fits;
  }
}

}  // namespace detail

/// What `x[i]` and `x(i, j)` are of a tensor or view: a tensor with a copy of the elements. An assignment to it changes x as long as
/// it has no name: `x[i] = v`, but not `auto part = x[i]; part = v`.
template <class T, index... E>
class tensor_part : public tensor<T, E...> {
  using base = tensor<T, E...>;

 public:
  /// The elements at `from`, which assignments change.
  constexpr tensor_part(T* from, const jig::shape& extents, const jig::shape& strides)
      : base(jig::view<const T, E...>(from, extents, strides)), whole_(from) {
    for (int a = 0; a < base::rank(); ++a) strides_[a] = strides[a];
  }
  constexpr tensor_part(const tensor_part& o) : base(o) {}
  constexpr tensor_part(tensor_part&& o) noexcept : base(static_cast<base&&>(o)) {}
  constexpr tensor_part& operator=(const tensor_part& o) & { return *this = static_cast<const base&>(o); }
  template <class X>
    requires(sizeof...(E) == 0 && world_of<X> == world::literal && detail::literal_joins<typename detail::literal_element<X>::type, T>())
  constexpr tensor_part& operator=(const X& x) & {
    detail::fill_from(static_cast<base&>(*this), x);
    return *this;
  }
  template <class X>
    requires(world_of<X> != world::literal && std::is_assignable_v<base&, const X&>)
  constexpr tensor_part& operator=(const X& x) & {
    static_cast<base&>(*this) = x;
    return *this;
  }

  using base::operator[];
  template <class... I>
  constexpr decltype(auto) operator()(const I&... i) & {
    return static_cast<base&>(*this)(i...);
  }
  template <class... I>
  constexpr decltype(auto) operator()(const I&... i) const& {
    return static_cast<const base&>(*this)(i...);
  }
  /// A part of the part.
  template <class I>
  constexpr auto operator[](const I& i) && {
    return part_of_tensor_part<true>(*this, i);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) && {
    return part_of_tensor_part<false>(*this, i...);
  }

  /// Changes the elements of the whole; x is broadcast to the part.
  /// Errors: another dtype is refused at compile time; extents that do not broadcast are too, or throw invalid_argument.
  constexpr tensor_part& operator=(const tensor_part& x) && { return put(static_cast<const base&>(x)); }
  template <class X>
    requires Operand<X>
  constexpr tensor_part& operator=(const X& x) && {
    return put(x);
  }

  /// Where its elements lie in the whole, if it is no copy of a part.
  constexpr T* whole() const { return whole_; }
  constexpr jig::shape strides_in_whole() const {
    jig::shape s;
    for (int a = 0; a < base::rank(); ++a) s.push_back(strides_[a]);
    return s;
  }

 private:
  template <class X>
  constexpr tensor_part& put(const X& x) {
    if constexpr (detail::is_weak<X>) {
      if constexpr (detail::fits_into<spec<T, E...>, X>()) return put(detail::number_as<T>(x));
      else return *this;
    } else if constexpr (world_of<X> == world::dual) {
      return put(x.value());
    } else {
      if constexpr (detail::fits_into<spec<T, E...>, X>()) {
        if (whole_ == nullptr && this->size() > 0)
          detail::throw_invalid_argument("an assignment to a copy of a part is lost: assign to x[i] itself");
        detail::fill_from(static_cast<base&>(*this), x);
        detail::put_broadcast(whole_, this->shape(), strides_in_whole(), this->data(), this->shape(), base::strides());
      }
      return *this;
    }
  }
  T* whole_ = nullptr;
  index strides_[sizeof...(E) + 1] = {};
};

namespace detail {

template <class I>
constexpr index position_number(const I& i) {
  if constexpr (world_of<I> == world::literal) return static_cast<index>(number_in(i));
  else return static_cast<index>(*argument<I>::bind(i).data());
}

// Where a part of memory with these extents and strides begins, and which are its own.
struct place_of_part {
  index offset = 0;
  shape extents, strides;
  int axis = 0;

  template <class I>
  constexpr void step(const shape& whole, const shape& along, const I& i) {
    if constexpr (is_all<I>) {
      keep(whole, along);
    } else if constexpr (is_range<I>) {
      if (i.step == 0) throw_invalid_argument("the step of a slice must not be 0");
      const taken_positions taken = positions_of(i, whole[axis]);
      offset += taken.first * along[axis];
      extents.push_back(taken.count);
      // One element has any stride.
      strides.push_back(taken.count > 1 ? i.step * along[axis] : along[axis]);
      ++axis;
    } else {
      index at = position_number(i);
      if (world_of<I> == world::literal && at < 0) at += whole[axis];
      if (at < 0 || at >= whole[axis]) throw_bad_index("GatherV2", position_number(i), axis, whole[axis]);
      offset += at * along[axis++];
    }
  }
  constexpr void keep(const shape& whole, const shape& along) {
    extents.push_back(whole[axis]);
    strides.push_back(along[axis++]);
  }
};

template <class Spec, class... I>
struct part_type;
template <class T, index... E>
struct part_type<spec<T, E...>> : std::type_identity<tensor_part<T, E...>> {};

template <class... I>
constexpr place_of_part find_part(const shape& extents, const shape& strides, const I&... i) {
  place_of_part at;
  (at.step(extents, strides, i), ...);
  while (at.axis < extents.rank) at.keep(extents, strides);
  // Where nothing is, there may be no memory to count from.
  if (at.extents.size() == 0) at.offset = 0;
  return at;
}
template <class T, index... E, class... I>
constexpr auto part_of_memory(spec<T, E...>, T* data, const shape& extents, const shape& strides, const I&... i) {
  const place_of_part at = find_part(extents, strides, i...);
  return typename part_type<typename spec_of_part<spec<T, E...>, I...>::type>::type(data + at.offset, at.extents, at.strides);
}
template <class Spec>
struct value_type_of_part;
template <class T, index... E>
struct value_type_of_part<spec<T, E...>> {
  using type = tensor<T, E...>;
  using view_type = view<const T, E...>;
};
template <class T, index... E, class... I>
constexpr auto value_of_memory(spec<T, E...>, const T* data, const shape& extents, const shape& strides, const I&... i) {
  const place_of_part at = find_part(extents, strides, i...);
  using found = value_type_of_part<typename spec_of_part<spec<T, E...>, I...>::type>;
  return typename found::type(typename found::view_type(data + at.offset, at.extents, at.strides));
}

// Positions that only a trace knows, or several at once, pick values that are no part of the tensor.
template <class... I>
inline constexpr bool pick_in_memory =
    ((is_range<I> || ((world_of<I> == world::literal || world_of<I> == world::eager) && is_single_position<I>)) && ...);

template <class X>
struct memory_of_tensor;
template <class T, index... E>
struct memory_of_tensor<tensor<T, E...>> {
  using spec_type = spec<T, E...>;
  static constexpr bool writable = true;
};
template <class T, index... E>
struct memory_of_tensor<const tensor<T, E...>> {
  using spec_type = spec<T, E...>;
  static constexpr bool writable = false;
};
template <class T, index... E>
struct memory_of_tensor<const view<T, E...>> {
  using spec_type = spec<typename view<T, E...>::value_type, E...>;
  static constexpr bool writable = !std::is_const_v<typename view<T, E...>::element_type>;
};

}  // namespace detail

/// The refusal of a traced value for a tensor, which no trace can see change.
template <class Tensor, class X>
constexpr void refuse_traced_value(const Tensor&, [[maybe_unused]] const X& x) {
  if constexpr (requires { x.builder()->refuse(); })
    if (std::is_constant_evaluated()) x.builder()->refuse();
  (void)refuse_with<"a tensor cannot become a traced value: begin with jig::zeros_like, jig::full_like or jig::constant_like of one",
                    Tensor, X>();
}

/// `x[i]` of a tensor or view.
template <class X, class I>
constexpr auto element_of_tensor(X& x, const I& i) {
  using memory = detail::memory_of_tensor<X>;
  if constexpr (!detail::pick_in_memory<I> || !(memory::writable || detail::is_range<I> || world_of<I> == world::literal))
    return element(x, i);
  else if constexpr (!detail::are_positions<true, typename memory::spec_type, I>()) return refused<>();
  else if constexpr (!memory::writable) return detail::value_of_memory(typename memory::spec_type(), x.data(), x.shape(), x.strides(), i);
  else return detail::part_of_memory(typename memory::spec_type(), x.data(), x.shape(), x.strides(), i);
}

/// `x(i, j)` of a tensor or view, where it is more than one element or not all positions are numbers.
template <class X, class... I>
constexpr auto part_at(X& x, const I&... i) {
  using memory = detail::memory_of_tensor<X>;
  if constexpr ((is_refused<I> || ...)) {
    return detail::first_refused(i...);
  } else if constexpr (!detail::are_positions<false, typename memory::spec_type, I...>()) {
    return refused<>();
  } else if constexpr (!detail::pick_in_memory<I...>) {
    // A trace tells the positions: there this is a constant.
    return detail::beside(detail::traced_one_of(i...), x)(i...);
  } else if constexpr (memory::writable) {
    return detail::part_of_memory(typename memory::spec_type(), x.data(), x.shape(), x.strides(), i...);
  } else {
    return detail::value_of_memory(typename memory::spec_type(), x.data(), x.shape(), x.strides(), i...);
  }
}

/// `x[i][j]` and the like of a part.
template <bool Element, class T, index... E, class... I>
constexpr auto part_of_tensor_part(const tensor_part<T, E...>& x, const I&... i) {
  const tensor<T, E...>& value = x;
  if constexpr ((is_refused<I> || ...)) return detail::first_refused(i...);
  else if constexpr (detail::pick_in_memory<I...> && !detail::are_positions<Element, spec<T, E...>, I...>()) return refused<>();
  else if constexpr (detail::pick_in_memory<I...>)
    return detail::part_of_memory(spec<T, E...>(), x.whole(), x.shape(), x.strides_in_whole(), i...);
  else if constexpr (Element) return element(value, i...);
  else return value(i...);
}

}  // namespace jig
