// SPDX-License-Identifier: MIT
// Functions of a few numbers that are written element by element, with their Jacobians and gradients, beside straight-line code
// written by hand: a camera's reprojection error (angle-axis rotation, two coefficients of distortion), the hand of an arm with six
// joints (Denavit-Hartenberg parameters), Black-Scholes with its Greeks, and Rosenbrock's function in all spellings of its elements.

#include "workload.hpp"

#include <array>
#include <tuple>

namespace {

template <jig::index... E>
using doubles = jig::tensor<double, E...>;

// Parameters: rotation 0 to 2, translation 3 to 5, focal length 6, distortion 7 and 8, point 9 to 11.
struct camera {
  template <class P>
  constexpr auto operator()(const P& p) const {
    using std::cos, std::sin, std::sqrt, jig::cos, jig::sin, jig::sqrt;
    const auto wx = p[0], wy = p[1], wz = p[2];
    const auto angle = sqrt(wx * wx + wy * wy + wz * wz);
    const auto c = cos(angle), s = sin(angle), scale = 1.0 / angle;
    const auto ax = wx * scale, ay = wy * scale, az = wz * scale;
    const auto px = p[9], py = p[10], pz = p[11];
    const auto cx = ay * pz - az * py, cy = az * px - ax * pz, cz = ax * py - ay * px;
    const auto d = (ax * px + ay * py + az * pz) * (1.0 - c);
    const auto x = px * c + cx * s + ax * d + p[3], y = py * c + cy * s + ay * d + p[4], z = pz * c + cz * s + az * d + p[5];
    const auto u = -(x / z), v = -(y / z), square = u * u + v * v;
    const auto f = p[6] * (1.0 + square * (p[7] + p[8] * square));
    return std::array{f * u - 0.3, f * v - 0.2};
  }
};

void camera_jacobian(const double* p, double* jacobian) {
  const double wx = p[0], wy = p[1], wz = p[2];
  const double angle = std::sqrt(wx * wx + wy * wy + wz * wz);
  const double c = std::cos(angle), s = std::sin(angle), scale = 1.0 / angle;
  const double ax = wx * scale, ay = wy * scale, az = wz * scale;
  const double px = p[9], py = p[10], pz = p[11];
  const double cx = ay * pz - az * py, cy = az * px - ax * pz, cz = ax * py - ay * px;
  const double along = ax * px + ay * py + az * pz, m = 1.0 - c, d = along * m;
  const double x = px * c + cx * s + ax * d + p[3], y = py * c + cy * s + ay * d + p[4], z = pz * c + cz * s + az * d + p[5];
  const double iz = 1.0 / z, u = -x * iz, v = -y * iz;
  const double square = u * u + v * v, inner = p[7] + p[8] * square, distortion = 1.0 + square * inner, f = p[6] * distortion;
  const double df = 2.0 * p[6] * (inner + p[8] * square);
  const double by_image[2][2] = {{f + df * u * u, df * u * v}, {df * u * v, f + df * v * v}};
  for (int k = 0; k < 2; ++k) {
    const double gu = by_image[k][0], gv = by_image[k][1], w = k == 0 ? u : v;
    const double gx = -gu * iz, gy = -gv * iz, gz = -(gu * u + gv * v) * iz;
    const double gd = gx * ax + gy * ay + gz * az, ga = gd * m, gcx = gx * s, gcy = gy * s, gcz = gz * s;
    const double gax = gx * d + ga * px - gcy * pz + gcz * py;
    const double gay = gy * d + ga * py + gcx * pz - gcz * px;
    const double gaz = gz * d + ga * pz - gcx * py + gcy * px;
    const double gc = gx * px + gy * py + gz * pz - gd * along, gs = gx * cx + gy * cy + gz * cz;
    const double gw = gs * c - gc * s - (gax * ax + gay * ay + gaz * az) * scale;
    double* out = jacobian + 12 * k;
    out[0] = gax * scale + gw * ax;
    out[1] = gay * scale + gw * ay;
    out[2] = gaz * scale + gw * az;
    out[3] = gx;
    out[4] = gy;
    out[5] = gz;
    out[6] = distortion * w;
    out[7] = p[6] * square * w;
    out[8] = p[6] * square * square * w;
    out[9] = gx * c + ga * ax + gcy * az - gcz * ay;
    out[10] = gy * c + ga * ay - gcx * az + gcz * ax;
    out[11] = gz * c + ga * az + gcx * ay - gcy * ax;
  }
}

// Lengths along and turns about the axes between the joints.
struct joint {
  double a, cos, sin, d;
};
constexpr joint joints[6] = {{0.0, 0.0, 1.0, 0.4}, {0.45, 1.0, 0.0, 0.0}, {0.04, 0.0, 1.0, 0.0}, {0.0, 0.0, -1.0, 0.42}, {0.0, 0.0, 1.0, 0.0}, {0.0, 1.0, 0.0, 0.1}};

struct arm {
  template <class Q>
  constexpr auto operator()(const Q& q) const {
    using std::cos, std::sin, jig::cos, jig::sin;
    const auto zero = [](const auto& like) {
      if constexpr (std::is_same_v<decltype(like), const double&>) return 0.0;
      else return jig::zeros_like(like);
    };
    auto x = zero(q[0]), y = x, z = x;
    for (int k = 5; k >= 0; --k) {
      const auto c = cos(q[k]), s = sin(q[k]);
      const joint& j = joints[k];
      const auto px = x + j.a, py = j.cos * y - j.sin * z, pz = j.sin * y + j.cos * z + j.d;
      x = c * px - s * py;
      y = s * px + c * py;
      z = pz;
    }
    return std::array{x, y, z};
  }
};

// Column k: the axis of joint k across what is behind it, turned by the joints before.
void arm_jacobian(const double* q, double* jacobian) {
  double c[6], s[6], x[7] = {}, y[7] = {}, z[7] = {}, r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    c[k] = std::cos(q[k]);
    s[k] = std::sin(q[k]);
    const joint& j = joints[k];
    const double px = x[k + 1] + j.a, py = j.cos * y[k + 1] - j.sin * z[k + 1], pz = j.sin * y[k + 1] + j.cos * z[k + 1] + j.d;
    x[k] = c[k] * px - s[k] * py;
    y[k] = s[k] * px + c[k] * py;
    z[k] = pz;
  }
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const joint& j = joints[k];
    for (int i = 0; i < 3; ++i) {
      jacobian[6 * i + k] = r[i][1] * x[k] - r[i][0] * y[k];
      const double a = r[i][0] * c[k] + r[i][1] * s[k], b = r[i][1] * c[k] - r[i][0] * s[k], w = r[i][2];
      r[i][0] = a;
      r[i][1] = b * j.cos + w * j.sin;
      r[i][2] = w * j.cos - b * j.sin;
    }
  }
}

