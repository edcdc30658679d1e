// SPDX-License-Identifier: MIT
#pragma once
// Views: memory that belongs to someone else, with extents and strides.

#include <jig/core/error.hpp>
#include <jig/core/memory_layout.hpp>
#include <jig/core/shape.hpp>

#include <type_traits>

namespace jig {

namespace detail {

// Extents of which only the wildcard and named ones are stored.
template <index... E>
struct stored_extents {
  static constexpr int rank = sizeof...(E);
  static constexpr index declared[max_rank + 1] = {E..., 0};
  static constexpr int stored = (0 + ... + (is_static_extent(E) ? 0 : 1));
  index values[array_bound(stored)] = {};

  static constexpr int slot(int axis) {
    int n = 0;
    for (int a = 0; a < axis; ++a) n += !is_static_extent(declared[a]);
    return n;
  }
  [[gnu::always_inline]] constexpr index operator[](int axis) const {
    if constexpr (stored == rank) return values[axis];
    else if constexpr (stored == 0) return declared[axis];
    else return is_static_extent(declared[axis]) ? declared[axis] : values[slot(axis)];
  }
  constexpr void set(int axis, index e) {
    if (!is_static_extent(declared[axis])) values[slot(axis)] = e;
  }
  constexpr index size() const {
    index n = 1;
    for (int a = 0; a < rank; ++a) n *= (*this)[a];
    return n;
  }
};

template <index... E>
constexpr shape shape_from(const stored_extents<E...>& e) {
  return [&]<int... A>(std::integer_sequence<int, A...>) {
    return shape{sizeof...(E), {e[A]...}};
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(E))>());
}

// Extents that agree with the static ones.
struct unchecked {};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_extents(const shape& given, const shape& expected) {
  message m;
  m << "a shape of " << expected << " cannot hold extents ";
  throw_invalid_argument(append_numbers(m, given).view());
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_out_of_range(index i, int axis, index extent) {
  message m;
  m << "index " << i << " is out of range for axis " << axis << " with " << extent << " elements";
  throw_invalid_argument(m.view());
}

template <index... E>
constexpr stored_extents<E...> checked_extents(const shape& given) {
  constexpr int rank = sizeof...(E);
  stored_extents<E...> out;
  bool fits = given.rank == rank;
  for (int a = 0; fits && a < rank; ++a) fits = given[a] >= 0 && (!is_static_extent(out.declared[a]) || out.declared[a] == given[a]);
  if (!fits) {
    shape expected;
    for (int a = 0; a < rank; ++a) expected.push_back(out.declared[a]);
    throw_bad_extents(given, expected);
  }
  for (int a = 0; a < rank; ++a) out.set(a, given[a]);
  return out;
}

// The first extent does not matter: it may be a wildcard.
constexpr shape row_major_strides(const shape& s) {
  shape strides = s;
  index step = 1;
  for (int a = s.rank - 1; a > 0; --a) {
    strides[a] = step;
    step *= s[a];
  }
  if (s.rank > 0) strides[0] = step;
  return strides;
}

constexpr shape reversed(const shape& s) {
  shape out = s;
  for (int a = 0; a < s.rank; ++a) out[a] = s[s.rank - 1 - a];
  return out;
}
constexpr shape column_major_strides(const shape& s) { return reversed(row_major_strides(reversed(s))); }

// One wildcard for each extent that is given.
template <class N>
inline constexpr index any_extent = dyn;

constexpr shape listed_extents(const index* values, std::size_t rank) {
  shape s;
  for (std::size_t a = 0; a < rank; ++a) s.push_back(values[a]);
  return s;
}

// The shape that results from filling in the wildcards of E… in order.
template <index... E, class... N>
constexpr shape fill_wildcards(N... n) {
  static_assert(sizeof...(N) == stored_extents<E...>::stored,
                "jig: one run-time extent is needed for each wildcard extent, no more and no fewer");
  index given[sizeof...(N) + 1] = {static_cast<index>(n)..., 0};
  shape s;
  int next = 0;
  for (index e : {E..., index{0}}) {
    if (s.rank == static_cast<int>(sizeof...(E))) break;
    s.push_back(is_static_extent(e) ? e : given[next++]);
  }
  return s;
}

}  // namespace detail

/// A non-owning tensor over memory of somebody else. Strides are in elements and may be negative or zero; the
/// element may be const. Where `T` is a `row_major` or `column_major` one, the type tells how the elements lie.
template <class T, index... E>
class view {
  static_assert(Element<std::remove_const_t<T>>, "jig::view: the element type must be a floating or integer type, bool or std::string");
  static_assert((true && ... && is_extent(E)), "jig::view: an extent is a number from 0, jig::dyn or a jig::dim");
  static_assert(detail::are_possible<dtype_of<std::remove_const_t<T>>, E...>(), "jig::view: a tensor has at most 2^56 bytes");

 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;

