// SPDX-License-Identifier: MIT
#pragma once
// The model of every epoch, or the best one, in a file. Not part of jig/nn.hpp: files of arrays need libraries. The program includes
// jig/io/npz.hpp or jig/io/safetensors.hpp too.

#include <jig/io/variables.hpp>
#include <jig/nn/callback.hpp>

#include <cstdio>
#include <limits>

namespace jig::nn {

/// Keras' names and defaults. Accuracies are better when they are larger, all else when it is smaller.
struct model_checkpoint_options {
  std::string monitor = "val_loss";
  bool save_best_only = false;
  /// The model without the optimizer, for `load_variables(model, path)`.
  bool save_weights_only = false;
};

namespace detail {

// `{epoch}`, `{epoch:03d}` and `{val_loss:.2f}` in a path, as Python's format has them.
inline std::string checkpoint_path(std::string_view format, int epoch, const logs& numbers) {
  std::string out;
  while (!format.empty()) {
    const std::size_t open = (std::min)(format.find('{'), format.size()), close = format.find('}', open);
    out += format.substr(0, open);
    if (open == format.size()) break;
    const std::string field(format.substr(open + 1, close == format.npos ? close : close - open - 1));
    const std::size_t colon = (std::min)(field.find(':'), field.size());
    const std::string name = field.substr(0, colon);
    std::string how = colon == field.size() ? "" : field.substr(colon + 1);
    const bool whole = name == "epoch";
    const char kind = how.empty() ? (whole ? 'd' : 'g') : how.back();
    if (!how.empty()) how.pop_back();
    if (close == format.npos || how.size() > 4 || how.find_first_not_of("0123456789.") != how.npos ||
        std::string_view(whole ? "d" : "feg").find(kind) == std::string_view::npos)
      jig::detail::throw_invalid_argument("model_checkpoint: {" + field + "} in the path is no name with a format such as :03d or :.2f");
    char digits[400];
    if (whole) std::snprintf(digits, sizeof digits, ("%" + how + "d").c_str(), epoch + 1);
    else std::snprintf(digits, sizeof digits, ("%" + how + kind).c_str(), numbers[name]);
    out += digits;
    format.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace detail

/// Writes the model and the optimizer at the end of each epoch, as jig::save_variables writes a trainer: `jig::load_variables(trainer,
/// path)` goes on from there. The path may have `{epoch:02d}`, which counts from 1, and `{val_loss:.2f}` in it; without, the file is
/// replaced. NaN is never better.
/// Errors: those of jig::save_variables; a monitor that is no name of a loss or metric throws invalid_argument.
class model_checkpoint : public callback {
 public:
  explicit model_checkpoint(std::string path, model_checkpoint_options options = {})
      : path_(std::move(path)), options_(std::move(options)), larger_(options_.monitor.find("acc") != std::string::npos) {}

  /// What was monitored at the best epoch so far.
  double best() const { return best_; }

  void on_train_begin(training&) override {
    (void)jig::detail::array_file_format_of(path_);
    best_ = larger_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  void on_epoch_end(training& t, int epoch, const logs& numbers) override {
    if (options_.save_best_only) {
      const double now = numbers[options_.monitor];
      if (!(larger_ ? now > best_ : now < best_)) return;
      write(t, epoch, numbers);
      best_ = now;
    } else {
      write(t, epoch, numbers);
    }
  }

 private:
  void write(training& t, int epoch, const logs& numbers) const {
    constexpr std::string_view model = "model/";
    std::vector<jig::detail::variable_reference> all, written;
    t.append_variables(all);
    for (auto& v : all) {
      if (options_.save_weights_only && !v.name.starts_with(model)) continue;
      if (options_.save_weights_only) v.name.erase(0, model.size());
      written.push_back(std::move(v));
    }
    jig::detail::save_references(written, detail::checkpoint_path(path_, epoch, numbers));
  }

  std::string path_;
  model_checkpoint_options options_;
  bool larger_;
  double best_ = 0;
};

}  // namespace jig::nn
