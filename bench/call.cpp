// SPDX-License-Identifier: MIT
// What a call costs: y = a + b on a few numbers, in containers whose type tells their extent or
// does not. All memory is static and every body inlined, so that nothing else is timed.

#include "workload.hpp"

#include <array>

namespace {

constexpr auto sum = jig::function([](const auto& a, const auto& b) { return a + b; });

template <class Container>
void add(const std::string& name, const Container& zeros) {
  constexpr jig::index known = jig::argument<Container>::spec_type::value().shape[0];
  static Container y = zeros, a = zeros, b = zeros;
  bench::fill(-1, 1, a, b);
  bench::workload row(name, std::to_string(zeros.size()), y);
  row.add("loop", []() __attribute__((always_inline)) {
    float* __restrict to = y.data();
    const float* __restrict left = a.data();
    const float* __restrict right = b.data();
    const auto n = known == jig::dyn ? static_cast<jig::index>(y.size()) : known;
    for (jig::index i = 0; i < n; ++i) to[i] = left[i] + right[i];
  });
  row.add("jig", []() __attribute__((always_inline)) { sum.into(y, a, b); });
#ifdef JIG_BENCH_EIGEN
  using vector = Eigen::Matrix<float, known == jig::dyn ? Eigen::Dynamic : static_cast<int>(known), 1>;
  row.add("Eigen", []() __attribute__((always_inline)) {
    using in = Eigen::Map<const vector>;
    const auto n = static_cast<Eigen::Index>(y.size());
    Eigen::Map<vector>(y.data(), n) = in(a.data(), n) + in(b.data(), n);
  });
#endif
}

// The same with a result that is returned and then assigned.
void add_returned() {
  static jig::tensor<float, 2> y, a, b;
  bench::fill(-1, 1, a, b);
  bench::workload row("returned tensor<float, 2>", "2", y);
  row.add("loop", []() __attribute__((always_inline)) {
    for (int i = 0; i < 2; ++i) y.data()[i] = a.data()[i] + b.data()[i];
  });
  row.add("jig", []() __attribute__((always_inline)) { y = sum(a, b); });
#ifdef JIG_BENCH_EIGEN
  row.add("Eigen", []() __attribute__((always_inline)) {
    using in = Eigen::Map<const Eigen::Vector2f>;
    Eigen::Vector2f result = in(a.data()) + in(b.data());
    Eigen::Map<Eigen::Vector2f>(y.data()) = result;
  });
#endif
}

// Views of dense memory, which their type does not tell.
template <class View>
void add_views(const std::string& name) {
  static float memory[3][2] = {{}, {0.25f, -0.5f}, {0.125f, 1.5f}};
  static View y(memory[0], {2}), a(memory[1], {2}), b(memory[2], {2});
  bench::workload row(name, "2", y);
  row.add("loop", []() __attribute__((always_inline)) {
    for (int i = 0; i < 2; ++i) y(i) = a(i) + b(i);
  });
  row.add("jig", []() __attribute__((always_inline)) { sum.into(y, a, b); });
}

}  // namespace

int main(int argc, char** argv) {
  add("tensor<float, 2>", jig::tensor<float, 2>());
  add_returned();
  add("array<float, 2>", std::array<float, 2>());
  add("vector<float>", std::vector<float>(2));
  add("tensor<float, 64>", jig::tensor<float, 64>());
  add("tensor<float, dyn>", jig::zeros<float, jig::dyn>(64));
  add_views<jig::view<float, 2>>("view<float, 2>");
  add_views<jig::view<float, jig::dyn>>("view<float, dyn>");
  return bench::run(argc, argv);
}
