// SPDX-License-Identifier: MIT
#include <jig/data.hpp>
#include <jig/nn/accuracy.hpp>
#include <jig/nn/callbacks.hpp>
#include <jig/nn/ranks.hpp>
#include <jig/nn/regression_losses.hpp>
#include <jig/nn/sgd.hpp>

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

namespace nn = jig::nn;

// A line through numbers, with what layers change themselves: a mean of what they saw, a counter, and a seed, which it keeps as it was
// drawn.
struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<double, 1, 1>, slope), (jig::variable<double, 1>, offset), (nn::state<double>, seen),
                           (nn::state<double>, drawn), (nn::state<std::int64_t>, calls), (nn::seed_generator, seeds));

  template <class Training>
  constexpr auto operator()(const auto& x, const Training&) {
    if constexpr (Training::value) {
      calls.value.assign_add(1);
      seen.value.assign(0.5 * seen.value + jig::reduce_mean(x));
      drawn.value.assign(jig::cast<double>(seeds.next()));
    }
    return jig::matmul(x, slope) + offset;
  }
};
using sgd = nn::sgd<line>;

struct data {
  std::vector<std::array<double, 1>> x;
  std::vector<double> y;
  explicit data(int n) {
    for (int i = 0; i < n; ++i) x.push_back({std::sin(i)}), y.push_back(3 * std::sin(i) - 1 + 0.1 * std::cos(7 * i));
  }
};
auto trainer_of(line& model) { return nn::compile(model, sgd(0.1), nn::mse, nn::mae); }

// What a training leaves in a rank.
struct outcome {
  std::vector<double> numbers;
  line model;
};
template <class Fit>
std::vector<outcome> trained(int size, Fit fit) {
  std::vector<outcome> out(static_cast<std::size_t>(size));
  const auto thrown = test::on_ranks(size, [&](const jig::ranks& r) {
    outcome& mine = out[static_cast<std::size_t>(r.rank())];
    // Only what the first one begins with counts.
    mine.model.slope.assign(jig::tensor<double, 1, 1>{{r.rank() * 7.0}});
    auto t = trainer_of(mine.model);
    const nn::history h = fit(t, r);
    for (const char* name : {"loss", "mean_absolute_error", "val_loss"})
      if (h.epoch(0).contains(name))
        for (const double x : h[name]) mine.numbers.push_back(x);
    mine.numbers.push_back(mine.model.slope.value()(0, 0));
    mine.numbers.push_back(mine.model.offset.value()(0));
    mine.numbers.push_back(mine.model.seen.value.value()());
    mine.numbers.push_back(mine.model.drawn.value.value()());
  });
  CHECK(thrown == std::vector<std::string>(static_cast<std::size_t>(size)));
  return out;
}

TEST_CASE("fit over ranks: the loop by hand, then the same bits on any number of ranks") {
  const data d(23);
  for (const jig::index shards : {8, 3, 1}) {
    const auto fit = [&](auto& t, const jig::ranks& r) {
      return t.fit(d.x, d.y, {.batch_size = 6, .epochs = 3, .verbose = 0, .validation_split = 0.2, .shuffle = false}, r, shards);
    };
    const outcome alone = trained(1, fit)[0];
    double slope = 0, offset = 0, seen = 0;
    for (int epoch = 0; epoch < 3; ++epoch) {
      double loss = 0;
      // Batches of 18 samples to train on.
      for (int first = 0; first < 18; first += 6) {
        double to_slope = 0, to_offset = 0, mean = 0;
        for (int i = first; i < first + 6; ++i) {
          const double x = d.x[static_cast<std::size_t>(i)][0], error = slope * x + offset - d.y[static_cast<std::size_t>(i)];
          loss += error * error / 18;
          to_slope += 2 * error * x / 6;
          to_offset += 2 * error / 6;
          mean += x / 6;
        }
        slope -= 0.1 * to_slope;
        offset -= 0.1 * to_offset;
        seen = 0.5 * seen + mean;
      }
      CHECK(alone.numbers[static_cast<std::size_t>(epoch)] == doctest::Approx(loss).epsilon(1e-12));
    }
    CHECK(alone.model.slope.value()(0, 0) == doctest::Approx(slope).epsilon(1e-12));
    CHECK(alone.model.offset.value()(0) == doctest::Approx(offset).epsilon(1e-12));
    CHECK(alone.model.seen.value.value()() == doctest::Approx(seen).epsilon(1e-12));
    CHECK(alone.model.calls.value.value()() == 9);
    CHECK(alone.model.seeds.counter.value()() == 9);
    // The mean of what the shards drew: of eight shards six have a sample each, all but the fourth and the last.
    CHECK(alone.model.drawn.value.value()() == 8 + 0x1p40 * (shards == 8 ? 3 : shards == 3 ? 1 : 0));

    for (const int size : {2, 3, 4, 9})
      for (const outcome& o : trained(size, fit)) {
        CHECK(o.numbers == alone.numbers);
        CHECK(o.model.calls.value.value()() == 9);
        CHECK(o.model.seeds.counter.value()() == 9);
      }
  }
}

