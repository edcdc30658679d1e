// SPDX-License-Identifier: MIT
#include <jig/io/onnx/exported_types.hpp>

#include "node_model.hpp"

#include <doctest/doctest.h>

namespace {

using jig::dtype, jig::shape, jig::tensor_spec;
namespace ops = jig::ops;

node_model of_vectors(const jig::op& o, dtype d, std::size_t inputs = 1) { return {o, std::vector<tensor_spec>(inputs, {d, {1, {3}}})}; }
std::string refusal(const jig::op& o, const std::vector<tensor_spec>& inputs, const std::vector<jig::onnx::attr>& with = {}) {
  try {
    const node_model made(o, inputs, with);
    return made.nodes;
  } catch (const jig::error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("dtypes that ONNX has in a newer opset raise it") {
  CHECK(of_vectors(ops::add, dtype::float32, 2).opset == 13);
  CHECK(of_vectors(ops::add, dtype::int32, 2).opset == 13);
  CHECK(of_vectors(ops::add, dtype::int8, 2).opset == 14);
  CHECK(of_vectors(ops::add, dtype::uint16, 2).nodes == "Add");
  CHECK(of_vectors(ops::less_equal, dtype::float16, 2).opset == 13);
  CHECK(of_vectors(ops::less_equal, dtype::bfloat16, 2).opset == 16);
  CHECK(of_vectors(ops::relu, dtype::int64).opset == 14);
  CHECK(node_model(ops::cumsum, {{dtype::float16, {1, {3}}}}, {jig::onnx::attr::number("axis", 0)}).opset == 14);
  CHECK(node_model(ops::select, {{dtype::boolean, {}}, {dtype::bfloat16, {}}, {dtype::bfloat16, {}}}).opset == 16);
  CHECK(node_model(ops::select, {{dtype::boolean, {}}, {dtype::string, {}}, {dtype::string, {}}}).opset == 13);
}

TEST_CASE("other ones are computed in a wider dtype, between casts") {
  CHECK(of_vectors(ops::sin, dtype::float32).nodes == "Sin");
  CHECK(of_vectors(ops::sin, dtype::bfloat16).nodes == "Cast Sin Cast");
  CHECK(of_vectors(ops::is_inf, dtype::float16).nodes == "Cast IsInf");
  const std::vector<tensor_spec> small{{dtype::int8, {2, {1, 2}}}, {dtype::int8, {2, {2, 1}}}};
  CHECK(node_model(ops::matmul, small).nodes == "Cast Cast MatMul Cast");
  // 100 * 3 + 50 * 2 wraps.
  CHECK(node_model(ops::matmul, small)
            .number<std::int8_t>({jig::any_tensor(jig::tensor<std::int8_t, 1, 2>{{100, 50}}),
                                  jig::any_tensor(jig::tensor<std::int8_t, 2, 1>{{3}, {2}})}) == static_cast<std::int8_t>(400));
  const auto axis = jig::onnx::attr::ints("axes", {0});
  CHECK(node_model(ops::reduce_sum, {{dtype::uint8, {1, {3}}}}, {axis}).nodes == "Cast ReduceSum Cast");
  CHECK(node_model(ops::reduce_max, {{dtype::uint8, {1, {3}}}}, {axis}).nodes == "ReduceMax");
  CHECK(node_model(ops::reduce_max, {{dtype::uint16, {1, {3}}}}, {axis}).nodes == "Cast ReduceMax Cast");
}

TEST_CASE("what no dtype of ONNX can compute is refused") {
  using jig::onnx::attr;
  const std::vector<attr> pool{attr::ints("ksize", {1, 2, 2, 1}), attr::ints("strides", {1, 2, 2, 1}),
                               attr::ints("dilations", {1, 1, 1, 1}), attr::words("padding", "VALID"), attr::words("data_format", "NHWC")};
  const auto of_images = [&](dtype d) { return refusal(ops::max_pool2d, {{d, {4, {1, 4, 4, 1}}}}, pool); };
  CHECK(of_images(dtype::uint8) == "Transpose MaxPool Transpose");
  CHECK(of_images(dtype::int16) == "Transpose Cast MaxPool Cast Transpose");
  CHECK(of_images(dtype::int32) == "Transpose Cast MaxPool Cast Transpose");
  CHECK(of_images(dtype::int64).find("MaxPool: ONNX has none of int64") != std::string::npos);
  CHECK(refusal(ops::equal, {{dtype::string, {}}, {dtype::string, {}}}).find("Equal: ONNX has none of string") != std::string::npos);
}

TEST_CASE("a wider dtype has all numbers") {
  using namespace jig::onnx;
  CHECK(wider(dtype::int8, type_sets::wide) == dtype::int32);
  CHECK(wider(dtype::boolean, type_sets::numbers) == dtype::int32);
  CHECK(wider(dtype::uint16, type_sets::old_floats) == dtype::float32);
  CHECK(wider(dtype::bfloat16, type_sets::old_floats) == dtype::float32);
  CHECK(wider(dtype::uint32, type_sets::old_floats) == dtype::float64);
  CHECK(wider(dtype::uint32, set_of(dtype::int64)) == dtype::int64);
  for (const dtype d : {dtype::int64, dtype::uint64, dtype::float64, dtype::string}) CHECK(!wider(d, type_sets::old_floats & ~set_of(d)));
  CHECK(types_of("Sin")->first == type_sets::old_floats);
  CHECK(types_of("Reshape") == nullptr);
}
