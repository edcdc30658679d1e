// SPDX-License-Identifier: MIT
#include <jig/nn/dense.hpp>
#include <jig/nn/regression_losses.hpp>
#include <jig/nn/sequential.hpp>
#include <jig/nn/sgd.hpp>
#include <jig/nn/trainer.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

namespace nn = jig::nn;

TEST_CASE("A trainer has the variables of its model and of its optimizer") {
  nn::sequential model(nn::input<float, 3>(), nn::layers::dense<2>());
  auto t = nn::compile(model, nn::sgd<decltype(model)>(0.5), nn::mse);
  const auto all = jig::variables(t);
  REQUIRE(all.size() == 8);
  CHECK(std::string(all[0].name()) == "model/dense/kernel");
  CHECK(std::string(all[2].name()) == "optimizer/learning_rate");
  const auto references = jig::variable_references(t);
  REQUIRE(references.size() == 8);
  CHECK(references[0].elements.data == model.layer<0>().kernel.value().data());
  CHECK(references[2].elements.at<float>(0) == 0.5f);
  // What callbacks see.
  struct seen : nn::callback {
    std::vector<std::string> names;
    void on_train_begin(nn::training& now) override {
      std::vector<jig::detail::variable_reference> found;
      now.append_variables(found);
      for (const auto& v : found) names.push_back(v.name);
    }
  } callback;
  t.fit(jig::tensor<float, 2, 3>(), jig::tensor<float, 2, 2>(), {.verbose = 0, .callbacks = {callback}});
  REQUIRE(callback.names.size() == 8);
  CHECK(callback.names[7] == "optimizer/velocities/1");
}

}  // namespace
