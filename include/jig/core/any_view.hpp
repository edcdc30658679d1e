// SPDX-License-Identifier: MIT
#pragma once
// Views without a type: dtype and rank are values.

#include <jig/core/dtype.hpp>
#include <jig/core/shape.hpp>

namespace jig {

/// A view whose dtype and rank are known at run time only. Strides are in elements.
struct any_view {
  jig::dtype dtype = jig::dtype::float32;
  const void* data = nullptr;
  jig::shape extents{};
  jig::shape strides{};

  /// The element `offset` elements behind the first one; T has to be the type of the dtype.
  template <class T>
  const T& at(index offset) const {
    return static_cast<const T*>(data)[offset];
  }
};

/// Any view without its type.
template <class View>
any_view untyped(const View& v) {
  return {dtype_of<typename View::value_type>, v.data(), v.shape(), v.strides()};
}

inline const any_view& untyped(const any_view& v) { return v; }

namespace detail {

/// Calls f with an object of the type that a dtype stands for.
template <class F>
constexpr decltype(auto) with_type_of(dtype d, F f) {
  switch (d) {
    case dtype::float64: return f(double());
    case dtype::float16: return f(half());
    case dtype::bfloat16: return f(bfloat16());
    case dtype::int8: return f(std::int8_t());
    case dtype::int16: return f(std::int16_t());
    case dtype::int32: return f(std::int32_t());
    case dtype::int64: return f(std::int64_t());
    case dtype::uint8: return f(std::uint8_t());
    case dtype::uint16: return f(std::uint16_t());
    case dtype::uint32: return f(std::uint32_t());
    case dtype::uint64: return f(std::uint64_t());
    case dtype::boolean: return f(bool());
    case dtype::string: return f(std::string());
    case dtype::float32: break;
  }
  return f(float());
}

}  // namespace detail

}  // namespace jig
