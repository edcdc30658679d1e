// SPDX-License-Identifier: MIT
// Random programs with native control flow, traced at run time and interpreted, against an evaluator of plain loops.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace reference {

using jig::index;

// What was computed in between: where numbers get large, rounding may decide what comes out.
double largest = 0;

struct plain {
  std::vector<index> shape;
  std::vector<double> data;

  explicit operator bool() const { return data.at(0) != 0; }
  int rank() const { return static_cast<int>(shape.size()); }
};

index product(const std::vector<index>& shape) {
  index n = 1;
  for (index e : shape) n *= e;
  return n;
}
plain filled(const std::vector<index>& shape, double value) {
  return {shape, std::vector<double>(static_cast<std::size_t>(product(shape)), value)};
}
plain scalar(double value) { return filled({}, value); }

// The row-major position i in a shape, read in an operand that is broadcast to it.
std::size_t position(index i, const std::vector<index>& shape, const std::vector<index>& operand) {
  index at = 0, step = 1;
  for (std::size_t a = shape.size(), b = operand.size(); a-- > 0;) {
    const index k = i % shape[a];
    i /= shape[a];
    if (b == 0) continue;
    --b;
    if (operand[b] != 1) at += k * step;
    step *= operand[b];
  }
  return static_cast<std::size_t>(at);
}

std::vector<index> joined(const std::vector<index>& x, const std::vector<index>& y) {
  std::vector<index> out(std::max(x.size(), y.size()));
  for (std::size_t a = 0; a < out.size(); ++a) {
    const index p = a < x.size() ? x[x.size() - 1 - a] : 1, q = a < y.size() ? y[y.size() - 1 - a] : 1;
    if (p != q && p != 1 && q != 1) throw jig::invalid_argument("shapes do not broadcast");
    out[out.size() - 1 - a] = p == 1 ? q : p;
  }
  return out;
}

template <class F>
plain each(const plain& x, F f) {
  plain out = x;
  for (double& value : out.data) {
    value = f(value);
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return out;
}
template <class F>
plain each(const plain& x, const plain& y, F f) {
  plain out = filled(joined(x.shape, y.shape), 0);
  for (std::size_t i = 0; i < out.data.size(); ++i) {
    const auto at = static_cast<index>(i);
    out.data[i] = f(x.data[position(at, out.shape, x.shape)], y.data[position(at, out.shape, y.shape)]);
  }
  return each(out, [](double value) { return value; });
}

plain operator+(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return a + b; });
}
plain operator-(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return a - b; });
}
plain operator*(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return a * b; });
}
plain operator/(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return a / b; });
}
plain operator>(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return a > b ? 1.0 : 0.0; });
}
plain operator+(const plain& x, double y) { return x + scalar(y); }
plain operator-(const plain& x, double y) { return x - scalar(y); }
plain operator*(const plain& x, double y) { return x * scalar(y); }
plain operator/(const plain& x, double y) { return x / scalar(y); }
plain operator>(const plain& x, double y) { return x > scalar(y); }
plain operator-(const plain& x) {
  return each(x, [](double a) { return -a; });
}
plain maximum(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b); });
}
plain minimum(const plain& x, const plain& y) {
  return each(x, y, [](double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::min(a, b); });
}
plain squared_difference(const plain& x, const plain& y) { return (x - y) * (x - y); }
plain where(const plain& c, const plain& x, const plain& y) {
  const auto first = each(c, x, [](double a, double b) { return a != 0 ? b : std::nan(""); });
  const auto second = each(c, y, [](double a, double b) { return a != 0 ? std::nan("") : b; });
  const auto chosen = each(c, first, [](double a, double) { return a; });
  plain out = each(first, second, [](double, double) { return 0.0; });
  for (std::size_t i = 0; i < out.data.size(); ++i) {
    const auto at = static_cast<index>(i);
    const bool yes = chosen.data[position(at, out.shape, chosen.shape)] != 0;
    out.data[i] = yes ? first.data[position(at, out.shape, first.shape)] : second.data[position(at, out.shape, second.shape)];
  }
  return out;
}
plain abs(const plain& x) {
  return each(x, [](double a) { return std::abs(a); });
}
plain tanh(const plain& x) {
  return each(x, [](double a) { return std::tanh(a); });
}
plain sin(const plain& x) {
  return each(x, [](double a) { return std::sin(a); });
}
plain exp(const plain& x) {
  return each(x, [](double a) { return std::exp(a); });
}
plain sqrt(const plain& x) {
  return each(x, [](double a) { return std::sqrt(a); });
}
plain square(const plain& x) { return x * x; }
plain relu(const plain& x) { return maximum(x, scalar(0)); }
plain sigmoid(const plain& x) {
  return each(x, [](double a) { return 1 / (1 + std::exp(-a)); });
}
template <class>
plain cast(const plain& x) {
  return x;
}

