// SPDX-License-Identifier: MIT
// Threads call the same functions at the same time; built with the thread sanitizer, which ends the program when they race.
#include <jig.hpp>

#include <thread>
#include <vector>

namespace {

constexpr auto norm = jig::function<"norm(x)">([](auto x) { return jig::tanh(x) / jig::reduce_sum(x * x); });
constexpr auto next = jig::function<"next(x)">([](auto x) { return x * 2 + 1; }).with_signature<jig::spec<int, jig::dyn>>();

template <class Check>
bool on_threads(Check check) {
  std::vector<char> right(4);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < right.size(); ++t) running.emplace_back([&, t] { right[t] = check(static_cast<int>(t)); });
  for (auto& thread : running) thread.join();
  for (char r : right)
    if (!r) return false;
  return true;
}

}  // namespace

int main() {
  const auto x = jig::ones<float, 3, 100>();
  const float expected = norm(x)(2, 99);
  const bool compiled = on_threads([&](int) {
    bool right = true;
    for (int k = 0; k < 50; ++k) right = right && norm(x)(2, 99) == expected;
    return right;
  });
  const bool declared = on_threads([](int t) {
    const jig::any_tensor y = next(jig::any_tensor(jig::tensor<int, 2>{t, 3}));
    return y.as<int>()(0) == 2 * t + 1 && next(std::vector<int>{t})(0) == 2 * t + 1;
  });
  // Every shape is traced by whoever comes first, and planned by whoever calls first.
  auto traced = jig::dynamic_function("f(x, n)", [](auto y, auto n) {
    auto sum = y;
    for (auto i : jig::range(n)) sum = sum + y * jig::cast<float>(i);
    return sum;
  });
  const jig::any_tensor shared = jig::ones<float, 5>();
  const bool dynamic = on_threads([&](int t) {
    bool right = true;
    for (int k = 0; k < 20; ++k) {
      const auto one = jig::any_tensor::empty(jig::dtype::float32, jig::shape{1, {(k + t) % 4}});
      right = right && traced(one, 3).shape() == one.shape();
      right = right && traced(shared, 3).as<float>()(4) == 4;
    }
    return right;
  });
  return compiled && declared && dynamic && traced.experimental_get_tracing_count() == 5 ? 0 : 1;
}