  /// Row-major memory; one run-time extent for each wildcard.
  template <std::convertible_to<index>... N>
    requires(sizeof...(N) == detail::stored_extents<E...>::stored)
  constexpr explicit view(T* data, N... extents) : view(data, detail::fill_wildcards<E...>(extents...)) {}

  /// Row-major memory with all extents.
  /// Errors: extents that contradict the static ones throw invalid_argument.
  constexpr view(T* data, const shape& extents) : view(data, extents, detail::row_major_strides(extents)) {}

  /// Row-major memory with all extents in braces.
  constexpr view(T* data, const index (&extents)[sizeof...(E) == 0 ? 1 : sizeof...(E)])
    requires(sizeof...(E) > 0)
      : view(data, detail::listed_extents(extents, sizeof...(E))) {}

  /// Memory with all extents and strides, in elements.
  constexpr view(T* data, const index (&extents)[sizeof...(E) == 0 ? 1 : sizeof...(E)],
                 const index (&strides)[sizeof...(E) == 0 ? 1 : sizeof...(E)])
      : view(data, detail::listed_extents(extents, sizeof...(E)), detail::listed_extents(strides, sizeof...(E))) {}
  constexpr view(T* data, const shape& extents, const shape& strides)
      : view(detail::unchecked(), data, detail::checked_extents<E...>(extents), strides) {}

  /// Extents that agree with the static ones, and strides: what can be asked for them, shapes too.
  template <class Extents, class Strides>
  [[gnu::always_inline]] constexpr view(detail::unchecked, T* data, const Extents& extents, const Strides& strides) : data_(data) {
    // By constant positions: memory that is written word by word and then read as a whole has to wait for itself.
    [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      (extents_.set(A, extents[A]), ...);
      ((strides_[A] = strides[A]), ...);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(E))>());
  }

  /// A view of mutable elements is one of constant elements too.
  constexpr operator view<const T, E...>() const
    requires(!std::is_const_v<T>)
  {
    return view<const T, E...>(detail::unchecked(), data_, extents_, strides_);
  }