// Along one axis: f(what came before, element).
template <class F>
plain fold(const plain& x, int axis, double from, F f) {
  const auto a = static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
  plain out = x;
  out.shape.erase(out.shape.begin() + static_cast<std::ptrdiff_t>(a));
  out = filled(out.shape, from);
  index inner = 1;
  for (std::size_t b = a + 1; b < x.shape.size(); ++b) inner *= x.shape[b];
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const auto at = static_cast<index>(i);
    double& to = out.data[static_cast<std::size_t>(at / (inner * x.shape[a]) * inner + at % inner)];
    to = f(to, x.data[i]);
  }
  return each(out, [](double value) { return value; });
}
template <class... Keep>
plain kept(plain out, const plain& x, int axis, Keep...) {
  if (sizeof...(Keep) > 0) out.shape.insert(out.shape.begin() + (axis < 0 ? axis + x.rank() : axis), 1);
  return out;
}
template <int Axis, class... Keep>
plain reduce_sum(const plain& x, Keep... keep) {
  return kept(fold(x, Axis, 0, [](double a, double b) { return a + b; }), x, Axis, keep...);
}
template <int Axis, class... Keep>
plain reduce_max(const plain& x, Keep... keep) {
  const auto larger = [](double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b); };
  return kept(fold(x, Axis, -std::numeric_limits<double>::infinity(), larger), x, Axis, keep...);
}
template <int Axis, class... Keep>
plain reduce_mean(const plain& x, Keep... keep) {
  const index n = x.shape[static_cast<std::size_t>(Axis < 0 ? Axis + x.rank() : Axis)];
  return reduce_sum<Axis>(x, keep...) / static_cast<double>(n);
}
plain flatten(const plain& x) { return {{product(x.shape)}, x.data}; }
plain reduce_sum(const plain& x) { return reduce_sum<0>(flatten(x)); }
plain reduce_mean(const plain& x) { return reduce_mean<0>(flatten(x)); }
plain transpose(const plain& x) {
  const index m = x.shape.at(0), n = x.shape.at(1);
  plain out = filled({n, m}, 0);
  for (index i = 0; i < m; ++i)
    for (index k = 0; k < n; ++k) out.data[static_cast<std::size_t>(k * m + i)] = x.data[static_cast<std::size_t>(i * n + k)];
  return out;
}
plain matmul(const plain& x, const plain& y) {
  const index m = x.shape.at(0), inner = x.shape.at(1), n = y.shape.at(1);
  plain out = filled({m, n}, 0);
  for (index i = 0; i < m; ++i)
    for (index k = 0; k < n; ++k)
      for (index j = 0; j < inner; ++j)
        out.data[static_cast<std::size_t>(i * n + k)] +=
            x.data[static_cast<std::size_t>(i * inner + j)] * y.data[static_cast<std::size_t>(j * n + k)];
  return each(out, [](double value) { return value; });
}
template <int Axis>
plain expand_dims(plain x) {
  x.shape.insert(x.shape.begin() + (Axis < 0 ? Axis + 1 + x.rank() : Axis), 1);
  return x;
}
// The other functions take the first axis only.
plain rows_of(const plain& x, const std::vector<index>& which) {
  plain out = x;
  out.shape[0] = static_cast<index>(which.size());
  out.data.clear();
  const index row = x.shape[0] == 0 ? 0 : product(x.shape) / x.shape[0];
  for (index i : which) out.data.insert(out.data.end(), x.data.begin() + i * row, x.data.begin() + (i + 1) * row);
  return out;
}
template <int>
plain reverse(const plain& x) {
  std::vector<index> which;
  for (index i = x.shape[0]; i-- > 0;) which.push_back(i);
  return rows_of(x, which);
}
template <int>
plain concat(const plain& x, const plain& y) {
  plain out = x;
  out.shape[0] += y.shape[0];
  out.data.insert(out.data.end(), y.data.begin(), y.data.end());
  return out;
}
template <int>
plain cumsum(const plain& x) {
  plain out = x;
  const auto row = static_cast<std::size_t>(product(x.shape) / std::max<index>(x.shape[0], 1));
  for (std::size_t i = row; i < out.data.size(); ++i) out.data[i] += out.data[i - row];
  return each(out, [](double value) { return value; });
}
plain softmax(const plain& x) {
  const plain e = exp(x - reduce_max<-1>(x, 0));
  return e / reduce_sum<-1>(e, 0);
}
plain element(const plain& x, const plain& i) {
  const auto at = static_cast<index>(i.data[0]);
  if (at < 0 || at >= x.shape.at(0)) throw jig::invalid_argument("out of range");
  plain out = rows_of(x, {at});
  out.shape.erase(out.shape.begin());
  return out;
}

