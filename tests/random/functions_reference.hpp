// SPDX-License-Identifier: MIT
#pragma once
// Functions of numbers, reductions, and reads and writes at positions, as loops.

#include <random/nests_reference.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace nests {

inline double logistic(double a) { return 1 / (1 + std::exp(-a)); }
inline double softplus(double a) { return std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a))); }

inline value operator+(const value& x, double y) {
  return map(x, [&](double a) { return a + y; });
}
inline value clip(const value& x, double low, double high) {
  return map(x, [&](double a) { return std::min(std::max(a, low), high); });
}
inline value relu6(const value& x) { return clip(x, 0, 6); }
inline value leaky_relu(const value& x, double slope = 0.2) {
  return map(x, [&](double a) { return a > 0 ? a : slope * a; });
}
inline value elu(const value& x) {
  return map(x, [](double a) { return a > 0 ? a : std::expm1(a); });
}
inline value selu(const value& x) {
  return map(x, [](double a) { return 1.0507009873554804934 * (a > 0 ? a : 1.6732632423543772848 * std::expm1(a)); });
}
inline value gelu(const value& x) {
  return map(x, [](double a) { return a / 2 * std::erfc(-a / std::sqrt(2.0)); });
}
inline value silu(const value& x) {
  return map(x, [](double a) { return a * logistic(a); });
}
inline value sigmoid(const value& x) { return map(x, logistic); }
inline value softplus(const value& x) {
  return map(x, [](double a) { return softplus(a); });
}
inline value log_sigmoid(const value& x) {
  return map(x, [](double a) { return -softplus(-a); });
}
inline value softsign(const value& x) {
  return map(x, [](double a) { return a / (1 + std::abs(a)); });
}
inline value erf(const value& x) {
  return map(x, [](double a) { return std::erf(a); });
}
inline value erfc(const value& x) {
  return map(x, [](double a) { return std::erfc(a); });
}
inline value atan(const value& x) {
  return map(x, [](double a) { return std::atan(a); });
}
inline value asinh(const value& x) {
  return map(x, [](double a) { return std::asinh(a); });
}
inline value log1p(const value& x) {
  return map(x, [](double a) { return std::log1p(a); });
}
inline value log(const value& x) {
  return map(x, [](double a) { return std::log(a); });
}
inline value reciprocal(const value& x) {
  return map(x, [](double a) { return 1 / a; });
}
inline value rsqrt(const value& x) { return reciprocal(sqrt(x)); }
inline value sin(const value& x) {
  return map(x, [](double a) { return std::sin(a); });
}
inline value cos(const value& x) {
  return map(x, [](double a) { return std::cos(a); });
}
inline value floor(const value& x) {
  return map(x, [](double a) { return std::floor(a); });
}
inline value ceil(const value& x) {
  return map(x, [](double a) { return std::ceil(a); });
}
inline value trunc(const value& x) {
  return map(x, [](double a) { return std::trunc(a); });
}
/// Halves go to the even number.
inline value round(const value& x) {
  return map(x, [](double a) { return std::nearbyint(a); });
}
inline value rint(const value& x) { return round(x); }
inline value sign(const value& x) {
  return map(x, [](double a) { return static_cast<double>((a > 0) - (a < 0)); });
}

