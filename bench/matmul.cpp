// SPDX-License-Identifier: MIT
// Matrix products: small static ones, large ones, a vector times a matrix, a dense layer, powers of a matrix,
// batches of small ones.

#include "workload.hpp"

#include <algorithm>

namespace {

constexpr auto product = jig::function([](const auto& a, const auto& b) { return jig::matmul(a, b); });
constexpr auto dense = jig::function([](const auto& x, const auto& w, const auto& b) { return jig::tanh(jig::matmul(x, w) + b); });

constexpr auto power = jig::function([](const auto& x) {
  auto r = jig::eye_like(x);
  for (int i = 0; i < 100; ++i) r = jig::matmul(x, r);
  return r;
});
constexpr auto batched =
    jig::function([](const auto& a, const auto& b, const auto& c, const auto& v) { return jig::matmul(jig::matmul(a, b) + c, v); });

template <class T>
[[gnu::always_inline]] inline void multiply(T* __restrict c, const T* __restrict a, const T* __restrict b, jig::index m, jig::index n,
                                            jig::index k) {
  for (jig::index i = 0; i < m; ++i) {
    for (jig::index j = 0; j < n; ++j) c[i * n + j] = 0;
    for (jig::index p = 0; p < k; ++p)
      for (jig::index j = 0; j < n; ++j) c[i * n + j] += a[i * k + p] * b[p * n + j];
  }
}

#ifdef JIG_BENCH_EIGEN
// A tensor as Eigen sees it, with as much as the tensor's type tells about its extents.
template <class T, jig::index Rows, jig::index Columns, class Tensor>
auto eigen_map(Tensor& x) {
  constexpr int rows = Rows == jig::dyn ? Eigen::Dynamic : static_cast<int>(Rows);
  constexpr int columns = Columns == jig::dyn ? Eigen::Dynamic : static_cast<int>(Columns);
  using matrix = Eigen::Matrix<T, rows, columns, Eigen::RowMajor>;
  using mapped = std::conditional_t<std::is_const_v<Tensor>, const matrix, matrix>;
  return Eigen::Map<mapped, Eigen::Aligned64>(x.data(), x.extent(0), x.extent(1));
}
#endif

#ifdef JIG_BENCH_OPENBLAS
template <class T, class C, class A, class B>
void openblas_product(C& c, const A& a, const B& b) {
  const auto m = static_cast<int>(a.extent(0)), n = static_cast<int>(b.extent(1)), k = static_cast<int>(b.extent(0));
  auto gemm = [&](auto* call) { call(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(), n); };
  if constexpr (std::is_same_v<T, float>) gemm(cblas_sgemm);
  else gemm(cblas_dgemm);
}
#endif

template <class T, jig::index M, jig::index N, jig::index K>
void add_product(const std::string& name, const std::string& size, jig::tensor<T, M, N>& c, jig::tensor<T, M, K>& a,
                 jig::tensor<T, K, N>& b) {
  bench::fill(-1, 1, a, b);
  bench::workload row(name, size, c);
  row.add("loop", [&c, &a, &b] { multiply(c.data(), a.data(), b.data(), a.extent(0), b.extent(1), b.extent(0)); });
  row.add("jig", [&c, &a, &b] { product.into(c, a, b); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen",
          [&c, &a, &b] { eigen_map<T, M, N>(c).noalias() = eigen_map<T, M, K>(std::as_const(a)) * eigen_map<T, K, N>(std::as_const(b)); });
#endif
#ifdef JIG_BENCH_OPENBLAS
  row.add("OpenBLAS", [&c, &a, &b] { openblas_product<T>(c, a, b); });
#endif
}

// Square matrices with n rows, of which their type tells Extent: n or jig::dyn.
template <class T, jig::index Extent>
void add_squares(const std::string& name, jig::index n) {
  using matrix = jig::tensor<T, Extent, Extent>;
  const jig::shape extents{2, {n, n}};
  // Kept for the benchmarks, which run later.
  auto* m = new matrix[3]{{jig::uninitialized, extents}, {jig::uninitialized, extents}, {jig::uninitialized, extents}};
  add_product<T, Extent, Extent, Extent>(name, std::to_string(n), m[0], m[1], m[2]);
}

template <class T>
void add_all_squares(const std::string& name) {
  [&]<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (add_squares<T, N>(name + ", static", N), ...);
  }(std::integer_sequence<jig::index, 4, 8, 10, 16, 32>());
  for (jig::index n : {64, 128, 256, 512, 1024}) add_squares<T, jig::dyn>(name, n);
}

void add_dense() {
  constexpr jig::index m = 32, k = 784, n = 128;
  static jig::tensor<float, m, n> y;
  static jig::tensor<float, m, k> x;
  static jig::tensor<float, k, n> w;
  static jig::tensor<float, n> b;
  bench::fill(-0.1, 0.1, x, w, b);
  bench::workload row("tanh(x*w+b), static", "32x784x128", y);
  row.add("loop", [] {
    multiply(y.data(), x.data(), w.data(), m, n, k);
    float* __restrict to = y.data();
    const float* __restrict bias = b.data();
    for (jig::index i = 0; i < m; ++i)
      for (jig::index j = 0; j < n; ++j) to[i * n + j] = std::tanh(to[i * n + j] + bias[j]);
  });
  row.add("jig", [] { dense.into(y, x, w, b); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [] {
    const Eigen::Map<const Eigen::RowVector<float, n>, Eigen::Aligned64> bias(b.data());
    auto to = eigen_map<float, m, n>(y);
    to.noalias() = eigen_map<float, m, k>(std::as_const(x)) * eigen_map<float, k, n>(std::as_const(w));
    to = (to.rowwise() + bias).array().tanh().matrix();
  });
#endif
}

// The 100th power of a matrix with 10 rows, one product after another.
template <class T>
void add_power(const std::string& name) {
  constexpr jig::index n = 10;
  static jig::tensor<T, n, n> y, x;
  // Powers stay in range.
  for (jig::index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<T>((i * 7 + i / 10) % 3 - 1) * (std::is_integral_v<T> ? T(1) : T(0.4));
  bench::workload row(name, "10x10^100", y);
  row.add(
      "loop",
      [] {
        T r[2][n * n] = {};
        for (jig::index i = 0; i < n; ++i) r[0][i * n + i] = 1;
        for (int i = 0; i < 100; i += 2) {
          multiply(r[1], x.data(), r[0], n, n, n);
          multiply(r[0], x.data(), r[1], n, n, n);
        }
        std::copy_n(r[0], n * n, y.data());
      },
      1e-3);
  row.add("jig", [] { power.into(y, x); }, 1e-3);
#ifdef JIG_BENCH_EIGEN
  row.add(
      "Eigen",
      [] {
        const Eigen::Matrix<T, n, n, Eigen::RowMajor> factor = eigen_map<T, n, n>(std::as_const(x));
        Eigen::Matrix<T, n, n, Eigen::RowMajor> r = decltype(factor)::Identity(), next;
        for (int i = 0; i < 50; ++i) {
          next = factor.lazyProduct(r);
          r = factor.lazyProduct(next);
        }
        eigen_map<T, n, n>(y) = r;
      },
      1e-3);
#endif
}

// (A B + C) v for each of a batch of matrices with N rows.
template <jig::index N>
void add_batched(jig::index count) {
  using matrices = jig::tensor<float, jig::dyn, N, N>;
  using vectors = jig::tensor<float, jig::dyn, N, 1>;
  const jig::shape of_matrices{3, {count, N, N}}, of_vectors{3, {count, N, 1}};
  // Kept for the benchmarks, which run later.
  auto* m = new matrices[3]{{jig::uninitialized, of_matrices}, {jig::uninitialized, of_matrices}, {jig::uninitialized, of_matrices}};
  auto* v = new vectors[2]{{jig::uninitialized, of_vectors}, {jig::uninitialized, of_vectors}};
  bench::fill(-1, 1, m[0], m[1], m[2], v[0]);
  bench::workload row("(A*B+C)*v, " + std::to_string(N) + "x" + std::to_string(N), std::to_string(count), v[1]);
  row.add("loop", [m, v, count] {
    const float *a = m[0].data(), *b = m[1].data(), *c = m[2].data(), *x = v[0].data();
    float* y = v[1].data();
    for (jig::index q = 0; q < count; ++q, a += N * N, b += N * N, c += N * N, x += N, y += N) {
      float t[N * N];
      multiply(t, a, b, N, N, N);
      for (jig::index i = 0; i < N * N; ++i) t[i] += c[i];
      multiply(y, t, x, N, 1, N);
    }
  });
  row.add("jig", [m, v] { batched.into(v[1], m[0], m[1], m[2], v[0]); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", [m, v, count] {
    using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
    using vector = Eigen::Matrix<float, N, 1>;
    for (jig::index q = 0; q < count; ++q) {
      auto at = [q](const auto& x) { return x.data() + q * N * N; };
      Eigen::Map<vector>(v[1].data() + q * N) =
          (Eigen::Map<const matrix>(at(m[0])) * Eigen::Map<const matrix>(at(m[1])) + Eigen::Map<const matrix>(at(m[2]))) *
          Eigen::Map<const vector>(v[0].data() + q * N);
    }
  });
#endif
}

}  // namespace

int main(int argc, char** argv) {
  add_all_squares<float>("float");
  add_all_squares<double>("double");
  static jig::tensor<float, 1, 256> y, x;
  static jig::tensor<float, 256, 256> w;
  add_product<float, 1, 256, 256>("float, static", "1x256x256", y, x, w);
  add_dense();
  add_power<float>("power, float");
  add_power<std::uint32_t>("power, uint32");
  for (jig::index count : {1000, 100000}) {
    add_batched<3>(count);
    add_batched<4>(count);
  }
  return bench::run(argc, argv);
}
