// SPDX-License-Identifier: MIT
#pragma once
// Ops on tensors of any shape as loops over their elements, one op after the other: what random loop nests are compared with.
// Floating elements are computed in double, integers wrap where their dtype does.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace nests {

using index = std::int64_t;
using shape = std::vector<index>;
enum class dtype { boolean, byte, integer, single, twice };

/// A tensor. Integers of all its dtypes are doubles exactly.
struct value {
  dtype type;
  nests::shape shape;
  std::vector<double> data;
};

inline bool floating(dtype d) { return d == dtype::single || d == dtype::twice; }
inline index elements(const shape& s) {
  index n = 1;
  for (index e : s) n *= e;
  return n;
}
inline double wrapped(dtype d, std::int64_t x) {
  if (d == dtype::integer) return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x))));
  if (d == dtype::byte) return static_cast<double>(static_cast<std::uint8_t>(static_cast<std::uint64_t>(x)));
  return x != 0 ? 1 : 0;
}
inline value empty(dtype d, shape s) {
  const auto n = static_cast<std::size_t>(elements(s));
  return {d, std::move(s), std::vector<double>(n)};
}

// Calls f(position of each axis, element's number) for all elements, the last axis fastest.
template <class F>
void each_position(const shape& s, F f) {
  shape at(s.size(), 0);
  const index n = elements(s);
  for (index i = 0; i < n; ++i) {
    f(at, static_cast<std::size_t>(i));
    for (std::size_t a = s.size(); a-- > 0;) {
      if (++at[a] < s[a]) break;
      at[a] = 0;
    }
  }
}
// The number of the element at a position; axes of extent 1 and missing ones in front are broadcast.
inline std::size_t number(const shape& s, const shape& at) {
  index out = 0;
  const std::size_t missing = at.size() - s.size();
  for (std::size_t a = 0; a < s.size(); ++a) out = out * s[a] + (s[a] == 1 ? 0 : at[a + missing]);
  return static_cast<std::size_t>(out);
}
inline shape joined(const shape& x, const shape& y) {
  shape out = x.size() > y.size() ? x : y;
  for (std::size_t a = 0; a < out.size(); ++a) {
    const auto of = [&](const shape& s) { return a + s.size() < out.size() ? index{1} : s[a + s.size() - out.size()]; };
    out[a] = of(x) == 1 ? of(y) : of(x);
  }
  return out;
}

template <class F>
value map(const value& x, F f) {
  value out = x;
  for (double& e : out.data) e = f(e);
  return out;
}
template <class F>
value map(dtype d, const value& x, const value& y, F f) {
  value out = empty(d, joined(x.shape, y.shape));
  each_position(out.shape,
                [&](const shape& at, std::size_t i) { out.data[i] = f(x.data[number(x.shape, at)], y.data[number(y.shape, at)]); });
  return out;
}
inline value constant(dtype d, double x) { return {d, {}, {x}}; }

// On integers f is one of 64 bits, whose result wraps.
template <class F>
value arithmetic(const value& x, const value& y, F f) {
  const dtype d = x.type;
  if (floating(d)) return map(d, x, y, [&](double a, double b) { return f(a, b); });
  return map(d, x, y, [&](double a, double b) { return wrapped(d, f(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))); });
}
inline value add(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return a + b; });
}
inline value subtract(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return a - b; });
}
inline value multiply(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return a * b; });
}
inline value divide(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return a / b; });
}
inline value maximum(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return a < b ? b : a; });
}
inline value minimum(const value& x, const value& y) {
  return arithmetic(x, y, [](auto a, auto b) { return b < a ? b : a; });
}
// Of integers and truth values.
template <class F>
value bitwise(const value& x, const value& y, F f) {
  return map(x.type, x, y,
             [&](double a, double b) { return wrapped(x.type, f(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))); });
}
inline value bit_and(const value& x, const value& y) {
  return bitwise(x, y, [](std::int64_t a, std::int64_t b) { return a & b; });
}
inline value bit_or(const value& x, const value& y) {
  return bitwise(x, y, [](std::int64_t a, std::int64_t b) { return a | b; });
}
inline value bit_xor(const value& x, const value& y) {
  return bitwise(x, y, [](std::int64_t a, std::int64_t b) { return a ^ b; });
}
inline value shift_left(const value& x, const value& y) {
  return bitwise(x, y, [](std::int64_t a, std::int64_t b) { return a << b; });
}
inline value shift_right(const value& x, const value& y) {
  return bitwise(x, y, [](std::int64_t a, std::int64_t b) { return a >> b; });
}
inline value less(const value& x, const value& y) {
  return map(dtype::boolean, x, y, [](double a, double b) { return a < b ? 1.0 : 0.0; });
}
inline value equal(const value& x, const value& y) {
  return map(dtype::boolean, x, y, [](double a, double b) { return a == b ? 1.0 : 0.0; });
}
inline value where(const value& c, const value& x, const value& y) {
  value out = empty(x.type, joined(c.shape, joined(x.shape, y.shape)));
  each_position(out.shape, [&](const shape& at, std::size_t i) {
    out.data[i] = c.data[number(c.shape, at)] != 0 ? x.data[number(x.shape, at)] : y.data[number(y.shape, at)];
  });
  return out;
}

