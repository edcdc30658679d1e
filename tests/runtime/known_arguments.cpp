// SPDX-License-Identifier: MIT
#include <jig/runtime/known_arguments.hpp>

#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <sstream>
#include <thread>
#include <vector>

namespace {

using jig::any_tensor;
using jig::any_view;
using jig::dtype;
using jig::shape;
namespace detail = jig::detail;

// Integers small enough that every order of summation gives the same.
template <class T>
void fill(T* to, jig::index n, int seed) {
  for (jig::index i = 0; i < n; ++i) to[i] = static_cast<T>(static_cast<float>((i * 7 + seed) % 5 - 2));
}
template <class T>
any_tensor numbers(const shape& s, int seed) {
  any_tensor out = any_tensor::empty(jig::dtype_of<T>, s);
  fill(static_cast<T*>(out.mutable_data()), s.size(), seed);
  return out;
}

// What a traced lambda takes for a constant.
template <class T>
jig::tensor<T, jig::dyn, jig::dyn> weights;
template <class T>
void set_weights(jig::index rows, jig::index columns) {
  weights<T> = jig::tensor<T, jig::dyn, jig::dyn>(jig::uninitialized, {2, {rows, columns}});
  fill(weights<T>.data(), rows * columns, 3);
}

template <class T>
int wrong_products(const any_tensor& y, const any_tensor& x, bool transposed = false) {
  const jig::index k = x.shape()[x.shape().rank - 1], n = y.shape()[y.shape().rank - 1];
  const auto* from = static_cast<const T*>(x.data());
  int wrong = 0;
  for (jig::index i = 0; i < y.size(); ++i) {
    double sum = 1;
    for (jig::index q = 0; q < k; ++q)
      sum += static_cast<double>(from[i / n * k + q]) * static_cast<double>(weights<T>.data()[transposed ? i % n * k + q : q * n + i % n]);
    wrong += static_cast<double>(static_cast<const T*>(y.data())[i]) != sum;
  }
  return wrong;
}
template <class T, bool Transposed>
void compare(jig::index k, jig::index n, const std::vector<shape>& arguments) {
  set_weights<T>(Transposed ? n : k, Transposed ? k : n);
  const auto f = jig::dynamic_function([](auto x) {
    if constexpr (Transposed) return jig::matmul(x, weights<T>, jig::transpose_b) + 1;
    else return jig::matmul(x, weights<T>) + 1;
  });
  // All of them in one function, which packs once.
  for (const shape& s : arguments) {
    CAPTURE(s[0]);
    CAPTURE(k);
    CAPTURE(n);
    const any_tensor x = numbers<T>(s, 1);
    CHECK(wrong_products<T>(f(x), x, Transposed) == 0);
  }
}

int packed_forms = 0;
any_tensor doubled(const detail::kernel_call& call) {
  ++packed_forms;
  const any_view& from = call.inputs[1];
  if (from.extents.rank != 1) return {};
  any_tensor to = any_tensor::empty(from.dtype, from.extents);
  for (jig::index i = 0; i < from.extents[0]; ++i)
    static_cast<float*>(to.mutable_data())[i] = 2 * static_cast<const float*>(from.data)[i * from.strides[0]];
  return to;
}

}  // namespace

TEST_CASE("forms are made once for each kernel, memory and way that it lies") {
  const std::vector<any_tensor> values{any_tensor(jig::tensor<float, 4>{1, 2, 3, 4})};
  const detail::known_arguments<> known(2, values);
  CHECK(known(0) == nullptr);
  CHECK(known(1) == nullptr);
  REQUIRE(known(2) == values[0].data());
  const detail::runtime_kernel one{&jig::ops::matmul, nullptr, nullptr, doubled}, other{&jig::ops::matmul, nullptr, nullptr, doubled};
  const auto packed = [&](const detail::runtime_kernel& kernel, const shape& extents, const shape& strides) {
    const any_view inputs[] = {{}, {dtype::float32, const_cast<void*>(known(2)), extents, strides}};
    detail::kernel_call call;
    call.inputs = inputs;
    return static_cast<const float*>(known.packed(kernel, call));
  };
  packed_forms = 0;
  const float* first = packed(one, {1, {4}}, {1, {1}});
  REQUIRE(first != nullptr);
  CHECK(first[3] == 8);
  CHECK(packed(one, {1, {4}}, {1, {1}}) == first);
  CHECK(packed_forms == 1);
  CHECK(packed(one, {1, {2}}, {1, {2}})[1] == 6);
  CHECK(packed(other, {1, {4}}, {1, {1}}) != first);
  CHECK(packed_forms == 3);
  CHECK(packed(one, {2, {2, 2}}, {2, {2, 1}}) == nullptr);
}

TEST_CASE("products by matrices that are known, of one row and more, packed and as they lie") {
  static std::ostringstream out;  // calls with many shapes are meant here
  jig::set_warning_stream(out);
  const auto rows = [](jig::index k) {
    std::vector<shape> all;
    for (const jig::index m : {1, 2, 7, 8, 65}) all.push_back({2, {m, k}});
    all.push_back({3, {2, 3, k}});
    all.push_back({3, {4, 1, k}});
    return all;
  };
  // On both sides of what is packed, of whole registers, and of blocks along k and the columns.
  for (const auto& [k, n] : {std::array<jig::index, 2>{3, 5}, {256, 256}, {256, 257}, {257, 300}, {130, 1100}, {66000, 2}, {70000, 1}})
    compare<float, false>(k, n, rows(k));
  for (const auto& [k, n] : {std::array<jig::index, 2>{3, 5}, {20, 33}, {300, 300}}) compare<float, true>(k, n, rows(k));
  const auto others = []<class T>(T) {
    compare<T, false>(300, 301, {{2, {9, 300}}});
    compare<T, true>(30, 31, {{2, {9, 30}}});
  };
  others(0.0);
  others(std::int32_t());
  others(jig::half());
}

TEST_CASE("threads that call at the same time, and threads that share a product") {
  set_weights<float>(300, 301);
  const auto f = jig::dynamic_function([](auto x) { return jig::matmul(x, weights<float>) + 1; });
  const any_tensor x = numbers<float>({2, {600, 300}}, 1), little = numbers<float>({2, {100, 300}}, 1);
  std::vector<any_tensor> found(4);
  std::vector<std::thread> threads;
  for (any_tensor& y : found) threads.emplace_back([&] { y = f(x); });
  for (auto& thread : threads) thread.join();
  for (const any_tensor& y : found) CHECK(wrong_products<float>(y, x) == 0);
  static constexpr detail::parallel_runner runner{[](jig::index blocks, detail::parallel_work run, void* work) {
    for (jig::index block = blocks; block-- > 0;) run(work, block);
  }};
  detail::current_parallel_runner = &runner;
  const any_tensor shared = f(x), few = f(little);
  detail::current_parallel_runner = nullptr;
  CHECK(wrong_products<float>(shared, x) == 0);
  CHECK(wrong_products<float>(few, little) == 0);
}