TEST_CASE("fit over ranks: shuffled samples, and datasets whose elements are batches") {
  const data d(40);
  const auto shuffled = [&](auto& t, const jig::ranks& r) { return t.fit(d.x, d.y, {.batch_size = 7, .epochs = 4, .verbose = 0}, r); };
  const outcome one = trained(1, shuffled)[0], last = trained(3, shuffled)[2];
  CHECK(one.numbers == last.numbers);
  CHECK(one.model.slope.value()(0, 0) != 0);

  const auto in_order = [&](auto& t, const jig::ranks& r) {
    return t.fit(d.x, d.y, {.batch_size = 7, .epochs = 4, .verbose = 0, .shuffle = false}, r);
  };
  const auto of_dataset = [&](auto& t, const jig::ranks& r) {
    const auto batches = jig::data::from_tensor_slices(d.x, d.y).batch(7);
    return t.fit(batches, {.epochs = 4, .verbose = 0}, r);
  };
  CHECK(trained(2, of_dataset)[1].numbers == trained(1, in_order)[0].numbers);
}

TEST_CASE("fit over ranks: who disagrees, and what makes no sense, in all ranks") {
  const data d(10), more(11);
  const auto thrown = [&](auto fit) {
    return test::on_ranks(3, [&](const jig::ranks& r) {
      line model;
      auto t = trainer_of(model);
      fit(t, r);
    });
  };
  using list = std::vector<std::string>;
  CHECK(thrown([&](auto& t, const jig::ranks& r) {
          const data& mine = r.rank() == 1 ? more : d;
          t.fit(mine.x, mine.y, {.verbose = 0}, r);
        }) == list(3, "fit: ranks disagree: ranks 0 and 2 have 10 samples, rank 1 has 11 samples"));
  CHECK(thrown([&](auto& t, const jig::ranks& r) { t.fit(d.x, d.y, {.batch_size = 4 + r.rank() / 2, .verbose = 0}, r); }) ==
        list(3, "fit: ranks disagree: ranks 0 and 1 have batch_size 4, rank 2 has batch_size 5"));
  CHECK(thrown([&](auto& t, const jig::ranks& r) { t.fit(d.x, d.y, {.verbose = 0}, r, r.rank() == 0 ? 4 : 8); }) ==
        list(3, "fit: ranks disagree: rank 0 has 4 shards, ranks 1 and 2 have 8 shards"));
  CHECK(thrown([&](auto& t, const jig::ranks& r) { t.fit(d.x, d.y, {.verbose = 0}, r, 0); }) ==
        list(3, "fit: the number of shards must be at least 1, given 0"));
  CHECK(thrown([&](auto& t, const jig::ranks& r) { t.fit(d.x, more.y, {.verbose = 0}, r); }) == list(3, "fit: x has 10 samples and y 11"));
  // A dataset that has another batch in one of the ranks.
  CHECK(thrown([&](auto& t, const jig::ranks& r) {
          const auto batches = jig::data::from_tensor_slices(d.x, d.y).skip(r.rank() == 2 ? 1 : 0).batch(5);
          t.fit(batches, {.verbose = 0}, r);
        }) == list(3, "ranks disagree: ranks 0 and 1 are at fit: a step of 5 samples, rank 2 is at fit: a step of 4 samples"));
}

}  // namespace