inline value negative(const value& x) {
  return floating(x.type) ? map(x, [](double a) { return -a; }) : subtract(constant(x.type, 0), x);
}
inline value logical_not(const value& x) {
  return map(x, [](double a) { return a != 0 ? 0.0 : 1.0; });
}
inline value abs(const value& x) {
  return map(x, [](double a) { return std::abs(a); });
}
inline value square(const value& x) { return multiply(x, x); }
inline value relu(const value& x) {
  return map(x, [](double a) { return a > 0 ? a : 0; });
}
inline value sqrt(const value& x) {
  return map(x, [](double a) { return std::sqrt(a); });
}
inline value exp(const value& x) {
  return map(x, [](double a) { return std::exp(a); });
}
inline value tanh(const value& x) {
  return map(x, [](double a) { return std::tanh(a); });
}
inline value cast(dtype to, const value& x) {
  value out = x;
  out.type = to;
  if (floating(to)) return out;
  for (double& a : out.data) {
    if (to == dtype::boolean) a = a != 0 ? 1 : 0;
    else if (!floating(x.type)) a = wrapped(to, static_cast<std::int64_t>(a));
    else if (std::isnan(a)) a = 0;
    else if (to == dtype::byte) a = std::trunc(std::min(std::max(a, 0.0), 255.0));
    else a = std::trunc(std::min(std::max(a, -2147483648.0), 2147483647.0));
  }
  return out;
}

// Of each element of the result, the position that it is read at.
template <class F>
value read(const value& x, shape s, F f) {
  value out = empty(x.type, std::move(s));
  each_position(out.shape, [&](const shape& at, std::size_t i) { out.data[i] = x.data.at(number(x.shape, f(at))); });
  return out;
}
inline value transpose(const value& x, const shape& order) {
  shape s;
  for (index a : order) s.push_back(x.shape[static_cast<std::size_t>(a)]);
  return read(x, s, [&](const shape& at) {
    shape from(at.size());
    for (std::size_t a = 0; a < at.size(); ++a) from[static_cast<std::size_t>(order[a])] = at[a];
    return from;
  });
}
inline value reverse(const value& x, const shape& axes) {
  return read(x, x.shape, [&](shape at) {
    for (index a : axes) at[static_cast<std::size_t>(a)] = x.shape[static_cast<std::size_t>(a)] - 1 - at[static_cast<std::size_t>(a)];
    return at;
  });
}
/// Along one axis `count` positions from `first` on.
inline value slice(const value& x, index axis, index first, index count, index step) {
  shape s = x.shape;
  s[static_cast<std::size_t>(axis)] = count;
  value out = empty(x.type, s);
  each_position(s, [&](shape at, std::size_t i) {
    at[static_cast<std::size_t>(axis)] = first + step * at[static_cast<std::size_t>(axis)];
    index from = 0;
    for (std::size_t a = 0; a < at.size(); ++a) from = from * x.shape[a] + at[a];
    out.data[i] = x.data.at(static_cast<std::size_t>(from));
  });
  return out;
}
/// Zeros before and behind the places of each axis.
inline value pad(const value& x, const shape& before, const shape& behind) {
  shape s = x.shape;
  for (std::size_t a = 0; a < s.size(); ++a) s[a] += before[a] + behind[a];
  value out = empty(x.type, s);
  each_position(x.shape, [&](shape at, std::size_t i) {
    for (std::size_t a = 0; a < at.size(); ++a) at[a] += before[a];
    out.data[number(s, at)] = x.data[i];
  });
  return out;
}
inline value reshape(const value& x, const shape& s) { return {x.type, s, x.data}; }
inline value broadcast(const value& x, const shape& s) {
  return read(x, s, [](const shape& at) { return at; });
}
inline value concat(const value& x, const value& y, index axis) {
  const auto a = static_cast<std::size_t>(axis);
  value out = x;
  out.shape[a] += y.shape[a];
  out.data.clear();
  index outer = 1, of_x = 1, of_y = 1;
  for (std::size_t b = 0; b < a; ++b) outer *= x.shape[b];
  for (std::size_t b = a; b < x.shape.size(); ++b) of_x *= x.shape[b], of_y *= y.shape[b];
  for (index i = 0; i < outer; ++i) {
    out.data.insert(out.data.end(), x.data.begin() + i * of_x, x.data.begin() + (i + 1) * of_x);
    out.data.insert(out.data.end(), y.data.begin() + i * of_y, y.data.begin() + (i + 1) * of_y);
  }
  return out;
}
inline value expand(const value& x, index axis) {
  shape s = x.shape;
  s.insert(s.begin() + axis, 1);
  return reshape(x, s);
}
inline value stack(const std::vector<value>& parts, index axis) {
  value out = expand(parts[0], axis);
  for (std::size_t k = 1; k < parts.size(); ++k) out = concat(out, expand(parts[k], axis), axis);
  return out;
}
inline value stack(const value& x, const value& y, index axis) { return stack({x, y}, axis); }

