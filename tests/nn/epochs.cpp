// SPDX-License-Identifier: MIT
#include <jig/nn/epochs.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace jig::nn::detail;

// Samples are numbers, the only result is their mean.
struct counted : batch_steps {
  void train(jig::index first, jig::index count, const jig::index* order, double* results) override {
    sizes.push_back(count);
    results[0] = 0;
    for (jig::index i = 0; i < count; ++i) {
      seen.push_back(order ? order[i] : first + i);
      results[0] += static_cast<double>(seen.back()) / static_cast<double>(count);
    }
  }
  void test(jig::index first, jig::index count, double* results) override {
    results[0] = static_cast<double>(first) + static_cast<double>(count - 1) / 2;
  }
  std::vector<jig::index> seen, sizes;
};

struct no_model : jig::nn::training {
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  void keep_weights() override {}
  void restore_weights() override {}
};

TEST_CASE("epochs: every sample once in each, the mean of all, the last batch smaller") {
  const std::vector<std::reference_wrapper<jig::nn::callback>> none;
  for (bool mixed : {false, true}) {
    counted steps;
    no_model model;
    training_batches train(steps, 10, 4, mixed, 5);
    test_batches tests(steps, 7, 4);
    const auto h = run_epochs(model, {"mean"}, train, &tests, {3, 0, 0, &none});
    CHECK(h.size() == 3);
    CHECK(steps.sizes == std::vector<jig::index>{4, 4, 2, 4, 4, 2, 4, 4, 2});
    int wrong = 0, moved = 0;
    for (std::size_t epoch = 0; epoch < 3; ++epoch) {
      CHECK(h["mean"][epoch] == doctest::Approx(4.5));
      CHECK(h["val_mean"][epoch] == doctest::Approx(3));
      const auto first = steps.seen.begin() + static_cast<std::ptrdiff_t>(10 * epoch);
      std::vector<jig::index> part(first, first + 10);
      moved += !std::is_sorted(part.begin(), part.end());
      std::sort(part.begin(), part.end());
      for (jig::index i = 0; i < 10; ++i) wrong += part[static_cast<std::size_t>(i)] != i;
    }
    CHECK(wrong == 0);
    CHECK(moved == (mixed ? 3 : 0));
  }
}

TEST_CASE("epochs: where a split is") {
  CHECK(split_at(10, 0.25) == 7);
  CHECK(split_at(2, 0.5) == 1);
  for (double part : {-0.5, 1.0, 2.0, 0.95}) CHECK_THROWS_AS(split_at(10, part), jig::invalid_argument);
  CHECK(batches_of(0, 4) == 0);
  CHECK(batches_of(8, 4) == 2);
  CHECK(batches_of(9, 4) == 3);
}

}  // namespace
