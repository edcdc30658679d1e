// SPDX-License-Identifier: MIT
// Runs under mpirun, on any number of ranks; tests/build/mpi.sh does so.
//   mpi          sums, copies, and a training, whose numbers rank 0 prints: they are the same on any number of ranks
//   mpi NAME     a mistake in the last of the ranks, which ends all of them
#include <jig/data.hpp>
#include <jig/nn/adam.hpp>
#include <jig/nn/cross_entropy.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/ranks.hpp>

#include <jig/adapt/mpi.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace {

namespace mpi = jig::mpi;
namespace nn = jig::nn;

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void sums_and_copies() {
  const int size = mpi::world.size(), rank = mpi::world.rank();
  const double ranks = size, all = ranks * (ranks - 1) / 2;
  std::tuple<jig::variable<float, 3, 7>, std::vector<std::int64_t>, jig::tensor<double, jig::dyn>, jig::variable<float>> x;
  const auto fill = [&] {
    std::get<0>(x).assign(static_cast<float>(rank) + jig::zeros<float, 3, 7>());
    std::get<1>(x) = {rank, (std::int64_t{1} << 62) + rank};
    std::get<2>(x) = jig::tensor<double, jig::dyn>(100);
    for (int i = 0; i < 100; ++i) std::get<2>(x)(i) = rank * 100 + i;
    std::get<3>(x).assign(1.0f);
  };
  fill();
  mpi::all_reduce(x);
  std::uint64_t wrapped = 0;
  for (int r = 0; r < size; ++r) wrapped += (std::uint64_t{1} << 62) + static_cast<std::uint64_t>(r);
  int wrong = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 7; ++k) wrong += std::get<0>(x).value()(i, k) != static_cast<float>(all);
  for (int i = 0; i < 100; ++i) wrong += std::get<2>(x)(i) != all * 100 + ranks * i;
  require(wrong == 0, "all_reduce: an element is no sum");
  require(std::get<1>(x)[0] == static_cast<std::int64_t>(all), "all_reduce: an integer is no sum");
  require(static_cast<std::uint64_t>(std::get<1>(x)[1]) == wrapped, "all_reduce: an integer does not wrap");
  require(std::get<3>(x).value()() == static_cast<float>(size), "all_reduce: a scalar is no sum");

  // Means, of part of a matrix, and nothing else is written.
  double matrix[3][4];
  for (int i = 0; i < 12; ++i) matrix[i / 4][i % 4] = i + rank;
  jig::view<double, jig::dyn, jig::dyn> part(&matrix[0][0], {3, 2}, {4, 1});
  mpi::all_reduce(part, mpi::mean);
  require(matrix[1][1] == 5 + all / ranks, "all_reduce: an element is no mean");
  require(matrix[1][2] == 6 + rank, "all_reduce: wrote what it was not given");

  // A message that ranks exchange in halves.
  std::vector<float> many(60001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(static_cast<int>(i % 1000) + rank);
  mpi::all_reduce(many);
  for (std::size_t i = 0; i < many.size(); ++i)
    wrong += many[i] != static_cast<float>(size * static_cast<int>(i % 1000)) + static_cast<float>(all);
  require(wrong == 0, "all_reduce: an element of a long message is no sum");

  fill();
  mpi::broadcast(x, size - 1);
  require(std::get<0>(x).value()(2, 6) == static_cast<float>(size - 1), "broadcast: an element");
  require(std::get<1>(x)[0] == size - 1, "broadcast: an integer");
  std::tuple<> nothing;
  mpi::all_reduce(nothing);
  mpi::broadcast(nothing);

  // Each rank sees its part of a dataset.
  std::int64_t seen = 0;
  for (const auto element : jig::data::range(100).shard(mpi::world.size(), mpi::world.rank())) seen += element;
  mpi::all_reduce(seen);
  require(seen == 4950, "shard: elements are missing");

  // Other communicators: a rank and the one behind it.
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  const mpi::communicator two(pair);
  int number = rank;
  mpi::all_reduce(number, mpi::sum, two);
  require(number == (two.size() == 1 ? rank : rank / 2 * 4 + 1), "all_reduce: of a part of the ranks");
  MPI_Comm_free(&pair);
}

struct network {
  using hidden_type = nn::dense<float, 5, 16>;
  using scores_type = nn::dense<float, 16, 3>;
  BOOST_HANA_DEFINE_STRUCT(network, (hidden_type, hidden), (nn::dropout<0.25>, dropped), (scores_type, scores));
  template <class Training>
  constexpr auto operator()(const auto& x, const Training& training) {
    return scores(dropped(jig::relu(hidden(x)), training));
  }
};

void trains() {
  std::vector<std::array<float, 5>> x;
  std::vector<int> y;
  for (int i = 0; i < 100; ++i) {
    x.emplace_back();
    for (int k = 0; k < 5; ++k) x.back()[static_cast<std::size_t>(k)] = static_cast<float>(std::sin(1.7 * i + k));
    y.push_back(x.back()[0] > 0.3f ? 2 : x.back()[1] > 0 ? 1 : 0);
  }
  network model;
  // Only what rank 0 begins with counts.
  const auto start = [](auto& kernel) {
    auto numbers = kernel.value();
    for (jig::index i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(std::sin(i * i + mpi::world.rank())) / 2;
    kernel.assign(numbers);
  };
  start(model.hidden.kernel);
  start(model.scores.kernel);
  constexpr auto loss = [](auto labels, auto logits) { return nn::sparse_softmax_cross_entropy_with_logits(labels, logits); };
  auto trainer = nn::compile(model, nn::adam<network>(0.02), loss);
  const nn::history h = trainer.fit(x, y, {.batch_size = 24, .epochs = 8, .verbose = 0}, mpi::world);
  require(h["loss"].back() < 0.8 * h["loss"].front(), "fit: the loss does not fall");
  // Weights are the same on all ranks.
  auto first = model;
  mpi::broadcast(first);
  require(first.hidden.kernel.value()(2, 3) == model.hidden.kernel.value()(2, 3), "fit: other weights on another rank");
  if (mpi::world.rank() > 0) return;
  for (const double number : h["loss"]) std::printf("%a\n", number);
  for (const float weight : std::span(model.scores.kernel.value().data(), 48)) std::printf("%a\n", static_cast<double>(weight));
}

// Of the last rank alone.
void makes_a_mistake(std::string_view name) {
  const bool last = mpi::world.rank() + 1 == mpi::world.size();
  std::pair<jig::variable<float, 2, 3>, std::vector<double>> x;
  x.second.resize(last && name == "shape" ? 4 : 5);
  if (last && name == "throw") throw jig::invalid_argument("there is no file 'shard_1.csv'");
  if (last && name == "number") throw 5;
  if (last && name == "end") return;
  if (last && name == "copy") mpi::broadcast(x);
  int number = 3;
  if (name == "integers") mpi::all_reduce(number, mpi::mean);
  mpi::all_reduce(x);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "uninitialised") {
    try {
      std::printf("%d\n", mpi::world.size());
    } catch (const jig::invalid_argument& e) {
      std::puts(e.what());
    }
    return 0;
  }
  return mpi::run(argc, argv, [&] {
    if (argc > 1) return makes_a_mistake(argv[1]);
    sums_and_copies();
    trains();
  });
}
