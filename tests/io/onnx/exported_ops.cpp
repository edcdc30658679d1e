// SPDX-License-Identifier: MIT
// What runtimes of ONNX read otherwise than jig: tests/io/clients.sh shows them the models.
#include <jig/io/onnx/exported_ops.hpp>

#include "node_model.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using jig::any_tensor, jig::dtype, jig::dyn, jig::shape, jig::tensor, jig::tensor_spec;
using jig::onnx::attr;
namespace ops = jig::ops;

}  // namespace

TEST_CASE("unsigned integers have no Neg and no Relu") {
  const std::vector<tensor_spec> three{{dtype::uint8, {1, {3}}}};
  CHECK(node_model(ops::neg, three).nodes == "Sub");
  CHECK(elements<std::uint8_t>(node_model(ops::neg, three)({any_tensor(tensor<std::uint8_t, 3>{0, 1, 255})})) ==
        std::vector<std::uint8_t>{0, 255, 1});
  CHECK(node_model(ops::relu, three).nodes == "Identity");
  CHECK(node_model(ops::neg, {{dtype::int8, {1, {3}}}}).nodes == "Neg");
}

TEST_CASE("Sum is one of floating numbers") {
  const auto of = [](dtype d, std::size_t count) { return node_model(ops::add_n, std::vector<tensor_spec>(count, {d, {}})).nodes; };
  CHECK(of(dtype::float32, 3) == "Sum");
  CHECK(of(dtype::int32, 3) == "Add Add");
  CHECK(of(dtype::int32, 1) == "Identity");
}

TEST_CASE("small numbers keep their digits in expm1 and log1p") {
  for (const double x : {-0.5, -1e-9, 0., 1e-300, 1e-20, 1e-9, 1e-3, 2.5}) {
    const auto of = [&](const jig::op& o) { return node_model(o, {{dtype::float64, {}}}).number<double>({any_tensor(x)}); };
    CHECK(std::abs(of(ops::expm1) - std::expm1(x)) <= 1e-14 * std::abs(std::expm1(x)));
    CHECK(std::abs(of(ops::log1p) - std::log1p(x)) <= 1e-14 * std::abs(std::log1p(x)));
  }
}

TEST_CASE("totals of narrow integers wrap in their means, numbers of elements do not") {
  const auto mean = []<class T>(T value, jig::index n) {
    node_model m(ops::reduce_mean, {{jig::dtype_of<T>, {1, {dyn}}}});
    tensor<T, dyn> x(jig::uninitialized, {1, {n}});
    for (auto& e : x) e = value;
    return m.number<T>({any_tensor(x)});
  };
  CHECK(mean(std::int8_t{100}, 40) == static_cast<std::int8_t>(4000) / 40);
  CHECK(mean(std::int8_t{1}, 127) == 1);
  CHECK(mean(std::int8_t{1}, 128) == -128 / 128);
  CHECK(mean(std::int8_t{1}, 200) == (200 - 256) / 200);
  CHECK(mean(std::uint8_t{2}, 300) == (600 - 512) / 300);
  CHECK(mean(std::uint8_t{1}, 256) == 0);
  CHECK(mean(std::int16_t{-3}, 5) == -3);
  CHECK(mean(std::uint16_t{7}, 65536) == 0);
  CHECK(mean(std::int8_t{1}, 0) == 0);
  node_model rows(ops::reduce_mean, {{dtype::uint8, {2, {2, 3}}}}, {attr::ints("axes", {1}), attr::number("keep_dims", 0)});
  CHECK(elements<std::uint8_t>(rows({any_tensor(tensor<std::uint8_t, 2, 3>{{1, 2, 6}, {200, 100, 3}})})) ==
        std::vector<std::uint8_t>{3, (303 - 256) / 3});
}