inline value count_nonzero(const value& x, const shape& axes, bool keep) {
  value ones = map(x, [](double a) { return a != 0 ? 1.0 : 0.0; });
  ones.type = dtype::integer;
  return reduce_sum(ones, axes, keep);
}
inline value reduce_variance(const value& x, const shape& axes, bool keep) {
  return reduce_mean(square(subtract(x, reduce_mean(x, axes, true))), axes, keep);
}
inline value reduce_std(const value& x, const shape& axes, bool keep) { return sqrt(reduce_variance(x, axes, keep)); }
inline value norm(const value& x, const shape& axes, bool keep) { return sqrt(reduce_sum(square(x), axes, keep)); }
inline value reduce_logsumexp(const value& x, const shape& axes, bool keep) {
  const value rest = exp(subtract(x, reduce_max(x, axes, true)));
  return add(log(reduce_sum(rest, axes, keep)), reduce_max(x, axes, keep));
}
inline value log_softmax(const value& x, index axis) { return subtract(x, reduce_logsumexp(x, {axis}, true)); }
inline value cumprod(const value& x, index axis) {
  value out = x;
  for (index k = 1; k < x.shape[static_cast<std::size_t>(axis)]; ++k) {
    const value before = slice(out, axis, k - 1, 1, 1), here = multiply(before, slice(x, axis, k, 1, 1));
    each_position(here.shape, [&](shape at, std::size_t i) {
      at[static_cast<std::size_t>(axis)] = k;
      out.data[number(x.shape, at)] = here.data[i];
    });
  }
  return out;
}
/// Element i along an axis is element i + shift of the result, modulo the extent.
inline value roll(const value& x, const value& shift, index axis) {
  const auto a = static_cast<std::size_t>(axis);
  const index n = x.shape[a], by = (static_cast<index>(shift.data[0]) % n + n) % n;
  return read(x, x.shape, [&](shape at) {
    at[a] = (at[a] - by + n) % n;
    return at;
  });
}
/// How many elements of a row are less than each value, or not larger.
inline value searchsorted(const value& rows, const value& x, bool right) {
  value out = empty(dtype::integer, x.shape);
  const index n = rows.shape.back();
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    index row = 0;
    for (std::size_t a = 0; a + 1 < rows.shape.size(); ++a) row = row * rows.shape[a] + at[a];
    for (index k = 0; k < n; ++k) {
      const double e = rows.data[static_cast<std::size_t>(row * n + k)];
      out.data[i] += e < x.data[i] || (right && e == x.data[i]);
    }
  });
  return out;
}

inline value diag(const value& x) {
  shape s = x.shape;
  s.push_back(s.back());
  value out = empty(x.type, s);
  each_position(x.shape, [&](shape at, std::size_t i) {
    at.push_back(at.back());
    out.data[number(s, at)] = x.data[i];
  });
  return out;
}
inline value diag_part(const value& x) {
  shape s = x.shape;
  s.pop_back();
  s.back() = std::min(s.back(), x.shape.back());
  return read(x, s, [](shape at) {
    at.push_back(at.back());
    return at;
  });
}
inline value set_diag(const value& x, const value& d) {
  value out = x;
  each_position(d.shape, [&](shape at, std::size_t i) {
    at.push_back(at.back());
    out.data[number(x.shape, at)] = d.data[i];
  });
  return out;
}
/// So many diagonals below and above the main one; all where that is negative.
inline value band_part(const value& x, const value& lower, const value& upper) {
  value out = x;
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    const auto below = static_cast<double>(at[at.size() - 2] - at.back());
    if ((lower.data[0] >= 0 && below > lower.data[0]) || (upper.data[0] >= 0 && -below > upper.data[0])) out.data[i] = 0;
  });
  return out;
}