std::vector<plain> range(const plain& n) {
  std::vector<plain> out;
  for (double i = 0; i < n.data[0]; ++i) out.push_back(scalar(i));
  return out;
}

}  // namespace reference

namespace {

using jig::any_tensor;
using jig::index;
using reference::plain;

// The shapes of the values of a program, whose n may be any extent.
enum class form { scalar, vector, matrix, turned, column, square };
constexpr index m = 3;

std::vector<index> extents_of(form f, index n) {
  switch (f) {
    case form::scalar: return {};
    case form::vector: return {n};
    case form::matrix: return {m, n};
    case form::turned: return {n, m};
    case form::column: return {m, 1};
    default: return {m, m};
  }
}
std::optional<form> together(form a, form b) {
  if (a == b || b == form::scalar) return a;
  if (a == form::scalar) return b;
  const auto either = [&](form x, form y) { return (a == x && b == y) || (a == y && b == x); };
  if (either(form::vector, form::matrix) || either(form::column, form::matrix) || either(form::vector, form::column)) return form::matrix;
  if (either(form::column, form::square)) return form::square;
  return std::nullopt;
}

enum class kind { unary, binary, choose, sum_rows, max_columns, mean_all, turn, product, join, scale, read, misfit, branch, loop };
struct step {
  kind what = kind::unary;
  std::size_t a = 0, b = 0, c = 0;
  int which = 0;
  double number = 0;
  std::vector<step> body, other;
};
struct program {
  std::vector<step> steps;
  std::size_t first = 0, second = 0;
  bool ends_early = false;
  double bound = 0;
};

class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  program make() {
    program p;
    forms_ = {form::scalar, form::vector, form::matrix, form::square};
    p.steps = block(5 + below(12), 0);
    p.first = forms_.size() - 1;
    p.second = below(forms_.size());
    p.ends_early = below(4) == 0;
    p.bound = number();
    return p;
  }
  plain value(const std::vector<index>& extents) {
    plain out = reference::filled(extents, 0);
    for (double& x : out.data) x = number();
    return out;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  double number() { return static_cast<double>(random_() % 4001) / 1000 - 2.0005; }

  std::optional<std::size_t> any_of(form f) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < forms_.size(); ++i)
      if (forms_[i] == f) found.push_back(i);
    if (found.empty()) return std::nullopt;
    return found[below(found.size())];
  }
  // Steps that start with the values there are.
  std::vector<step> block(std::size_t count, int depth) {
    std::vector<step> out;
    while (out.size() < count) {
      step s;
      s.what = static_cast<kind>(below(14));
      s.a = below(forms_.size());
      s.b = below(forms_.size());
      s.c = below(forms_.size());
      s.which = static_cast<int>(below(8));
      s.number = number();
      if (complete(s, depth)) out.push_back(s);
    }
    return out;
  }
  std::vector<step> inner(int depth) {
    const auto before = forms_;
    auto out = block(1 + below(4), depth + 1);
    forms_ = before;
    return out;
  }
  // Whether the step can be made; what it adds is noted.
  bool complete(step& s, int depth) {
    const form a = forms_[s.a], b = forms_[s.b], c = forms_[s.c];
    switch (s.what) {
      case kind::unary: forms_.push_back(a); return true;
      case kind::scale: forms_.push_back(a); return true;
      case kind::binary: {
        const auto f = together(a, b);
        if (f) forms_.push_back(*f);
        return f.has_value();
      }
      case kind::choose: {
        const auto f = together(a, b);
        const auto g = f ? together(*f, c) : f;
        if (g) forms_.push_back(*g);
        return g.has_value();
      }
      case kind::sum_rows:
        if (a != form::matrix) return false;
        forms_.push_back(form::vector);
        return true;
      case kind::max_columns:
        if (a != form::matrix && a != form::square) return false;
        forms_.push_back(form::column);
        return true;
      case kind::mean_all: forms_.push_back(form::scalar); return true;
      case kind::turn:
        if (a != form::matrix && a != form::turned && a != form::square) return false;
        forms_.push_back(a == form::matrix ? form::turned : a == form::turned ? form::matrix : a);
        return true;
      case kind::product: {
        const bool left = a == form::square || a == form::matrix;
        if (!left) return false;
        const auto right = any_of(a == form::matrix ? form::turned : below(2) == 0 ? form::matrix : form::square);
        if (!right) return false;
        s.b = *right;
        forms_.push_back(forms_[s.b] == form::matrix ? form::matrix : form::square);
        return true;
      }
      case kind::join:
        if (a != form::matrix && a != form::square) return false;
        if (a != b) return false;
        forms_.push_back(a == form::matrix ? form::vector : form::square);
        s.which = a == form::matrix ? 0 : 1;
        return true;
      case kind::read: return depth == 0 && a != form::scalar && below(8) == 0;
      case kind::misfit: return depth == 0 && a == form::vector && b == form::vector && below(20) == 0;
      case kind::branch:
        if (branches_ >= 3) return false;
        ++branches_;
        s.body = inner(depth);
        s.other = inner(depth);
        return true;
      case kind::loop:
        if (depth > 1) return false;
        // A break is a way through the lambda too, of which there are few.
        if (s.which == 1 && branches_++ >= 3) s.which = 2;
        s.body = inner(depth);
        return true;
    }
    return false;
  }

  std::mt19937 random_;
  std::vector<form> forms_;
  int branches_ = 0;
};

