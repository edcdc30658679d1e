// SPDX-License-Identifier: MIT
#pragma once
// What the evaluator asks of xsimd, made of the compiler's own vectors, for machines that xsimd has no registers for. Compilers take
// them apart where the machine has none either.

#include <jig/core/dtype.hpp>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

namespace jig::portable {

/// Registers of 16 bytes, the narrowest that the evaluator knows.
struct vectors_of_16_bytes {};
using default_arch = vectors_of_16_bytes;

namespace detail {

template <class T>
struct native {
  using type [[gnu::vector_size(16)]] = T;
};
template <std::size_t Bytes>
using signed_of =
    std::conditional_t<Bytes == 1, std::int8_t,
                       std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;
template <class T>
using truths = typename native<signed_of<sizeof(T)>>::type;
template <class T>
using words = typename native<std::make_unsigned_t<signed_of<sizeof(T)>>>::type;
template <class T>
using wrapping = std::conditional_t<std::is_integral_v<T>, words<T>, typename native<T>::type>;  // integers wrap

// Whether a function of T that multiplies and adds is one instruction.
template <class T>
inline constexpr bool has_fma =
#if defined(__FP_FAST_FMA)
    std::is_same_v<T, double> ||
#endif
#if defined(__FP_FAST_FMAF)
    std::is_same_v<T, float> ||
#endif
    false;

// The numbers as memory holds them: the x87 computes with more digits, which the functions of numbers cannot do with.
template <class V>
[[gnu::always_inline]] inline V as_stored(V x) {
#if FLT_EVAL_METHOD == 2
  asm("" : "+m"(x));
#endif
  return x;
}

}  // namespace detail

template <class T, class A = default_arch>
class batch;

/// A truth value for each lane: all bits are set, or none.
template <class T, class A = default_arch>
class batch_bool {
 public:
  using value_type = bool;
  using arch_type = A;
  using batch_type = batch<T, A>;
  using register_type = detail::truths<T>;
  static constexpr std::size_t size = 16 / sizeof(T);

  batch_bool() = default;
  batch_bool(bool x) : at_(register_type{} - x) {}
  batch_bool(const register_type& x) : at_(x) {}
  operator register_type() const { return at_; }
  bool get(std::size_t i) const { return at_[i] != 0; }

  static batch_bool load_unaligned(const bool* from) {
    register_type x{};
    for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<detail::signed_of<sizeof(T)>>(-from[i]);
    return x;
  }
  static batch_bool load_aligned(const bool* from) { return load_unaligned(from); }
  void store_unaligned(bool* to) const {
    for (std::size_t i = 0; i < size; ++i) to[i] = get(i);
  }
  void store_aligned(bool* to) const { store_unaligned(to); }

  batch_bool operator~() const { return ~at_; }
  batch_bool operator!() const { return ~at_; }
  friend batch_bool operator&(const batch_bool& x, const batch_bool& y) { return x.at_ & y.at_; }
  friend batch_bool operator|(const batch_bool& x, const batch_bool& y) { return x.at_ | y.at_; }
  friend batch_bool operator^(const batch_bool& x, const batch_bool& y) { return x.at_ ^ y.at_; }
  friend batch_bool operator&&(const batch_bool& x, const batch_bool& y) { return x & y; }
  friend batch_bool operator||(const batch_bool& x, const batch_bool& y) { return x | y; }
  friend batch_bool operator==(const batch_bool& x, const batch_bool& y) { return ~(x.at_ ^ y.at_); }
  friend batch_bool operator!=(const batch_bool& x, const batch_bool& y) { return x.at_ ^ y.at_; }

 private:
  register_type at_;
};

/// As many T as are 16 bytes. Integers wrap.
template <class T, class A>
class batch {
  using bits = detail::words<T>;
  using numbers = detail::wrapping<T>;

 public:
  using value_type = T;
  using arch_type = A;
  using batch_bool_type = batch_bool<T, A>;
  using register_type = typename detail::native<T>::type;
  static constexpr std::size_t size = 16 / sizeof(T);

