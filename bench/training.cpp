// SPDX-License-Identifier: MIT
// What predicting costs: a function of the model, predict and predict_on_batch, which in TensorFlow differ by what is built for
// each call.

#include "workload.hpp"

#include <jig/nn.hpp>

namespace {

namespace nn = jig::nn;

template <jig::index In, jig::index Hidden, jig::index Out>
struct network {
  using first_type = nn::dense<float, In, Hidden>;
  using last_type = nn::dense<float, Hidden, Out>;
  BOOST_HANA_DEFINE_STRUCT(network, (first_type, first), (last_type, last));
  constexpr auto operator()(const auto& x) const { return last(jig::relu(first(x))); }
};

constexpr auto call = jig::function<"call(model, x)">([](auto& model, auto x) { return model(x); });

template <jig::index Rows, jig::index In, jig::index Hidden, jig::index Out>
void predicts(const std::string& name) {
  using model_type = network<In, Hidden, Out>;
  static model_type model;
  nn::initialize(model, 1);
  static auto trainer = nn::compile(model, nn::adam<model_type>(), nn::mse);
  static jig::tensor<float, jig::dyn, In> x(Rows);
  static jig::tensor<float, jig::dyn, Out> y(Rows);
  bench::fill(-1, 1, x);
  // The copy of a result keeps the memory that is compared.
  bench::workload row(name, std::to_string(Rows), y);
  row.add("model(x)", [] {
    const auto out = call(model, x);
    y = out;
  });
  row.add("predict", [] {
    const auto out = trainer.predict(x);
    y = out;
  });
  row.add("jig", [] {
    const auto out = trainer.predict_on_batch(x);
    y = out;
  });
}

}  // namespace

int main(int argc, char** argv) {
  predicts<1, 4, 8, 1>("predict, 49 parameters");
  predicts<32, 1024, 2048, 10>("predict, 2 million parameters");
  return bench::run(argc, argv);
}
