// SPDX-License-Identifier: MIT
#pragma once
// Tensors as an interactive Python shows them: `<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>`.

#include <jig/core/array_text.hpp>
#include <jig/core/tensor.hpp>

namespace jig {

namespace detail {

/// A strided array as NumPy's `repr(array)` gives it.
template <class T>
std::string array_repr(const T* data, const shape& extents, const shape& strides) {
  const auto rank = static_cast<std::size_t>(extents.rank);
  if (rank == 0) return scalar_text(*data);
  const bool empty = extents.size() == 0;
  const bool implied = !empty && (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool>);
  std::string out = "array(";
  out += array_text<T>(data, {extents.extents, rank}, {strides.extents, rank}, {", ", out.size(), 1});
  if (empty && rank > 1) {
    message m;
    m << ", shape=" << extents;
    out += m.view();
  }
  if (implied) return out + ')';
  out += ',';
  const std::string type = "dtype=" + std::string(std::is_same_v<T, std::string> ? "object" : name_of(dtype_of<T>)) + ')';
  const std::size_t last = out.size() - (out.rfind('\n') + 1);
  return out + (last + type.size() + 1 > printing::line_width ? "\n      " : " ") + type;
}

template <class T>
std::string tensor_repr(const T* data, const shape& extents, const shape& strides) {
  const std::string elements = array_repr<T>(data, extents, strides);
  message head;
  head << "<tf.Tensor: shape=" << extents << ", dtype=" << name_of(dtype_of<T>) << ", numpy=";
  // Several lines begin on one of their own.
  return std::string(head.view()) + (elements.find('\n') != std::string::npos ? "\n" : "") + elements + '>';
}

}  // namespace detail

/// A view as TensorFlow's `repr(tensor)` gives it.
template <class T, index... E>
std::string repr(const view<T, E...>& v) {
  return detail::tensor_repr<typename view<T, E...>::value_type>(v.data(), v.shape(), v.strides());
}
/// A tensor as TensorFlow's `repr(tensor)` gives it.
template <class T, index... E>
std::string repr(const tensor<T, E...>& t) {
  return repr(t.view());
}

}  // namespace jig