  batch() = default;
  // The sum of a number and zeros would lose the sign of -0.
  batch(T x) : at_([&]<std::size_t... I>(std::index_sequence<I...>) { return register_type{(static_cast<void>(I), x)...}; }(lanes())) {}
  batch(const register_type& x) : at_(x) {}
  template <class... Rest>
    requires(sizeof...(Rest) + 2 == size)
  batch(T x, T y, Rest... rest) : at_{x, y, static_cast<T>(rest)...} {}
  operator register_type() const { return at_; }
  T get(std::size_t i) const { return at_[i]; }

  static batch load_unaligned(const T* from) {
    register_type x;
    std::memcpy(&x, from, sizeof(x));
    return x;
  }
  static batch load_aligned(const T* from) { return load_unaligned(from); }
  void store_unaligned(T* to) const { std::memcpy(to, &at_, sizeof(at_)); }
  void store_aligned(T* to) const { store_unaligned(to); }

  batch operator-() const { return std::bit_cast<register_type>(-std::bit_cast<numbers>(at_)); }
  batch operator+() const { return *this; }
  batch operator~() const { return std::bit_cast<register_type>(~std::bit_cast<bits>(at_)); }
  friend batch operator+(const batch& x, const batch& y) {
    return std::bit_cast<register_type>(detail::as_stored(x.as_numbers() + y.as_numbers()));
  }
  friend batch operator-(const batch& x, const batch& y) {
    return std::bit_cast<register_type>(detail::as_stored(x.as_numbers() - y.as_numbers()));
  }
  friend batch operator*(const batch& x, const batch& y) {
    return std::bit_cast<register_type>(detail::as_stored(x.as_numbers() * y.as_numbers()));
  }
  friend batch operator/(const batch& x, const batch& y) { return detail::as_stored(x.at_ / y.at_); }
  friend batch operator&(const batch& x, const batch& y) { return std::bit_cast<register_type>(x.as_bits() & y.as_bits()); }
  friend batch operator|(const batch& x, const batch& y) { return std::bit_cast<register_type>(x.as_bits() | y.as_bits()); }
  friend batch operator^(const batch& x, const batch& y) { return std::bit_cast<register_type>(x.as_bits() ^ y.as_bits()); }
  friend batch operator<<(const batch& x, int count) { return std::bit_cast<register_type>(x.as_bits() << count); }
  friend batch operator>>(const batch& x, int count) { return x.at_ >> count; }
  batch& operator+=(const batch& y) { return *this = *this + y; }
  batch& operator-=(const batch& y) { return *this = *this - y; }
  batch& operator*=(const batch& y) { return *this = *this * y; }
  batch& operator/=(const batch& y) { return *this = *this / y; }
  batch& operator&=(const batch& y) { return *this = *this & y; }
  batch& operator|=(const batch& y) { return *this = *this | y; }
  batch& operator^=(const batch& y) { return *this = *this ^ y; }

  friend batch_bool_type operator==(const batch& x, const batch& y) { return truth(x.at_ == y.at_); }
  friend batch_bool_type operator!=(const batch& x, const batch& y) { return truth(x.at_ != y.at_); }
  friend batch_bool_type operator<(const batch& x, const batch& y) { return truth(x.at_ < y.at_); }
  friend batch_bool_type operator<=(const batch& x, const batch& y) { return truth(x.at_ <= y.at_); }
  friend batch_bool_type operator>(const batch& x, const batch& y) { return truth(x.at_ > y.at_); }
  friend batch_bool_type operator>=(const batch& x, const batch& y) { return truth(x.at_ >= y.at_); }

