// SPDX-License-Identifier: MIT
#pragma once
// Tensors as plain loops compute them, for lambdas that are written for traced values: functions have the same names and are found
// where their arguments are. Elements are numbers, or numbers with their derivative along one direction, of any order.

#include <jig/core/error.hpp>
#include <jig/core/shape.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace reference {

using jig::index;

/// A number and its derivative along one direction.
template <class T>
struct dual {
  T value{}, slope{};
  dual() = default;
  dual(double x) : value(x), slope(0.0) {}
  dual(const T& x, const T& dx) : value(x), slope(dx) {}

  friend dual operator+(const dual& x, const dual& y) { return {x.value + y.value, x.slope + y.slope}; }
  friend dual operator-(const dual& x, const dual& y) { return {x.value - y.value, x.slope - y.slope}; }
  friend dual operator*(const dual& x, const dual& y) { return {x.value * y.value, x.slope * y.value + x.value * y.slope}; }
  friend dual operator/(const dual& x, const dual& y) {
    const T q = x.value / y.value;
    return {q, (x.slope - q * y.slope) / y.value};
  }
  friend dual operator-(const dual& x) { return {-x.value, -x.slope}; }
  friend bool operator<(const dual& x, const dual& y) { return x.value < y.value; }
  friend bool operator>(const dual& x, const dual& y) { return x.value > y.value; }
  friend dual tanh(const dual& x) {
    using std::tanh;
    const T t = tanh(x.value);
    return {t, x.slope * (T(1.0) - t * t)};
  }
  friend dual sin(const dual& x) {
    using std::sin, std::cos;
    return {sin(x.value), x.slope * cos(x.value)};
  }
  friend dual cos(const dual& x) {
    using std::sin, std::cos;
    return {cos(x.value), -(x.slope * sin(x.value))};
  }
  friend dual exp(const dual& x) {
    using std::exp;
    const T e = exp(x.value);
    return {e, x.slope * e};
  }
  friend dual sqrt(const dual& x) {
    using std::sqrt;
    const T r = sqrt(x.value);
    return {r, x.slope / (r + r)};
  }
  friend dual abs(const dual& x) { return x.value < T(0.0) ? -x : x; }
};

inline double value_of(double x) { return x; }
template <class T>
double value_of(const dual<T>& x) {
  return value_of(x.value);
}

// What was computed in between: where numbers get large, rounding may decide what comes out.
inline double largest = 0;

template <class T>
struct plain {
  std::vector<index> shape;
  std::vector<T> data;

  plain(std::vector<index> s, std::vector<T> d) : shape(std::move(s)), data(std::move(d)) {
    for (const T& x : data) {
      const double size = std::abs(value_of(x));
      if (!(size <= largest)) largest = size;
    }
  }
  plain(std::vector<index> s, T x) : shape(std::move(s)) { data.assign(static_cast<std::size_t>(elements(shape)), x); }
  int rank() const { return static_cast<int>(shape.size()); }
  static index elements(const std::vector<index>& s) {
    index n = 1;
    for (index e : s) n *= e;
    return n;
  }
};

template <class T>
plain<T> scalar_like(const plain<T>&, double x) {
  return {{}, T(x)};
}

// The row-major position i in a shape, read in an operand that is broadcast to it.
inline std::size_t position(std::size_t at, const std::vector<index>& shape, const std::vector<index>& operand) {
  index i = static_cast<index>(at), to = 0, step = 1;
  for (std::size_t a = shape.size(), b = operand.size(); a-- > 0;) {
    const index k = i % shape[a];
    i /= shape[a];
    if (b == 0) continue;
    --b;
    if (operand[b] != 1) to += k * step;
    step *= operand[b];
  }
  return static_cast<std::size_t>(to);
}
inline std::vector<index> joined(const std::vector<index>& x, const std::vector<index>& y) {
  std::vector<index> out(std::max(x.size(), y.size()));
  for (std::size_t a = 0; a < out.size(); ++a) {
    const index p = a < x.size() ? x[x.size() - 1 - a] : 1, q = a < y.size() ? y[y.size() - 1 - a] : 1;
    if (p != q && p != 1 && q != 1) throw jig::invalid_argument("shapes do not broadcast");
    out[out.size() - 1 - a] = p == 1 ? q : p;
  }
  return out;
}

