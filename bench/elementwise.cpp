// SPDX-License-Identifier: MIT
// Elementwise expressions. Each is written once: jig, a plain loop and Eigen get the same one.

#include "workload.hpp"

namespace {

constexpr auto multiply_add = [](const auto& a, const auto& b, const auto& c) { return a * b + c; };

constexpr auto ratio = [](const auto& a, const auto& b, const auto& c) {
  using std::abs, std::sqrt;
  return sqrt(a * a + b * b) / (1.0f + abs(c));
};

// As Keras writes it.
constexpr auto gelu = [](const auto& a) {
  using std::pow, std::tanh, jig::pow, jig::tanh;
  return 0.5f * a * (1.0f + tanh(0.7978845608f * (a + 0.044715f * pow(a, 3.0f))));
};

// Many ops, each on the result of the one before; the values stay small. A function that called
// itself would take Eigen's types minutes to compile.
#define FOUR_OPS(y) ((y * a + b - c) * d)
#define TWELVE_OPS(y) FOUR_OPS(FOUR_OPS(FOUR_OPS(y)))
#define FORTY_EIGHT_OPS(y) TWELVE_OPS(TWELVE_OPS(TWELVE_OPS(TWELVE_OPS(y))))

constexpr auto ten_ops = [](const auto& a, const auto& b, const auto& c, const auto& d) { return FOUR_OPS(FOUR_OPS(a)) * b + c; };
constexpr auto fifty_ops = [](const auto& a, const auto& b, const auto& c, const auto& d) { return FORTY_EIGHT_OPS(a) * b + c; };
constexpr auto two_hundred_ops = [](const auto& a, const auto& b, const auto& c, const auto& d) {
  return FOUR_OPS(FOUR_OPS(FORTY_EIGHT_OPS(FORTY_EIGHT_OPS(FORTY_EIGHT_OPS(FORTY_EIGHT_OPS(a))))));
};

template <class Formula, class... In>
[[gnu::always_inline]] inline void plain_loop(Formula formula, jig::index n, float* __restrict y, const In* __restrict... in) {
  for (jig::index i = 0; i < n; ++i) y[i] = formula(in[i]...);
}

#ifdef JIG_BENCH_EIGEN
template <class Array>
using aligned = Eigen::Map<Array, Eigen::Aligned64>;
#endif

// The extent that a container's type tells, or jig::dyn.
template <class Container>
constexpr jig::index known_extent = jig::argument<Container>::spec_type::value().shape[0];

template <class Formula, class Out, class... In>
void add(const std::string& name, const std::string& size, Formula formula, Out& y, In&... in) {
  constexpr jig::index known = known_extent<Out>;
  bench::workload row(name, size, y);
  row.add("loop", [formula, &y, &in...] {
    const auto n = known == jig::dyn ? static_cast<jig::index>(y.size()) : known;
    plain_loop(formula, n, y.data(), in.data()...);
  });
  row.add("jig", [&y, &in...] { jig::function(Formula()).into(y, in...); });
#ifdef JIG_BENCH_EIGEN
  constexpr int rows = known == jig::dyn ? Eigen::Dynamic : static_cast<int>(known);
  using array = Eigen::Array<float, rows, 1>;
  row.add("Eigen", [formula, &y, &in...] {
    const auto n = static_cast<Eigen::Index>(y.size());
    aligned<array>(y.data(), n) = formula(aligned<const array>(in.data(), n)...);
  });
#endif
#ifdef JIG_BENCH_XTENSOR
  // Larger formulas take it minutes to compile.
  if constexpr (sizeof...(in) <= 3)
    row.add("xtensor", [formula, &y, &in...] {
      const std::array<std::size_t, 1> extents{static_cast<std::size_t>(y.size())};
      auto adapted = [&](auto* x) { return xt::adapt(x, extents[0], xt::no_ownership(), extents); };
      auto to = adapted(y.data());
      xt::noalias(to) = formula(adapted(in.data())...);
    });
#endif
}

// A result and four inputs of n elements; of their types only the element is known.
class vectors {
 public:
  explicit vectors(jig::index n) : memory_(jig::zeros<float, jig::dyn>(5 * apart(n))) {
    std::span<float>* part[] = {&y, &a, &b, &c, &d};
    for (std::size_t k = 0; k < 5; ++k)
      *part[k] = bench::elements(memory_).subspan(k * static_cast<std::size_t>(apart(n)), static_cast<std::size_t>(n));
    bench::fill(-0.9, 0.9, a, b, c, d);
  }
  std::span<float> y, a, b, c, d;

 private:
  // Parts begin at multiples of 64 bytes, but not at the same place of a page: loads of one would
  // wait for stores to another.
  static jig::index apart(jig::index n) { return (n + 15) / 16 * 16 + 176; }
  jig::tensor<float, jig::dyn> memory_;
};

}  // namespace

int main(int argc, char** argv) {
  using fixed = jig::tensor<float, 1000>;
  fixed y, a, b, c;
  bench::fill(-0.9, 0.9, a, b, c);
  add("a*b+c, static", "1e3", multiply_add, y, a, b, c);
  add("sqrt(a*a+b*b)/(1+|c|), static", "1e3", ratio, y, a, b, c);

  vectors small(1000), medium(100'000), large(10'000'000);
  const std::pair<const char*, vectors*> sizes[] = {{"1e3", &small}, {"1e5", &medium}, {"1e7", &large}};
  for (auto [size, v] : sizes) add("a*b+c", size, multiply_add, v->y, v->a, v->b, v->c);
  for (auto [size, v] : sizes) add("sqrt(a*a+b*b)/(1+|c|)", size, ratio, v->y, v->a, v->b, v->c);

  for (auto [size, v] : sizes) add("gelu by tanh", size, gelu, v->y, v->a);

  vectors& s = small;
  add("10 ops", "1e3", ten_ops, s.y, s.a, s.b, s.c, s.d);
  add("50 ops", "1e3", fifty_ops, s.y, s.a, s.b, s.c, s.d);
  add("200 ops", "1e3", two_hundred_ops, s.y, s.a, s.b, s.c, s.d);
  return bench::run(argc, argv);
}
