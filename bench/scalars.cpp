// SPDX-License-Identifier: MIT
// Functions of a few numbers that are written element by element, with their Jacobians and gradients, beside straight-line code
// written by hand: a camera's reprojection error (angle-axis rotation, two coefficients of distortion), the hand of an arm with six
// joints (Denavit-Hartenberg parameters), Black-Scholes with its Greeks, a quaternion turning a point, a step of a pendulum, a Kalman
// filter of two states, and Rosenbrock's function in all spellings of its elements.

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
constexpr joint joints[6] = {{0.0, 0.0, 1.0, 0.4},   {0.45, 1.0, 0.0, 0.0}, {0.04, 0.0, 1.0, 0.0},
                             {0.0, 0.0, -1.0, 0.42}, {0.0, 0.0, 1.0, 0.0},  {0.0, 1.0, 0.0, 0.1}};

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

// Parameters: a quaternion of length 1 (w, x, y, z), 0 to 3, and the point that it turns, 4 to 6.
struct rotation {
  template <class P>
  constexpr auto operator()(const P& p) const {
    const auto w = p[0], x = p[1], y = p[2], z = p[3], a = p[4], b = p[5], c = p[6];
    const auto ca = 2.0 * (y * c - z * b), cb = 2.0 * (z * a - x * c), cc = 2.0 * (x * b - y * a);
    return std::array{a + w * ca + (y * cc - z * cb), b + w * cb + (z * ca - x * cc), c + w * cc + (x * cb - y * ca)};
  }
};

void rotation_jacobian(const double* p, double* j) {
  const double w = p[0], x = p[1], y = p[2], z = p[3], a = p[4], b = p[5], c = p[6];
  const double ca = 2 * (y * c - z * b), cb = 2 * (z * a - x * c), cc = 2 * (x * b - y * a);
  const double along = 2 * (y * b + z * c), across = 2 * (x * a + z * c), up = 2 * (x * a + y * b);
  j[0] = ca, j[7] = cb, j[14] = cc;
  j[1] = along, j[8] = -2 * w * c + 2 * y * a - 4 * x * b, j[15] = 2 * w * b + 2 * z * a - 4 * x * c;
  j[2] = 2 * w * c + 2 * x * b - 4 * y * a, j[9] = across, j[16] = -2 * w * a + 2 * z * b - 4 * y * c;
  j[3] = -2 * w * b + 2 * x * c - 4 * z * a, j[10] = 2 * w * a + 2 * y * c - 4 * z * b, j[17] = up;
  j[4] = 1 - 2 * (y * y + z * z), j[5] = 2 * (x * y - w * z), j[6] = 2 * (x * z + w * y);
  j[11] = 2 * (x * y + w * z), j[12] = 1 - 2 * (x * x + z * z), j[13] = 2 * (y * z - w * x);
  j[18] = 2 * (x * z - w * y), j[19] = 2 * (y * z + w * x), j[20] = 1 - 2 * (x * x + y * y);
}

// Parameters: angle, its speed, damping, length of the step. One step of Runge and Kutta's method.
struct pendulum {
  template <class P>
  constexpr auto operator()(const P& p) const {
    using std::sin, jig::sin;
    const auto h = p[3], half = 0.5 * h;
    const auto force = [&](const auto& a, const auto& v) { return -9.81 * sin(a) - p[2] * v; };
    const auto v1 = p[1], f1 = force(p[0], v1);
    const auto v2 = p[1] + half * f1, f2 = force(p[0] + half * v1, v2);
    const auto v3 = p[1] + half * f2, f3 = force(p[0] + half * v2, v3);
    const auto v4 = p[1] + h * f3, f4 = force(p[0] + h * v3, v4);
    return std::array{p[0] + h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4), p[1] + h / 6.0 * (f1 + 2.0 * f2 + 2.0 * f3 + f4)};
  }
};

