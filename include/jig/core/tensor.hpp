// SPDX-License-Identifier: MIT
#pragma once
// Tensors: owned elements in row-major order.

#include <jig/core/spec.hpp>
#include <jig/core/storage.hpp>
#include <jig/core/view.hpp>

#include <initializer_list>

namespace jig {

namespace detail {

template <class T, int Rank>
struct nested_list {
  using type = std::initializer_list<typename nested_list<T, Rank - 1>::type>;
};
template <class T>
struct nested_list<T, 0> {
  using type = T;
};

// Reads the extents of a nested list along its first elements, up to an empty list.
template <int Rank, class List>
constexpr void list_extents(const List& list, shape& out) {
  out.push_back(static_cast<index>(list.size()));
  if constexpr (Rank > 1)
    if (list.size() > 0) list_extents<Rank - 1>(*list.begin(), out);
}

template <int Rank, class List, class T>
constexpr T* copy_list(const List& list, const shape& extents, T* to) {
  if constexpr (Rank == 0) {
    *to++ = list;
  } else {
    if (static_cast<index>(list.size()) != extents[extents.rank - Rank])
      throw_invalid_argument("a nested initialiser list must have rows of equal length");
    for (const auto& row : list) to = copy_list<Rank - 1>(row, extents, to);
  }
  return to;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_impossible(const tensor_spec& s) {
  message m;
  m << "a tensor has at most 2^56 bytes, given " << name_of(s.dtype) << ' ';
  throw_invalid_argument(append_numbers(m, s.shape).view());
}
// The number of elements to allocate: extents of a call may multiply to more than an index holds.
constexpr index checked_size(dtype d, const shape& extents) {
  if (!is_possible(d, extents)) throw_impossible({d, extents});
  return extents.size();
}

}  // namespace detail

/// An owning tensor: `tensor<float, 2, 3>`, `tensor<int, dyn>`, `tensor<double>` (one element, rank 0). Row-major; on
/// the heap aligned to 64 bytes; small static ones live inside the object. One that was moved from may be assigned or
/// destroyed, nothing else. Like a container's, a variable that nothing reads is worth no warning: `for (auto i : jig::range(n))`.
template <class T, index... E>
class [[gnu::unused]] tensor {
  static_assert(Element<T>, "jig::tensor: the element type must be a floating or integer type, bool or std::string");
  static_assert((true && ... && is_extent(E)), "jig::tensor: an extent is a number from 0, jig::dyn or a jig::dim");
  static constexpr bool possible = detail::are_possible<dtype_of<T>, E...>();
  static_assert(possible, "jig::tensor: a tensor has at most 2^56 bytes");
  static constexpr bool all_static = (true && ... && is_static_extent(E));
  static constexpr index static_size = (index{1} * ... * (possible && is_static_extent(E) ? E : 1));
  static constexpr bool inside = all_static && static_size * static_cast<index>(sizeof(T)) <= static_cast<index>(inline_capacity);
  using storage = typename std::conditional_t<inside, std::type_identity<detail::inline_storage<T, static_size>>,
                                              std::type_identity<detail::heap_storage<T>>>::type;

 public:
  using value_type = T;
  using spec_type = spec<T, E...>;

  /// Zeros; wildcard extents are 0.
  constexpr tensor() : data_(all_static ? static_size : 0) {}

  /// Zeros, with one extent for each wildcard: `tensor<float, dyn, dyn>(rows, columns)`.
  /// Errors: as of those below.
  template <std::convertible_to<index>... N>
    requires(sizeof...(N) > 0 && sizeof...(N) == detail::stored_extents<E...>::stored && !(std::is_floating_point_v<N> || ...))
  constexpr explicit tensor(N... extents) : tensor(zeros(), detail::fill_wildcards<E...>(extents...)) {}

