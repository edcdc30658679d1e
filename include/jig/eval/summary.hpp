// SPDX-License-Identifier: MIT
#pragma once
// The kernel of jig::summary_scalar, and the same effect on tensors and numbers.

#include <jig/eval/effect.hpp>
#include <jig/eval/summary_writer.hpp>
#include <jig/ops/summary.hpp>

namespace jig {

namespace detail {

// Scalars. A step beyond the ends of 64 bits is what the same bits say.
template <class T>
T number_in_view(const any_view& x) {
  return with_type_of(x.dtype, [&]<class U>(const U&) {
    if constexpr (std::is_same_v<U, std::string>) return T();
    else return static_cast<T>(x.at<U>(0));
  });
}

inline void write_summary(std::string_view tag, const any_view& value, const any_view& step) {
  summary_writer& writer = summary_writer::of_program();
  const print_lock lock(writer.mutex);
  if (writer.write != nullptr) writer.write(writer.to, tag, number_in_view<double>(value), number_in_view<std::int64_t>(step));
}

}  // namespace detail

template <>
struct kernel<ops::summary_scalar> {
  template <class Attributes, class Out, class Value, class Step>
  static void run(Attributes attributes, const Out& out, const Value& value, const Step& step) {
    detail::write_summary(detail::attribute_of<"tag">(attributes).text, untyped(value), untyped(step));
    *out.data() = true;
  }
};

namespace detail {

template <class... X>
void summary_now(std::string_view tag, const X&... x) {
  any_view values[sizeof...(X) + 1];
  std::size_t count = 0;
  (append_value(values, count, x), ...);
  write_summary(tag, values[0], values[1]);
}

}  // namespace detail

}  // namespace jig