// What a program runs with: values, the number of trips, and a sum of what has to be computed.
template <class Value, class Trips>
struct machine {
  std::vector<Value>& values;
  Value& used;
  const Trips& trips;

  static Value apart(int which, const Value& x) {
    switch (which) {
      case 0: return tanh(x);
      case 1: return -x;
      case 2: return sin(x);
      case 3: return sqrt(abs(x) + 0.25);
      case 4: return exp(tanh(x));
      case 5: return relu(x);
      case 6: return sigmoid(x);
      default: return square(x) * 0.25;
    }
  }
  static Value combined(int which, const Value& x, const Value& y) {
    switch (which) {
      case 0: return x + y;
      case 1: return x - y;
      case 2: return x * y;
      case 3: return x / (abs(y) + 0.5);
      case 4: return maximum(x, y);
      case 5: return minimum(x, y);
      case 6: return squared_difference(x, y);
      default: return x * 0.5 + y;
    }
  }

  // The value c after a block that ended with `last`.
  void update(std::size_t c, const Value& last) { values[c] = values[c] * 0.5 + tanh(reduce_mean(last)); }

  void run(const std::vector<step>& steps) {
    for (const step& s : steps) run(s);
  }
  Value last_of(const std::vector<step>& steps, const Value* more) {
    std::vector<Value> inside(values);
    if (more) inside[0] = *more;
    machine<Value, Trips>{inside, used, trips}.run(steps);
    return inside.back();
  }
  void run(const step& s) {
    auto& v = values;
    const std::size_t a = s.a, b = s.b, c = s.c;
    switch (s.what) {
      case kind::unary: v.push_back(apart(s.which, v[a])); break;
      case kind::scale: v.push_back(v[a] * s.number + 0.125); break;
      case kind::binary: v.push_back(combined(s.which, v[a], v[b])); break;
      case kind::choose: v.push_back(where(v[a] - v[b] > s.number, v[c], v[a] - v[b])); break;
      case kind::sum_rows:
        if (s.which < 4) v.push_back(reduce_sum<0>(v[a]));
        else v.push_back(reduce_mean<0>(v[a]));
        break;
      case kind::max_columns: v.push_back(expand_dims<1>(reduce_max<1>(v[a]) + 0.5)); break;
      case kind::mean_all: v.push_back(reduce_sum(v[a]) * 0.125); break;
      case kind::turn: v.push_back(transpose(v[a])); break;
      case kind::product: v.push_back(matmul(v[a], v[b])); break;
      case kind::join:
        if (s.which == 0) v.push_back(reduce_sum<0>(concat<0>(v[a], v[b])));
        else v.push_back(softmax(cumsum<0>(reverse<0>(v[a])) + v[b]));
        break;
      case kind::read: used = used + reduce_sum(element(v[a], trips)); break;
      case kind::misfit: used = used + reduce_sum(v[a] + concat<0>(v[a], v[b])); break;
      case kind::branch:
        if (reduce_sum(v[a]) > s.number) {
          update(c, last_of(s.body, nullptr));
        } else {
          update(c, last_of(s.other, nullptr));
        }
        break;
      case kind::loop:
        for (auto i : range(trips)) {
          const Value place = v[0] + cast<double>(i);
          update(c, last_of(s.body, &place));
          if (s.which == 0) update(b, v[a]);
          if (s.which == 1) {
            if (reduce_sum(v[c]) > s.number) break;
          }
        }
        break;
    }
  }
};

struct interpreted {
  program code;