// The element of x that the numbers along the last axis of positions lead to, and the places behind them.
inline std::size_t element_at(const value& x, const value& positions, const shape& at) {
  const std::size_t places = positions.shape.size() - 1;
  const index numbers = positions.shape.back();
  shape from(at.begin(), at.begin() + static_cast<index>(places));
  from.push_back(0);
  index element = 0;
  for (std::size_t a = 0; a < x.shape.size(); ++a) {
    const bool given = static_cast<index>(a) < numbers;
    if (given) from.back() = static_cast<index>(a);
    const index here =
        given ? static_cast<index>(positions.data.at(number(positions.shape, from))) : at[places + a - static_cast<std::size_t>(numbers)];
    element = element * x.shape[a] + here;
  }
  return static_cast<std::size_t>(element);
}
inline value gather_nd(const value& x, const value& positions) {
  shape s(positions.shape.begin(), positions.shape.end() - 1);
  s.insert(s.end(), x.shape.begin() + positions.shape.back(), x.shape.end());
  value out = empty(x.type, s);
  each_position(s, [&](const shape& at, std::size_t i) { out.data[i] = x.data.at(element_at(x, positions, at)); });
  return out;
}
inline value tensor_scatter_update(value x, const value& positions, const value& updates) {
  each_position(updates.shape, [&](const shape& at, std::size_t i) { x.data.at(element_at(x, positions, at)) = updates.data[i]; });
  return x;
}
inline value tensor_scatter_add(value x, const value& positions, const value& updates) {
  each_position(updates.shape, [&](const shape& at, std::size_t i) {
    double& to = x.data.at(element_at(x, positions, at));
    to = add(constant(x.type, to), constant(x.type, updates.data[i])).data[0];
  });
  return x;
}
/// Each item of the first axes has positions of its own.
inline value gather_of_items(const value& x, const value& positions, index axis, index batch) {
  const auto a = static_cast<std::size_t>(axis), items = static_cast<std::size_t>(batch);
  const std::size_t more = positions.shape.size() - items;
  shape s(x.shape.begin(), x.shape.begin() + axis);
  s.insert(s.end(), positions.shape.begin() + batch, positions.shape.end());
  s.insert(s.end(), x.shape.begin() + axis + 1, x.shape.end());
  return read(x, s, [&](const shape& at) {
    shape in_positions(at.begin(), at.begin() + batch), from(at.begin(), at.begin() + axis);
    in_positions.insert(in_positions.end(), at.begin() + axis, at.begin() + static_cast<index>(a + more));
    from.push_back(static_cast<index>(positions.data.at(number(positions.shape, in_positions))));
    from.insert(from.end(), at.begin() + static_cast<index>(a + more), at.end());
    return from;
  });
}

// From a first value on f(before, element) of the rows with the same number.
template <class F>
value segments(const value& x, const value& ids, index count, double first, F f) {
  shape s(x.shape.begin() + static_cast<index>(ids.shape.size()), x.shape.end());
  const auto row = static_cast<std::size_t>(elements(s));
  s.insert(s.begin(), count);
  value out = empty(x.type, s);
  for (double& e : out.data) e = first;
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    double& to = out.data.at(static_cast<std::size_t>(ids.data.at(i / row)) * row + i % row);
    to = f(to, x.data[i]);
  }
  return out;
}
inline double highest(dtype d) {
  return d == dtype::byte ? 255 : d == dtype::integer ? 2147483647.0 : static_cast<double>(std::numeric_limits<float>::max());
}
inline double lowest(dtype d) { return d == dtype::byte ? 0 : d == dtype::integer ? -2147483648.0 : -highest(d); }
inline value segment_max(const value& x, const value& ids, index count) {
  return segments(x, ids, count, lowest(x.type), [](double a, double b) { return std::max(a, b); });
}
inline value segment_min(const value& x, const value& ids, index count) {
  return segments(x, ids, count, highest(x.type), [](double a, double b) { return std::min(a, b); });
}
inline value segment_mean(const value& x, const value& ids, index count) {
  const value sums = segments(x, ids, count, 0, [](double a, double b) { return a + b; });
  const value counts = segments(x, ids, count, 0, [](double a, double) { return a + 1; });
  return map(x.type, sums, counts, [](double a, double n) { return n == 0 ? 0 : a / n; });
}
/// Numbers of size and more are not counted.
inline value bincount(const value& x, index size, const value& weights) {
  value out = empty(weights.type, {size});
  for (std::size_t i = 0; i < x.data.size(); ++i)
    if (x.data[i] < static_cast<double>(size)) {
      double& to = out.data[static_cast<std::size_t>(x.data[i])];
      to = add(constant(weights.type, to), constant(weights.type, weights.data[i])).data[0];
    }
  return out;
}
inline value bincount(const value& x, index size) {
  return bincount(x, size, {dtype::integer, x.shape, std::vector<double>(x.data.size(), 1)});
}
inline value slice_from(const value& x, const value& first, index axis, index count) {
  return slice(x, axis, static_cast<index>(first.data[0]), count, 1);
}
inline value slice_update(const value& x, const value& first, index axis, const value& update) {
  value out = x;
  each_position(update.shape, [&](shape at, std::size_t i) {
    at[static_cast<std::size_t>(axis)] += static_cast<index>(first.data[0]);
    index to = 0;
    for (std::size_t a = 0; a < at.size(); ++a) to = to * x.shape[a] + at[a];
    out.data.at(static_cast<std::size_t>(to)) = update.data[i];
  });
  return out;
}