TEST_CASE("positions are int64, and one_hot takes none from the end") {
  const std::vector<tensor_spec> picked{{dtype::float32, {2, {3, 2}}}, {dtype::int32, {2, {2, 1}}}};
  CHECK(node_model(ops::gather_nd, picked).nodes == "Cast GatherND");
  CHECK(node_model(ops::tensor_scatter_update, {picked[0], picked[1], {dtype::float32, {2, {2, 2}}}}).nodes == "Cast ScatterND");
  const std::vector<attr> four{attr::number("depth", 4), attr::type("T", dtype::int32)};
  node_model m(ops::one_hot, {{dtype::int32, {1, {3}}}}, four);
  CHECK(m.nodes.find("OneHot") == std::string::npos);
  CHECK(elements<int>(m({any_tensor(tensor<int, 3>{-1, 4, 2})})) == std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(elements<int>(node_model(ops::one_hot, {{dtype::int32, {}}}, four)({any_tensor(1)})) == std::vector<int>{0, 1, 0, 0});
}

TEST_CASE("attributes are never empty, and Identity has one input") {
  CHECK(node_model(ops::transpose, {{dtype::float32, {}}}, {attr::ints("perm", {})}).nodes == "Identity");
  node_model tells(ops::ensure_shape, {{dtype::float32, {1, {dyn}}}, {dtype::float32, {1, {3}}}});
  tells.each_node([](const jig::onnx::node_message& n) { CHECK(n.inputs.size() == 1); });
}

TEST_CASE("SAME is written as numbers where they are known") {
  const auto conv = [](jig::index rows, jig::index stride, jig::index dilation) {
    return node_model(ops::conv2d, {{dtype::float32, {4, {1, rows, 8, 1}}}, {dtype::float32, {4, {3, 2, 1, 1}}}},
                      {attr::ints("strides", {1, stride, stride, 1}), attr::ints("dilations", {1, dilation, dilation, 1}),
                       attr::words("padding", "SAME"), attr::words("data_format", "NHWC")});
  };
  CHECK(conv(7, 1, 1).numbers("Conv", "pads") == std::vector<jig::index>{1, 0, 1, 1});
  CHECK(conv(7, 2, 2).numbers("Conv", "pads") == std::vector<jig::index>{2, 0, 2, 1});
  CHECK(conv(dyn, 1, 2).numbers("Conv", "pads") == std::vector<jig::index>{2, 1, 2, 1});
  CHECK(conv(dyn, 2, 1).numbers("Conv", "pads").empty());
  // Strides beyond the window would take something away.
  CHECK(conv(7, 5, 1).numbers("Conv", "pads") == std::vector<jig::index>{0, 0, 1, 0});
}

TEST_CASE("each channel has filters of its own") {
  const std::vector<tensor_spec> both{{dtype::float32, {4, {1, 2, 2, 2}}}, {dtype::float32, {4, {1, 2, 2, 2}}}};
  node_model m(ops::depthwise_conv2d, both,
               {attr::ints("strides", {1, 1, 1, 1}), attr::ints("dilations", {1, 1, 1, 1}), attr::words("padding", "VALID"),
                attr::words("data_format", "NHWC")});
  CHECK(m.numbers("Conv", "group") == std::vector<jig::index>{2});
  const auto y = m({any_tensor(tensor<float, 1, 2, 2, 2>{{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}}),
                    any_tensor(tensor<float, 1, 2, 2, 2>{{{{1, 10}, {2, 20}}, {{3, 30}, {4, 40}}}})});
  CHECK(elements<float>(y) ==
        std::vector<float>{1 + 3 * 3, 10 + 3 * 30, 2 * 2 + 4 * 4, 2 * 20 + 4 * 40, 5 + 7 * 3, 50 + 7 * 30, 6 * 2 + 8 * 4, 6 * 20 + 8 * 40});
}

TEST_CASE("gradients of means and broadcasts have extents that only the run tells") {
  const tensor_spec rows{dtype::float32, {2, {dyn, dyn}}};
  node_model ratio(ops::shrinkage, {rows, rows});
  CHECK(ratio.number<float>({any_tensor(jig::ones<float, 2, 2>()), any_tensor(jig::ones<float, 2, 6>())}) == 3);
  CHECK(ratio.number<float>({any_tensor(jig::zeros<float, 0, 2>()), any_tensor(jig::ones<float, 1, 1>())}) == 0);
  // So many elements that a half has no such number.
  const tensor_spec halves{dtype::float16, {2, {dyn, dyn}}};
  node_model small(ops::shrinkage, {halves, {dtype::float16, {}}});
  const float found =
      static_cast<float>(small.number<jig::half>({any_tensor(jig::zeros<jig::half, 20000, 4>()), any_tensor(jig::half(1))}));
  CHECK(found == doctest::Approx(1.0 / 80000).epsilon(0.01));
  const any_tensor x(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  node_model sum(ops::sum_like, {rows, {dtype::float32, {2, {dyn, dyn}}}});
  CHECK(elements<float>(sum({x, any_tensor(jig::ones<float, 1, 3>())})) == std::vector<float>{5, 7, 9});
  CHECK(elements<float>(sum({x, any_tensor(jig::ones<float, 2, 1>())})) == std::vector<float>{6, 15});
  CHECK(elements<float>(sum({x, x})) == elements<float>(x));
  node_model of_bias(ops::sum_like, {{dtype::float32, {2, {2, 3}}}, {dtype::float32, {1, {3}}}});
  CHECK(elements<float>(of_bias({x, any_tensor(jig::ones<float, 3>())})) == std::vector<float>{5, 7, 9});
}

TEST_CASE("a part of an extent that is known, beside others that are not") {
  const std::vector<attr> second{attr::number("axis", 1), attr::number("num_split", 2), attr::number("part", 1)};
  node_model m(ops::split, {{dtype::float32, {2, {dyn, 4}}}}, second);
  CHECK(elements<float>(m({any_tensor(tensor<float, 2, 4>{{1, 2, 3, 4}, {5, 6, 7, 8}})})) == std::vector<float>{3, 4, 7, 8});
  CHECK_THROWS_AS(node_model(ops::split, {{dtype::float32, {2, {4, dyn}}}}, second), jig::error);
}

TEST_CASE("what gradients of rows and parts add up") {
  const any_tensor x(tensor<float, 3, 2>{{1, 2}, {3, 4}, {5, 6}}), rows(tensor<float, 2, 2>{{10, 20}, {30, 40}});
  const tensor_spec three{dtype::float32, {2, {3, 2}}}, two{dtype::float32, {2, {2, 2}}};
  node_model m(ops::gather_add, {three, two, {dtype::int32, {1, {2}}}}, {attr::number("axis", 0)});
  CHECK(elements<float>(m({x, rows, any_tensor(tensor<int, 2>{2, 2})})) == std::vector<float>{1, 2, 3, 4, 45, 66});
  CHECK_THROWS_AS(node_model(ops::gather_add, {three, {dtype::float32, {2, {3, 1}}}, {dtype::int32, {1, {1}}}}, {attr::number("axis", 1)}),
                  jig::error);
  node_model placed(ops::scatter_nd, {{dtype::int32, {2, {2, 1}}}, two}, {attr::ints("shape", {3, 2})});
  CHECK(elements<float>(placed({any_tensor(tensor<int, 2, 1>{{1}, {1}}), rows})) == std::vector<float>{0, 0, 40, 60, 0, 0});
  node_model part(ops::split_add, {{dtype::float32, {2, {dyn, 2}}}, {dtype::float32, {2, {dyn, 1}}}},
                  {attr::number("axis", -1), attr::number("num_split", 2), attr::number("part", 1)});
  CHECK(elements<float>(part({x, any_tensor(tensor<float, 3, 1>{{10}, {20}, {30}})})) == std::vector<float>{1, 12, 3, 24, 5, 36});
}
