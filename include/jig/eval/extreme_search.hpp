// SPDX-License-Identifier: MIT
#pragma once
// Where the largest number is. The smallest one is found as the largest of those with the opposite order. Along the last axis, short
// rows are compared lane by lane in several registers; of long ones the largest number is found, and then where it is; along other
// axes lanes run along the axes inside.

#include <jig/eval/lane_moves.hpp>
#include <jig/eval/masks.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/ops/positions.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace jig::detail {

/// Finds positions in dense memory of numbers T.
template <class T, bool Smallest>
class extreme_search {
  static constexpr bool floats = std::is_floating_point_v<T>;
  using number = T;
  // Counted in registers beside those of the numbers: no further than this.
  using position =
      std::conditional_t<sizeof(T) == 1, std::int8_t,
                         std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
  static constexpr index most_positions = (std::numeric_limits<position>::max)();
  static constexpr int lanes = static_cast<int>(simd::lanes<T>), fewest_lanes = sizeof(T) == 8 ? 2 : static_cast<int>(8 / sizeof(T));

  template <int Width>
  using vector = typename simd::native<number, Width>::type;
  template <int Width>
  using positions = typename simd::native<position, Width>::type;

  // The opposite order of what keeps NaN where it is.
  template <class X>
  [[gnu::always_inline]] static X ordered(const X& x) {
    if constexpr (!Smallest) return x;
    else if constexpr (floats) return -x;
    else return static_cast<X>(~x);
  }
  template <int Width>
  [[gnu::always_inline]] static vector<Width> load(const T* from) {
    vector<Width> x;
    std::memcpy(&x, from, sizeof(x));
    return ordered(x);
  }
  template <class V>
  [[gnu::always_inline]] static void keep_in_register([[maybe_unused]] V& x) {
#if defined(__x86_64__)
    asm("" : "+v"(x));
#elif defined(__aarch64__)
    asm("" : "+w"(x));
#endif
  }
  [[gnu::always_inline]] static number load_one(const T* from) { return ordered(*from); }

  // The better one of what was found first and what comes behind it, with their positions.
  template <class V, class P>
  [[gnu::always_inline]] static void choose(V& best, P& best_at, const V& x, const P& at) {
    if constexpr (floats) {
      // Nothing comes behind a NaN. Two choices are less than one by two conditions, which leave the registers of masks.
      const V unless_nan = best == best ? x : best;
      const P at_unless_nan = best == best ? at : best_at;
      best_at = x <= best ? best_at : at_unless_nan;
      best = x <= best ? best : unless_nan;
    } else {
      best_at = x > best ? at : best_at;
      best = x > best ? x : best;
    }
  }
  // The same where there is no NaN, or the first one is.
  template <class V, class P>
  [[gnu::always_inline]] static void choose_number(V& best, P& best_at, const V& x, const P& at) {
    best_at = x > best ? at : best_at;
    best = x > best ? x : best;
  }

  struct found {
    number best;
    index at;
    [[gnu::always_inline]] void see(number x, index i) {
      if constexpr (floats) {
        if (x <= best || best != best) return;
      } else if (x <= best) {
        return;
      }
      best = x;
      at = i;
    }
  };
  [[gnu::always_inline]] static index find_one_by_one(const T* from, index n, index stride) {
    found f{load_one(from), 0};
    for (index i = 1; i < n; ++i) f.see(load_one(from + i * stride), i);
    return f.at;
  }