// The derivatives of each stage along with it.
void pendulum_jacobian(const double* p, double* out) {
  const double h = p[3], half = 0.5 * h, steps[] = {0, half, half, h}, by_step[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
  double v = 0, f = 0, dv[4] = {}, df[4] = {}, sum_v = 0, sum_f = 0, sums_v[4] = {}, sums_f[4] = {};
#pragma GCC unroll 4
  for (int stage = 0; stage < 4; ++stage) {
    const double s = steps[stage], a = p[0] + s * v, speed = p[1] + s * f;
    double da[4], ds[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      da[k] = s * dv[k] + (k == 0) + (k == 3 ? by_step[stage] * v : 0);
      ds[k] = s * df[k] + (k == 1) + (k == 3 ? by_step[stage] * f : 0);
    }
    const double sine = std::sin(a), slope = -9.81 * std::cos(a);
    v = speed;
    f = -9.81 * sine - p[2] * speed;
    sum_v += weights[stage] * v;
    sum_f += weights[stage] * f;
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      dv[k] = ds[k];
      df[k] = slope * da[k] - p[2] * ds[k] - (k == 2 ? speed : 0);
      sums_v[k] += weights[stage] * dv[k];
      sums_f[k] += weights[stage] * df[k];
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    out[k] = (k == 0) + h / 6 * sums_v[k] + (k == 3 ? sum_v / 6 : 0);
    out[4 + k] = (k == 1) + h / 6 * sums_f[k] + (k == 3 ? sum_f / 6 : 0);
  }
}

// Parameters: position, speed, their covariances (3 numbers), what was measured, the variances of that and of the model, and the
// time since then. A prediction and an update of a Kalman filter; with `Likelihood`, minus the logarithm of that.
template <bool Likelihood>
struct kalman {
  template <class P>
  constexpr auto operator()(const P& p) const {
    using std::log, jig::log;
    const auto t = p[8];
    const auto x = p[0] + t * p[1];
    const auto c00 = p[2] + 2.0 * t * p[3] + t * t * p[4] + p[7] * t * t * t / 3.0, c01 = p[3] + t * p[4] + 0.5 * p[7] * t * t,
               c11 = p[4] + p[7] * t;
    const auto innovation = p[5] - x, variance = c00 + p[6];
    if constexpr (Likelihood) {
      return std::array{0.5 * (log(variance) + innovation * innovation / variance)};
    } else {
      const auto k0 = c00 / variance, k1 = c01 / variance;
      return std::array{x + k0 * innovation, p[1] + k1 * innovation, (1.0 - k0) * c00, (1.0 - k0) * c01, c11 - k1 * c01};
    }
  }
};

void kalman_gradient(const double* p, double* g) {
  const double t = p[8], x = p[0] + t * p[1];
  const double variance = p[2] + 2 * t * p[3] + t * t * p[4] + p[7] * t * t * t / 3 + p[6], inverse = 1 / variance;
  const double r = (p[5] - x) * inverse, by_variance = 0.5 * (inverse - r * r);
  g[0] = -r;
  g[1] = -t * r;
  g[2] = by_variance;
  g[3] = 2 * t * by_variance;
  g[4] = t * t * by_variance;
  g[5] = r;
  g[6] = by_variance;
  g[7] = t * t * t / 3 * by_variance;
  g[8] = -p[1] * r + (2 * p[3] + 2 * t * p[4] + p[7] * t * t) * by_variance;
}
void no_jacobian(const double*, double*) {}

// A value and its Jacobian, F on elements and by hand.
template <class F, auto Jacobian, jig::index Outputs, jig::index Inputs>
void add(const char* name, const doubles<Inputs>& parameters) {
  static doubles<Inputs> p;
  static doubles<Outputs> value;
  static doubles<Outputs, Inputs> jacobian;
  p = parameters;
  static constexpr auto stacked = [](const auto& parts) {
    return std::apply([](const auto&... part) { return jig::stack<0>(part...); }, parts);
  };
  static constexpr auto f = jig::function<"value(p)">([](const auto& x) { return stacked(F()(x)); });
  static constexpr auto g = jig::function<"jacobian(p)">([](const auto& x) { return jig::jacobian(stacked(F()(x)), x); });
  bench::workload values(name, "value", value);
  values.add(
      "C++",
      [] {
        const auto out = F()(p.data());
        std::copy(out.begin(), out.end(), value.data());
      },
      1e-13);
  values.add("jig", [] { f.into(value, p); }, 1e-13);
  if constexpr (Jacobian == no_jacobian) return;
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
constexpr auto by_slice = [](const auto& x) {
  return jig::reduce_sum(valley(jig::slice<numbers - 1>(x, 0), jig::slice<numbers - 1>(x, 1)));
};
constexpr auto by_gather = [](const auto& x) {
  return jig::reduce_sum(valley(jig::gather<0>(x, positions(0)), jig::gather<0>(x, positions(1))));
};
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
  row.add(
      "C++",
      [] {
        double out[numbers] = {};
        const double* p = x.data();
        for (int i = 0; i < numbers - 1; ++i) {
          const double t = p[i + 1] - p[i] * p[i];
          out[i] += -400 * p[i] * t - 2 * (1 - p[i]);
          out[i + 1] += 200 * t;
        }
        std::copy_n(out, numbers, g.data());
      },
      1e-12);
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
  add<rotation, rotation_jacobian, 3, 7>("turning a point", {0.8, 0.36, -0.48, 0.0, 1.0, -2.0, 3.0});
  add<pendulum, pendulum_jacobian, 2, 4>("step of a pendulum", {0.7, -0.3, 0.1, 0.05});
  add<kalman<false>, no_jacobian, 5, 9>("update of a Kalman filter", {0.3, 1.1, 0.5, 0.1, 0.4, 0.6, 0.2, 0.05, 0.1});
  add<kalman<true>, kalman_gradient, 1, 9>("likelihood of a Kalman filter", {0.3, 1.1, 0.5, 0.1, 0.4, 0.6, 0.2, 0.05, 0.1});
  add_rosenbrock();
  return bench::run(argc, argv);
}