template <class T, class F>
plain<T> each(const plain<T>& x, F f) {
  std::vector<T> out;
  for (const T& e : x.data) out.push_back(f(e));
  return {x.shape, out};
}
template <class T, class F>
plain<T> each(const plain<T>& x, const plain<T>& y, F f) {
  const auto shape = joined(x.shape, y.shape);
  std::vector<T> out(static_cast<std::size_t>(plain<T>::elements(shape)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(x.data[position(i, shape, x.shape)], y.data[position(i, shape, y.shape)]);
  return {shape, out};
}

template <class T>
plain<T> operator+(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a + b; });
}
template <class T>
plain<T> operator-(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a - b; });
}
template <class T>
plain<T> operator*(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a * b; });
}
template <class T>
plain<T> operator/(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a / b; });
}
template <class T>
plain<T> operator>(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a > b ? T(1.0) : T(0.0); });
}
template <class T>
plain<T> operator+(const plain<T>& x, double y) {
  return x + scalar_like(x, y);
}
template <class T>
plain<T> operator-(const plain<T>& x, double y) {
  return x - scalar_like(x, y);
}
template <class T>
plain<T> operator*(const plain<T>& x, double y) {
  return x * scalar_like(x, y);
}
template <class T>
plain<T> operator/(const plain<T>& x, double y) {
  return x / scalar_like(x, y);
}
template <class T>
plain<T> operator>(const plain<T>& x, double y) {
  return x > scalar_like(x, y);
}
template <class T>
plain<T> operator-(const plain<T>& x) {
  return each(x, [](const T& a) { return -a; });
}
template <class T>
bool truth(const plain<T>& x) {
  return value_of(x.data.at(0)) != 0;
}

template <class T>
plain<T> maximum(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return a < b ? b : a; });
}
template <class T>
plain<T> minimum(const plain<T>& x, const plain<T>& y) {
  return each(x, y, [](const T& a, const T& b) { return b < a ? b : a; });
}
template <class T>
plain<T> squared_difference(const plain<T>& x, const plain<T>& y) {
  return (x - y) * (x - y);
}
template <class T>
plain<T> where(const plain<T>& c, const plain<T>& x, const plain<T>& y) {
  const auto shape = joined(c.shape, joined(x.shape, y.shape));
  std::vector<T> out(static_cast<std::size_t>(plain<T>::elements(shape)));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = value_of(c.data[position(i, shape, c.shape)]) != 0 ? x.data[position(i, shape, x.shape)] : y.data[position(i, shape, y.shape)];
  return {shape, out};
}
template <class T>
plain<T> abs(const plain<T>& x) {
  using std::abs;
  return each(x, [](const T& a) { return abs(a); });
}
template <class T>
plain<T> tanh(const plain<T>& x) {
  using std::tanh;
  return each(x, [](const T& a) { return tanh(a); });
}
template <class T>
plain<T> sin(const plain<T>& x) {
  using std::sin;
  return each(x, [](const T& a) { return sin(a); });
}
template <class T>
plain<T> exp(const plain<T>& x) {
  using std::exp;
  return each(x, [](const T& a) { return exp(a); });
}
template <class T>
plain<T> sqrt(const plain<T>& x) {
  using std::sqrt;
  return each(x, [](const T& a) { return sqrt(a); });
}
template <class T>
plain<T> square(const plain<T>& x) {
  return x * x;
}
template <class T>
plain<T> relu(const plain<T>& x) {
  return each(x, [](const T& a) { return a > T(0.0) ? a : T(0.0); });
}
template <class T>
plain<T> sigmoid(const plain<T>& x) {
  using std::exp;
  return each(x, [](const T& a) { return T(1.0) / (T(1.0) + exp(-a)); });
}

