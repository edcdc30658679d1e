// SPDX-License-Identifier: MIT
#include <jig/nn/model_checkpoint.hpp>

#include <jig/io/named_arrays.hpp>
#include <jig/trace/variable_references.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {

// A format that keeps what is written, for this needs no library.
struct kept_file {
  std::string path;
  std::vector<std::string> names;
  float first;
};
std::vector<kept_file> files;
constinit jig::detail::array_file_format kept{".kept", nullptr, [](const std::filesystem::path& path, const jig::named_arrays& arrays) {
                                                files.push_back({path.string(), {}, arrays.begin()->second.as<float>()()});
                                                for (const auto& [name, x] : arrays) files.back().names.push_back(name);
                                              }};
const bool entered = jig::detail::enter_array_file_format(kept);

struct fake : jig::nn::training {
  jig::variable<float> weight, rate;
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  void keep_weights() override {}
  void restore_weights() override {}
  void append_variables(std::vector<jig::detail::variable_reference>& to) override {
    jig::detail::append_references(to, weight, "model/w");
    jig::detail::append_references(to, rate, "optimizer/rate");
  }
};

// The files of epochs with these losses.
std::vector<kept_file> run(jig::nn::model_checkpoint c, const std::vector<double>& losses) {
  files.clear();
  fake t;
  c.on_train_begin(t);
  for (std::size_t epoch = 0; epoch < losses.size(); ++epoch) {
    t.weight.assign(static_cast<float>(epoch));
    jig::nn::logs l;
    l.set("val_loss", losses[epoch]);
    l.set("val_accuracy", losses[epoch]);
    c.on_epoch_end(t, static_cast<int>(epoch), l);
  }
  c.on_train_end(t);
  return files;
}
using checkpoint = jig::nn::model_checkpoint;
using names = std::vector<std::string>;

TEST_CASE("model_checkpoint: every epoch, the best ones, weights alone") {
  CHECK(entered);
  const std::vector<double> losses{3, std::numeric_limits<double>::quiet_NaN(), 2, 2, 4, 1};
  const auto all = run(checkpoint("a/m.kept"), losses);
  REQUIRE(all.size() == 6);
  CHECK(all[5].path == "a/m.kept");
  CHECK(all[5].first == 5);
  CHECK(all[5].names == names{"model/w", "optimizer/rate"});
  const auto best = run(checkpoint("m.kept", {.save_best_only = true, .save_weights_only = true}), losses);
  REQUIRE(best.size() == 3);
  CHECK(best[0].first == 0);
  CHECK(best[1].first == 2);
  CHECK(best[2].first == 5);
  CHECK(best[2].names == names{"w"});
  const auto largest = run(checkpoint("m.kept", {.monitor = "val_accuracy", .save_best_only = true}), losses);
  REQUIRE(largest.size() == 2);
  CHECK(largest[1].first == 4);
  CHECK_THROWS_AS(run(checkpoint("m.kept", {.monitor = "loss", .save_best_only = true}), losses), jig::invalid_argument);
  CHECK_THROWS_AS(run(checkpoint("m.none"), {}), jig::invalid_argument);
}

TEST_CASE("model_checkpoint: epochs and numbers in the path") {
  const auto path = [](const std::string& format) { return run(checkpoint(format), {1, 0.25}).back().path; };
  CHECK(path("{epoch}.kept") == "2.kept");
  CHECK(path("m-{epoch:03d}-{val_loss:.3f}.kept") == "m-002-0.250.kept");
  CHECK(path("{val_loss}/{val_loss:9.1e}.kept") == "0.25/  2.5e-01.kept");
  for (const auto* wrong :
       {"{epoch", "{epoch:s}.kept", "{epoch:f}.kept", "{val_loss:d}.kept", "{val_loss:%n}.kept", "{val_loss:99999f}.kept", "{other}.kept"})
    CHECK_THROWS_AS(jig::nn::detail::checkpoint_path(wrong, 0, jig::nn::logs()), jig::invalid_argument);
}

}  // namespace
