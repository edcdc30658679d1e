// SPDX-License-Identifier: MIT
// Systems of linear equations: one small matrix, many, and larger ones.

#include "workload.hpp"

namespace {

constexpr auto solution = jig::function([](const auto& a, const auto& b) { return jig::solve(a, b); });
constexpr auto inverse = jig::function([](const auto& a) { return jig::inv(a); });
constexpr auto determinant = jig::function([](const auto& a) { return jig::det(a); });
constexpr auto factor = jig::function([](const auto& a) { return jig::cholesky(a); });

// Symmetric positive definite matrices and a right-hand side for each.
template <class Matrices, class Sides, class Numbers>
struct systems {
  Matrices a, results;
  Sides b, x;
  Numbers determinants;
};

#ifdef JIG_BENCH_EIGEN
template <class T, int Rows, int Columns>
auto eigen_map(T* at, int rows, int columns) {
  using matrix = Eigen::Matrix<std::remove_const_t<T>, Rows, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  return Eigen::Map<std::conditional_t<std::is_const_v<T>, const matrix, matrix>>(at, rows, columns);
}
#endif

// `count` matrices of n rows, as many as Rows unless that is -1, Eigen's Dynamic.
template <class T, int Rows, class Matrices, class Sides, class Numbers>
void add(const std::string& size, jig::index count, jig::index n, systems<Matrices, Sides, Numbers>* s) {
  T* const a = s->a.data();
  bench::fill(-1, 1, s->results, s->b);
  for (jig::index m = 0; m < count; ++m)
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < n; ++k) {
        T sum = i == k ? T(1) : T(0);
        for (jig::index j = 0; j < n; ++j) sum += s->results.data()[(m * n + i) * n + j] * s->results.data()[(m * n + k) * n + j];
        a[(m * n + i) * n + k] = sum;
      }
  constexpr double tolerance = std::is_same_v<T, float> ? 1e-3 : 1e-9;
  [[maybe_unused]] const auto each = [=](auto f) {
    for (jig::index m = 0; m < count; ++m) f(m * n * n, m * n, m);
  };
  [[maybe_unused]] const int rows = static_cast<int>(n);
  bench::workload solved("solve", size, s->x), inverted("inv", size, s->results), factored("cholesky", size, s->results),
      multiplied("det", size, s->determinants);
  solved.add("jig", [=] { solution.into(s->x, s->a, s->b); });
  inverted.add("jig", [=] { inverse.into(s->results, s->a); });
  factored.add("jig", [=] { factor.into(s->results, s->a); });
  multiplied.add("jig", [=] { determinant.into(s->determinants, s->a); });
#ifdef JIG_BENCH_EIGEN
  const auto matrix = [=](jig::index at) { return eigen_map<const T, Rows, Rows>(a + at, rows, rows); };
  const auto result = [=](jig::index at) { return eigen_map<T, Rows, Rows>(s->results.data() + at, rows, rows); };
  solved.add(
      "Eigen",
      [=] {
        each([&](jig::index at, jig::index side, jig::index) {
          eigen_map<T, Rows, 1>(s->x.data() + side, rows, 1) =
              matrix(at).partialPivLu().solve(eigen_map<const T, Rows, 1>(s->b.data() + side, rows, 1));
        });
      },
      tolerance);
  inverted.add("Eigen", [=] { each([&](jig::index at, jig::index, jig::index) { result(at) = matrix(at).inverse(); }); }, tolerance);
  factored.add("Eigen", [=] { each([&](jig::index at, jig::index, jig::index) { result(at) = matrix(at).llt().matrixL(); }); }, tolerance);
  multiplied.add(
      "Eigen",
      [=] { each([&](jig::index at, jig::index, jig::index number) { s->determinants.data()[number] = matrix(at).determinant(); }); },
      tolerance);
#endif
}

template <class T, int N>
void add_single(const std::string& size) {
  using matrix = jig::tensor<T, N, N>;
  add<T, N>(size, 1, N, new systems<matrix, jig::tensor<T, N>, jig::tensor<T>>());
}
template <class T, int N>
void add_many(const std::string& size, jig::index count) {
  const jig::shape all{3, {count, N, N}}, sides{3, {count, N, 1}}, numbers{1, {count}};
  using matrices = jig::tensor<T, jig::dyn, N, N>;
  using vectors = jig::tensor<T, jig::dyn, N, 1>;
  using results = jig::tensor<T, jig::dyn>;
  add<T, N>(size, count, N,
            new systems<matrices, vectors, results>{matrices(jig::uninitialized, all), matrices(jig::uninitialized, all),
                                                    vectors(jig::uninitialized, sides), vectors(jig::uninitialized, sides),
                                                    results(jig::uninitialized, numbers)});
}
template <class T>
void add_large(const std::string& size, jig::index n) {
  const jig::shape all{2, {n, n}}, sides{1, {n}};
  using matrix = jig::tensor<T, jig::dyn, jig::dyn>;
  using vector = jig::tensor<T, jig::dyn>;
  add<T, -1>(
      size, 1, n,
      new systems<matrix, vector, jig::tensor<T>>{matrix(jig::uninitialized, all), matrix(jig::uninitialized, all),
                                                  vector(jig::uninitialized, sides), vector(jig::uninitialized, sides), jig::tensor<T>()});
}

}  // namespace

int main(int argc, char** argv) {
  add_single<float, 3>("3");
  add_single<double, 4>("4, double");
  add_single<double, 6>("6, double");
  add_many<float, 3>("1000 of 3", 1000);
  add_many<double, 4>("1000 of 4, double", 1000);
  add_many<double, 6>("1000 of 6, double", 1000);
  add_large<double>("16, double", 16);
  add_large<double>("64, double", 64);
  add_large<double>("200, double", 200);
  return bench::run(argc, argv);
}