// Parameters: price, strike, rate, volatility, time.
struct option_price {
  template <class P>
  constexpr auto operator()(const P& p) const {
    using std::erfc, std::exp, std::log, std::sqrt, jig::erfc, jig::exp, jig::log, jig::sqrt;
    const auto below = [](const auto& x) { return 0.5 * erfc(-x * 0.70710678118654752440); };
    const auto v = p[3] * sqrt(p[4]);
    const auto d1 = (log(p[0] / p[1]) + (p[2] + 0.5 * p[3] * p[3]) * p[4]) / v, d2 = d1 - v;
    return std::array{p[0] * below(d1) - p[1] * exp(-(p[2] * p[4])) * below(d2)};
  }
};

void greeks(const double* p, double* g) {
  const double root = std::sqrt(p[4]), v = p[3] * root, rest = 0.70710678118654752440;
  const double d1 = (std::log(p[0] / p[1]) + (p[2] + 0.5 * p[3] * p[3]) * p[4]) / v, d2 = d1 - v;
  const double n1 = 0.5 * std::erfc(-d1 * rest), n2 = 0.5 * std::erfc(-d2 * rest), discount = std::exp(-(p[2] * p[4]));
  const double density = 0.39894228040143267794 * std::exp(-0.5 * d1 * d1), strike = p[1] * discount;
  g[0] = n1;
  g[1] = -discount * n2;
  g[2] = strike * p[4] * n2;
  g[3] = p[0] * density * root;
  g[4] = p[0] * density * p[3] / (2 * root) + p[2] * strike * n2;
}

