// SPDX-License-Identifier: MIT
// Elementwise expressions. Each is written once: jig, a plain loop and Eigen get the same one.

#include "workload.hpp"

namespace {

constexpr auto multiply_add = [](const auto& a, const auto& b, const auto& c) { return a * b + c; };

constexpr auto ratio = [](const auto& a, const auto& b, const auto& c) {
  using std::abs, std::sqrt;
  return sqrt(a * a + b * b) / (1.0f + abs(c));
};

// Many ops, each on the result of the one before; the values stay small.
template <int Ops>
[[gnu::always_inline]] constexpr auto chained(const auto& y, const auto& a, const auto& b,
                                              const auto& c, const auto& d) {
  if constexpr (Ops == 0) return y;
  else if constexpr (Ops % 4 == 3) return chained<Ops - 1>(y * a, a, b, c, d);
  else if constexpr (Ops % 4 == 2) return chained<Ops - 1>(y + b, a, b, c, d);
  else if constexpr (Ops % 4 == 1) return chained<Ops - 1>(y - c, a, b, c, d);
  else return chained<Ops - 1>(y * d, a, b, c, d);
}
template <int Ops>
constexpr auto chain = [](const auto& a, const auto& b, const auto& c, const auto& d) {
  return chained<Ops>(a, a, b, c, d);
};

template <class Formula, class... In>
[[gnu::always_inline]] inline void plain_loop(Formula formula, jig::index n, float* __restrict y,
                                              const In* __restrict... in) {
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
}

// A result and four inputs of n elements; of their types only the element is known.
class vectors {
 public:
  explicit vectors(jig::index n) : memory_(jig::zeros<float, jig::dyn>(5 * apart(n))) {
    std::span<float>* part[] = {&y, &a, &b, &c, &d};
    for (std::size_t k = 0; k < 5; ++k)
      *part[k] = bench::elements(memory_).subspan(k * static_cast<std::size_t>(apart(n)),
                                                  static_cast<std::size_t>(n));
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

void go(vectors& s) {
#ifdef J
 jig::function(chain<200>).into(s.y, s.a, s.b, s.c, s.d);
#elif defined(E)
  aligned<Eigen::ArrayXf>(s.y.data(), 1000) = chain<200>(aligned<const Eigen::ArrayXf>(s.a.data(), 1000),aligned<const Eigen::ArrayXf>(s.b.data(), 1000),aligned<const Eigen::ArrayXf>(s.c.data(), 1000),aligned<const Eigen::ArrayXf>(s.d.data(), 1000));
#elif defined(L)
  plain_loop(chain<200>, 1000, s.y.data(), s.a.data(), s.b.data(), s.c.data(), s.d.data());
#endif
}
