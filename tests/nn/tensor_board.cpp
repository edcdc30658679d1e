// SPDX-License-Identifier: MIT
#include <jig/nn/tensor_board.hpp>

#include "io/damaged.hpp"

namespace {

struct fake : jig::nn::training {
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  void keep_weights() override {}
  void restore_weights() override {}
};

// How often a text is in the one event file of a folder.
int count(const std::filesystem::path& folder, const std::string& text) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += bytes_of_file(entry.path());
  int n = 0;
  for (std::size_t at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) ++n;
  return n;
}

TEST_CASE("tensor_board: numbers of epochs and batches, and those of jig::summary_scalar while it trains") {
  const test_folder folder("tensor_board");
  auto& writer = jig::detail::summary_writer::of_program();
  fake t;
  jig::nn::tensor_board b(folder.path(), {.update_freq = 2});
  b.on_train_begin(t);
  jig::nn::logs l;
  l.set("loss", 0.5);
  for (int batch = 0; batch < 5; ++batch) b.on_train_batch_end(t, batch, l);
  REQUIRE((writer.write != nullptr));
  writer.write(writer.to, "of the step", 1, 1);
  l.set("val_loss", 0.25);
  b.on_epoch_end(t, 0, l);
  b.on_epoch_end(t, 1, l);
  // In the files when an epoch ends.
  CHECK(count(folder / "train", "epoch_loss") == 2);
  b.on_train_end(t);
  CHECK((writer.write == nullptr));
  CHECK(count(folder / "train", "batch_loss") == 2);
  CHECK(count(folder / "train", "of the step") == 1);
  CHECK(count(folder / "train", "val_loss") == 0);
  CHECK(count(folder / "validation", "epoch_loss") == 2);
}

TEST_CASE("tensor_board: no validation, and a writer of the program") {
  const test_folder folder("tensor_board");
  auto& writer = jig::detail::summary_writer::of_program();
  jig::event_writer own(folder / "own");
  const auto scope = own.as_default();
  fake t;
  jig::nn::tensor_board b(folder.path());
  b.on_train_begin(t);
  CHECK(writer.to == &own);
  jig::nn::logs l;
  l.set("loss", 0.5);
  b.on_train_batch_end(t, 0, l);
  b.on_epoch_end(t, 0, l);
  b.on_train_end(t);
  CHECK(writer.to == &own);
  CHECK(count(folder / "train", "batch_loss") == 0);
  CHECK(count(folder / "train", "epoch_loss") == 1);
  CHECK(!std::filesystem::exists(folder / "validation"));
}

}  // namespace
