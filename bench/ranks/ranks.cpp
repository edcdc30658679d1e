// SPDX-License-Identifier: MIT
// What all_reduce of a network costs beside MPI_Allreduce of the same bytes, and what a step over ranks costs. Run by bench/ranks/run.
#include <jig/nn.hpp>

#include <jig/adapt/mpi.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace {

namespace mpi = jig::mpi;
namespace nn = jig::nn;

// That of examples/digits.cpp, without dropout.
struct network {
  using hidden_type = nn::dense<float, 64, 128>;
  using scores_type = nn::dense<float, 128, 10>;
  BOOST_HANA_DEFINE_STRUCT(network, (hidden_type, hidden), (scores_type, scores));
  constexpr auto operator()(const auto& x) const { return scores(jig::relu(hidden(x))); }
};
constexpr auto loss = [](auto labels, auto logits) { return nn::sparse_softmax_cross_entropy_with_logits(labels, logits); };
constexpr jig::index weights = nn::parameters_of<network>().total();

// The time of one call, which all ranks begin together. Units: microseconds
template <class F>
double time_of(int calls, F f) {
  MPI_Barrier(MPI_COMM_WORLD);
  // The clock of MPI, which simulators have too.
  const double begun = MPI_Wtime();
  for (int i = 0; i < calls; ++i) f();
  return (MPI_Wtime() - begun) * 1e6 / calls;
}

void all_reduces(int repetitions, int calls) {
  network x;
  std::vector<float> given(weights), summed(weights);
  const auto fill = [&] {
    int i = 0;
    jig::for_each_leaf(x, [&](auto& leaf) {
      const auto elements = jig::argument<std::remove_reference_t<decltype(leaf)>>::bind(leaf);
      for (jig::index k = 0; k < elements.size(); ++k, ++i)
        elements.data()[k] = given[static_cast<std::size_t>(i)] = static_cast<float>(i % 9);
    });
  };
  fill();
  mpi::all_reduce(x);
  if (x.scores.kernel.value()(0, 1) != static_cast<float>(mpi::world.size()) * given[64 * 128 + 128 + 1])
    throw std::runtime_error("all_reduce: an element is no sum");
  // Sums of sums would overflow.
  jig::for_each_leaf(x, [](auto& leaf) { leaf = std::remove_reference_t<decltype(leaf)>(); });

  double best_mpi = 1e9, best_jig = 1e9;
  for (int r = 0; r < repetitions; ++r) {
    // In place, as jig's.
    best_mpi = std::min(best_mpi, time_of(calls, [&] {
                          MPI_Allreduce(MPI_IN_PLACE, summed.data(), static_cast<int>(weights), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                        }));
    best_jig = std::min(best_jig, time_of(calls, [&] { mpi::all_reduce(x); }));
  }
  if (mpi::world.rank() == 0)
    std::printf("| all_reduce of %td bytes in 4 variables, %d ranks | MPI_Allreduce %.1f us | jig %.1f us | %.2f |\n",
                static_cast<std::ptrdiff_t>(4 * weights), mpi::world.size(), best_mpi, best_jig, best_jig / best_mpi);
}

void steps(int repetitions) {
  constexpr int batches = 40, batch = 32;
  jig::tensor<float, jig::dyn, 64> x(batches * batch);
  std::vector<int> y;
  for (int i = 0; i < batches * batch; ++i) {
    for (int k = 0; k < 64; ++k) x(i, k) = static_cast<float>((i * 7 + k * i) % 17) / 16 - 0.5f;
    y.push_back(i % 10);
  }
  network model;
  auto trainer = nn::compile(model, nn::adam<network>(), loss);
  for (const jig::index shards : {1, 2, 4, 8}) {
    if (shards < mpi::world.size()) continue;
    double best = 1e9;
    for (int r = 0; r < repetitions; ++r)
      best = std::min(best, time_of(1, [&] { trainer.fit(x, y, {.verbose = 0, .shuffle = false}, mpi::world, shards); }) / batches);
    if (mpi::world.rank() == 0)
      std::printf("| step of a batch of 32 in %td shards, %d ranks | %.1f us |\n", static_cast<std::ptrdiff_t>(shards), mpi::world.size(),
                  best);
  }
  if (mpi::world.size() > 1) return;
  double best = 1e9;
  for (int r = 0; r < repetitions; ++r)
    best = std::min(best, time_of(1, [&] { trainer.fit(x, y, {.verbose = 0, .shuffle = false}); }) / batches);
  std::printf("| step of a batch of 32 without ranks | %.1f us |\n", best);
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [&] {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 200, calls = argc > 2 ? std::atoi(argv[2]) : 20;
    all_reduces(repetitions, calls);
    if (mpi::world.size() <= 8) steps(repetitions);
  });
}