template <class T>
std::size_t axis_of(const plain<T>& x, index axis) {
  return static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
}
template <class T>
index inner_of(const plain<T>& x, std::size_t axis) {
  index inner = 1;
  for (std::size_t b = axis + 1; b < x.shape.size(); ++b) inner *= x.shape[b];
  return inner;
}
// Along one axis: f(what came before, element). The axis goes, unless something asks to keep it.
template <class T, class F, class... Keep>
plain<T> fold(const plain<T>& x, index axis, F f, Keep...) {
  const std::size_t a = axis_of(x, axis);
  const index inner = inner_of(x, a);
  std::vector<index> shape = x.shape;
  shape[a] = 1;
  std::vector<T> out(static_cast<std::size_t>(plain<T>::elements(shape)));
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const auto at = static_cast<index>(i);
    const index block = at / (inner * x.shape[a]), along = at / inner % x.shape[a];
    T& to = out[static_cast<std::size_t>(block * inner + at % inner)];
    to = along == 0 ? x.data[i] : f(to, x.data[i]);
  }
  if (sizeof...(Keep) == 0) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(a));
  return {shape, out};
}
template <index Axis, class T, class... Keep>
plain<T> reduce_sum(const plain<T>& x, Keep... keep) {
  return fold(x, Axis, [](const T& a, const T& b) { return a + b; }, keep...);
}
template <index Axis, class T, class... Keep>
plain<T> reduce_max(const plain<T>& x, Keep... keep) {
  return fold(x, Axis, [](const T& a, const T& b) { return a < b ? b : a; }, keep...);
}
template <index Axis, class T, class... Keep>
plain<T> reduce_mean(const plain<T>& x, Keep... keep) {
  return reduce_sum<Axis>(x, keep...) / static_cast<double>(x.shape[axis_of(x, Axis)]);
}
template <class T>
plain<T> flatten(const plain<T>& x) {
  return {{plain<T>::elements(x.shape)}, x.data};
}
template <class T>
plain<T> reduce_sum(const plain<T>& x) {
  return reduce_sum<0>(flatten(x));
}
template <class T>
plain<T> reduce_mean(const plain<T>& x) {
  return reduce_mean<0>(flatten(x));
}
template <index Axis, class T>
plain<T> softmax(const plain<T>& x) {
  const plain<T> e = exp(x);
  return e / reduce_sum<Axis>(e, 0);
}