  /// Refused: a braced list is elements, one list for each axis, and so many numbers are not.
  template <std::convertible_to<index> N, std::size_t Count>
    requires(sizeof...(E) > 1)
  constexpr explicit tensor(const N (&)[Count]) {
    static_assert(Count == 0, "jig::tensor: extents go without braces, x(rows, columns), and elements in one list for each axis");
  }

  /// Elements from a braced list, nested once for each axis. Wildcard extents are read off the list.
  /// Errors: a list that contradicts the static extents, or rows of unequal length, throw invalid_argument.
  constexpr tensor(const typename detail::nested_list<T, sizeof...(E)>::type& list) : tensor(uninitialized, extents_of(list)) {
    detail::copy_list<rank()>(list, shape(), data());
  }

  /// Elements that are not set yet, with all extents.
  /// Errors: extents that contradict the static ones throw invalid_argument, as do more than 2^56 bytes; what the memory does not
  /// have throws std::bad_alloc.
  constexpr tensor(uninitialized_t, const jig::shape& extents)
      : data_(size_of_extents(extents), uninitialized), extents_(detail::checked_extents<E...>(extents)) {}

  /// A copy of the elements of a view or of a tensor with other declared extents.
  /// Errors: extents that contradict the static ones throw invalid_argument.
  template <class U, index... F>
    requires(std::is_same_v<typename jig::view<U, F...>::value_type, T> && sizeof...(F) == sizeof...(E))
  constexpr explicit tensor(const jig::view<U, F...>& from) : tensor(uninitialized, from.shape()) {
    copy_from(from.data(), from.shape(), from.strides());
  }
  template <index... F>
    requires(sizeof...(F) == sizeof...(E) && !std::is_same_v<tensor<T, F...>, tensor>)
  constexpr explicit tensor(const tensor<T, F...>& from) : tensor(from.view()) {}

  /// What holds such a tensor, as values of variables do.
  template <class Holder>
    requires(std::is_same_v<typename std::remove_cvref_t<Holder>::tensor_type, tensor>)
  explicit tensor(Holder&& from) : tensor(std::forward<Holder>(from).value()) {}

  /// Keeps the first elements, as many as these extents have; they must not be more than there are.
  /// Errors: extents that contradict the static ones throw invalid_argument.
  void shrink(const jig::shape& extents)
    requires(!all_static)
  {
    extents_ = detail::checked_extents<E...>(extents);
    data_.shrink(size());
  }

  static constexpr int rank() { return sizeof...(E); }
  constexpr T* data() { return data_.data(); }
  constexpr const T* data() const { return data_.data(); }
  constexpr index extent(int axis) const { return extents_[axis]; }
  constexpr jig::shape shape() const { return detail::shape_from(extents_); }
  constexpr jig::shape strides() const { return detail::row_major_strides(shape()); }
  constexpr index size() const { return extents_.size(); }
  constexpr T* begin() { return data(); }
  constexpr T* end() { return data() + size(); }
  constexpr const T* begin() const { return data(); }
  constexpr const T* end() const { return data() + size(); }

  constexpr jig::view<T, E...> view() { return jig::view<T, E...>(data(), shape()); }
  constexpr jig::view<const T, E...> view() const { return jig::view<const T, E...>(data(), shape()); }
  constexpr operator jig::view<T, E...>() { return view(); }
  constexpr operator jig::view<const T, E...>() const { return view(); }

  constexpr tensor(const tensor&) = default;
  constexpr tensor(tensor&&) = default;
  constexpr ~tensor() = default;
  // Of names only: an assignment to a temporary tensor is lost.
  constexpr tensor& operator=(const tensor&) & = default;
  constexpr tensor& operator=(tensor&&) & = default;

  /// Refused: a value that begins as a tensor in a trace does not become a traced one.
  template <class X>
    requires(requires(const X& x) { x.place(); } && !std::is_convertible_v<const X&, const tensor&>)
  constexpr tensor& operator=(const X& x) & {
    refuse_traced_value(*this, x);
    return *this;
  }

