// SPDX-License-Identifier: MIT
// What runtimes of ONNX read otherwise than jig: tests/io/clients.sh shows them the models.
#include <jig/io/onnx/exported_nodes.hpp>

#include "node_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

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

TEST_CASE("of nothing no element is true, and all are") {
  const tensor_spec rows{dtype::boolean, {2, {3, dyn}}};
  const std::vector<attr> last{attr::ints("axes", {1}), attr::number("keep_dims", 0)};
  node_model any(ops::reduce_any, {rows}, last), all(ops::reduce_all, {rows}, last);
  CHECK(any.nodes == "Cast ReduceMax Greater");
  const any_tensor nothing(tensor<bool, 3, 0>{}), some(tensor<bool, 3, 2>{{true, false}, {false, false}, {true, true}});
  CHECK(elements<bool>(any({nothing})) == std::vector<bool>{false, false, false});
  CHECK(elements<bool>(all({nothing})) == std::vector<bool>{true, true, true});
  CHECK(elements<bool>(any({some})) == std::vector<bool>{true, false, true});
  CHECK(elements<bool>(all({some})) == std::vector<bool>{false, false, true});
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
  const tensor_spec two_columns{dtype::float32, {2, {3, 2}}};
  node_model columns(ops::gather_add, {three, two_columns, {dtype::int32, {1, {2}}}}, {attr::number("axis", 1)});
  CHECK(elements<float>(columns({x, any_tensor(tensor<float, 3, 2>{{10, 1}, {20, 2}, {30, 3}}), any_tensor(tensor<int, 2>{1, 1})})) ==
        std::vector<float>{1, 13, 3, 26, 5, 39});
  node_model placed(ops::scatter_nd, {{dtype::int32, {2, {2, 1}}}, two}, {attr::ints("shape", {3, 2})});
  CHECK(elements<float>(placed({any_tensor(tensor<int, 2, 1>{{1}, {1}}), rows})) == std::vector<float>{0, 0, 40, 60, 0, 0});
  node_model part(ops::split_add, {{dtype::float32, {2, {dyn, 2}}}, {dtype::float32, {2, {dyn, 1}}}},
                  {attr::number("axis", -1), attr::number("num_split", 2), attr::number("part", 1)});
  CHECK(elements<float>(part({x, any_tensor(tensor<float, 3, 1>{{10}, {20}, {30}})})) == std::vector<float>{1, 12, 3, 24, 5, 36});
}