  // Of what registers up to r hold: register 0 is still in its own order when the next one comes.
  static constexpr int lane_of_group(int from, int lane, int r) {
    if (from / lanes == r) return lanes + from % lanes;
    return r == 1 ? from % lanes : lane;
  }
  template <int N, int K, int R, class V, int... I>
  [[gnu::always_inline]] static V with_next(const V& x, const V& y, std::integer_sequence<int, I...>) {
    return simd::shuffle<(lane_of_group(I * N + K, I, R))...>(x, y);
  }
  // Number K of each row, where N registers hold rows of N numbers.
  template <int N, int K, class V, class Lanes>
  [[gnu::always_inline]] static V lanes_of_groups(const V* x, Lanes all) {
    V out = x[0];
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      ((out = with_next<N, K, R + 1>(out, x[R + 1], all)), ...);
    }(std::make_integer_sequence<int, N - 1>());
    return out;
  }
  template <int N>
  [[gnu::always_inline]] static positions<lanes> best_of_groups(vector<lanes>* x, positions<lanes>* at) {
    constexpr std::make_integer_sequence<int, lanes> all;
    if constexpr (N == 1) {
      return at[0];
    } else if constexpr (N % 2 == 0) {
#pragma GCC unroll 8
      for (int i = 0; i < N / 2; ++i) {
        const auto first = lanes_of_groups<2, 0>(x + 2 * i, all), second = lanes_of_groups<2, 1>(x + 2 * i, all);
        const auto first_at = lanes_of_groups<2, 0>(at + 2 * i, all), second_at = lanes_of_groups<2, 1>(at + 2 * i, all);
        x[i] = first;
        at[i] = first_at;
        choose(x[i], at[i], second, second_at);
      }
      return best_of_groups<N / 2>(x, at);
    } else {
      vector<lanes> best = lanes_of_groups<N, 0>(x, all);
      positions<lanes> best_at = lanes_of_groups<N, 0>(at, all);
      [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
        ([&]() __attribute__((
             always_inline)) { choose(best, best_at, lanes_of_groups<N, K + 1>(x, all), lanes_of_groups<N, K + 1>(at, all)); }(),
         ...);
      }(std::make_integer_sequence<int, N - 1>());
      return best_at;
    }
  }
  // The first `count` numbers, and any behind them.
  [[gnu::always_inline]] static vector<lanes> load_some(const T* from, index count) {
    using B = simd::batch<T>;
    const B x = simd::load_first<B>(from, count <= 0 ? 0 : count < lanes ? count : lanes);
    return ordered(std::bit_cast<vector<lanes>>(static_cast<typename B::register_type>(x)));
  }
  // As many rows as a register has lanes, of which `load` reads register r.
  template <int N, class Load>
  [[gnu::always_inline]] static positions<lanes> best_of_rows(Load load_register) {
    vector<lanes> x[array_bound(N)];
    positions<lanes> at[array_bound(N)];
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int r = 0; r < N; ++r) {
        x[r] = load_register(r * lanes);
        at[r] = positions<lanes>{static_cast<position>((r * lanes + I) % N)...};
      }
    }(std::make_integer_sequence<int, lanes>());
    return best_of_groups<N>(x, at);
  }
  template <int N, class To>
  static void short_rows(To* to, const T* from, index rows) {
    for (; rows >= lanes; rows -= lanes, to += lanes, from += lanes * N)
      simd::store_as<lanes>(to, best_of_rows<N>([&](index i) __attribute__((always_inline)) { return load<lanes>(from + i); }));
    // So few numbers are compared one by one sooner than together.
    constexpr index few = 32;
    if constexpr (simd::cheap_parts && simd::moves_lanes<T>)
      if (rows * N > few) {
        // Registers behind the rows read nothing, of memory that is there: even that takes long where there is none.
        const auto load_rest = [&](index i)
                                   __attribute__((always_inline)) { return load_some(from + (i < rows * N ? i : 0), rows * N - i); };
        To all[array_bound(lanes)];
        simd::store_as<lanes>(all, best_of_rows<N>(load_rest));
        std::copy_n(all, rows, to);
        return;
      }
    for (; rows > 0; --rows, from += N) *to++ = static_cast<To>(find_one_by_one(from, N, 1));
  }

  // One row that is at least as long as a register of so many lanes; the last one overlaps the one before.
  template <int Width, int By = Width / 2>
  [[gnu::always_inline]] static number largest_lane(const vector<Width>& x) {
    if constexpr (By == 0) {
      return x[0];
    } else {
      const vector<Width> y = [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        return simd::shuffle<(I ^ By)...>(x, x);
      }(std::make_integer_sequence<int, Width>());
      return largest_lane<Width, By / 2>(x > y ? x : y);
    }
  }
  template <int Width>
  [[gnu::always_inline]] static index first_where(const T* from, index n, auto matches) {
    for (index i = 0; i + Width < n; i += Width) {
      const index lane = simd::first_true(matches(load<Width>(from + i)));
      if (lane < Width) return i + lane;
    }
    return n - Width + simd::first_true(matches(load<Width>(from + n - Width)));
  }
  template <int Width>
  [[gnu::always_inline]] static index find_in_row(const T* from, index n) {
    constexpr index block = 64 * Width;
    number best{};
    index best_first = 0, best_length = 0;
    for (index first = 0; first < n;) {
      // The last block takes what is left over, so that it is long enough.
      const index length = n - first < 2 * block ? n - first : block;
      const T* part = from + first;
      vector<Width> most = load<Width>(part + length - Width), other = most;
      auto unordered = most != most;
      index i = 0;
      for (; i + 2 * Width <= length; i += 2 * Width) {
        const auto x = load<Width>(part + i), y = load<Width>(part + i + Width);
        most = x > most ? x : most;
        other = y > other ? y : other;
        if constexpr (floats) unordered |= (x != x) | (y != y);
      }
      if (i + Width <= length) {
        const auto x = load<Width>(part + i);
        most = x > most ? x : most;
        if constexpr (floats) unordered |= x != x;
      }
      if constexpr (floats)
        if (simd::first_true(unordered) < Width) [[unlikely]]
          return first + first_where<Width>(part, length, [](const auto& x) { return x != x; });
      const number here = largest_lane<Width>(most > other ? most : other);
      if (best_length == 0 || here > best) {
        best = here;
        best_first = first;
        best_length = length;
      }
      first += length;
    }
    const vector<Width> wanted = best - vector<Width>{};
    return best_first + first_where<Width>(from + best_first, best_length, [&](const auto& x) { return x == wanted; });
  }
  template <int Width = lanes, class To>
  static void long_rows(To* to, const T* from, index rows, index n) {
    if constexpr (Width > fewest_lanes)
      if (n < Width) return long_rows<Width / 2>(to, from, rows, n);
    if (n < Width)
      for (; rows > 0; --rows, from += n) *to++ = static_cast<To>(find_one_by_one(from, n, 1));
    for (; rows > 0; --rows, from += n) *to++ = static_cast<To>(find_in_row<Width>(from, n));
  }

  // Rows whose length only the call knows.
  template <class To>
  static void rows_at_call(To* to, const T* from, index rows, index n) {
    if constexpr (simd::moves_lanes<T>) {
      switch (n) {
        case 2: return short_rows<2>(to, from, rows);
        case 3: return short_rows<3>(to, from, rows);
        case 4: return short_rows<4>(to, from, rows);
        case 5: return short_rows<5>(to, from, rows);
        case 6: return short_rows<6>(to, from, rows);
        case 7: return short_rows<7>(to, from, rows);
        default: break;
      }
    }
    long_rows(to, from, rows, n);
  }

  // Numbers along columns in registers that lie `apart`. NaN is only looked for: where there may be one, this says so and has found
  // nothing.
  template <int Width, int Registers, bool Exact>
  [[gnu::always_inline]] static bool find_in_columns(vector<Width>* best, positions<Width>* best_at, const T* from, index apart, index n,
                                                     index inner) {
    vector<Width> suspect[array_bound(Registers)];
    positions<Width> at{};
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) {
      best[r] = load<Width>(from + r * apart);
      suspect[r] = best[r] * number{};
      best_at[r] = at;
    }
    for (index i = 1; i < n; ++i) {
      from += inner;
      at = at + position{1};
#pragma GCC unroll 4
      for (int r = 0; r < Registers; ++r) {
        auto x = load<Width>(from + r * apart);
        // Read once: rows seldom begin where lines of the cache do.
        if constexpr (sizeof(x) >= 16) keep_in_register(x);
        if constexpr (Exact) {
          choose(best[r], best_at[r], x, at);
        } else {
          choose_number(best[r], best_at[r], x, at);
          // Zero, unless x is infinite or NaN.
          if constexpr (floats) suspect[r] = x * number{} + suspect[r];
        }
      }
    }
    if constexpr (floats && !Exact) {
#pragma GCC unroll 4
      for (int r = 1; r < Registers; ++r) suspect[0] = suspect[0] + suspect[r];
      return simd::first_true(suspect[0] != vector<Width>{}) == Width;
    }
    return true;
  }
  // Arrays whose address nobody takes stay in registers: what is seldom needed is returned.
  template <int Width, int Registers>
  struct found_in_columns {
    vector<Width> best[array_bound(Registers)];
    positions<Width> at[array_bound(Registers)];
  };
  template <int Width, int Registers>
  [[gnu::noinline, gnu::cold]] static found_in_columns<Width, Registers> find_beside_nan(const T* from, index apart, index n, index inner) {
    found_in_columns<Width, Registers> out;
    find_in_columns<Width, Registers, true>(out.best, out.at, from, apart, n, inner);
    return out;
  }
  // Of at most most_positions rows, whatever they hold.
  template <int Width, int Registers>
  [[gnu::always_inline]] static void find_some(vector<Width>* best, positions<Width>* at, const T* from, index apart, index n,
                                               index inner) {
    if (find_in_columns<Width, Registers, false>(best, at, from, apart, n, inner)) [[likely]]
      return;
    const auto exact = find_beside_nan<Width, Registers>(from, apart, n, inner);
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) {
      best[r] = exact.best[r];
      at[r] = exact.at[r];
    }
  }
  // One register of columns. Quarters of long ones at the same time, since each choice waits for the one before.
  template <int Width>
  [[gnu::always_inline]] static void find_one(vector<Width>& best, positions<Width>& at, const T* from, index n, index inner) {
    if (n < 16) return find_some<Width, 1>(&best, &at, from, 0, n, inner);
    const index quarter = n / 4;
    vector<Width> part[4];
    positions<Width> part_at[4];
    find_some<Width, 4>(part, part_at, from, quarter * inner, quarter, inner);
    best = part[0];
    at = part_at[0];
    for (int q = 1; q < 4; ++q) choose(best, at, part[q], positions<Width>(part_at[q] + static_cast<position>(q * quarter)));
    for (index i = 4 * quarter; i < n; ++i)
      choose(best, at, load<Width>(from + i * inner), positions<Width>(positions<Width>{} + static_cast<position>(i)));
  }
  // More rows than positions count.
  template <int Width, class To>
  [[gnu::noinline, gnu::cold]] static void column_beyond_positions(To* to, const T* from, index n, index inner) {
    found all[array_bound(Width)];
    for (index first = 0; first < n; first += most_positions) {
      vector<Width> best;
      positions<Width> at;
      find_one<Width>(best, at, from + first * inner, n - first < most_positions ? n - first : most_positions, inner);
      for (int k = 0; k < Width; ++k) {
        if (first == 0) all[k] = {best[k], at[k]};
        else all[k].see(best[k], first + at[k]);
      }
    }
    for (int k = 0; k < Width; ++k) to[k] = static_cast<To>(all[k].at);
  }
  template <int Width, int Registers, class To>
  [[gnu::always_inline]] static void columns(To* to, index to_apart, const T* from, index apart, index n, index inner) {
    if (n > most_positions) [[unlikely]] {
      for (int r = 0; r < Registers; ++r) column_beyond_positions<Width>(to + r * to_apart, from + r * apart, n, inner);
      return;
    }
    vector<Width> best[array_bound(Registers)];
    positions<Width> at[array_bound(Registers)];
    if constexpr (Registers == 1) find_one<Width>(best[0], at[0], from, n, inner);
    else find_some<Width, Registers>(best, at, from, apart, n, inner);
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) simd::store_as<Width>(to + r * to_apart, at[r]);
  }
  // Four registers at a time beside each other or, where a part is not as wide, of four parts.
  template <int Width = lanes, class To>
  static void all_columns(To* to, const T* from, index outer, index n, index inner) {
    if constexpr (Width > fewest_lanes)
      if (inner < Width) return all_columns<Width / 2>(to, from, outer, n, inner);
    index wide = 0;
    for (index o = 0; o < outer; ++o)
      for (wide = 0; wide + 4 * Width <= inner; wide += 4 * Width)
        columns<Width, 4>(to + o * inner + wide, Width, from + o * n * inner + wide, Width, n, inner);
    for (index done = wide; done < inner; done += Width) {
      // The last register overlaps the one before.
      const index k = done + Width <= inner ? done : inner - Width;
      index o = 0;
      for (; o + 4 <= outer; o += 4) columns<Width, 4>(to + o * inner + k, inner, from + o * n * inner + k, n * inner, n, inner);
      for (; o < outer; ++o) columns<Width, 1>(to + o * inner + k, 0, from + o * n * inner + k, 0, n, inner);
    }
  }
  // Fewer columns than lanes: a register takes several rows, and each lane those of its column that come so many later.
  template <class To>
  static void few_columns(To* to, const T* from, index n, index inner) {
    const index rows = lanes / inner, step = rows * inner;
    found all[array_bound(lanes)];
    index row = 0;
    while ((row * inner) + 4 * lanes <= n * inner) {
      const index most = (n * inner - row * inner - lanes) / step + 1, count = most < most_positions ? most : most_positions;
      vector<lanes> best;
      positions<lanes> at;
      find_one<lanes>(best, at, from + row * inner, count, step);
      for (index l = 0; l < step; ++l) {
        const index place = row + at[l] * rows + l / inner;
        if (row == 0) all[l] = {best[l], place};
        else all[l].see(best[l], place);
      }
      row += count * rows;
    }
    for (index k = 0; k < inner; ++k) {
      found f = row > 0 ? all[k] : found{load_one(from + k), 0};
      for (index l = k + inner; row > 0 && l < step; l += inner) {
        const found& other = all[l];
        const bool equal = other.best == f.best || (other.best != other.best && f.best != f.best);
        if (!equal) f.see(other.best, other.at);
        else if (other.at < f.at) f = other;
      }
      for (index i = row > 0 ? row : 1; i < n; ++i) f.see(load_one(from + i * inner + k), i);
      to[k] = static_cast<To>(f.at);
    }
  }

 public:
  /// Whether rows of so many numbers are compared lane by lane: if that takes fewer moves than looking for the largest of each.
  static constexpr bool is_short_row(index n) {
    if (!simd::moves_lanes<T> || n < 2 || n > 16) return false;
    return sizeof(T) < 4 || n <= 10 || n == 12 || n == 16;
  }

  /// In `outer` parts of n rows of `inner` numbers, along the rows. Where n is known to be small, it is N too; Single where inner is
  /// known to be 1.
  template <index N = 0, bool Single = false, class To>
  [[gnu::noinline]] static void run(To* to, const T* from, index outer, index n, index inner) {
    if (n == 1) {
      std::fill_n(to, outer * inner, To{0});
    } else if (Single || inner == 1) {
      if constexpr (N > 0) short_rows<static_cast<int>(N)>(to, from, outer);
      else rows_at_call(to, from, outer, n);
    } else if constexpr (!Single) {
      search_columns(to, from, outer, n, inner);
    }
  }

 private:
  template <class To>
  static void search_columns(To* to, const T* from, index outer, index n, index inner) {
    if (inner < fewest_lanes || (2 * inner <= lanes && n * inner >= 16 * lanes)) {
      for (; outer > 0; --outer, to += inner, from += n * inner) few_columns(to, from, n, inner);
    } else {
      all_columns(to, from, outer, n, inner);
    }
  }
};

}  // namespace jig::detail