 private:
  static constexpr std::make_index_sequence<size> lanes() { return {}; }
  static batch_bool_type truth(const auto& x) { return std::bit_cast<detail::truths<T>>(x); }
  bits as_bits() const { return std::bit_cast<bits>(at_); }
  numbers as_numbers() const { return std::bit_cast<numbers>(at_); }
  register_type at_;
};

namespace detail {
template <class T, std::size_t N>
struct sized {
  using type = void;
};
template <class T, std::size_t N>
  requires(N * sizeof(T) == 16)
struct sized<T, N> {
  using type = batch<T>;
};
// A function of single numbers on all of them.
template <class T, class A, class F>
[[gnu::always_inline]] inline batch<T, A> one_by_one(const batch<T, A>& x, F f) {
  typename batch<T, A>::register_type y = x;
  for (std::size_t i = 0; i < batch<T, A>::size; ++i) y[i] = f(y[i]);
  return as_stored(y);
}
}  // namespace detail

/// A register of N elements; void where there is none.
template <class T, std::size_t N>
using make_sized_batch_t = typename detail::sized<T, N>::type;

template <class T, class A>
inline batch<T, A> select(const batch_bool<T, A>& where, const batch<T, A>& yes, const batch<T, A>& no) {
  using bits = detail::truths<T>;
  const bits mask = where, a = std::bit_cast<bits>(static_cast<typename batch<T, A>::register_type>(yes)),
             b = std::bit_cast<bits>(static_cast<typename batch<T, A>::register_type>(no));
  return std::bit_cast<typename batch<T, A>::register_type>((a & mask) | (b & ~mask));
}
/// Of two numbers of which one is NaN the second one, here and below.
template <class T, class A>
inline batch<T, A>(max)(const batch<T, A>& x, const batch<T, A>& y) {
  return select(x > y, x, y);
}
template <class T, class A>
inline batch<T, A>(min)(const batch<T, A>& x, const batch<T, A>& y) {
  return select(x < y, x, y);
}
template <class T, class A>
inline bool any(const batch_bool<T, A>& x) {
  const auto halves = std::bit_cast<typename detail::native<std::uint64_t>::type>(static_cast<detail::truths<T>>(x));
  return (halves[0] | halves[1]) != 0;
}
template <class T, class A>
inline bool all(const batch_bool<T, A>& x) {
  return !any(~x);
}
template <class T, class A>
inline batch<T, A> abs(const batch<T, A>& x) {
  if constexpr (std::is_unsigned_v<T>) return x;
  else if constexpr (std::is_integral_v<T>) return (max)(x, -x);
  else return detail::one_by_one(x, [](T v) { return std::abs(v); });
}
template <class T, class A>
inline batch<T, A> sqrt(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::sqrt(v); });
}
template <class T, class A>
inline batch<T, A> floor(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::floor(v); });
}
template <class T, class A>
inline batch<T, A> ceil(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::ceil(v); });
}
template <class T, class A>
inline batch<T, A> trunc(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::trunc(v); });
}
template <class T, class A>
inline batch<T, A> rint(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::rint(v); });
}
template <class T, class A>
inline batch<T, A> log(const batch<T, A>& x) {
  return detail::one_by_one(x, [](T v) { return std::log(v); });
}
template <class T, class A>
inline std::pair<batch<T, A>, batch<T, A>> sincos(const batch<T, A>& x) {
  return {detail::one_by_one(x, [](T v) { return std::sin(v); }), detail::one_by_one(x, [](T v) { return std::cos(v); })};
}
/// x * y + z, rounded once where that is one instruction.
template <class T, class A>
inline batch<T, A> fma(const batch<T, A>& x, const batch<T, A>& y, const batch<T, A>& z) {
  if constexpr (detail::has_fma<T>) {
    typename batch<T, A>::register_type sum = z;
    for (std::size_t i = 0; i < batch<T, A>::size; ++i) sum[i] = std::fma(x.get(i), y.get(i), sum[i]);
    return sum;
  } else {
    return x * y + z;
  }
}
template <class T, class A>
inline T reduce_add(const batch<T, A>& x) {
  T sum = x.get(0);
  for (std::size_t i = 1; i < batch<T, A>::size; ++i) sum += x.get(i);
  return sum;
}

}  // namespace jig::portable