TEST_CASE("rows without a segment, and numbers that are not counted, add nothing to what they stand in") {
  const any_tensor x(tensor<float, 4, 2>{{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  const std::vector<tensor_spec> rows{{dtype::float32, {2, {dyn, 2}}}, {dtype::int32, {1, {dyn}}}};
  node_model sums(ops::unsorted_segment_sum, rows, {attr::number("num_segments", 3)});
  CHECK(sums.nodes == "Expand Cast Less Unsqueeze Where Max Unsqueeze ScatterND");
  CHECK(elements<float>(sums({x, any_tensor(tensor<int, 4>{2, 0, -1, 2})})) == std::vector<float>{3, 4, 0, 0, 8, 10});
  node_model flat(ops::unsorted_segment_sum, {{dtype::float32, {2, {4, 2}}}, {dtype::int64, {2, {4, 2}}}},
                  {attr::number("num_segments", 2)});
  CHECK(elements<float>(flat({x, any_tensor(tensor<std::int64_t, 4, 2>{{0, 1}, {1, 1}, {-5, 0}, {0, -1}})})) == std::vector<float>{14, 9});
  node_model none(ops::unsorted_segment_sum, {{dtype::float32, {1, {2}}}, {dtype::int32, {1, {2}}}}, {attr::number("num_segments", 0)});
  CHECK(none({any_tensor(tensor<float, 2>()), any_tensor(tensor<int, 2>{-1, -1})}).size() == 0);

  const std::vector<tensor_spec> four{{dtype::float32, {2, {4, 2}}}, {dtype::int32, {1, {4}}}};
  node_model largest(ops::unsorted_segment_max, four, {attr::number("num_segments", 2)});
  CHECK(largest.opset == 18);
  CHECK(elements<float>(largest({x, any_tensor(tensor<int, 4>{1, -1, 1, -1})})) ==
        std::vector<float>{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(), 5, 6});
  node_model smallest(ops::unsorted_segment_min, four, {attr::number("num_segments", 1)});
  CHECK(elements<float>(smallest({x, any_tensor(tensor<int, 4>{-1, 0, 0, 0})})) == std::vector<float>{3, 4});

  const any_tensor values(tensor<std::uint8_t, 5>{3, 1, 3, 0, 9});
  node_model counts(ops::bincount, {{dtype::uint8, {1, {dyn}}}}, {attr::number("size", 4), attr::type("T", dtype::int64)});
  CHECK(elements<std::int64_t>(counts({values})) == std::vector<std::int64_t>{1, 1, 0, 2});
  // What int64 does not hold is in no bin either.
  node_model large(ops::bincount, {{dtype::uint64, {1, {3}}}}, {attr::number("size", 2), attr::type("T", dtype::int32)});
  CHECK(elements<std::int32_t>(large({any_tensor(tensor<std::uint64_t, 3>{1, ~std::uint64_t{0}, std::uint64_t{1} << 32})})) ==
        std::vector<std::int32_t>{0, 1});
  node_model weights(ops::bincount, {{dtype::uint8, {1, {5}}}, {dtype::float32, {1, {5}}}}, {attr::number("size", 4)});
  CHECK(elements<float>(weights({values, any_tensor(tensor<float, 5>{1, 2, 3, 4, 5})})) == std::vector<float>{4, 2, 0, 4});
}

TEST_CASE("what is rolled and searched") {
  const any_tensor x(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  node_model rolled(ops::roll, {{dtype::float32, {2, {dyn, dyn}}}, {dtype::int8, {}}}, {attr::number("axis", -1)});
  CHECK(elements<float>(rolled({x, any_tensor(std::int8_t{-4})})) == std::vector<float>{2, 3, 1, 5, 6, 4});
  node_model set(ops::set_diag, {{dtype::float32, {2, {2, 3}}}, {dtype::float32, {1, {2}}}}, {attr::ints("axes", {-2, -1})});
  CHECK(elements<float>(set({x, any_tensor(tensor<float, 2>{8, 9})})) == std::vector<float>{8, 2, 3, 4, 9, 6});
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  const any_tensor values(tensor<float, 2, 3>{{0, 2, not_a_number}, {7, 5, 4.5f}});
  const std::vector<tensor_spec> both{{dtype::float32, {2, {dyn, 3}}}, {dtype::float32, {2, {dyn, 3}}}};
  CHECK(elements<int>(node_model(ops::lower_bound, both)({x, values})) == std::vector<int>{0, 1, 0, 3, 1, 1});
  CHECK(elements<int>(node_model(ops::upper_bound, both)({x, values})) == std::vector<int>{0, 2, 3, 3, 2, 1});
  node_model row(ops::upper_bound, {{dtype::int32, {1, {3}}}, {dtype::int32, {}}});
  CHECK(elements<int>(row({any_tensor(tensor<int, 3>{1, 1, 4}), any_tensor(1)})) == std::vector<int>{2});
}

TEST_CASE("determinants and triangles") {
  node_model det(ops::matrix_determinant, {{dtype::float32, {3, {dyn, 2, 2}}}});
  CHECK(elements<float>(det({any_tensor(tensor<float, 2, 2, 2>{{{1, 2}, {4, 4}}, {{0, 2}, {4, 6}}})})) == std::vector<float>{-4, -8});
  const any_tensor x(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  const auto triangle = [&](bool lower) {
    return elements<float>(node_model(ops::triangle, {{dtype::float32, {2, {2, 3}}}}, {attr::flag("lower", lower)})({x}));
  };
  CHECK(triangle(true) == std::vector<float>{1, 0, 0, 4, 5, 0});
  CHECK(triangle(false) == std::vector<float>{1, 2, 3, 0, 5, 6});
}

TEST_CASE("bits are of opset 18, where reductions take their axes as inputs") {
  const std::vector<tensor_spec> both{{dtype::int16, {1, {3}}}, {dtype::int16, {1, {3}}}};
  node_model bits(ops::bitwise_xor, both);
  CHECK(bits.nodes == "BitwiseXor");
  CHECK(bits.opset == 18);
  CHECK(elements<std::int16_t>(bits({any_tensor(tensor<std::int16_t, 3>{-1, 6, 0}), any_tensor(tensor<std::int16_t, 3>{1, 3, -7})})) ==
        std::vector<std::int16_t>{-2, 5, -7});
  CHECK(node_model(ops::invert, {both[0]}).opset < 18);
  // What comes before the node that needs the opset is written for it, too.
  const auto largest = [](bool of_bits) {
    auto traced = jig::detail::dynamic_trace(
        "f(x)",
        [&](auto x) {
          auto top = jig::reduce_max<1>(x);
          return of_bits ? top | 1 : top + 1;
        },
        tensor_spec{dtype::int32, {2, {2, dyn}}});
    const std::string bytes = jig::onnx::model_bytes(jig::named_graph_of(traced.graph.view()));
    jig::wire_problem problem;
    const auto model = jig::onnx::read_model(bytes, problem);
    CHECK(model.opsets[0].version == (of_bits ? 18 : 13));
    CHECK(model.graph.nodes[0].kind == "ReduceMax");
    CHECK(model.graph.nodes[0].inputs.size() == (of_bits ? 2 : 1));
    jig::onnx_model read(bytes, "file.onnx");
    return elements<int>(read({any_tensor(tensor<int, 2, 3>{{1, 4, 2}, {8, 6, 7}})})[0].tensor);
  };
  CHECK(largest(true) == std::vector<int>{5, 9});
  CHECK(largest(false) == std::vector<int>{5, 9});
}

TEST_CASE("parts of a tensor that only the run tells are replaced and added to") {
  const tensor_spec rows{dtype::float32, {2, {dyn, 3}}};
  const std::vector<attr> second{attr::ints("begin", {0, 1}),   attr::ints("end", {0, 2}),   attr::ints("strides", {1, 1}),
                                 attr::number("begin_mask", 1), attr::number("end_mask", 1), attr::number("shrink_axis_mask", 2)};
  node_model m(ops::strided_slice_add, {rows, {dtype::float32, {1, {dyn}}}}, second);
  CHECK(m.opset == 16);
  const any_tensor x(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  CHECK(elements<float>(m({x, any_tensor(tensor<float, 2>{10, 20})})) == std::vector<float>{1, 12, 3, 4, 25, 6});
  node_model update(ops::strided_slice_update, {rows, {dtype::float32, {1, {dyn}}}}, second);
  CHECK(update.opset == 13);
  CHECK(elements<float>(update({x, any_tensor(tensor<float, 2>{10, 20})})) == std::vector<float>{1, 10, 3, 4, 20, 6});
  node_model diagonal(ops::diag_part_add, {{dtype::float32, {2, {2, 3}}}, {dtype::float32, {1, {2}}}}, {attr::ints("axes", {0, 1})});
  CHECK(elements<float>(diagonal({x, any_tensor(tensor<float, 2>{10, 20})})) == std::vector<float>{11, 2, 3, 4, 25, 6});
}

TEST_CASE("strides of a convolution are the dilations of its filter's gradient") {
  const std::vector<attr> with{attr::ints("strides", {1, 2, 1, 1}), attr::ints("dilations", {1, 1, 1, 1}), attr::words("padding", "VALID"),
                               attr::words("data_format", "NHWC")};
  const std::vector<tensor_spec> specs{
      {dtype::float32, {4, {dyn, 6, 1, 1}}}, {dtype::float32, {4, {dyn, 2, 1, 1}}}, {dtype::float32, {4, {3, 1, 1, 1}}}};
  node_model m(ops::conv2d_backprop_filter, specs, with);
  CHECK(m.numbers("Conv", "dilations") == std::vector<jig::index>{2, 1});
  CHECK(m.numbers("Conv", "strides") == std::vector<jig::index>{1, 1});
  // The last row is in no window.
  CHECK(m.nodes.find("Slice") != std::string::npos);
  const any_tensor x(tensor<float, 2, 6, 1, 1>{{{{1}}, {{2}}, {{3}}, {{4}}, {{5}}, {{6}}}, {{{7}}, {{8}}, {{9}}, {{10}}, {{11}}, {{12}}}});
  const any_tensor adjoint(tensor<float, 2, 2, 1, 1>{{{{1}}, {{10}}}, {{{100}}, {{1000}}}});
  CHECK(elements<float>(m({x, adjoint, any_tensor(jig::zeros<float, 3, 1, 1, 1>())})) ==
        std::vector<float>{1 + 30 + 700 + 9000, 2 + 40 + 800 + 10000, 3 + 50 + 900 + 11000});
}

TEST_CASE("running products start with ones along any axis") {
  node_model m(ops::cumprod, {{dtype::int8, {2, {dyn, 3}}}}, {attr::number("axis", 0)});
  CHECK(elements<std::int8_t>(m({any_tensor(tensor<std::int8_t, 3, 3>{{1, 2, 100}, {3, -1, 2}, {5, 0, 1}})})) ==
        std::vector<std::int8_t>{1, 2, 100, 3, -2, static_cast<std::int8_t>(200), 15, 0, static_cast<std::int8_t>(200)});
}

namespace {

// What the model gives, and what jig does, for the same arguments.
void require_same(const node_model& m, const std::vector<any_tensor>& x) {
  const auto program = jig::detail::runtime_graph_of(m.graph.graph);
  const any_tensor expected = jig::detail::run_graph(program, jig::stretch<any_tensor>(x.data(), x.size()))[0], read = m(x);
  REQUIRE(read.shape() == expected.shape());
  const auto a = elements<float>(expected), b = elements<float>(read);
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(b[i] == doctest::Approx(a[i]).epsilon(1e-4));
}
any_tensor numbered(const shape& s, std::mt19937& random) {
  any_tensor out = any_tensor::empty(dtype::float32, s);
  for (jig::index i = 0; i < out.size(); ++i) static_cast<float*>(out.mutable_data())[i] = static_cast<float>(random() % 19) - 9;
  return out;
}

}  // namespace

TEST_CASE("random slices, with extents that are known and with wildcards") {
  std::mt19937 random(1);
  const auto below = [&](jig::index n) { return static_cast<jig::index>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    shape s;
    const jig::index rank = 1 + below(3);
    for (jig::index a = 0; a < rank; ++a) s.push_back(1 + below(6));
    jig::list<jig::index> begin, end, strides;
    for (jig::index a = 0; a < rank; ++a) {
      begin.push_back(below(16) - 8), end.push_back(below(16) - 8);
      strides.push_back(below(2) == 0 ? 1 + below(3) : -1 - below(3));
    }
    const std::vector<attr> with{attr::ints("begin", begin),         attr::ints("end", end),
                                 attr::ints("strides", strides),     attr::number("begin_mask", below(8)),
                                 attr::number("end_mask", below(8)), attr::number("shrink_axis_mask", 0)};
    const node_model shown(ops::strided_slice, {{dtype::float32, s}}, with);
    const any_tensor x = numbered(s, random), part = numbered(shown({x}).shape(), random);
    require_same(shown, {x});
    shape any = s;
    for (jig::index a = 0; a < rank; ++a)
      if (below(2) == 0) any[static_cast<int>(a)] = dyn;
    for (const jig::op* o : {&ops::strided_slice_update, &ops::strided_slice_add}) {
      require_same(node_model(*o, {{dtype::float32, s}, {dtype::float32, part.shape()}}, with), {x, part});
      require_same(node_model(*o, {{dtype::float32, any}, {dtype::float32, part.shape()}}, with), {x, part});
    }
  }
}

TEST_CASE("random gradients of convolutions and pools") {
  std::mt19937 random(2);
  const auto below = [&](jig::index n) { return static_cast<jig::index>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 150; ++trial) {
    CAPTURE(trial);
    const bool pools = trial % 3 == 0, each_channel = trial % 3 == 1;
    const jig::index groups = pools ? 1 : 1 + below(3), inside = pools ? 3 : each_channel ? 1 : 1 + below(2), made = 1 + below(2);
    const shape images{4, {1 + below(3), 5 + below(5), 5 + below(5), groups * inside}};
    const shape filter{4, {1 + below(3), 1 + below(3), each_channel ? groups : inside, each_channel ? made : groups * made}};
    const jig::index rows = 1 + below(3), columns = 1 + below(3);
    std::vector<attr> with{attr::ints("strides", {1, rows, columns, 1}), attr::words("padding", below(2) == 0 ? "SAME" : "VALID"),
                           attr::words("data_format", "NHWC")};
    const jig::index apart = pools ? 1 : 2;
    with.push_back(attr::ints("dilations", {1, 1 + below(apart), 1 + below(apart), 1}));
    if (pools) with.push_back(attr::ints("ksize", {1, filter[0], filter[1], 1}));
    const any_tensor x = numbered(images, random), w = numbered(filter, random);
    const auto spec_of = [&](const any_tensor& a) { return tensor_spec{a.dtype(), a.shape()}; };
    if (pools) {
      const node_model largest(ops::max_pool2d, {spec_of(x)}, with);
      const any_tensor y = largest({x}), adjoint = numbered(y.shape(), random);
      require_same(node_model(ops::max_pool2d_grad, {spec_of(x), spec_of(y), spec_of(y)}, with), {x, y, adjoint});
      require_same(node_model(ops::max_pool2d_grad_grad, {spec_of(x), spec_of(y), spec_of(x)}, with), {x, y, numbered(images, random)});
      require_same(node_model(ops::avg_pool2d_grad, {spec_of(y), spec_of(x)}, with), {adjoint, x});
      continue;
    }
    const node_model forward(each_channel ? ops::depthwise_conv2d : ops::conv2d, {spec_of(x), spec_of(w)}, with);
    const any_tensor adjoint = numbered(forward({x, w}).shape(), random);
    require_same(node_model(each_channel ? ops::depthwise_conv2d_backprop_filter : ops::conv2d_backprop_filter,
                            {spec_of(x), spec_of(adjoint), spec_of(w)}, with),
                 {x, adjoint, w});
    require_same(node_model(each_channel ? ops::depthwise_conv2d_backprop_input : ops::conv2d_backprop_input,
                            {spec_of(w), spec_of(adjoint), spec_of(x)}, with),
                 {w, adjoint, x});
  }
}
