// SPDX-License-Identifier: MIT
#pragma once
// Which steps of sequences of several lengths there are.

#include <jig/ops/compare.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>

#include <cstdint>

namespace jig {

namespace detail {

template <class T, index N, class L>
constexpr auto mask_of_lengths(const L& lengths) {
  auto last = jig::cast<T>(lengths);
  return call<ops::less>(detail::beside(last, iota<T, N>()), expand_dims<-1>(last));
}
constexpr bool fits_int32(dtype d) { return d == dtype::int32 || (is_integer(d) && size_of(d) < 4); }

}  // namespace detail

/// For each length a row of which as many elements are true, at its beginning.
/// Shape: [...] -> [..., N]
/// Dtype: the lengths are integers, the mask is bool
template <index N, Operand L>
constexpr auto sequence_mask(const L& lengths, const source_line& at = source_line::here()) {
  static_assert(N >= 0, "jig::sequence_mask: there are no fewer than 0 steps");
  const detail::line_scope in(at, lengths);
  if constexpr (is_refused<L>) {
    return lengths;
  } else if constexpr (detail::is_dynamic<L>) {
    if (!is_integer(lengths.dtype())) detail::throw_invalid_argument("sequence_mask: the lengths must be integers");
    if (detail::fits_int32(lengths.dtype())) return detail::mask_of_lengths<std::int32_t, N>(lengths);
    return detail::mask_of_lengths<std::int64_t, N>(lengths);
  } else if constexpr (!is_integer(dtype_of<typename detail::element_of_operand<L>::type>)) {
    return refuse_with<"sequence_mask: the lengths must be integers", L>();
  } else if constexpr (detail::fits_int32(dtype_of<typename detail::element_of_operand<L>::type>)) {
    return detail::mask_of_lengths<std::int32_t, N>(lengths);
  } else {
    return detail::mask_of_lengths<std::int64_t, N>(lengths);
  }
}

}  // namespace jig