  template <class Value, class Trips>
  std::tuple<Value, Value, Value> operator()(Value& x, Value& y, Value& z, Value& w, Trips& trips) const {
    std::vector<Value> values{x, y, z, w};
    Value used = reduce_sum(x) * 2.0;
    machine<Value, Trips>{values, used, trips}.run(code.steps);
    const Value &p = values[code.first], &q = values[code.second];
    if (code.ends_early) {
      if (reduce_sum(q) > code.bound) return {p * 2.0, q, used};
    }
    return {p, q - 1.0, used};
  }
};

any_tensor tensor_of(const plain& x) {
  jig::shape s;
  for (index e : x.shape) s.push_back(e);
  any_tensor out = any_tensor::empty(jig::dtype::float64, s);
  std::copy(x.data.begin(), x.data.end(), static_cast<double*>(out.mutable_data()));
  return out;
}

std::string difference(const any_tensor& found, const plain& expected) {
  std::vector<index> shape;
  for (int a = 0; a < found.rank(); ++a) shape.push_back(found.shape()[a]);
  if (shape != expected.shape) return "the shapes differ";
  std::size_t i = 0;
  for (double x : found.as<double>()) {
    const double y = expected.data[i++];
    const bool same = x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-6 * (1 + std::abs(y));
    if (!same) return "element " + std::to_string(i - 1) + " is " + std::to_string(x) + ", not " + std::to_string(y);
  }
  return "";
}

// Most programs have traces for several shapes, which is no reason to warn.
void expect_many_traces() {
  static std::ostringstream out;
  jig::set_warning_stream(out);
}

// How many calls were compared, led to numbers that are too large for that, or threw.
struct tally {
  int compared = 0, large = 0, thrown = 0;
};

// Says what differs.
template <class Function>
std::string outcome(const Function& f, const interpreted& lambda, generator& numbers, index n, int trips, tally& t) {
  plain values[4];
  for (int k = 0; k < 4; ++k) {
    constexpr form forms[] = {form::scalar, form::vector, form::matrix, form::square};
    values[k] = numbers.value(extents_of(forms[k], n));
  }
  plain count = reference::scalar(trips);
  reference::largest = 0;
  std::optional<std::tuple<plain, plain, plain>> expected;
  std::optional<std::tuple<any_tensor, any_tensor, any_tensor>> found;
  std::string why;
  try {
    expected = lambda(values[0], values[1], values[2], values[3], count);
  } catch (const jig::invalid_argument&) {
  }
  try {
    found = f(tensor_of(values[0]), tensor_of(values[1]), tensor_of(values[2]), tensor_of(values[3]), any_tensor(trips));
  } catch (const jig::invalid_argument& e) {
    why = e.what();
  }
  if (expected.has_value() != found.has_value()) return expected ? "this was thrown: " + why : "nothing was thrown";
  if (!expected) return ++t.thrown, "";
  if (reference::largest > 1e6) return ++t.large, "";
  ++t.compared;
  std::string out = difference(std::get<0>(*found), std::get<0>(*expected));
  if (out.empty()) out = difference(std::get<1>(*found), std::get<1>(*expected));
  if (out.empty()) out = difference(std::get<2>(*found), std::get<2>(*expected));
  return out;
}

}  // namespace

TEST_CASE("random programs give what plain loops give") {
  expect_many_traces();
  tally t;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    generator numbers(seed);
    const interpreted lambda{numbers.make()};
    const auto f = jig::dynamic_function(lambda);
    constexpr jig::index extents[] = {5, 1, 2, 33, 0, 3, 7};
    const jig::index n = extents[seed % 7];
    CAPTURE(n);
    for (int trips : {2, 0, 1, 4}) {
      CAPTURE(trips);
      CHECK(outcome(f, lambda, numbers, n, trips, t) == "");
      const auto eager = [&](const auto&... x) { return f.eager(x...); };
      if (trips % 2 == 0) CHECK(outcome(eager, lambda, numbers, n, trips, t) == "");
    }
  }
  CHECK(t.compared > 600);
  CHECK(t.thrown > 20);
}

TEST_CASE("random programs whose extents become wildcards") {
  expect_many_traces();
  tally t;
  for (unsigned seed = 1001; seed <= 1150; ++seed) {
    CAPTURE(seed);
    generator numbers(seed);
    const interpreted lambda{numbers.make()};
    const auto f = jig::dynamic_function(lambda).relax_shapes();
    for (jig::index n : {4, 5, 1, 0, 33}) {
      CAPTURE(n);
      CHECK(outcome(f, lambda, numbers, n, static_cast<int>(n % 4), t) == "");
    }
  }
  CHECK(t.compared > 350);
}
