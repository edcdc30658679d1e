// SPDX-License-Identifier: MIT
// Regions that may run at the same time find in memory what they read, in whatever order they come. Random graphs, whose memory is
// followed here value by value.
#include <jig/eval/planning/concurrency.hpp>

#include <doctest/doctest.h>

#include <planned_graph.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace {

using jig::place, jig::plan_view, jig::detail::region_order, jig::detail::shared_memory;

std::mt19937 random_source;
int any_below(int n) { return static_cast<int>(random_source() % static_cast<unsigned>(n)); }

// Matrices of 64 x 64, made of others.
template <class X>
auto random_value(const std::vector<X>& known) {
  const auto any = [&] { return known[static_cast<std::size_t>(any_below(static_cast<int>(known.size())))]; };
  switch (any_below(11)) {
    case 0: return jig::matmul(any(), any());
    case 1: return jig::matmul(jig::transpose(any()), any());
    case 2: return jig::tanh(any()) + any();
    case 3: return any() * 2;
    case 4: return any() - jig::reduce_mean<1>(any(), jig::keepdims);
    case 5: return jig::softmax(any());
    case 6: return any() / (1 + jig::reduce_sum(jig::abs(any())));
    case 7: return jig::cumsum<0>(any());
    case 8:
      return jig::reshape<64, 64>(
          jig::concat<0>(jig::exp(jig::strided_slice<jig::range_of(0, 32)>(any())), jig::strided_slice<jig::range_of(32, 64)>(any())));
    case 9:
      return jig::concat<0>(jig::strided_slice<jig::range_of(0, 32)>(any()) * 3,
                            jig::tanh(jig::strided_slice<jig::range_of(32, 64)>(any())));
    default: return jig::set_row(any(), any_below(64), jig::reduce_max<0>(any()));
  }
}
constexpr auto random_program = [](auto x, auto y) {
  std::vector<decltype(jig::tanh(x))> known{jig::identity(x), jig::identity(y)};
  const int ops = 2 + any_below(14);
  for (int k = 0; k < ops; ++k) known.push_back(random_value(known));
  return std::tuple(known.back(), known[known.size() / 2], known[known.size() - 2]);
};

// What lies in slots and results while regions run.
class followed_memory {
 public:
  explicit followed_memory(const plan_view& p) : p_(p), held_(p.buffers.size() + p.graph.outputs().size()) {}
  // Whether all that the region reads is there.
  bool run(int r) {
    const jig::planned_region& region = p_.regions[static_cast<std::size_t>(r)];
    bool right = true;
    for (int s = region.first; s < region.first + region.count; ++s) {
      const jig::planned_step& step = p_.steps[static_cast<std::size_t>(s)];
      for (int i = 0; i < step.leaves.count; ++i) {
        const int v = base(p_.leaves[static_cast<std::size_t>(step.leaves.first + i)]);
        if (const int m = memory_of(v); m >= 0) right = right && held_[static_cast<std::size_t>(m)].count(v) == 1;
      }
      for (int i = 0; i < step.roots.count; ++i) {
        const int v = p_.roots[static_cast<std::size_t>(step.roots.first + i)];
        if (const int m = memory_of(v); m >= 0) store(held_[static_cast<std::size_t>(m)], v, step.done);
      }
    }
    return right;
  }
  bool holds_results() const {
    for (std::size_t k = 0; k < p_.graph.outputs().size(); ++k)
      if (held_[p_.buffers.size() + k].count(p_.graph.outputs()[k].node) == 0) return false;
    return true;
  }

 private:
  const jig::planned_value& value(int v) const { return p_.values[static_cast<std::size_t>(v)]; }
  int base(int v) const {
    while (value(v).is_view()) v = value(v).number;
    return v;
  }
  int memory_of(int v) const {
    if (value(v).place == place::joined) return memory_of(base(value(v).number));
    if (value(v).place == place::workspace) return value(v).number;
    return value(v).place == place::result ? static_cast<int>(p_.buffers.size()) + value(v).number : -1;
  }
  void store(std::set<int>& held, int v, bool copies) const {
    const bool joined = value(v).place == place::joined;
    if (!copies)
      std::erase_if(held, [&](int w) { return !joined || value(w).place != place::joined || value(w).number != value(v).number; });
    held.insert(v);
  }

  plan_view p_;
  std::vector<std::set<int>> held_;
};

// Runs all regions, each when those have run that it waits for, in any such order.
bool finds_everything(const plan_view& p, const region_order& order) {
  followed_memory memory(p);
  std::vector<int> left(p.regions.size()), run;
  for (std::size_t r = 0; r < left.size(); ++r) left[r] = static_cast<int>(r);
  bool right = true;
  while (!left.empty()) {
    std::vector<int> ready;
    for (int r : left)
      if (std::none_of(left.begin(), left.end(), [&](int other) { return order.precedes(other, r); })) ready.push_back(r);
    if (ready.empty()) return false;
    const int next = ready[static_cast<std::size_t>(any_below(static_cast<int>(ready.size())))];
    right = memory.run(next) && right;
    std::erase(left, next);
  }
  return right && memory.holds_results();
}

const jig::tensor_spec matrix{jig::dtype::float32, {2, {64, 64}}};

TEST_CASE("whatever order regions come in that need not wait for one another, they find what they read") {
  int wrong = 0, wrong_by_reading = 0, beside = 0, beside_in_order = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    random_source.seed(seed);
    const jig::graph traced = jig::detail::dynamic_trace("", random_program, matrix, matrix).graph;
    const planned at_once = planned_graph(traced, true), in_order = planned_graph(traced, false);
    for (const planned* p : {&at_once, &in_order}) {
      const region_order order(p->view(), shared_memory::workspace);
      (p == &at_once ? beside : beside_in_order) += pairs_beside(order);
      for (int k = 0; k < 8; ++k) wrong += finds_everything(p->view(), order) ? 0 : 1;
    }
    // What they read alone does not say it.
    wrong_by_reading += finds_everything(in_order.view(), region_order(in_order.view(), shared_memory::none)) ? 0 : 1;
  }
  CHECK(wrong == 0);
  // Plans for one thread let values share memory that need not wait for each other, and do more in one loop.
  CHECK(beside > beside_in_order);
  CHECK(wrong_by_reading > 0);
}

TEST_CASE("loops over the same memory stay one, others of some length run apart") {
  const auto steps = [](auto f, jig::index n) {
    const jig::tensor_spec vector{jig::dtype::float32, {1, {n}}};
    return planned_graph(jig::detail::dynamic_trace("", f, vector, vector).graph, true).plan.steps.size();
  };
  const auto same = [](auto x, auto y) { return std::tuple(jig::tanh(x) + y, jig::exp(x)); };
  const auto others = [](auto x, auto y) { return std::tuple(jig::tanh(x), jig::exp(y)); };
  CHECK(steps(same, 4096) == 1);
  CHECK(steps(others, 4096) == 2);
  CHECK(steps(others, 4095) == 1);
  CHECK(steps(others, jig::dyn) == 2);
}

}  // namespace