// Calls f(position in the result) for the element that it takes of x.
template <class T, class F>
plain<T> taken(const plain<T>& x, const std::vector<index>& shape, F f) {
  std::vector<T> out(static_cast<std::size_t>(plain<T>::elements(shape)));
  std::vector<index> at(shape.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    index rest = static_cast<index>(i), from = 0;
    for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a]) at[a] = rest % shape[a];
    const std::vector<index> place = f(at);
    for (std::size_t a = 0; a < place.size(); ++a) from = from * x.shape[a] + place[a];
    out[i] = x.data.at(static_cast<std::size_t>(from));
  }
  return {shape, out};
}
template <index... Order, class T>
plain<T> transpose(const plain<T>& x) {
  std::vector<index> order{Order...};
  if (order.empty())
    for (index a = x.rank(); a-- > 0;) order.push_back(a);
  std::vector<index> shape;
  for (index a : order) shape.push_back(x.shape[static_cast<std::size_t>(a)]);
  return taken(x, shape, [&](const std::vector<index>& at) {
    std::vector<index> from(at.size());
    for (std::size_t a = 0; a < at.size(); ++a) from[static_cast<std::size_t>(order[a])] = at[a];
    return from;
  });
}
template <index Axis, class T>
plain<T> expand_dims(const plain<T>& x) {
  auto shape = x.shape;
  shape.insert(shape.begin() + Axis, 1);
  return {shape, x.data};
}
template <index Axis, class T>
plain<T> squeeze(const plain<T>& x) {
  auto shape = x.shape;
  shape.erase(shape.begin() + Axis);
  return {shape, x.data};
}
// One extent may be -1.
template <index... Extents, class T>
plain<T> reshape(const plain<T>& x) {
  std::vector<index> shape{Extents...};
  index known = 1;
  for (index e : shape) known *= e < 0 ? 1 : e;
  for (index& e : shape)
    if (e < 0) e = plain<T>::elements(x.shape) / known;
  return {shape, x.data};
}
template <index Axis, class T>
plain<T> at_positions(const plain<T>& x, const std::vector<index>& which) {
  const std::size_t a = axis_of(x, Axis);
  auto shape = x.shape;
  shape[a] = static_cast<index>(which.size());
  return taken(x, shape, [&](std::vector<index> at) {
    at[a] = which.at(static_cast<std::size_t>(at[a]));
    return at;
  });
}
template <index Axis, class T>
plain<T> reverse(const plain<T>& x) {
  std::vector<index> which;
  for (index i = x.shape[axis_of(x, Axis)]; i-- > 0;) which.push_back(i);
  return at_positions<Axis>(x, which);
}
/// Positions along an axis, of which there are a few; then as they lie one behind the other.
template <index Axis, index... Which, class T>
plain<T> picked(const plain<T>& x) {
  return at_positions<Axis>(x, {Which...});
}
template <index Axis, index First, index Last, class T>
plain<T> part(const plain<T>& x) {
  std::vector<index> which;
  for (index i = First; i < Last; ++i) which.push_back(i);
  return at_positions<Axis>(x, which);
}
template <index Axis, class T>
plain<T> concat(const plain<T>& x, const plain<T>& y) {
  const std::size_t a = axis_of(x, Axis);
  auto shape = x.shape;
  shape[a] += y.shape[a];
  std::vector<T> out;
  const auto rows = static_cast<std::size_t>(inner_of(x, a));
  const std::size_t of_x = rows * static_cast<std::size_t>(x.shape[a]), of_y = rows * static_cast<std::size_t>(y.shape[a]);
  for (std::size_t i = 0, k = 0; i < x.data.size() || k < y.data.size(); i += of_x, k += of_y) {
    for (std::size_t e = 0; e < of_x; ++e) out.push_back(x.data.at(i + e));
    for (std::size_t e = 0; e < of_y; ++e) out.push_back(y.data.at(k + e));
  }
  return {shape, out};
}
template <index Axis, class T>
plain<T> cumsum(const plain<T>& x) {
  const std::size_t a = axis_of(x, Axis);
  const auto inner = static_cast<std::size_t>(inner_of(x, a));
  std::vector<T> out = x.data;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i / inner % static_cast<std::size_t>(x.shape[a]) != 0) out[i] = out[i] + out[i - inner];
  return {x.shape, out};
}
/// Of matrices, or of batches of them of one size.
template <class T>
plain<T> matmul(const plain<T>& x, const plain<T>& y) {
  const std::size_t r = x.shape.size();
  const index m = x.shape.at(r - 2), inner = x.shape.at(r - 1), n = y.shape.at(r - 1);
  const index items = r == 3 ? x.shape[0] : 1;
  auto shape = x.shape;
  shape[r - 1] = n;
  std::vector<T> out(static_cast<std::size_t>(items * m * n), T(0.0));
  for (index b = 0; b < items; ++b)
    for (index i = 0; i < m; ++i)
      for (index k = 0; k < n; ++k)
        for (index j = 0; j < inner; ++j) {
          T& to = out[static_cast<std::size_t>((b * m + i) * n + k)];
          to = to + x.data[static_cast<std::size_t>((b * m + i) * inner + j)] * y.data[static_cast<std::size_t>((b * inner + j) * n + k)];
        }
  return {shape, out};
}
/// Each matrix of a batch times its row.
template <class T>
plain<T> matvec(const plain<T>& x, const plain<T>& y) {
  return reshape<-1, 3>(matmul(x, reshape<-1, 3, 1>(y)));
}
template <class T>
plain<T> element(const plain<T>& x, index i) {
  plain<T> out = at_positions<0>(x, {i});
  out.shape.erase(out.shape.begin());
  return out;
}

/// How often a loop runs.
struct count {
  int trips;
};
inline std::vector<index> range(const count& n) {
  std::vector<index> out;
  for (index i = 0; i < n.trips; ++i) out.push_back(i);
  return out;
}

}  // namespace reference
