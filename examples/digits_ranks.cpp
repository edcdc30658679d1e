// SPDX-License-Identifier: MIT
// The network of examples/digits.cpp learns on several processes, to the same losses on any number of them.
//   mpirun -n 2 digits_ranks [digits.csv [epochs]]
// Prints the loss of every epoch and the held-out accuracy.

#include "digits.hpp"

#include <jig/adapt/mpi.hpp>
#include <jig/data.hpp>

#include <cstdio>

namespace {

namespace mpi = jig::mpi;
namespace nn = jig::nn;

// The network as `fit` calls it. Dropout counts its seeds.
struct trained_network {
  BOOST_HANA_DEFINE_STRUCT(trained_network, (network, layers), (nn::seed_generator, seeds));

  template <class Training>
  constexpr auto operator()(const auto& x, const Training&) {
    if constexpr (Training::value) return layers(x, seeds.next());
    else return layers(x);
  }
};

void run(const std::string& csv, int epochs) {
  // Every rank has all data, and computes its part of each batch.
  const auto [data, tested] = divided(read_digits(csv));
  trained_network model;
  model.layers.hidden.initialize(1);
  model.layers.scores.initialize(2);
  auto trainer = nn::compile(model, nn::adam<trained_network>(), nn::sparse_categorical_crossentropy.from_logits());
  const auto samples = jig::data::from_tensor_slices(data.views(), data.labels).shuffle(static_cast<jig::index>(data.rows()), 1).batch(32);
  const nn::history history = trainer.fit(samples, {.epochs = epochs, .verbose = 0}, mpi::world);
  if (mpi::world.rank() > 0) return;
  int epoch = 0;
  for (const double loss : history["loss"]) std::printf("epoch %d, loss %.17g\n", ++epoch, loss);
  std::printf("held-out accuracy %.1f %%\n", accuracy(tested, model.layers));
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [&] { run(argc > 1 ? argv[1] : "data/digits.csv", argc > 2 ? std::stoi(argv[2]) : 20); });
}