// From a first value on, f(what came before, element) over some axes. Totals of many numbers are kept more exactly than these.
template <class Total = double, class F>
value reduce(const value& x, const shape& axes, bool keep, double first, F f) {
  shape kept = x.shape, out_shape;
  for (index a : axes) kept[static_cast<std::size_t>(a)] = 1;
  value out = empty(x.type, kept);
  std::vector<Total> totals(out.data.size(), first);
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    Total& to = totals[number(kept, at)];
    to = f(to, x.data[i]);
  });
  for (std::size_t i = 0; i < totals.size(); ++i) out.data[i] = static_cast<double>(totals[i]);
  if (keep) return out;
  for (std::size_t a = 0; a < kept.size(); ++a)
    if (std::find(axes.begin(), axes.end(), static_cast<index>(a)) == axes.end()) out_shape.push_back(kept[a]);
  out.shape = out_shape;
  return out;
}
inline value reduce_sum(const value& x, const shape& axes, bool keep) {
  if (floating(x.type)) return reduce<long double>(x, axes, keep, 0, [](long double a, double b) { return a + b; });
  return reduce(x, axes, keep, 0,
                [&](double a, double b) { return wrapped(x.type, static_cast<std::int64_t>(a) + static_cast<std::int64_t>(b)); });
}
inline value reduce_prod(const value& x, const shape& axes, bool keep) {
  return reduce(x, axes, keep, 1, [&](double a, double b) {
    return floating(x.type) ? a * b : wrapped(x.type, static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b));
  });
}
inline value reduce_mean(const value& x, const shape& axes, bool keep) {
  double n = 1;
  for (index a : axes) n *= static_cast<double>(x.shape[static_cast<std::size_t>(a)]);
  return map(reduce_sum(x, axes, keep), [&](double a) { return a / n; });
}
inline value reduce_max(const value& x, const shape& axes, bool keep) {
  return reduce(x, axes, keep, -std::numeric_limits<double>::infinity(), [](double a, double b) { return a < b ? b : a; });
}
inline value reduce_min(const value& x, const shape& axes, bool keep) {
  return reduce(x, axes, keep, std::numeric_limits<double>::infinity(), [](double a, double b) { return b < a ? b : a; });
}
// Of nothing none is true, and all are.
inline value reduce_any(const value& x, const shape& axes, bool keep) {
  return reduce(x, axes, keep, 0, [](double a, double b) { return a < b ? b : a; });
}
inline value reduce_all(const value& x, const shape& axes, bool keep) {
  return reduce(x, axes, keep, 1, [](double a, double b) { return b < a ? b : a; });
}
/// Of matrices, which may be read transposed and whose axes in front are broadcast, or of one and a vector.
inline value matmul(const value& x, const value& y, bool turn_x = false, bool turn_y = false) {
  const auto turned = [](const value& m) {
    shape order;
    for (std::size_t a = 0; a < m.shape.size(); ++a) order.push_back(static_cast<index>(a));
    std::swap(order.back(), order[order.size() - 2]);
    return transpose(m, order);
  };
  const bool row = x.shape.size() == 1, column = y.shape.size() == 1;
  const value a = row ? reshape(x, {1, x.shape[0]}) : turn_x ? turned(x) : x;
  const value b = column ? reshape(y, {y.shape[0], 1}) : turn_y ? turned(y) : y;
  const index n = a.shape[a.shape.size() - 2], length = a.shape.back(), m = b.shape.back();
  shape s = joined({a.shape.begin(), a.shape.end() - 2}, {b.shape.begin(), b.shape.end() - 2});
  s.push_back(n);
  s.push_back(m);
  value out = empty(x.type, s);
  each_position(s, [&](const shape& at, std::size_t i) {
    shape in_a = at, in_b = at;
    in_b[in_b.size() - 2] = in_a.back() = 0;
    const double* from_a = a.data.data() + number(a.shape, in_a);
    const double* from_b = b.data.data() + number(b.shape, in_b);
    long double sum = 0;
    std::uint64_t wrapping = 0;
    for (index k = 0; k < length; ++k) {
      const double of_a = from_a[k], of_b = from_b[k * m];
      if (floating(x.type)) sum += static_cast<long double>(of_a) * of_b;
      else wrapping += static_cast<std::uint64_t>(static_cast<std::int64_t>(of_a) * static_cast<std::int64_t>(of_b));
    }
    out.data[i] = floating(x.type) ? static_cast<double>(sum) : wrapped(x.type, static_cast<std::int64_t>(wrapping));
  });
  if (row) s.erase(s.end() - 2);
  if (column) s.pop_back();
  return reshape(out, s);
}
// The first position along an axis whose element no other comes before.
template <class Before>
value first_of(const value& x, index axis, Before before) {
  const auto a = static_cast<std::size_t>(axis);
  value best = slice(x, axis, 0, 1, 1), at = best;
  at.type = dtype::integer;
  for (double& e : at.data) e = 0;
  each_position(x.shape, [&](const shape& p, std::size_t i) {
    const std::size_t to = number(best.shape, p);
    if (before(x.data[i], best.data[to])) best.data[to] = x.data[i], at.data[to] = static_cast<double>(p[a]);
  });
  at.shape.erase(at.shape.begin() + axis);
  return at;
}
inline value argmax(const value& x, index axis) { return first_of(x, axis, std::greater<>()); }
inline value argmin(const value& x, index axis) { return first_of(x, axis, std::less<>()); }
inline value cumsum(const value& x, index axis) {
  index inner = 1;
  for (std::size_t b = static_cast<std::size_t>(axis) + 1; b < x.shape.size(); ++b) inner *= x.shape[b];
  value out = x;
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    if (at[static_cast<std::size_t>(axis)] == 0) return;
    const double before = out.data[i - static_cast<std::size_t>(inner)];
    out.data[i] =
        floating(x.type) ? before + x.data[i] : wrapped(x.type, static_cast<std::int64_t>(before) + static_cast<std::int64_t>(x.data[i]));
  });
  return out;
}

