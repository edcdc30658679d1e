// SPDX-License-Identifier: MIT
#pragma once
// Blaze, and whatever has its interface: dense matrices and vectors, those of fixed size, and views of them are arguments and results,
// read and written where they lie. Nothing of Blaze is included. Vectors have one axis, matrices two, whose elements lie as the type's
// storage order says, in rows or columns that may be padded.

#include <jig/adapt/argument.hpp>

namespace jig {

namespace detail {

template <class X>
concept BlazeMatrix = requires(const X& x) {
  typename X::ElementType;
  { X::storageOrder } -> std::convertible_to<bool>;
  { x.rows() } -> std::convertible_to<std::size_t>;
  { x.columns() } -> std::convertible_to<std::size_t>;
};
template <class X>
concept BlazeVector = !BlazeMatrix<X> && requires(const X& x) {
  typename X::ElementType;
  { X::transposeFlag } -> std::convertible_to<bool>;
  { x.size() } -> std::convertible_to<std::size_t>;
};
// Views of rows, columns or elements in any order have data() too, and views of such views.
template <class X>
constexpr bool is_selection() {
  if constexpr (requires(const X& x) { x.idces(); }) return true;
  else if constexpr (requires(const X& x) { x.operand(); })
    return is_selection<std::remove_cvref_t<decltype(std::declval<const X&>().operand())>>();
  else return false;
}
// Whether iterators are pointers, perhaps in a class: those through a row of a column-major matrix are not.
template <class I>
constexpr bool is_pointer_inside() {
  if constexpr (std::is_pointer_v<I>) return true;
  else if constexpr (requires(const I& i) { i.base(); })
    return is_pointer_inside<std::remove_cvref_t<decltype(std::declval<const I&>().base())>>();
  else return false;
}
template <class X>
constexpr bool follow_one_another() {
  if constexpr (requires(const X& x) { x.begin(); })
    return is_pointer_inside<std::remove_cvref_t<decltype(std::declval<const X&>().begin())>>();
  else if constexpr (requires(const X& x) { x.begin(std::size_t{}); })
    return is_pointer_inside<std::remove_cvref_t<decltype(std::declval<const X&>().begin(std::size_t{}))>>();
  else return true;
}
template <class X>
concept BlazeMemory = (BlazeMatrix<X> || BlazeVector<X>) && !is_selection<X>() && requires(const X& x) {
  { x.data() } -> std::convertible_to<const typename X::ElementType*>;
} && (BlazeMatrix<X> ? follow_one_another<X>() && requires(const X& x) {
                        { x.spacing() } -> std::convertible_to<std::size_t>;
                      } : follow_one_another<X>() || requires(const X& x) {
                        { x[std::size_t{}] } -> std::convertible_to<const typename X::ElementType&>;
                        requires std::is_reference_v<decltype(x[std::size_t{}])>;
                      });
template <class X>
concept SparseBlaze = (BlazeMatrix<X> || BlazeVector<X>) && !BlazeMemory<X> && requires(X& x) { x.reserve(x.nonZeros()); };

// Numbers that a type tells are those of static functions.
template <class X>
constexpr index blaze_rows() {
  if constexpr (requires { std::integral_constant<std::size_t, X::rows()>(); }) return static_cast<index>(X::rows());
  else return dyn;
}
template <class X>
constexpr index blaze_columns() {
  if constexpr (requires { std::integral_constant<std::size_t, X::columns()>(); }) return static_cast<index>(X::columns());
  else return dyn;
}
template <class X>
constexpr index blaze_size() {
  if constexpr (requires { std::integral_constant<std::size_t, X::size()>(); }) return static_cast<index>(X::size());
  else return dyn;
}
template <class X>
constexpr index blaze_spacing() {
  if constexpr (requires { std::integral_constant<std::size_t, X::spacing()>(); }) return static_cast<index>(X::spacing());
  else return dyn;
}

}  // namespace detail

template <class X>
  requires(detail::BlazeVector<X> && detail::BlazeMemory<X> && Element<typename X::ElementType>)
struct argument<X> {
  using spec_type = spec<canonical<typename X::ElementType>, detail::blaze_size<X>()>;
  static auto bind(const X& x) { return seen(x); }
  static auto bind(X& x) { return seen(x); }

 private:
  static auto seen(auto& x) {
    const shape extents{1, {static_cast<index>(x.size())}};
    if constexpr (detail::follow_one_another<X>()) {
      return detail::view_of<detail::blaze_size<X>()>(x.data(), extents);
    } else {
      // A row, a column or a diagonal across the storage order.
      const index step = x.size() > 1 ? static_cast<index>(&x[1] - &x[0]) : 1;
      return detail::strided_view_of<detail::blaze_size<X>()>(x.data(), extents, shape{1, {step}});
    }
  }
};

template <class X>
  requires(detail::BlazeMatrix<X> && detail::BlazeMemory<X> && Element<typename X::ElementType>)
struct argument<X> {
 private:
  static constexpr bool is_column_major = X::storageOrder;
  static constexpr index rows = detail::blaze_rows<X>(), columns = detail::blaze_columns<X>();
  static constexpr index inner = is_column_major ? rows : columns;
  static constexpr bool has_no_padding = inner != dyn && inner == detail::blaze_spacing<X>();

  static auto seen(auto& x) {
    const shape extents{2, {static_cast<index>(x.rows()), static_cast<index>(x.columns())}};
    const auto step = static_cast<index>(x.spacing());
    if constexpr (!has_no_padding)
      return detail::strided_view_of<rows, columns>(x.data(), extents, is_column_major ? shape{2, {1, step}} : shape{2, {step, 1}});
    else if constexpr (is_column_major) return detail::column_major_view_of<rows, columns>(x.data(), extents);
    else return detail::view_of<rows, columns>(x.data(), extents);
  }

 public:
  static constexpr memory_layout usual_layout = is_column_major ? memory_layout::column_major : memory_layout::row_major;
  using spec_type = spec<canonical<typename X::ElementType>, rows, columns>;
  static auto bind(const X& x) { return seen(x); }
  static auto bind(X& x) { return seen(x); }
};

template <class X>
  requires((detail::BlazeMatrix<X> || detail::BlazeVector<X>) && !(detail::BlazeMemory<X> && Element<typename X::ElementType>) &&
           !detail::holds_complex<typename X::ElementType> && !detail::holds_complex<X>)
struct refused_argument<X> {
  static constexpr auto sentence = [] {
    if constexpr (detail::SparseBlaze<X>)
      return text("a sparse object of Blaze has no dense memory: pass a blaze::DynamicMatrix or DynamicVector of it");
    else if constexpr (detail::BlazeMemory<X>) return text("an object of Blaze whose elements have no dtype: convert them");
    else
      return text("an expression or selection of Blaze whose elements do not lie evenly in memory: pass what blaze::evaluate makes of it");
  }();
};

template <class X>
  requires((detail::BlazeMatrix<X> || detail::BlazeVector<X>) && detail::holds_complex<typename X::ElementType> &&
           !detail::holds_complex<X>)
struct refused_argument<X> : refused_argument<typename X::ElementType> {};

}  // namespace jig
