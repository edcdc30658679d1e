// SPDX-License-Identifier: MIT
// Gradients beside those written by hand, and the functions that FastAD's authors published, whose gradients are to be compared with
// the plain value: J. Yang, FastAD: Expression Template-Based C++ Library for Fast and Memory-Efficient Automatic Differentiation, 2021.

#include <boost/hana.hpp>

#include "workload.hpp"

#include <algorithm>

namespace {

template <jig::index N>
using doubles = jig::tensor<double, N>;

constexpr double log_of_two_pi = 1.8378770664093454836;

struct log_sum_exp {
  static constexpr const char* name = "log_sum_exp";
  constexpr auto operator()(const auto& x) const { return jig::log(jig::reduce_sum(jig::exp(x))); }
  static double plain(const double* x, jig::index n) {
    double sum = 0;
    for (jig::index i = 0; i < n; ++i) sum += std::exp(x[i]);
    return std::log(sum);
  }
  static void plain_gradient(double* g, const double* x, jig::index n) {
    double sum = 0;
    for (jig::index i = 0; i < n; ++i) sum += g[i] = std::exp(x[i]);
    for (jig::index i = 0; i < n; ++i) g[i] /= sum;
  }
};

struct product {
  static constexpr const char* name = "prod";
  constexpr auto operator()(const auto& x) const { return jig::reduce_prod(x); }
  static double plain(const double* x, jig::index n) {
    double all = 1;
    for (jig::index i = 0; i < n; ++i) all *= x[i];
    return all;
  }
  static void plain_gradient(double* g, const double* x, jig::index n) {
    double before = 1, behind = 1;
    for (jig::index i = 0; i < n; ++i) g[i] = before, before *= x[i];
    for (jig::index i = n; i-- > 0;) g[i] *= behind, behind *= x[i];
  }
};

// The normal density of data with mean x[0] and deviation x[1] at the other elements.
struct normal_log_pdf {
  static constexpr const char* name = "normal_log_pdf";
  constexpr auto operator()(const auto& x) const {
    auto mean = x[0], deviation = x[1];
    auto data = jig::strided_slice<jig::range_of(2, jig::unbounded)>(x);
    auto z = (data - mean) / deviation;
    return -0.5 * jig::reduce_sum(z * z) - jig::cast<double>(jig::size(data)) * (jig::log(deviation) + 0.5 * log_of_two_pi);
  }
  static double plain(const double* x, jig::index n) {
    double sum = 0;
    for (jig::index i = 2; i < n; ++i) {
      const double z = (x[i] - x[0]) / x[1];
      sum += z * z;
    }
    return -0.5 * sum - static_cast<double>(n - 2) * (std::log(x[1]) + 0.5 * log_of_two_pi);
  }
  static void plain_gradient(double* g, const double* x, jig::index n) {
    double first = 0, second = 0;
    for (jig::index i = 2; i < n; ++i) {
      const double z = (x[i] - x[0]) / x[1];
      g[i] = -z / x[1];
      first += z;
      second += z * z;
    }
    g[0] = first / x[1];
    g[1] = (second - static_cast<double>(n - 2)) / x[1];
  }
};

template <class F, jig::index N>
void add_function() {
  static doubles<N> x, g;
  static double y;
  bench::fill(0.5, 1.5, x);
  static constexpr auto value = jig::function<"value(x)">(F());
  static constexpr auto gradient = jig::grad(value);
  {
    bench::workload row(std::string(F::name) + ", value", std::to_string(N), y);
    row.add("loop", [] { y = F::plain(x.data(), N); }, 1e-10);
    row.add("jig", [] { value.into(y, x); }, 1e-10);
  }
  bench::workload row(std::string(F::name) + ", gradient", std::to_string(N), g);
  row.add("loop", [] { F::plain_gradient(g.data(), x.data(), N); }, 1e-10);
  row.add("jig", [] { gradient.into(g, x); }, 1e-10);
}

// The sum of the elements of a product of two matrices.
template <jig::index N>
void add_matrix_product() {
  static jig::tensor<double, N, N> a, b, ga, gb;
  static double y;
  bench::fill(-1, 1, a, b);
  static constexpr auto value =
      jig::function<"value(a, b)">([](const auto& p, const auto& q) { return jig::reduce_sum(jig::matmul(p, q)); });
  static constexpr auto gradient = jig::grad<0, 1>(value);
  {
    bench::workload row("matrix product, value", std::to_string(N), y);
    row.add(
        "loop",
        [] {
          double sum = 0;
          for (jig::index i = 0; i < N; ++i)
            for (jig::index k = 0; k < N; ++k)
              for (jig::index j = 0; j < N; ++j) sum += a.data()[i * N + k] * b.data()[k * N + j];
          y = sum;
        },
        1e-9);
    row.add("jig", [] { value.into(y, a, b); }, 1e-9);
  }
  bench::workload row("matrix product, gradient", std::to_string(N), ga);
  row.add(
      "loop",
      [] {
        for (jig::index k = 0; k < N; ++k) {
          double left = 0, right = 0;
          for (jig::index j = 0; j < N; ++j) left += b.data()[k * N + j], right += a.data()[j * N + k];
          for (jig::index j = 0; j < N; ++j) ga.data()[j * N + k] = left, gb.data()[k * N + j] = right;
        }
      },
      1e-9);
  row.add(
      "jig",
      [] {
        auto out = std::tie(ga, gb);
        gradient.into(out, a, b);
      },
      1e-9);
}

// Linear regression: the log density of data given weights, an offset and a deviation, x[n], x[n + 1] and x[n + 2].
template <jig::index N>
void add_regression() {
  constexpr jig::index rows = N, columns = 10;
  static jig::tensor<double, rows, columns> data;
  static doubles<rows> target;
  static doubles<columns> w, gw;
  static double offset = 0.3, deviation = 1.2, y, gb, gs;
  bench::fill(-1, 1, data, target, w);
  static constexpr auto value =
      jig::function<"value(w, b, s, x, y)">([](const auto& p, const auto& b, const auto& s, const auto& x, const auto& t) {
        auto z = (t - jig::squeeze<1>(jig::matmul(x, jig::expand_dims<1>(p))) - b) / s;
        return -0.5 * jig::reduce_sum(z * z) - double(rows) * jig::log(s) - 0.5 * jig::reduce_sum(p * p);
      });
  static constexpr auto gradient = jig::grad<0, 1, 2>(value);
  {
    bench::workload row("regression, value", std::to_string(N), y);
    row.add(
        "loop",
        [] {
          double sum = 0, norm = 0;
          for (jig::index i = 0; i < rows; ++i) {
            double z = target.data()[i] - offset;
            for (jig::index k = 0; k < columns; ++k) z -= data.data()[i * columns + k] * w.data()[k];
            sum += z * z / (deviation * deviation);
          }
          for (jig::index k = 0; k < columns; ++k) norm += w.data()[k] * w.data()[k];
          y = -0.5 * sum - static_cast<double>(rows) * std::log(deviation) - 0.5 * norm;
        },
        1e-9);
    row.add("jig", [] { value.into(y, w, offset, deviation, data, target); }, 1e-9);
  }
  bench::workload row("regression, gradient", std::to_string(N), gw);
  row.add(
      "loop",
      [] {
        double total = 0, squares = 0, g[columns] = {};
        for (jig::index i = 0; i < rows; ++i) {
          double z = target.data()[i] - offset;
          for (jig::index k = 0; k < columns; ++k) z -= data.data()[i * columns + k] * w.data()[k];
          total += z;
          squares += z * z;
          for (jig::index k = 0; k < columns; ++k) g[k] += z * data.data()[i * columns + k];
        }
        const double v = deviation * deviation;
        for (jig::index k = 0; k < columns; ++k) gw.data()[k] = g[k] / v - w.data()[k];
        gb = total / v;
        gs = squares / (v * deviation) - static_cast<double>(rows) / deviation;
      },
      1e-9);
  row.add(
      "jig",
      [] {
        auto results = std::tie(gw, gb, gs);
        gradient.into(results, w, offset, deviation, data, target);
      },
      1e-9);
}

// Stochastic volatility: the log density of returns y whose log variance h follows its own past, given its mean, persistence and
// scale, x[0], x[1] and x[2], and what happened in each step, the rest of x. M. Girolami and B. Calderhead's model.
template <jig::index N>
void add_volatility() {
  static doubles<N + 3> x, g;
  static doubles<N> returns;
  static double y;
  bench::fill(-1, 1, x, returns);
  x(0) = -1.02, x(1) = 0.95, x(2) = 0.25;
  static constexpr auto value = jig::function<"value(x, y)">([](const auto& p, const auto& observed) {
    auto mean = p[0], persistence = p[1], scale = p[2];
    auto z = jig::strided_slice<jig::range_of(3, jig::unbounded)>(p);
    auto first = scale * z[0] / jig::sqrt(1 - persistence * persistence);
    auto h =
        jig::scan([&](auto state, auto step) { return persistence * state + step; },
                  jig::concat<0>(jig::expand_dims<0>(first), scale * jig::strided_slice<jig::range_of(1, jig::unbounded)>(z)), mean * 0) +
        mean;
    return -0.5 * jig::reduce_sum(h + jig::square(observed) * jig::exp(-h) + jig::square(z));
  });
  static constexpr auto gradient = jig::grad(value);
  constexpr auto log_variances = [](double(&h)[N]) {
    const double* p = x.data();
    h[0] = p[2] * p[3] / std::sqrt(1 - p[1] * p[1]);
    for (jig::index i = 1; i < N; ++i) h[i] = p[1] * h[i - 1] + p[2] * p[3 + i];
  };
  {
    bench::workload row("stochastic volatility, value", std::to_string(N), y);
    row.add(
        "loop",
        [=] {
          double h[N], sum = 0;
          log_variances(h);
          for (jig::index i = 0; i < N; ++i) {
            const double v = h[i] + x.data()[0], z = x.data()[3 + i];
            sum += v + returns.data()[i] * returns.data()[i] * std::exp(-v) + z * z;
          }
          y = -0.5 * sum;
        },
        1e-9);
    row.add("jig", [] { value.into(y, x, returns); }, 1e-9);
  }
  bench::workload row("stochastic volatility, gradient", std::to_string(N), g);
  row.add(
      "loop",
      [=] {
        const double *p = x.data(), root = std::sqrt(1 - p[1] * p[1]);
        double h[N], back = 0, mean = 0, persistence = 0, scale = 0;
        log_variances(h);
        for (jig::index i = N; i-- > 0;) {
          const double share = -0.5 * (1 - returns.data()[i] * returns.data()[i] * std::exp(-h[i] - p[0]));
          mean += share;
          back = share + p[1] * back;
          const double to = i == 0 ? back / root : back;
          if (i > 0) persistence += back * h[i - 1];
          scale += to * p[3 + i];
          g.data()[3 + i] = p[2] * to - p[3 + i];
        }
        g.data()[0] = mean;
        g.data()[1] = persistence + back * p[2] * p[3] * p[1] / (root * root * root);
        g.data()[2] = scale;
      },
      1e-9);
  row.add("jig", [] { gradient.into(g, x, returns); }, 1e-9);
}

// The functions of optimisers' textbooks, of ten numbers.
void add_rosenbrock() {
  static doubles<10> x, g;
  bench::fill(-1, 1, x);
  static constexpr auto gradient = jig::grad(jig::function<"rosenbrock(x)">([](const auto& p) {
    auto a = jig::strided_slice<jig::range_of(0, -1)>(p), b = jig::strided_slice<jig::range_of(1, jig::unbounded)>(p);
    return jig::reduce_sum(100 * jig::square(b - a * a) + jig::square(1 - a));
  }));
  bench::workload row("Rosenbrock, gradient", "10", g);
  row.add(
      "loop",
      [] {
        double out[10] = {};
        const double* p = x.data();
        for (int i = 0; i < 9; ++i) {
          const double t = p[i + 1] - p[i] * p[i];
          out[i] += -400 * p[i] * t - 2 * (1 - p[i]);
          out[i + 1] += 200 * t;
        }
        std::copy_n(out, 10, g.data());
      },
      1e-12);
  row.add("jig", [] { gradient.into(g, x); }, 1e-12);
}

// A network with one hidden layer on a batch of 32, by hand with Eigen's products.
void add_network() {
  static jig::tensor<float, 32, 784> x;
  static jig::tensor<float, 784, 128> w1, g1;
  static jig::tensor<float, 128> b1, gb1;
  static jig::tensor<float, 128, 10> w2, g2;
  static jig::tensor<float, 10> b2, gb2;
  static jig::tensor<float, 32, 10> y;
  bench::fill(0, 1, x);
  bench::fill(-0.08, 0.08, w1, b1);
  bench::fill(-0.2, 0.2, w2, b2);
  for (jig::index i = 0; i < 32; ++i) y(i, i * 7 % 10) = 1;
  static constexpr auto gradient = jig::grad<0, 1, 2, 3>(jig::function<"loss(w1, b1, w2, b2, x, y)">(
      [](const auto& p1, const auto& q1, const auto& p2, const auto& q2, const auto& in, const auto& labels) {
        auto z = jig::matmul(jig::tanh(jig::matmul(in, p1) + q1), p2) + q2;
        return -jig::reduce_mean(jig::reduce_sum<1>(labels * jig::log_softmax<1>(z)));
      }));
  bench::workload row("network 784-128-10, gradient", "32", g1);
#ifdef JIG_BENCH_EIGEN
  using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  row.add(
      "Eigen",
      [] {
        const Eigen::Map<const matrix> in(x.data(), 32, 784), p1(w1.data(), 784, 128), p2(w2.data(), 128, 10), labels(y.data(), 32, 10);
        const Eigen::Map<const Eigen::RowVectorXf> q1(b1.data(), 128), q2(b2.data(), 10);
        static matrix h, z, dh;
        h.noalias() = in * p1;
        h = (h.rowwise() + q1).array().tanh();
        z.noalias() = h * p2;
        z.rowwise() += q2;
        z = (z.colwise() - z.rowwise().maxCoeff()).array().exp();
        z = (z.array().colwise() / z.rowwise().sum().array()).matrix();
        z = (z - labels) / 32;
        Eigen::Map<matrix>(g2.data(), 128, 10).noalias() = h.transpose() * z;
        Eigen::Map<Eigen::RowVectorXf>(gb2.data(), 10) = z.colwise().sum();
        dh.noalias() = z * p2.transpose();
        dh = dh.array() * (1 - h.array().square());
        Eigen::Map<matrix>(g1.data(), 784, 128).noalias() = in.transpose() * dh;
        Eigen::Map<Eigen::RowVectorXf>(gb1.data(), 128) = dh.colwise().sum();
      },
      1e-4);
#endif
  row.add(
      "jig",
      [] {
        auto out = std::tie(g1, gb1, g2, gb2);
        gradient.into(out, w1, b1, w2, b2, x, y);
      },
      1e-4);
}

template <class F>
void add_sizes() {
  add_function<F, 10>();
  add_function<F, 100>();
  add_function<F, 1000>();
}

}  // namespace

int main(int argc, char** argv) {
  add_network();
  add_rosenbrock();
  add_sizes<product>();
  add_sizes<log_sum_exp>();
  add_sizes<normal_log_pdf>();
  add_matrix_product<10>();
  add_matrix_product<100>();
  add_regression<10>();
  add_regression<100>();
  add_regression<1000>();
  add_volatility<10>();
  add_volatility<100>();
  add_volatility<1000>();
  return bench::run(argc, argv);
}
