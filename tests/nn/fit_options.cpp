// SPDX-License-Identifier: MIT
#include <jig/nn/fit_options.hpp>

#include <doctest/doctest.h>

#include <array>

namespace {

namespace nn = jig::nn;

TEST_CASE("Options: Keras' defaults, and data to validate with of other containers") {
  using rows = std::vector<std::array<float, 2>>;
  const nn::fit_options<rows, std::vector<int>> defaults;
  CHECK(defaults.batch_size == 32);
  CHECK(defaults.epochs == 1);
  CHECK(defaults.shuffle);
  CHECK(defaults.validation_data.x.count() == 0);
  CHECK(nn::dataset_fit_options().steps_per_epoch == -1);
  CHECK(nn::evaluate_options().batch_size == nn::predict_options().batch_size);

  const rows x{{1, 2}, {3, 4}, {5, 6}};
  const std::array<int, 3> y{7, 8, 9};
  const nn::validation<rows, std::vector<int>> data(x, y);
  CHECK(data.x.rows(0, 3).data() == x[0].data());
  CHECK(data.y.count() == 3);
  CHECK(data.y.rows(2, 1)(0) == 9);
}

}  // namespace