inline value sort(const value& x, index axis, bool descending) {
  std::size_t apart = 1;
  const auto n = static_cast<std::size_t>(x.shape[static_cast<std::size_t>(axis)]);
  for (std::size_t b = static_cast<std::size_t>(axis) + 1; b < x.shape.size(); ++b) apart *= static_cast<std::size_t>(x.shape[b]);
  value out = x;
  std::vector<double> row(n);
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    if (at[static_cast<std::size_t>(axis)] != 0) return;
    for (std::size_t k = 0; k < n; ++k) row[k] = x.data[i + k * apart];
    std::sort(row.begin(), row.end());
    if (descending) std::reverse(row.begin(), row.end());
    for (std::size_t k = 0; k < n; ++k) out.data[i + k * apart] = row[k];
  });
  return out;
}
/// Sums of products; each letter is an axis. An extent of 1 is broadcast.
inline value einsum(const std::vector<value>& x, const std::vector<std::string>& of, const std::string& of_out) {
  std::string letters = of_out;
  for (const std::string& o : of)
    for (char c : o)
      if (letters.find(c) == std::string::npos) letters += c;
  shape extents(letters.size(), 1);
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t a = 0; a < of[k].size(); ++a) {
      index& extent = extents[letters.find(of[k][a])];
      if (x[k].shape[a] != 1) extent = x[k].shape[a];
    }
  const auto element = [&](const shape& s, const std::string& o, const shape& at) {
    shape from;
    for (char c : o) from.push_back(at[letters.find(c)]);
    return number(s, from);
  };
  const shape kept(extents.begin(), extents.begin() + static_cast<index>(of_out.size()));
  std::vector<long double> sums(static_cast<std::size_t>(elements(kept)));
  value out = empty(x[0].type, kept);
  each_position(extents, [&](const shape& at, std::size_t) {
    long double& to = sums[element(kept, of_out, at)];
    long double product = 1;
    std::uint64_t wrapping = 1;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double e = x[k].data[element(x[k].shape, of[k], at)];
      if (floating(out.type)) product *= e;
      else wrapping *= static_cast<std::uint64_t>(static_cast<std::int64_t>(e));
    }
    if (floating(out.type)) to += product;
    else to = wrapped(out.type, static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(to)) + wrapping));
  });
  for (std::size_t i = 0; i < sums.size(); ++i) out.data[i] = static_cast<double>(sums[i]);
  return out;
}
/// The positions of the elements in order, of equal ones the first one first.
inline value argsort(const value& x, index axis, bool descending) {
  const auto a = static_cast<std::size_t>(axis);
  value out = x;
  out.type = dtype::integer;
  each_position(x.shape, [&](const shape& at, std::size_t i) {
    const double here = x.data[i];
    shape to = at;
    to[a] = 0;
    for (shape other = to; other[a] < x.shape[a]; ++other[a]) {
      const double there = x.data[number(x.shape, other)];
      to[a] += descending ? there > here : there < here;
      to[a] += there == here && other[a] < at[a];
    }
    out.data[number(x.shape, to)] = static_cast<double>(at[a]);
  });
  return out;
}
inline value softmax(const value& x, index axis) {
  const value e = exp(subtract(x, reduce_max(x, {axis}, true)));
  return divide(e, reduce_sum(e, {axis}, true));
}

