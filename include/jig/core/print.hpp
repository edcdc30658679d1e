// SPDX-License-Identifier: MIT
#pragma once
// Tensors as text: `tf.Tensor([4 1], shape=(2,), dtype=int32)`, the elements as NumPy prints them.

#include <jig/core/any_rank_view.hpp>
#include <jig/core/array_text.hpp>
#include <jig/core/tensor.hpp>

#include <iosfwd>

namespace jig {

namespace detail {

template <class T>
std::string tensor_text(const T* data, const shape& extents, const shape& strides) {
  auto rank = static_cast<std::size_t>(extents.rank);
  std::string elements = array_text<T>(data, {extents.extents, rank}, {strides.extents, rank});
  std::string out = "tf.Tensor(";
  // Several lines begin on one of their own.
  if (elements.find('\n') != std::string::npos) out += '\n';
  out += elements;
  message rest;
  rest << ", shape=" << extents << ", dtype=" << name_of(dtype_of<T>) << ')';
  return out += rest.view();
}

}  // namespace detail

/// A view as TensorFlow prints a tensor.
template <class T, index... E>
std::string to_text(const view<T, E...>& v) {
  return detail::tensor_text<typename view<T, E...>::value_type>(v.data(), v.shape(), v.strides());
}
template <class T>
std::string to_text(const any_rank_view<T>& v) {
  return detail::tensor_text<std::remove_const_t<T>>(v.data(), v.shape(), v.strides());
}

/// A tensor as TensorFlow prints it.
template <class T, index... E>
std::string to_text(const tensor<T, E...>& t) {
  return to_text(t.view());
}

// Templates, so that <ostream> is only needed where something is printed.
template <class Char, class Traits, class T, index... E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const tensor<T, E...>& t) {
  return out << to_text(t);
}
template <class Char, class Traits, class T, index... E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const view<T, E...>& v) {
  return out << to_text(v);
}
template <class Char, class Traits, class T>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const any_rank_view<T>& v) {
  return out << to_text(v);
}
/// Prints `float32`, `(None, 3)` or `float32 (None, 3)`.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, dtype d) {
  return out << name_of(d);
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const shape& s) {
  message m;
  return out << (m << s).view();
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const tensor_spec& s) {
  return out << s.dtype << ' ' << s.shape;
}

}  // namespace jig