  /// The part at position i of the first axis, as a new tensor: an element, a row and so on, or several where i is a range. `x[i] = v`
  /// changes x. A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument.
  template <class I>
  constexpr auto operator[](const I& i) & {
    return element_of_tensor(*this, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) const& {
    return element_of_tensor(*this, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) && {
    return element_of_tensor(std::as_const(*this), i);
  }

  /// The part at these positions, one for each axis, `jig::all` for a whole one, as a new tensor. `x(jig::all, j) = v` changes x.
  /// Errors: an index out of range throws invalid_argument with the index.
  template <class... I>
    requires(sizeof...(I) == sizeof...(E) && !(std::convertible_to<I, index> && ...) &&
             ((std::convertible_to<I, index> || std::is_class_v<I>) && ...))
  constexpr auto operator()(const I&... i) & {
    return part_at(*this, i...);
  }
  template <class... I>
    requires(sizeof...(I) == sizeof...(E) && !(std::convertible_to<I, index> && ...) &&
             ((std::convertible_to<I, index> || std::is_class_v<I>) && ...))
  constexpr auto operator()(const I&... i) const& {
    return part_at(*this, i...);
  }
  /// One element.
  /// Errors: an index out of range throws invalid_argument with the index.
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  constexpr T& operator()(I... i) {
    return data()[offset(static_cast<index>(i)...)];
  }
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  constexpr const T& operator()(I... i) const {
    return data()[offset(static_cast<index>(i)...)];
  }

  /// A rank-0 tensor is its element where one of just its type is wanted, and any other number where the program asks for one.
  template <std::same_as<T> U>
    requires(sizeof...(E) == 0)
  constexpr operator U() const {
    return data()[0];
  }
  template <class U>
    requires(sizeof...(E) == 0 && std::is_arithmetic_v<U> && !std::is_same_v<U, bool> && !std::is_same_v<U, T> &&
             !std::is_same_v<T, std::string>)
  constexpr explicit operator U() const {
    return static_cast<U>(data()[0]);
  }

 private:
  static constexpr jig::shape extents_of(const typename detail::nested_list<T, sizeof...(E)>::type& list) {
    jig::shape s;
    if constexpr (rank() > 0) detail::list_extents<rank()>(list, s);
    while (s.rank < rank()) s.push_back(detail::stored_extents<E...>()[s.rank]);
    return s;
  }
  static constexpr index size_of_extents(const jig::shape& extents) {
    (void)detail::checked_extents<E...>(extents);
    return detail::checked_size(dtype_of<T>, extents);
  }
  struct zeros {};
  constexpr tensor(zeros, const jig::shape& extents) : data_(size_of_extents(extents)), extents_(detail::checked_extents<E...>(extents)) {}
  template <class... I>
  constexpr index offset(I... i) const {
    index at = 0;
    int axis = 0;
    ((at = at * extents_[axis] + checked(i, axis), ++axis), ...);
    return at;
  }
  constexpr index checked(index i, int axis) const {
    if (i < 0 || i >= extents_[axis]) detail::throw_out_of_range(i, axis, extents_[axis]);
    return i;
  }
  constexpr void copy_from(const T* from, const jig::shape& extents, const jig::shape& strides) {
    for (index flat = 0; flat < size(); ++flat) {
      index rest = flat, at = 0;
      for (int a = rank(); a-- > 0;) {
        at += rest % extents[a] * strides[a];
        rest /= extents[a];
      }
      data()[flat] = from[at];
    }
  }

  // First the memory: when copying it throws, the extents still are those of the old one.
  storage data_;
  detail::stored_extents<E...> extents_{};
};

template <class T>
inline constexpr bool is_tensor = false;
template <class T, index... E>
inline constexpr bool is_tensor<tensor<T, E...>> = true;
template <class T>
inline constexpr bool is_view = false;
template <class T, index... E>
inline constexpr bool is_view<view<T, E...>> = true;

}  // namespace jig
