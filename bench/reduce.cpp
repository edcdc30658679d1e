// SPDX-License-Identifier: MIT
// Reductions with what they are computed from; sums of rows and columns of a matrix, softmax and layer normalisation of its
// rows.

#include "workload.hpp"

#include <algorithm>

namespace {

using vector = jig::tensor<float, jig::dyn>;
using matrix = jig::tensor<float, jig::dyn, jig::dyn>;

constexpr auto sum = jig::function([](const auto& a) { return jig::reduce_sum(a); });
constexpr auto squared_error = jig::function([](const auto& a, const auto& b) { return jig::reduce_mean(jig::square(a - b)); });
constexpr auto softmax = jig::function([](const auto& x) {
  auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
  return e / jig::reduce_sum<1>(e, jig::keepdims);
});

constexpr auto layer_norm = jig::function([](const auto& x) {
  auto d = x - jig::reduce_mean<1>(x, jig::keepdims);
  return d / jig::sqrt(jig::reduce_mean<1>(jig::square(d), jig::keepdims) + 1e-5);
});
constexpr auto row_sums = jig::function([](const auto& x) { return jig::reduce_sum<1>(x); });
constexpr auto column_sums = jig::function([](const auto& x) { return jig::reduce_sum<0>(x); });

// A loop with one total would wait for every addition, and lose the last numbers of many. Here the
// lanes are independent and their totals short.
template <class Element>
[[gnu::always_inline]] inline float loop_total(jig::index n, Element element) {
  constexpr jig::index lanes = 64, block = 4096;
  double total = 0;
  for (jig::index first = 0; first < n; first += block) {
    const jig::index end = std::min(n, first + block);
    float lane[lanes] = {};
    jig::index i = first;
    for (; i + lanes <= end; i += lanes)
      for (jig::index k = 0; k < lanes; ++k) lane[k] += element(i + k);
    for (jig::index k = 0; i + k < end; ++k) lane[k] += element(i + k);
    for (jig::index half = lanes / 2; half > 0; half /= 2)
      for (jig::index k = 0; k < half; ++k) lane[k] += lane[k + half];
    total += static_cast<double>(lane[0]);
  }
  return static_cast<float>(total);
}

#ifdef JIG_BENCH_EIGEN
// Totals of Eigen lose some of what is added to them once they are large.
double eigen_tolerance(jig::index n) { return n < 1'000'000 ? 1e-5 : 2e-4; }
#endif

void add_sum(const std::string& size, float& y, const vector& a) {
  bench::workload row("sum(a)", size, y);
  row.add("loop", [&y, &a] {
    const float* __restrict p = a.data();
    y = loop_total(a.size(), [p](jig::index i) { return p[i]; });
  });
  row.add("jig", [&y, &a] { sum.into(y, a); });
#ifdef JIG_BENCH_EIGEN
  const auto total = [&y, &a] { y = Eigen::Map<const Eigen::ArrayXf, Eigen::Aligned64>(a.data(), a.size()).sum(); };
  row.add("Eigen", total, eigen_tolerance(a.size()));
#endif
}

void add_squared_error(const std::string& size, float& y, const vector& a, const vector& b) {
  bench::workload row("mean((a-b)*(a-b))", size, y);
  row.add("loop", [&y, &a, &b] {
    const float* __restrict p = a.data();
    const float* __restrict q = b.data();
    const float total = loop_total(a.size(), [p, q](jig::index i) { return (p[i] - q[i]) * (p[i] - q[i]); });
    y = total / static_cast<float>(a.size());
  });
  row.add("jig", [&y, &a, &b] { squared_error.into(y, a, b); });
#ifdef JIG_BENCH_EIGEN
  const auto mean = [&y, &a, &b] {
    using in = Eigen::Map<const Eigen::ArrayXf, Eigen::Aligned64>;
    y = (in(a.data(), a.size()) - in(b.data(), b.size())).square().mean();
  };
  row.add("Eigen", mean, eigen_tolerance(a.size()));
#endif
}

void add_softmax(matrix& y, const matrix& x) {
  const std::string size = std::to_string(x.extent(0)) + 'x' + std::to_string(x.extent(1));
  bench::workload row("softmax of rows", size, y);
  row.add("loop", [&y, &x] {
    const jig::index n = x.extent(1);
    for (jig::index i = 0; i < x.extent(0); ++i) {
      const float* __restrict from = x.data() + i * n;
      float* __restrict to = y.data() + i * n;
      float largest = from[0], total = 0;
      for (jig::index j = 1; j < n; ++j) largest = largest < from[j] ? from[j] : largest;
      for (jig::index j = 0; j < n; ++j) to[j] = std::exp(from[j] - largest);
      for (jig::index j = 0; j < n; ++j) total += to[j];
      for (jig::index j = 0; j < n; ++j) to[j] /= total;
    }
  });
  row.add("jig", [&y, &x] { softmax.into(y, x); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [&y, &x] {
    using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<const array, Eigen::Aligned64> from(x.data(), x.extent(0), x.extent(1));
    Eigen::Map<array, Eigen::Aligned64> to(y.data(), y.extent(0), y.extent(1));
    for (Eigen::Index i = 0; i < from.rows(); ++i) {
      to.row(i) = (from.row(i) - from.row(i).maxCoeff()).exp();
      to.row(i) *= 1 / to.row(i).sum();
    }
  });
#endif
}

#ifdef JIG_BENCH_EIGEN
auto eigen_map(const matrix& x) {
  using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const array, Eigen::Aligned64>(x.data(), x.extent(0), x.extent(1));
}
#endif

void add_layer_norm(matrix& y, const matrix& x) {
  const std::string size = std::to_string(x.extent(0)) + 'x' + std::to_string(x.extent(1));
  bench::workload row("layer normalisation of rows", size, y);
  row.add("loop", [&y, &x] {
    const jig::index n = x.extent(1);
    const auto count = static_cast<float>(n);
    for (jig::index i = 0; i < x.extent(0); ++i) {
      const float* __restrict from = x.data() + i * n;
      float* __restrict to = y.data() + i * n;
      const float mean = loop_total(n, [from](jig::index j) { return from[j]; }) / count;
      const float variance = loop_total(n, [from, mean](jig::index j) { return (from[j] - mean) * (from[j] - mean); }) / count;
      const float scale = 1 / std::sqrt(variance + 1e-5f);
      for (jig::index j = 0; j < n; ++j) to[j] = (from[j] - mean) * scale;
    }
  });
  row.add("jig", [&y, &x] { layer_norm.into(y, x); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [&y, &x] {
    using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto from = eigen_map(x);
    Eigen::Map<array, Eigen::Aligned64> to(y.data(), y.extent(0), y.extent(1));
    for (Eigen::Index i = 0; i < from.rows(); ++i) {
      const float mean = from.row(i).mean();
      const float scale = 1 / std::sqrt((from.row(i) - mean).square().mean() + 1e-5f);
      to.row(i) = (from.row(i) - mean) * scale;
    }
  });
#endif
}

void add_row_sums(vector& y, const matrix& x) {
  const std::string size = std::to_string(x.extent(0)) + 'x' + std::to_string(x.extent(1));
  bench::workload row("sums of rows", size, y);
  row.add("loop", [&y, &x] {
    const jig::index n = x.extent(1);
    for (jig::index i = 0; i < x.extent(0); ++i) {
      const float* __restrict from = x.data() + i * n;
      y.data()[i] = loop_total(n, [from](jig::index j) { return from[j]; });
    }
  });
  row.add("jig", [&y, &x] { row_sums.into(y, x); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [&y, &x] { Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64>(y.data(), y.size()) = eigen_map(x).rowwise().sum(); });
#endif
}

void add_column_sums(vector& y, const matrix& x) {
  const std::string size = std::to_string(x.extent(0)) + 'x' + std::to_string(x.extent(1));
  bench::workload row("sums of columns", size, y);
  row.add("loop", [&y, &x] {
    float* __restrict to = y.data();
    for (jig::index j = 0; j < x.extent(1); ++j) to[j] = 0;
    for (jig::index i = 0; i < x.extent(0); ++i) {
      const float* __restrict from = x.data() + i * x.extent(1);
      for (jig::index j = 0; j < x.extent(1); ++j) to[j] += from[j];
    }
  });
  row.add("jig", [&y, &x] { column_sums.into(y, x); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [&y, &x] { Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64>(y.data(), y.size()) = eigen_map(x).colwise().sum(); });
#endif
}

}  // namespace

int main(int argc, char** argv) {
  struct {
    const char* size;
    vector a, b;
    float sum = 0, error = 0;
  } rows[] = {{"1e3", jig::zeros<float, jig::dyn>(1000), jig::zeros<float, jig::dyn>(1000)},
              {"1e5", jig::zeros<float, jig::dyn>(100'000), jig::zeros<float, jig::dyn>(100'000)},
              {"1e7", jig::zeros<float, jig::dyn>(10'000'000), jig::zeros<float, jig::dyn>(10'000'000)}};
  for (auto& r : rows) {
    bench::fill(0, 1, r.a);
    bench::fill(-1, 1, r.b);
  }
  for (auto& r : rows) add_sum(r.size, r.sum, r.a);
  for (auto& r : rows) add_squared_error(r.size, r.error, r.a, r.b);
  auto x = jig::zeros<float, jig::dyn, jig::dyn>(1024, 1024), y = x;
  bench::fill(-4, 4, x);
  add_softmax(y, x);
  add_layer_norm(y, x);
  auto sums = jig::zeros<float, jig::dyn>(1024);
  add_row_sums(sums, x);
  add_column_sums(sums, x);
  return bench::run(argc, argv);
}
