// SPDX-License-Identifier: MIT
#pragma once
// Slices of what is in memory: its parts along the first axis, as views of it.

#include <jig/data/sequence.hpp>

#include <memory>

namespace jig::data::detail {

// What a dataset sees: objects of the program where they are, temporary ones and views as its own.
template <class X>
class kept {
  using object = std::remove_cvref_t<X>;
  static constexpr bool borrows = std::is_lvalue_reference_v<X> && !is_view<object>;
  std::conditional_t<borrows, const object*, std::shared_ptr<const object>> object_;

 public:
  explicit kept(X&& x) {
    if constexpr (borrows) object_ = &x;
    else object_ = std::make_shared<const object>(std::forward<X>(x));
  }
  const object& get() const { return *object_; }
  auto seen() const { return argument<object>::bind(*object_); }
};

// The parts of an argument along its first axis.
template <class Spec, memory_layout Layout>
struct parts {
  static_assert(Spec::rank() > 0, "jig: from_tensor_slices takes what has a first axis, given a number");
};
template <class T, index N, index... E, memory_layout Layout>
struct parts<spec<T, N, E...>, Layout> {
  static constexpr bool dense = Layout == memory_layout::row_major;
  using seen_element = std::conditional_t<dense, row_major<const T>, const T>;
  using one = typename std::conditional_t<sizeof...(E) == 0, std::type_identity<T>, std::type_identity<view<seen_element, E...>>>::type;

  const T* data;
  shape extents, strides;

  explicit parts(const auto& seen) : data(seen.data()), extents(seen.shape()), strides(seen.strides()) {}

  one at(index i) const {
    const T* first = data + i * strides[0];
    if constexpr (sizeof...(E) == 0) return *first;
    else return as<one>(first, behind_first(extents), behind_first(strides));
  }
  template <index B>
  auto block(index first, index count) const {
    shape all = extents;
    all[0] = count;
    return as<view<seen_element, B, E...>>(data + first * strides[0], all, strides);
  }

 private:
  static shape behind_first(const shape& s) {
    shape out;
    for (int a = 1; a < s.rank; ++a) out.push_back(s[a]);
    return out;
  }
  template <class View>
  static View as(const T* first, const shape& extents, const shape& strides) {
    if constexpr (dense) return View(jig::detail::unchecked(), first, extents);
    else return View(first, extents, strides);
  }
};
template <class X>
using parts_of = parts<typename argument<std::remove_cvref_t<X>>::spec_type, argument_layout<std::remove_cvref_t<X>>>;

// One component for one argument, a tuple for more.
template <class C, class... More>
constexpr auto element_of(C&& component, More&&... more) {
  if constexpr (sizeof...(More) == 0) return std::remove_cvref_t<C>(std::forward<C>(component));
  else return std::tuple<std::remove_cvref_t<C>, std::remove_cvref_t<More>...>(std::forward<C>(component), std::forward<More>(more)...);
}

/// The slices of the arguments.
template <class... X>
class slices {
  std::tuple<kept<X>...> objects_;
  std::tuple<parts_of<X>...> parts_;

 public:
  using element_type = decltype(detail::element_of(std::declval<typename parts_of<X>::one>()...));

  explicit slices(X&&... x)
      : objects_(kept<X>(std::forward<X>(x))...),
        parts_(std::apply([](const auto&... object) { return std::tuple(parts_of<X>(object.seen())...); }, objects_)) {
    const auto counts = std::apply([](const auto&... p) { return std::array{p.extents[0]...}; }, parts_);
    for (std::size_t i = 1; i < counts.size(); ++i)
      if (counts[i] != counts[0])
        jig::detail::throw_invalid_argument("from_tensor_slices: argument " + std::to_string(i) + " has " + std::to_string(counts[i]) +
                                            " slices, argument 0 has " + std::to_string(counts[0]));
  }

  /// What argument I is.
  template <std::size_t I>
  const auto& object() const {
    return std::get<I>(objects_).get();
  }
  index cardinality() const { return std::get<0>(parts_).extents[0]; }
  element_type at(index i) const {
    return std::apply([&](const auto&... p) { return detail::element_of(p.at(i)...); }, parts_);
  }
  /// So many from one on, side by side: what a batch of them is.
  template <index B>
  auto block(index first, index count) const {
    return std::apply([&](const auto&... p) { return detail::element_of(p.template block<B>(first, count)...); }, parts_);
  }
  auto open() const { return sequence_cursor<slices>(*this); }
};

}  // namespace jig::data::detail