  static constexpr int rank() { return sizeof...(E); }
  constexpr T* data() const { return data_; }
  constexpr index extent(int axis) const { return extents_[axis]; }
  constexpr index stride(int axis) const { return strides_[axis]; }
  constexpr jig::shape shape() const { return detail::shape_from(extents_); }
  constexpr jig::shape strides() const {
    return [&]<int... A>(std::integer_sequence<int, A...>) {
      return jig::shape{sizeof...(E), {strides_[A]...}};
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(E))>());
  }
  constexpr index size() const { return extents_.size(); }

  /// The part at position i of the first axis, as a new tensor: an element, a row and so on. `x[i] = v` changes the memory.
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument.
  template <class I>
  constexpr auto operator[](const I& i) const {
    return element_of_tensor(*this, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one, as a new tensor. `x(jig::all, j) = v` changes the
  /// memory.
  /// Errors: an index out of range throws invalid_argument with the index.
  template <class... I>
    requires(sizeof...(I) == sizeof...(E) && !(std::convertible_to<I, index> && ...) &&
             ((std::convertible_to<I, index> || std::is_class_v<I>) && ...))
  constexpr auto operator()(const I&... i) const {
    return part_at(*this, i...);
  }

  /// One element.
  /// Errors: an index out of range throws invalid_argument with the index.
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  constexpr T& operator()(I... i) const {
    index offset = 0;
    int axis = 0;
    ((offset += checked(static_cast<index>(i), axis) * strides_[axis], ++axis), ...);
    return data_[offset];
  }

 private:
  constexpr index checked(index i, int axis) const {
    if (i < 0 || i >= extents_[axis]) detail::throw_out_of_range(i, axis, extents_[axis]);
    return i;
  }
  T* data_;
  detail::stored_extents<E...> extents_;
  index strides_[detail::array_bound(sizeof...(E))] = {};
};

/// Row-major memory of somebody else as calls see it: nothing is checked, no strides are stored. What users have of the kind
/// is a view of row_major elements.
template <class T, index... E>
class dense_view {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;

  /// Extents have to agree with the static ones.
  [[gnu::always_inline]] constexpr dense_view(T* data, const jig::shape& extents) : data_(data) {
    for (int a = 0; a < rank(); ++a) extents_.set(a, extents[a]);
  }
  constexpr operator view<T, E...>() const { return view<T, E...>(data_, shape()); }

  static constexpr int rank() { return sizeof...(E); }
  constexpr T* data() const { return data_; }
  constexpr index extent(int axis) const { return extents_[axis]; }
  constexpr index stride(int axis) const { return strides()[axis]; }
  constexpr jig::shape shape() const { return detail::shape_from(extents_); }
  constexpr jig::shape strides() const { return detail::row_major_strides(shape()); }
  constexpr index size() const { return extents_.size(); }

 private:
  T* data_;
  detail::stored_extents<E...> extents_;
};

namespace detail {

// What views have whose type tells their layout: the members of `view`, without strides. `Layout<T>` is the element type that tells it.
template <template <class> class Layout, class T, index... E>
class view_of_layout {
  static_assert(Element<std::remove_const_t<T>>, "jig::view: the element type must be a floating or integer type, bool or std::string");
  static_assert((true && ... && is_extent(E)), "jig::view: an extent is a number from 0, jig::dyn or a jig::dim");
  static_assert(are_possible<dtype_of<std::remove_const_t<T>>, E...>(), "jig::view: a tensor has at most 2^56 bytes");
  using derived = view<Layout<T>, E...>;

 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;

  /// One run-time extent for each wildcard.
  template <std::convertible_to<index>... N>
    requires(sizeof...(N) > 0 && sizeof...(N) == stored_extents<E...>::stored)
  constexpr explicit view_of_layout(T* data, N... extents) : view_of_layout(data, fill_wildcards<E...>(extents...)) {}
  /// Where all extents are in the type there is nothing to check.
  constexpr explicit view_of_layout(T* data)
    requires(stored_extents<E...>::stored == 0)
      : data_(data), extents_() {}
  template <std::convertible_to<index>... N>
    requires(sizeof...(N) == stored_extents<E...>::stored)
  constexpr explicit view_of_layout(Layout<T> from, N... extents) : view_of_layout(from.data, extents...) {}
  /// All extents.
  constexpr view_of_layout(T* data, const jig::shape& extents) : data_(data), extents_(checked_extents<E...>(extents)) {}
  constexpr view_of_layout(T* data, const index (&extents)[array_bound(sizeof...(E))])
    requires(sizeof...(E) > 0)
      : view_of_layout(data, listed_extents(extents, sizeof...(E))) {}
  [[gnu::always_inline]] constexpr view_of_layout(unchecked, T* data, const jig::shape& extents) : data_(data) {
    for (int a = 0; a < rank(); ++a) extents_.set(a, extents[a]);
  }

  static constexpr int rank() { return sizeof...(E); }
  constexpr T* data() const { return data_; }
  constexpr index extent(int axis) const { return extents_[axis]; }
  constexpr index stride(int axis) const { return self().strides()[axis]; }
  constexpr jig::shape shape() const { return shape_from(extents_); }
  constexpr index size() const { return extents_.size(); }
  /// The same elements with strides that the type does not tell.
  constexpr operator view<T, E...>() const { return view<T, E...>(data_, shape(), self().strides()); }
  /// A view of mutable elements is one of constant elements too.
  constexpr operator view<Layout<const T>, E...>() const
    requires(!std::is_const_v<T>)
  {
    return {data_, shape()};
  }

  template <class I>
  constexpr auto operator[](const I& i) const {
    return element_of_tensor(self(), i);
  }
  template <class... I>
    requires(sizeof...(I) == sizeof...(E) && !(std::convertible_to<I, index> && ...) &&
             ((std::convertible_to<I, index> || std::is_class_v<I>) && ...))
  constexpr auto operator()(const I&... i) const {
    return part_at(self(), i...);
  }
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  constexpr T& operator()(I... i) const {
    return view<T, E...>(*this)(i...);
  }

 private:
  constexpr const derived& self() const { return static_cast<const derived&>(*this); }
  T* data_;
  stored_extents<E...> extents_;
};

}  // namespace detail

/// A view of elements in row-major order without gaps: calls with it cost what those with tensors do.
/// Errors of its constructors: extents that contradict the static ones throw invalid_argument.
template <class T, index... E>
class view<row_major<T>, E...> : public detail::view_of_layout<row_major, T, E...> {
 public:
  using detail::view_of_layout<row_major, T, E...>::view_of_layout;
  constexpr view(const dense_view<T, E...>& from) : view(from.data(), from.shape()) {}
  constexpr jig::shape strides() const { return detail::row_major_strides(this->shape()); }
};

/// A view of elements in column-major order without gaps, as Eigen, Armadillo and Fortran have them: calls with it cost what those with
/// tensors of the reversed shape do.
/// Errors of its constructors: extents that contradict the static ones throw invalid_argument.
template <class T, index... E>
class view<column_major<T>, E...> : public detail::view_of_layout<column_major, T, E...> {
 public:
  using detail::view_of_layout<column_major, T, E...>::view_of_layout;
  constexpr jig::shape strides() const { return detail::column_major_strides(this->shape()); }
};

/// Extents that are not in the type are in the object: `view(data, 6, 4)`. Without strides the elements lie in row-major order.
template <class T, std::convertible_to<index>... N>
  requires(Element<std::remove_const_t<T>>)
view(T*, N...) -> view<row_major<T>, detail::any_extent<N>...>;
template <class T, std::convertible_to<index>... N>
view(row_major<T>, N...) -> view<row_major<T>, detail::any_extent<N>...>;
template <class T, std::convertible_to<index>... N>
view(column_major<T>, N...) -> view<column_major<T>, detail::any_extent<N>...>;

/// Memory of somebody else at strides that are part of the type; of the extents that are not, the object knows them.
template <class T, jig::shape Strides, index... E>
class fixed_view {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;

  /// Extents have to agree with the static ones.
  [[gnu::always_inline]] constexpr fixed_view(T* data, const jig::shape& extents) : data_(data) {
    for (int a = 0; a < rank(); ++a) extents_.set(a, extents[a]);
  }

  static constexpr int rank() { return sizeof...(E); }
  constexpr T* data() const { return data_; }
  constexpr index extent(int axis) const { return extents_[axis]; }
  static constexpr index stride(int axis) { return Strides[axis]; }
  constexpr jig::shape shape() const { return detail::shape_from(extents_); }
  static constexpr jig::shape strides() { return Strides; }
  constexpr index size() const { return extents_.size(); }

 private:
  T* data_;
  detail::stored_extents<E...> extents_;
};

namespace detail {

template <class View>
inline constexpr memory_layout layout_of_view = View::rank() == 0 ? memory_layout::row_major : memory_layout::strided;
template <class T, index... E>
inline constexpr memory_layout layout_of_view<dense_view<T, E...>> = memory_layout::row_major;
template <class T, index... E>
inline constexpr memory_layout layout_of_view<view<row_major<T>, E...>> = memory_layout::row_major;
template <class T, index... E>
inline constexpr memory_layout layout_of_view<view<column_major<T>, E...>> =
    sizeof...(E) < 2 ? memory_layout::row_major : memory_layout::column_major;

/// The product of the extents first … last - 1 of a view.
template <class View>
[[gnu::always_inline]] constexpr index elements_along(const View& x, int first, int last) {
  index n = 1;
  for (int a = first; a < last; ++a) n *= x.extent(a);
  return n;
}

}  // namespace detail

}  // namespace jig
