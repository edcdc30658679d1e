// SPDX-License-Identifier: MIT
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/reshaping.hpp>
#include <jig/nn/sequential.hpp>
#include <jig/nn/sgd.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;
namespace layers = nn::layers;
using nn::activations::relu;

// A layer as a program may write it.
struct residual {
  BOOST_HANA_DEFINE_STRUCT(residual, (nn::dense<double, 4, 4>, inner));
  constexpr auto operator()(const auto& x) const { return x + inner(x); }
};
constexpr auto halved = [](const auto& x) { return x / 2; };

using model_t = decltype(nn::sequential(nn::input<double, 2, 3>(), layers::flatten(), layers::dense<4>(relu), layers::dropout<0.5>(),
                                        residual(), halved, layers::dense<1>()));
using optimizer_t = nn::sgd<model_t>;

constexpr auto run = jig::function<"run(model, x, training)">([](auto& model, auto x, auto training) { return model(x, training); });
constexpr auto train = jig::function<"train(model, optimizer, x)">([](auto& model, auto& optimizer, auto x) {
  auto loss = jig::reduce_mean(jig::square(model(x, jig::lit<true>) - 1));
  optimizer.apply_gradients(model, jig::gradient(loss, model));
  return loss;
});

using batch = jig::spec<double, jig::dyn, 2, 3>;
static_assert(run.get_concrete_function(model_t(), batch(), jig::lit<false>).optimized_graph().count("StatelessRandomUniformV2") == 0);
static_assert(run.get_concrete_function(model_t(), batch(), jig::lit<true>).optimized_graph().count("StatelessRandomUniformV2") == 1);

TEST_CASE("sequential: shapes, names and layers") {
  static_assert(boost::hana::Struct<model_t>::value && model_t::size() == 6);
  static_assert(std::is_same_v<model_t::input_type, jig::spec<double, 2, 3>>);
  static_assert(model_t::layer_output<1>::spec_type::value() == jig::spec<double, jig::dyn, 4>::value());
  static_assert(model_t::layer_output<5>::spec_type::value() == jig::spec<double, jig::dyn, 1>::value());
  model_t model;
  std::vector<std::string> names;
  for (const auto& v : jig::variables(model)) names.emplace_back(v.name());
  CHECK(names == std::vector<std::string>{"dense/kernel", "dense/bias", "dropout/seeds/counter", "layer/inner/kernel", "layer/inner/bias",
                                          "dense_1/kernel", "dense_1/bias"});
  CHECK(&model.get_layer<"dense_1">() == &model.layer<5>());
  int members = 0;
  boost::hana::for_each(boost::hana::members(model), [&](const auto&) { ++members; });
  CHECK(members == 6);
}

TEST_CASE("sequential: what the layers give one after another") {
  model_t model;
  model.initialize(5);
  for (jig::index n : {jig::index{0}, jig::index{1}, jig::index{3}}) {
    jig::tensor<double, jig::dyn, 2, 3> x(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.3 * static_cast<double>(i % 7) - 0.8;
    const auto y = run(model, x, jig::lit<false>);
    CHECK(y.extent(0) == n);
    const auto& w = model.layer<1>().kernel.value();
    const auto& r = model.layer<3>().inner.kernel.value();
    const auto& v = model.layer<5>().kernel.value();
    for (jig::index s = 0; s < n; ++s) {
      double hidden[4], expected = 0;
      for (jig::index k = 0; k < 4; ++k) {
        double sum = 0;
        for (jig::index i = 0; i < 6; ++i) sum += x(s, i / 3, i % 3) * w(i, k);
        hidden[k] = sum > 0 ? sum : 0;
      }
      for (jig::index k = 0; k < 4; ++k) {
        double sum = hidden[k];
        for (jig::index i = 0; i < 4; ++i) sum += hidden[i] * r(i, k);
        expected += sum / 2 * v(k, 0);
      }
      CHECK(y(s, 0) == doctest::Approx(expected));
    }
  }
}

TEST_CASE("sequential: training drops, and finds the weights") {
  model_t model;
  model.initialize(1);
  jig::tensor<double, jig::dyn, 2, 3> x(2);
  for (jig::index i = 0; i < 12; ++i) x.data()[i] = 1;
  const auto first = run(model, x, jig::lit<true>), second = run(model, x, jig::lit<true>);
  CHECK((first(0, 0) != second(0, 0) || first(1, 0) != second(1, 0)));
  optimizer_t optimizer(0.01);
  for (int i = 0; i < 500; ++i) train(model, optimizer, x);
  CHECK(run(model, x, jig::lit<false>)(0, 0) == doctest::Approx(1).epsilon(0.3));
}

}  // namespace
