// SPDX-License-Identifier: MIT
#include <jig/nn/csv_logger.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace {

struct fake : jig::nn::training {
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  void keep_weights() override {}
  void restore_weights() override {}
};

void run(jig::nn::csv_logger& log, int epochs) {
  fake t;
  log.on_train_begin(t);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    jig::nn::logs l;
    l.set("loss", 0.5 * epoch);
    l.set("val_loss", epoch == 1 ? std::numeric_limits<double>::quiet_NaN() : 0.1);
    log.on_epoch_end(t, epoch, l);
  }
  log.on_train_end(t);
}
std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("csv_logger: names, then a line for each epoch") {
  const std::string path = (std::filesystem::temp_directory_path() / "jig_csv_logger.csv").string();
  jig::nn::csv_logger log(path);
  run(log, 2);
  const std::string two = "epoch,loss,val_loss\n0,0,0.10000000000000001\n1,0.5,nan\n";
  CHECK(text_of(path) == two);
  jig::nn::csv_logger more(path, ',', true);
  run(more, 1);
  CHECK(text_of(path) == two + "0,0,0.10000000000000001\n");
  jig::nn::csv_logger over(path, ';');
  run(over, 1);
  CHECK(text_of(path) == "epoch;loss;val_loss\n0;0;0.10000000000000001\n");
  std::filesystem::remove(path);
  fake t;
  jig::nn::csv_logger nowhere("no_such_folder/log.csv");
  CHECK_THROWS_WITH_AS(nowhere.on_train_begin(t), "csv_logger: no_such_folder/log.csv cannot be opened", jig::error);
}

}  // namespace
