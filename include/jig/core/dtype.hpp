// SPDX-License-Identifier: MIT
#pragma once
// dtypes: what an element is. The enumeration and the C++ types name the same thing at run time and compile time.

#include <jig/core/half.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace jig {

/// The type of an element. Names are TensorFlow's.
enum class dtype : unsigned char {
  float32,
  float64,
  float16,
  bfloat16,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean,
  string
};

inline constexpr int dtype_count = 14;

/// The printed name: `float32`, `int64`, `bool`, `string`.
constexpr std::string_view name_of(dtype d) {
  constexpr std::string_view names[dtype_count] = {"float32", "float64", "float16", "bfloat16", "int8",   "int16", "int32",
                                                   "int64",   "uint8",   "uint16",  "uint32",   "uint64", "bool",  "string"};
  return names[static_cast<std::size_t>(d)];
}

/// Units: bytes of one element; 0 for strings, whose length varies.
constexpr std::size_t size_of(dtype d) {
  constexpr unsigned char sizes[dtype_count] = {4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1, 0};
  return sizes[static_cast<std::size_t>(d)];
}

constexpr bool is_floating(dtype d) { return d <= dtype::bfloat16; }
/// Whether a floating dtype only stores: what is computed with it is computed in float32.
constexpr bool is_storage(dtype d) { return d == dtype::float16 || d == dtype::bfloat16; }
constexpr bool is_integer(dtype d) { return d >= dtype::int8 && d <= dtype::uint64; }
constexpr bool is_signed(dtype d) { return is_floating(d) || (d >= dtype::int8 && d <= dtype::int64); }
constexpr bool is_number(dtype d) { return d < dtype::boolean; }

namespace detail {

template <dtype D>
struct element_of;
template <>
struct element_of<dtype::float32> : std::type_identity<float> {};
template <>
struct element_of<dtype::float64> : std::type_identity<double> {};
template <>
struct element_of<dtype::float16> : std::type_identity<half> {};
template <>
struct element_of<dtype::bfloat16> : std::type_identity<bfloat16> {};
template <>
struct element_of<dtype::int8> : std::type_identity<std::int8_t> {};
template <>
struct element_of<dtype::int16> : std::type_identity<std::int16_t> {};
template <>
struct element_of<dtype::int32> : std::type_identity<std::int32_t> {};
template <>
struct element_of<dtype::int64> : std::type_identity<std::int64_t> {};
template <>
struct element_of<dtype::uint8> : std::type_identity<std::uint8_t> {};
template <>
struct element_of<dtype::uint16> : std::type_identity<std::uint16_t> {};
template <>
struct element_of<dtype::uint32> : std::type_identity<std::uint32_t> {};
template <>
struct element_of<dtype::uint64> : std::type_identity<std::uint64_t> {};
template <>
struct element_of<dtype::boolean> : std::type_identity<bool> {};
template <>
struct element_of<dtype::string> : std::type_identity<std::string> {};

template <class T>
constexpr int dtype_index() {
  if constexpr (std::is_same_v<T, float>) return 0;
  else if constexpr (std::is_same_v<T, double>) return 1;
  else if constexpr (std::is_same_v<T, half>) return 2;
  else if constexpr (std::is_same_v<T, bfloat16>) return 3;
  else if constexpr (std::is_same_v<T, bool>) return 12;
  else if constexpr (std::is_same_v<T, std::string>) return 13;
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, wchar_t>) {
    // Only here, since not every type has a size.
    constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return sizeof(T) <= 8 ? (std::is_signed_v<T> ? 4 : 8) + width : -1;
  } else return -1;
}

/// Whether an element of type T can hold the value of a literal. Of integers only: floating ones round.
template <class T, class L>
constexpr bool literal_fits(L x) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<L> && !std::is_same_v<T, bool>) return std::in_range<T>(+x);
  else return true;
}

}  // namespace detail

/// A C++ type that can be an element: float, double, jig::half, jig::bfloat16, integers of 8 to 64 bits, bool, std::string.
template <class T>
concept Element = detail::dtype_index<T>() >= 0;

/// The dtype of a C++ type. `long` and `long long` are both int64.
template <Element T>
inline constexpr dtype dtype_of = static_cast<dtype>(detail::dtype_index<T>());

/// The C++ type of a dtype.
template <dtype D>
using type_of = typename detail::element_of<D>::type;

/// The one C++ type that stands for all types of the same dtype, so that equal signatures are equal types.
template <Element T>
using canonical = type_of<dtype_of<T>>;

namespace detail {

/// The type in which numbers of type T are computed where integers wrap: an unsigned one, at least as wide as int, since
/// smaller ones would be promoted to a signed type. Other types stay.
template <class T>
struct wrapping_type {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct wrapping_type<T> {
  using type = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
};

}  // namespace detail

}  // namespace jig
