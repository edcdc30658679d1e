// SPDX-License-Identifier: MIT
// Calls in memory of the caller alone: no_thread_local.sh looks that this has no variables of a thread. No exceptions, no allocations.
#include <jig.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../counted_allocations.hpp"

namespace {

int failures = 0;
void require(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("does not hold: %s\n", what);
}
bool about(double x, double y) { return std::abs(x - y) <= 1e-3 * (1 + std::abs(y)); }

alignas(64) std::byte memory[4 << 20];

// Loops, reductions and products so large that threads could share them; packed operands.
constexpr auto network = jig::function<"network(x, w, v)">([](auto x, auto w, auto v) {
  const auto h = jig::tanh(jig::matmul(x, w));
  return jig::matmul(h, v) / (1.0f + jig::reduce_sum(h * h));
});
float x[300][260], w[260][280], v[280][70], out[300][70], h[300][280];
void test_products() {
  for (int i = 0; i < 300; ++i)
    for (int k = 0; k < 260; ++k) x[i][k] = 0.01f * static_cast<float>((i + 3 * k) % 7 - 3);
  for (int k = 0; k < 260; ++k)
    for (int j = 0; j < 280; ++j) w[k][j] = 0.1f * static_cast<float>((k * j) % 5 - 2);
  for (int k = 0; k < 280; ++k)
    for (int j = 0; j < 70; ++j) v[k][j] = 0.01f * static_cast<float>((k + j) % 3);
  network.with_workspace(memory).into(out, x, w, v);
  double sum = 1;
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 280; ++j) {
      double y = 0;
      for (int k = 0; k < 260; ++k) y += static_cast<double>(x[i][k]) * static_cast<double>(w[k][j]);
      h[i][j] = static_cast<float>(std::tanh(y));
      sum += std::tanh(y) * std::tanh(y);
    }
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 70; ++j) {
      double y = 0;
      for (int k = 0; k < 280; ++k) y += static_cast<double>(h[i][k]) * static_cast<double>(v[k][j]);
      if (!about(static_cast<double>(out[i][j]), y / sum)) return require(false, "two layers");
    }
}

// Wildcard extents of two names, which are equal in this call and not in the next, and operands in any order.
constexpr auto normalised = jig::function<"normalised(a, b)">([](auto a, auto b) {
  const auto centred = a - jig::reduce_mean<0>(b, jig::keepdims);
  return centred / (1.0 + jig::reduce_max<1>(jig::abs(centred), jig::keepdims));
});
void test_views() {
  static double a[40 * 50], b[40 * 50], y[40 * 50], z[40 * 50];
  for (int i = 0; i < 40 * 50; ++i) a[i] = (i * 7) % 11, b[i] = (i * 5) % 13;
  const auto check = [&](auto at, int b_rows, const double* got, const char* what) {
    for (int i = 0; i < 40; ++i) {
      double most = 0, mean[50];
      for (int j = 0; j < 50; ++j) {
        mean[j] = 0;
        for (int k = 0; k < b_rows; ++k) mean[j] += b[at(k, j, b_rows)] / b_rows;
        most = std::fmax(most, std::abs(a[at(i, j, 40)] - mean[j]));
      }
      for (int j = 0; j < 50; ++j)
        if (!about(got[at(i, j, 40)], (a[at(i, j, 40)] - mean[j]) / (1 + most))) return require(false, what);
    }
  };
  const auto by_rows = [](int i, int j, int) { return i * 50 + j; };
  const auto by_columns = [](int i, int j, int rows) { return j * rows + i; };
  const auto call = normalised.with_workspace(memory);
  call.into(jig::view(y, 40, 50), jig::view(a, 40, 50), jig::view(b, 40, 50));
  check(by_rows, 40, y, "equal wildcard extents");
  call.into(jig::view(y, 40, 50), jig::view(a, 40, 50), jig::view(b, 30, 50));
  check(by_rows, 30, y, "wildcard extents that differ");
  call.into(jig::view(jig::column_major{y}, 40, 50), jig::view(jig::column_major{a}, 40, 50), jig::view(jig::column_major{b}, 40, 50));
  check(by_columns, 40, y, "column-major operands");
  // Each of them lies in another way, the result on top of an operand.
  for (int i = 0; i < 40 * 50; ++i) z[i] = a[by_rows(i % 40, i / 40, 0)];
  jig::view<double, jig::dyn, jig::dyn> on_top(z, jig::shape{2, {40, 50}}, jig::shape{2, {1, 40}});
  call.into(on_top, on_top, jig::view(b, 40, 50));
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 50; ++j) y[by_rows(i, j, 0)] = z[by_columns(i, j, 40)];
  check(by_rows, 40, y, "a strided result on top of an operand");
}

// Loops, gradients, branches, sorting and scans.
constexpr auto descend = jig::function<"descend(y)">([](auto y) {
  for ([[maybe_unused]] auto i : jig::range(60)) y = y - 0.1f * jig::gradient(jig::reduce_sum((y - 1.0f) * (y - 1.0f)), y);
  return y;
});
constexpr auto picked = jig::function<"picked(y)">([](auto y) {
  return jig::cond(
      jig::reduce_sum(y) > 0.0f,
      [&] { return jig::sort<0>(y) + jig::reduce_mean(jig::matmul(jig::reshape<30, 100>(y), jig::reshape<100, 30>(y))); },
      [&] { return jig::reverse<0>(y); });
});
constexpr auto summed = jig::function<"summed(y)">([](auto y) {
  return jig::scan([](auto total, auto row) { return jig::cumsum<0>(total) * 0.5f + jig::reverse<0>(row); }, y, jig::zeros_like(y[0]));
});
void test_control() {
  static float y[3000], z[3000], rows[20][700], sums[20][700];
  for (int i = 0; i < 3000; ++i) y[i] = static_cast<float>(i % 17);
  descend.with_workspace(memory).into(z, y);
  for (float e : z)
    if (!about(static_cast<double>(e), 1)) return require(false, "a minimum");
  for (int i = 0; i < 3000; ++i) y[i] = static_cast<float>(3000 - i) * 1e-3f;
  double mean = 0;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j)
      for (int k = 0; k < 100; ++k) mean += static_cast<double>(y[100 * i + k]) * static_cast<double>(y[30 * k + j]) / 900;
  picked.with_workspace(memory).into(z, y);
  for (int i = 0; i < 3000; ++i)
    if (!about(static_cast<double>(z[i]), (i + 1) * 1e-3 + mean)) return require(false, "sorted, with a product");
  for (float& e : y) e = -e;
  picked.with_workspace(memory).into(z, y);
  require(z[0] == y[2999] && z[2999] == y[0], "the other branch");
  for (auto& row : rows)
    for (int j = 0; j < 700; ++j) row[j] = static_cast<float>(j % 3);
  summed.with_workspace(memory).into(sums, rows);
  static double total[700];
  for (int i = 0; i < 3; ++i) {
    double so_far = 0;
    for (int j = 0; j < 700; ++j) {
      so_far += total[j];
      total[j] = so_far * 0.5 + static_cast<double>(rows[i][699 - j]);
      if (!about(static_cast<double>(sums[i][j]), total[j])) return require(false, "running sums of rows");
    }
  }
}

}  // namespace

int main() {
  test_products();
  test_views();
  test_control();
  require(allocations == 0, "nothing is allocated");
  return failures;
}
