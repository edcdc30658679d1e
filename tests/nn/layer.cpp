// SPDX-License-Identifier: MIT
#include <jig/nn/dense.hpp>
#include <jig/nn/layer.hpp>

#include <doctest/doctest.h>

#include <set>

namespace {

namespace nn = jig::nn;

TEST_CASE("layer: Keras' names") {
  const char* names[][2] = {{"Dense", "dense"},
                            {"Conv2D", "conv2d"},
                            {"Conv1DTranspose", "conv1d_transpose"},
                            {"GlobalAveragePooling1D", "global_average_pooling1d"},
                            {"BatchNormalization", "batch_normalization"},
                            {"MultiHeadAttention", "multi_head_attention"},
                            {"LSTM", "lstm"},
                            {"", ""}};
  for (auto& [type, name] : names) CHECK(nn::layer_name(type).view() == name);
  struct nameless {};
  CHECK(nn::type_of_layer<nameless>() == "Layer");
  CHECK(nn::type_of_layer<nn::dense<float, 1, 1>>() == "Dense");
}

TEST_CASE("layer: seeds of parts differ") {
  std::set<std::int64_t> seen;
  for (std::int64_t seed = -10; seed < 10; ++seed)
    for (std::size_t k = 0; k < 50; ++k) {
      CHECK(nn::seed_of_part(seed, k) >= 0);
      seen.insert(nn::seed_of_part(seed, k));
    }
  CHECK(seen.size() == 1000);
}

struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<float, 3, 2>, first), (nn::dense<float, 3, 2>, second), (jig::variable<float, 2>, scale));
};

TEST_CASE("layer: a struct is initialised part by part") {
  network model;
  model.scale.assign(jig::tensor<float, 2>{3, 4});
  nn::initialize(model, 7);
  const auto &a = model.first.kernel.value(), &b = model.second.kernel.value();
  CHECK((a(0, 0) != 0 && b(0, 0) != 0 && a(0, 0) != b(0, 0)));
  CHECK(model.scale.value()(1) == 4);
}

}  // namespace
