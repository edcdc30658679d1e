// SPDX-License-Identifier: MIT
#pragma once
// The numbers of a training for TensorBoard. Not part of jig/nn.hpp: it writes files of jig/io.

#include <jig/io/event_writer.hpp>
#include <jig/nn/callback.hpp>

#include <optional>

namespace jig::nn {

/// Keras' names.
struct tensor_board_options {
  /// Behind how many batches the means so far are written too, as batch_loss and so on; 0 for never.
  int update_freq = 0;
};

/// Writes the loss and the metrics of every epoch to event files, as Keras does: `epoch_loss` and so on in folder/train, those of the
/// validation in folder/validation, with the number of the epoch as step. `jig::summary_scalar` in the training step writes to folder/train
/// unless the program has named a writer.
/// Errors: a folder or file that cannot be written throws jig::error.
class tensor_board : public callback {
 public:
  explicit tensor_board(std::filesystem::path folder, const tensor_board_options& options = {})
      : folder_(std::move(folder)), options_(options) {}

  void on_train_begin(training&) override {
    batches_ = 0;
    train_.emplace(folder_ / "train");
    if (jig::detail::summary_writer::of_program().write == nullptr) default_.emplace(*train_);
  }
  void on_train_batch_end(training&, int, const logs& numbers) override {
    ++batches_;
    if (options_.update_freq <= 0 || batches_ % options_.update_freq != 0) return;
    for (const auto& [name, value] : numbers) train_->scalar("batch_" + name, value, batches_);
  }
  void on_epoch_end(training&, int epoch, const logs& numbers) override {
    constexpr std::string_view of_validation = "val_";
    for (const auto& [name, value] : numbers) {
      if (!name.starts_with(of_validation)) {
        train_->scalar("epoch_" + name, value, epoch);
        continue;
      }
      if (!validation_) validation_.emplace(folder_ / "validation");
      validation_->scalar("epoch_" + name.substr(of_validation.size()), value, epoch);
    }
    train_->flush();
    if (validation_) validation_->flush();
  }
  void on_train_end(training&) override { close(); }
  ~tensor_board() override { close(); }

 private:
  void close() {
    default_.reset();
    validation_.reset();
    train_.reset();
  }
  std::filesystem::path folder_;
  tensor_board_options options_;
  std::int64_t batches_ = 0;
  std::optional<event_writer> train_, validation_;
  std::optional<event_writer::default_scope> default_;
};

}  // namespace jig::nn