inline value eye_like(const value& x) {
  value out = x;
  each_position(x.shape, [&](const shape& at, std::size_t i) { out.data[i] = at.back() == at[at.size() - 2] ? 1 : 0; });
  return out;
}
inline value triangle(const value& x, bool upper) {
  return band_part(x, constant(dtype::integer, upper ? 0 : -1), constant(dtype::integer, upper ? -1 : 0));
}
inline value matrices_turned(const value& x) {
  shape order;
  for (std::size_t a = 0; a < x.shape.size(); ++a) order.push_back(static_cast<index>(a));
  std::swap(order.back(), order[order.size() - 2]);
  return transpose(x, order);
}
// Makes upper triangles of n x n matrices by elimination, with `columns` right-hand sides for each, and calls f(matrix, sides, sign).
template <class F>
void eliminated(value m, value sides, index columns, F f) {
  const index n = m.shape.back(), count = elements(m.shape) / (n * n);
  for (index b = 0; b < count; ++b) {
    double *const a = m.data.data() + b * n * n, *const x = sides.data.data() + b * n * columns;
    double sign = 1;
    for (index k = 0; k < n; ++k) {
      index best = k;
      for (index r = k; r < n; ++r)
        if (std::abs(a[r * n + k]) > std::abs(a[best * n + k])) best = r;
      if (best != k) {
        sign = -sign;
        std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
        std::swap_ranges(x + k * columns, x + (k + 1) * columns, x + best * columns);
      }
      for (index r = k + 1; r < n; ++r) {
        const double factor = a[r * n + k] / a[k * n + k];
        for (index c = k; c < n; ++c) a[r * n + c] -= factor * a[k * n + c];
        for (index c = 0; c < columns; ++c) x[r * columns + c] -= factor * x[k * columns + c];
      }
    }
    f(b, a, x, sign);
  }
}
inline value solve(const value& m, const value& sides, bool turned) {
  value out = sides;
  const index n = m.shape.back(), columns = sides.shape.size() == 1 ? 1 : sides.shape.back();
  eliminated(turned ? matrices_turned(m) : m, sides, columns, [&](index b, const double* a, const double* x, double) {
    double* const to = out.data.data() + b * n * columns;
    for (index r = n; r-- > 0;)
      for (index c = 0; c < columns; ++c) {
        double sum = x[r * columns + c];
        for (index k = r + 1; k < n; ++k) sum -= a[r * n + k] * to[k * columns + c];
        to[r * columns + c] = sum / a[r * n + r];
      }
  });
  return out;
}
inline value det(const value& m) {
  value out = empty(m.type, {m.shape.begin(), m.shape.end() - 2});
  const index n = m.shape.back();
  eliminated(m, value{m.type, {}, {}}, 0, [&](index b, const double* a, const double*, double sign) {
    double product = sign;
    for (index k = 0; k < n; ++k) product *= a[k * n + k];
    out.data[static_cast<std::size_t>(b)] = product;
  });
  return out;
}
inline value cholesky(const value& m) {
  value out = empty(m.type, m.shape);
  const index n = m.shape.back();
  for (index b = 0; b < elements(m.shape) / (n * n); ++b) {
    const double* const a = m.data.data() + b * n * n;
    double* const l = out.data.data() + b * n * n;
    for (index r = 0; r < n; ++r)
      for (index c = 0; c <= r; ++c) {
        double rest = a[r * n + c];
        for (index k = 0; k < c; ++k) rest -= l[r * n + k] * l[c * n + k];
        l[r * n + c] = r == c ? std::sqrt(rest) : rest / l[c * n + c];
      }
  }
  return out;
}

}  // namespace nests