/// Elements or rows along an axis, by their positions.
inline value gather(const value& x, const value& positions, index axis) {
  const auto a = static_cast<std::size_t>(axis), more = positions.shape.size();
  shape s = x.shape;
  s.erase(s.begin() + axis);
  s.insert(s.begin() + axis, positions.shape.begin(), positions.shape.end());
  value out = empty(x.type, s);
  each_position(s, [&](const shape& at, std::size_t i) {
    const shape in_positions(at.begin() + axis, at.begin() + axis + static_cast<index>(more));
    shape from(at.begin(), at.begin() + axis);
    from.push_back(static_cast<index>(positions.data.at(number(positions.shape, in_positions))));
    from.insert(from.end(), at.begin() + axis + static_cast<index>(more), at.end());
    index element = 0;
    for (std::size_t b = 0; b < from.size(); ++b) element = element * x.shape[b] + from[b];
    out.data[i] = from[a] < x.shape[a] ? x.data.at(static_cast<std::size_t>(element)) : 0;
  });
  return out;
}
/// The rest of integers that are not negative.
inline value remainder(const value& x, index by) {
  return map(x, [&](double a) { return std::fmod(a, static_cast<double>(by)); });
}
inline value tile(const value& x, const shape& times) {
  value out = x;
  for (std::size_t a = 0; a < times.size(); ++a) {
    const value once = out;
    for (index k = 1; k < times[a]; ++k) out = concat(out, once, static_cast<index>(a));
  }
  return out;
}
inline value repeat(const value& x, index times, index axis) {
  value copies = stack(std::vector<value>(static_cast<std::size_t>(times), x), axis + 1);
  shape s = x.shape;
  s[static_cast<std::size_t>(axis)] *= times;
  return reshape(copies, s);
}
inline value one_hot(dtype d, const value& positions, index depth) {
  value out = empty(d, positions.shape);
  out.shape.push_back(depth);
  out.data.assign(static_cast<std::size_t>(elements(out.shape)), 0);
  for (std::size_t i = 0; i < positions.data.size(); ++i)
    if (const auto at = static_cast<index>(positions.data[i]); at >= 0 && at < depth)
      out.data[i * static_cast<std::size_t>(depth) + static_cast<std::size_t>(at)] = 1;
  return out;
}
/// Sums of the rows with the same number.
inline value segment_sum(const value& x, const value& ids, index count) {
  shape s(x.shape.begin() + static_cast<index>(ids.shape.size()), x.shape.end());
  const auto row = static_cast<std::size_t>(elements(s));
  s.insert(s.begin(), count);
  value out = empty(x.type, s);
  for (std::size_t i = 0; i < ids.data.size(); ++i)
    for (std::size_t k = 0; k < row; ++k) {
      double& to = out.data.at(static_cast<std::size_t>(ids.data[i]) * row + k);
      const double sum = to + x.data[i * row + k];
      to = floating(x.type) ? sum : wrapped(x.type, static_cast<std::int64_t>(sum));
    }
  return out;
}

}  // namespace nests
