// SPDX-License-Identifier: MIT
#pragma once
// The numbers of every epoch in a file.

#include <jig/nn/callback.hpp>

#include <cstdio>
#include <memory>

namespace jig::nn {

/// Writes a line for each epoch, behind one with the names: `epoch,loss,accuracy,val_loss,…`. Lines are in the file when the epoch ends.
/// Errors: a file that cannot be opened or written throws jig::error.
class csv_logger : public callback {
 public:
  explicit csv_logger(const std::string& path, char separator = ',', bool append = false)
      : path_(path), separator_(separator), append_(append) {}

  void on_train_begin(training&) override {
    file_.reset(std::fopen(path_.c_str(), append_ ? "a" : "w"));
    if (!file_) jig::detail::raise<error>("csv_logger: " + path_ + " cannot be opened");
    // A file that is continued has its names already.
    std::fseek(file_.get(), 0, SEEK_END);
    named_ = std::ftell(file_.get()) > 0;
  }
  void on_epoch_end(training&, int epoch, const logs& numbers) override {
    std::string text;
    if (!named_) {
      text = "epoch";
      for (const auto& [name, value] : numbers) text += separator_ + name;
      text += '\n';
    }
    text += std::to_string(epoch);
    for (const auto& [name, value] : numbers) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", value);
      (text += separator_) += digits;
    }
    text += '\n';
    named_ = true;
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
      jig::detail::raise<error>("csv_logger: " + path_ + " cannot be written");
  }
  void on_train_end(training&) override { file_.reset(); }

 private:
  struct closes {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  char separator_;
  bool append_, named_ = false;
  std::unique_ptr<std::FILE, closes> file_;
};

}  // namespace jig::nn