// A value and its Jacobian, F on elements and by hand.
template <class F, auto Jacobian, jig::index Outputs, jig::index Inputs>
void add(const char* name, const doubles<Inputs>& parameters) {
  static doubles<Inputs> p;
  static doubles<Outputs> value;
  static doubles<Outputs, Inputs> jacobian;
  p = parameters;
  static constexpr auto stacked = [](const auto& parts) { return std::apply([](const auto&... part) { return jig::stack<0>(part...); }, parts); };
  static constexpr auto f = jig::function<"value(p)">([](const auto& x) { return stacked(F()(x)); });
  static constexpr auto g = jig::function<"jacobian(p)">([](const auto& x) {
    return stacked(std::apply([&](const auto&... part) { return std::array{jig::gradient(part, x)...}; }, F()(x)));
  });
  bench::workload values(name, "value", value);
  values.add("C++", [] {
    const auto out = F()(p.data());
    std::copy(out.begin(), out.end(), value.data());
  }, 1e-13);
  values.add("jig", [] { f.into(value, p); }, 1e-13);
  bench::workload jacobians(name, "Jacobian", jacobian);
  jacobians.add("C++", [] { Jacobian(p.data(), jacobian.data()); }, 1e-12);
  jacobians.add("jig", [] { g.into(jacobian, p); }, 1e-12);
}

// Rosenbrock's function of ten numbers, with the elements that it needs in several spellings.
constexpr jig::index numbers = 10;
constexpr auto valley(const auto& a, const auto& b) { return 100.0 * jig::square(b - a * a) + jig::square(1.0 - a); }
template <class Element>
constexpr auto sum_of_valleys(Element at) {
  auto sum = valley(at(0), at(1));
  for (int i = 1; i < numbers - 1; ++i) sum = sum + valley(at(i), at(i + 1));
  return sum;
}
constexpr auto positions(int from) {
  std::array<int, numbers - 1> out{};
  for (int& i : out) i = from++;
  return out;
}
constexpr auto by_subscripts = [](const auto& x) { return sum_of_valleys([&](int i) { return x[i]; }); };
constexpr auto by_element = [](const auto& x) { return sum_of_valleys([&](int i) { return jig::element(x, i); }); };
constexpr auto by_slice = [](const auto& x) { return jig::reduce_sum(valley(jig::slice<numbers - 1>(x, 0), jig::slice<numbers - 1>(x, 1))); };
constexpr auto by_gather = [](const auto& x) { return jig::reduce_sum(valley(jig::gather<0>(x, positions(0)), jig::gather<0>(x, positions(1)))); };
constexpr auto by_strided_slice = [](const auto& x) {
  return jig::reduce_sum(valley(jig::strided_slice<jig::range_of(0, -1)>(x), jig::strided_slice<jig::range_of(1, jig::unbounded)>(x)));
};

template <class F>
void add_spelling(bench::workload<doubles<numbers>>& row, doubles<numbers>& out, const doubles<numbers>& x, const char* name, F) {
  static constexpr auto gradient = jig::grad(jig::function<"rosenbrock(x)">(F()));
  row.add(name, [&] { gradient.into(out, x); }, 1e-12);
}
void add_rosenbrock() {
  static doubles<numbers> x, g;
  bench::fill(-1, 1, x);
  bench::workload row("Rosenbrock", "gradient", g);
  row.add("C++", [] {
    double out[numbers] = {};
    const double* p = x.data();
    for (int i = 0; i < numbers - 1; ++i) {
      const double t = p[i + 1] - p[i] * p[i];
      out[i] += -400 * p[i] * t - 2 * (1 - p[i]);
      out[i + 1] += 200 * t;
    }
    std::copy_n(out, numbers, g.data());
  }, 1e-12);
  add_spelling(row, g, x, "jig x[i]", by_subscripts);
  add_spelling(row, g, x, "jig element", by_element);
  add_spelling(row, g, x, "jig slice", by_slice);
  add_spelling(row, g, x, "jig gather", by_gather);
  add_spelling(row, g, x, "jig strided_slice", by_strided_slice);
}

}  // namespace

int main(int argc, char** argv) {
  add<camera, camera_jacobian, 2, 12>("reprojection error", {0.1, -0.2, 0.3, 0.1, 0.2, -3.0, 1.5, 0.05, 0.01, 0.4, -0.3, 0.7});
  add<arm, arm_jacobian, 3, 6>("arm with six joints", {0.1, 0.7, -0.4, 1.1, 0.3, -0.8});
  add<option_price, greeks, 1, 5>("Black-Scholes", {100, 95, 0.03, 0.2, 0.75});
  add_rosenbrock();
  return bench::run(argc, argv);
}
