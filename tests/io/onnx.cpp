// SPDX-License-Identifier: MIT
#include <jig/io/loaded_function.hpp>
#include <jig/io/onnx.hpp>
#include <jig/ops/attention.hpp>

#include "../data/written_file.hpp"
#include "dynamic_trace.hpp"
#include "onnx/written.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using jig::any_tensor;
using jig::onnx::data;

// A model of one node, y = kind(x), of float32 (batch, 2).
std::string model_of(std::string_view kind, bool external = false) {
  jig::wire_writer m;
  const auto value = [](jig::wire_writer& g, std::uint32_t field, std::string_view name) {
    g.message(field, [&](jig::wire_writer& v) {
      v.bytes(1, name);
      v.message(2, [](jig::wire_writer& t) {
        t.message(1, [](jig::wire_writer& tensor) {
          tensor.number(1, 1);
          tensor.message(2, [](jig::wire_writer& s) {
            s.message(1, [](jig::wire_writer& d) { d.bytes(2, "batch"); });
            s.message(1, [](jig::wire_writer& d) { d.number(1, 2); });
          });
        });
      });
    });
  };
  m.number(1, 7);
  m.message(7, [&](jig::wire_writer& g) {
    g.message(1, [&](jig::wire_writer& n) {
      n.bytes(1, "x");
      n.bytes(2, "y");
      n.bytes(3, "first");
      n.bytes(4, kind);
    });
    g.bytes(2, "small");
    if (external)
      g.message(5, [](jig::wire_writer& t) {
        t.number(1, 1);
        t.number(2, 1);
        t.bytes(8, "w");
        t.message(13, [](jig::wire_writer& e) {
          e.bytes(1, "location");
          e.bytes(2, "../weights");
        });
        t.number(14, 1);
      });
    value(g, 11, "x");
    value(g, 12, "y");
  });
  m.message(8, [](jig::wire_writer& o) { o.number(2, 13); });
  return std::string(m.bytes());
}

std::string refusal_of(std::string bytes, const jig::load_limits& limits = {}) {
  try {
    const jig::onnx_model model(std::move(bytes), "file.onnx", limits);
    return model.declared_graph() ? "" : "only a call tells";
  } catch (const jig::load_error& e) {
    return e.what();
  }
}

std::vector<float> elements(const any_tensor& t) {
  const auto* x = static_cast<const float*>(t.data());
  return {x, x + t.size()};
}

// What a lambda gives when its trace was written and read again.
template <class F>
std::vector<float> written_and_read(F f, const any_tensor& x, jig::tensor_spec spec) {
  auto traced = jig::detail::dynamic_trace("f(x)", f, spec);
  const std::string bytes = jig::onnx::model_bytes(jig::named_graph_of(traced.graph.view()));
  jig::onnx_model again(bytes, "again");
  return elements(again({data(x)})[0].tensor);
}

}  // namespace

TEST_CASE("a model runs, with any extent where it names one") {
  jig::onnx_model model(model_of("Neg"), "file.onnx");
  const auto made = model.declared_graph();
  REQUIRE(made.has_value());
  CHECK(made->graph.view().data(made->graph.inputs()[0]).spec.shape == jig::shape{2, {jig::dim<"batch">, 2}});
  for (const int rows : {0, 1, 3}) {
    jig::tensor<float, jig::dyn, 2> x(rows);
    for (int i = 0; i < rows; ++i) x(i, 0) = static_cast<float>(i), x(i, 1) = -2.0f;
    const auto y = model({data(any_tensor(x))})[0].tensor;
    CHECK(y.shape() == jig::shape{2, {rows, 2}});
    for (int i = 0; i < rows; ++i) CHECK(elements(y)[static_cast<std::size_t>(2 * i + 1)] == 2.0f);
  }
}

TEST_CASE("what jig does not know is named with its node") {
  const std::string why = refusal_of(model_of("Frobnicate"));
  CHECK(why.find("file.onnx") != why.npos);
  CHECK(why.find("node \"first\" (Frobnicate, opset 13): jig has no such op") != why.npos);
  CHECK(refusal_of(model_of("Neg", true)).find("initializer w: elements in another file are not read") != std::string::npos);
  CHECK(refusal_of("").find("no ONNX model") != std::string::npos);
  CHECK(refusal_of(model_of("Neg")).empty());
}

TEST_CASE("a model that is cut off is refused") {
  const std::string whole = model_of("Neg");
  int read = 0;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const std::string why = refusal_of(whole.substr(0, n));
    read += why.empty();
  }
  // Without the last field, the opset, it is a model of the first opset.
  CHECK(read == 1);
}

TEST_CASE("traces are the same when they were written and read again") {
  const jig::tensor<float, 2, 3> x = {{1, -2, 3}, {0.5f, 2, -1}};
  const jig::tensor_spec open{jig::dtype::float32, jig::shape{2, {jig::dim<"rows">, 3}}};
  const auto compare = [&](auto f, const jig::tensor_spec& spec) {
    const auto direct = elements(any_tensor(f(x)));
    const auto read = written_and_read(f, any_tensor(x), spec);
    REQUIRE(direct.size() == read.size());
    for (std::size_t i = 0; i < direct.size(); ++i) CHECK(read[i] == doctest::Approx(direct[i]).epsilon(1e-6));
  };
  compare([](const auto& a) { return jig::tanh(jig::matmul(a, jig::transpose(a))) * 2 + 1; }, open);
  compare([](const auto& a) { return jig::concat<1>(jig::reverse<1>(a), jig::square(a), jig::expm1(a)); }, open);
  compare([](const auto& a) { return jig::reduce_sum<1>(jig::softmax(jig::gelu(a))) + jig::reduce_max<-1>(a); }, open);
  compare([](const auto& a) { return jig::gather<-1, 1>(a, jig::tensor<int, 2, 2>{{2, 0}, {1, 1}}); },
          {jig::dtype::float32, jig::shape{2, {2, 3}}});
}

TEST_CASE("images with other extents, and transposed convolutions") {
  jig::tensor<float, 2, 3, 4, 4> images;
  for (jig::index i = 0; i < images.size(); ++i) images.data()[i] = 0.125f * static_cast<float>(i % 23) - 1;
  jig::tensor<float, 3, 2, 3, 4> filter;
  for (jig::index i = 0; i < filter.size(); ++i) filter.data()[i] = 0.25f * static_cast<float>(i % 11) - 1;
  jig::tensor<float, 3, 3, 1, 4> one;  // four groups
  for (jig::index i = 0; i < one.size(); ++i) one.data()[i] = 0.5f * static_cast<float>(i % 7) - 1;
  const jig::tensor_spec known{jig::dtype::float32, images.shape()}, open{jig::dtype::float32, jig::shape{4, {jig::dim<"batch">, 3, 4, 4}}},
      rows{jig::dtype::float32, jig::shape{4, {2, jig::dyn, 4, 4}}};
  const auto compare = [&](auto f, const jig::tensor_spec& spec) {
    const auto direct = elements(any_tensor(f(images)));
    const auto read = written_and_read(f, any_tensor(images), spec);
    REQUIRE(direct.size() == read.size());
    int wrong = 0;
    for (std::size_t i = 0; i < direct.size(); ++i) wrong += !(std::abs(read[i] - direct[i]) <= 1e-5f);
    CHECK(wrong == 0);
  };
  const auto larger = [](const auto& x) { return jig::resize<7, 5>(x); };
  compare(larger, known);
  compare(larger, open);
  compare([](const auto& x) { return jig::resize<2, 9>(x, jig::nearest); }, known);
  compare([&](const auto& x) { return jig::conv2d_transpose(x, filter); }, open);
  compare([&](const auto& x) { return jig::conv2d_transpose(x, filter, jig::strides<3, 2>, jig::same_padding); }, known);
  compare([&](const auto& x) { return jig::conv2d_transpose(x, one, jig::strides<2>, jig::explicit_padding<1, 0, 2, 1>); }, known);
  compare([&](const auto& x) { return jig::conv2d_transpose(x, filter, jig::dilations<2>); }, open);
  std::string why;
  try {
    (void)written_and_read(larger, any_tensor(images), known);
    (void)written_and_read([&](const auto& x) { return jig::conv2d_transpose(x, filter); }, any_tensor(images), rows);
  } catch (const jig::error& e) {
    why = e.what();
  }
  CHECK(why == "ONNX: Conv2DBackpropInput: its extents must be known");
}

TEST_CASE("what ONNX cannot say is refused by name") {
  auto traced = jig::detail::dynamic_trace("f(x)", [](auto a) { return jig::lgamma(a); }, jig::tensor_spec{jig::dtype::float32, {}});
  std::string why;
  try {
    (void)jig::onnx::model_bytes(jig::named_graph_of(traced.graph.view()));
  } catch (const jig::error& e) {
    why = e.what();
  }
  CHECK(why.find("Lgamma") != why.npos);
  auto picked = jig::detail::dynamic_trace(
      "f(x)", [](auto a) { return jig::gather<2, 1>(a, jig::tensor<int, 2, 1>{{0}, {1}}); },
      jig::tensor_spec{jig::dtype::float32, {3, {2, 3, 2}}});
  try {
    (void)jig::onnx::model_bytes(jig::named_graph_of(picked.graph.view()));
  } catch (const jig::error& e) {
    why = e.what();
  }
  CHECK(why == "ONNX: GatherV2: the axis is not the first behind the batch axes");
}

namespace hostile {

using namespace written_onnx;
using jig::dtype;

// What is said of a model with float32 arguments x of these extents and y, and of what `write` writes.
std::string refusal(const std::vector<jig::index>& extents, const std::function<void(written&)>& write,
                    const jig::load_limits& limits = {}) {
  written g;
  g.value(11, "x", dtype::float32, extents);
  g.value(11, "y", dtype::float32);
  write(g);
  g.outputs({"z"});
  return refusal_of(g.model(), limits);
}
std::string refusal_of_node(const std::vector<jig::index>& extents, const char* kind, const std::vector<attribute>& with = {},
                            const names& inputs = {"x"}) {
  return refusal(extents, [&](written& g) {
    g.constant<std::int64_t>("lowest", {INT64_MIN, 0});
    g.node(kind, inputs, {"z"}, with);
  });
}

}  // namespace hostile

TEST_CASE("nodes without results or numbers that they need are refused") {
  using namespace hostile;
  const auto of_node = [](const char* kind, const names& inputs) {
    return refusal({2, 2}, [&](written& g) {
      g.constant<std::int64_t>("none", {});
      g.node("Identity", {"x"}, {"z"});
      g.node(kind, inputs, {});
    });
  };
  CHECK(of_node("Split", {"x"}).find("there is no part") != std::string::npos);
  CHECK(of_node("Mean", {"x", "y"}).empty());
  CHECK(of_node("Range", {"none", "none", "none"}).find("one number is expected") != std::string::npos);
  CHECK(of_node("Trilu", {"x", "none"}).find("one number is expected") != std::string::npos);
  CHECK(of_node("Dropout", {"x", "none"}).find("one number is expected") != std::string::npos);
  // Only windows of MaxPool may have gaps.
  const std::vector<attribute> with = {attribute::of("kernel_shape", {2, 2}), attribute::of("dilations", {1, 2})};
  CHECK(refusal_of_node({1, 1, 4, 4}, "AveragePool", with).find("must lie side by side") != std::string::npos);
  CHECK(refusal_of_node({1, 1, 4, 4}, "MaxPool", with).empty());
}

TEST_CASE("pools, splits and paddings ask for no more extents than they need") {
  using namespace hostile;
  const std::vector<attribute> window{attribute::of("kernel_shape", {2, 2}), attribute::of("strides", {2, 2})};
  std::vector<attribute> ceils = window, twice = window;
  ceils.push_back(attribute::of("ceil_mode", 1));
  twice.push_back(attribute::of("dilations", {2, 2}));
  for (const char* kind : {"MaxPool", "AveragePool"}) {
    CHECK(refusal_of_node({-1, 1, 5, 5}, kind, ceils) == "");
    CHECK(refusal_of_node({-1, 1, -1, 5}, kind, window) == "");
    CHECK(refusal_of_node({2, 1, 5, -1}, kind, ceils) == "only a call tells");
  }
  CHECK(refusal_of_node({2, 1, 5, 5}, "MaxPool", twice) == "");
  CHECK(refusal_of_node({-1, 1, 5, 5}, "MaxPool", twice) == "only a call tells");
  const auto split = [](jig::index axis) {
    return refusal({-1, 4}, [&](written& g) { g.node("Split", {"x"}, {"z", "rest"}, {attribute::of("axis", axis)}); });
  };
  CHECK(split(1) == "");
  CHECK(split(0) == "only a call tells");
  const auto pad = [](const std::vector<std::int64_t>& pads) {
    return refusal({-1, 4}, [&](written& g) {
      g.constant<std::int64_t>("pads", pads);
      g.node("Pad", {"x", "pads"}, {"z"}, {attribute::of_text("mode", "reflect")});
    });
  };
  CHECK(pad({0, 1, 0, -1}) == "");
  CHECK(pad({1, 0, 0, 0}) == "only a call tells");
}

TEST_CASE("sizes that a model only names take neither memory nor time") {
  using namespace hostile;
  constexpr jig::index most = jig::index{1} << 52;
  CHECK(refusal_of_node({most}, "SplitToSequence").find("more elements") != std::string::npos);
  CHECK(refusal_of_node({most / 2, 2}, "Trilu").find("more elements") != std::string::npos);
  CHECK(refusal_of_node({0, most}, "Unique", {attribute::of("axis", 1)}).find("more elements") != std::string::npos);
  CHECK(refusal_of_node({1, 1 << 25, 1, 1}, "LRN", {attribute::of("size", 1)}).find("more elements") != std::string::npos);
  CHECK(refusal_of_node({1 << 27, 1, 1}, "RNN", {}, {"x", "x", "x"}).find("recurrent weights") != std::string::npos);
  CHECK(refusal_of_node({1, 1, 1}, "RNN", {}, {"x", "lowest", "x"}).find("a matrix is expected") != std::string::npos);
  CHECK(refusal_of_node({most, most}, "Identity").find("more elements") != std::string::npos);
  CHECK(refusal_of_node({-1, most}, "Identity").find("more elements") != std::string::npos);
  CHECK(refusal_of_node({1, 0, 1 << 25, 1 << 25}, "DepthToSpace", {attribute::of("blocksize", 1 << 20)}).find("divide") !=
        std::string::npos);
  const jig::index window = jig::index{1} << 30;
  const attribute taps = attribute::of("kernel_shape", {window, window, window});
  CHECK(!refusal({1, 1, 1, 1, 1}, [&](written& g) { g.node("MaxPool", {"x"}, {"z", "places"}, {taps}); }).empty());
  const attribute wide = attribute::of("strides", {jig::index{1} << 31, 1});
  CHECK(refusal_of_node({1, 1, 1 << 30, 1}, "MaxPool", {attribute::of("kernel_shape", {1, 1}), wide}).find("strides") != std::string::npos);
  const attribute regions[] = {attribute::of("output_height", 4096), attribute::of("output_width", 4096),
                               attribute::of("sampling_ratio", 256)};
  CHECK(refusal({1, 1, 1, 1}, [&](written& g) {
          g.constant<float>("four", {0, 0, 1, 1});
          g.constant<std::int64_t>("shape", {1, 4});
          g.constant<std::int64_t>("batch", {0});
          g.node("Reshape", {"four", "shape"}, {"boxes"});
          g.node("RoiAlign", {"x", "boxes", "batch"}, {"z"}, {regions[0], regions[1], regions[2]});
        }).find("more elements") != std::string::npos);
}

TEST_CASE("numbers at the ends of what they can be") {
  using namespace hostile;
  CHECK(refusal_of_node({2}, "Pad", {}, {"x", "lowest"}).find("takes more than there is") != std::string::npos);
  CHECK(
      refusal_of_node({1, 1, 2, 2}, "ConvTranspose", {attribute::of("output_shape", {INT64_MIN, INT64_MIN})}, {"x", "x"}).find("extent") !=
      std::string::npos);
  // Sums of four elements from one end of integers to the other.
  CHECK(refusal({2}, [](written& g) {
          g.constant<std::int64_t>("from", {INT64_MIN}, true);
          g.constant<std::int64_t>("to", {INT64_MAX}, true);
          g.constant<std::int64_t>("step", {(std::int64_t{1} << 62) + 1}, true);
          g.node("Range", {"from", "to", "step"}, {"z"});
        }).empty());
  for (const float far : {1e30f, -1e30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const std::string why = refusal({1, 4}, [&](written& g) {
      g.constant<float>("region", {0, far, 1, far});
      g.constant<float>("none", {});
      g.constant<std::int64_t>("sizes", {1, 3});
      g.node("Resize", {"x", "region", "none", "sizes"}, {"z"},
             {attribute::of_text("mode", "linear"), attribute::of_text("coordinate_transformation_mode", "tf_crop_and_resize")});
    });
    CHECK(why.empty() == (std::abs(far) < 1e31f));
    // Integers take the nearest of their own.
    attribute bias{"bias", 1};
    bias.real = far;
    CHECK(refusal({}, [&](written& g) {
            g.constant<std::int8_t>("few", {1, 2});
            g.node("RandomUniformLike", {"x"}, {"random"}, {attribute{"seed", 1, 0, far}});
            g.node("Shrink", {"few"}, {"z"}, {bias});
          }).empty());
  }
}

TEST_CASE("what doubles with each line of a model comes to an end") {
  using namespace hostile;
  jig::load_limits few;
  few.nodes = 100;
  const std::string of_sequences = refusal(
      {},
      [](written& g) {
        g.node("SequenceConstruct", {"x", "y"}, {"s0"});
        for (int k = 0; k < 12; ++k) {
          const std::string before = "s" + std::to_string(k);
          g.node("SequenceConstruct", {before, before}, {"s" + std::to_string(k + 1)});
        }
        g.node("Identity", {"x"}, {"z"});
      },
      few);
  CHECK(of_sequences.find("more nodes are run than load_limits allow") != std::string::npos);
  const std::string of_depth = refusal({}, [](written& g) {
    g.node("SequenceConstruct", {"x"}, {"s0"});
    for (int k = 0; k < 200; ++k) g.node("SequenceConstruct", {"s" + std::to_string(k)}, {"s" + std::to_string(k + 1)});
    g.node("Identity", {"x"}, {"z"});
  });
  CHECK(of_depth.find("sequences lie too deep in each other") != std::string::npos);

  written g;
  g.value(11, "x");
  g.node("f12", {"x"}, {"z"});
  g.outputs({"z"});
  std::string bytes = g.model();
  for (int k = 0; k <= 12; ++k) {
    jig::wire_writer functions;
    functions.message(25, [&](jig::wire_writer& f) {
      f.bytes(1, "f" + std::to_string(k));
      f.bytes(4, "a");
      f.bytes(5, "c");
      for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c")})
        f.message(7, [&](jig::wire_writer& n) {
          n.bytes(1, from);
          n.bytes(2, to);
          n.bytes(4, k == 0 ? "Identity" : "f" + std::to_string(k - 1));
        });
    });
    bytes += functions.bytes();
  }
  CHECK(refusal_of(bytes, few).find("more nodes are run than load_limits allow") != std::string::npos);
}

TEST_CASE("a scan of what is no tensor is refused") {
  using namespace hostile;
  const attribute body =
      attribute::of_graph("body", graph_of({"row"}, {"out"}, [](written& g) { g.node("SequenceConstruct", {"row"}, {"out"}); }));
  CHECK(refusal_of_node({2, 2}, "Scan", {attribute::of("num_scan_inputs", 1), body}).find("tensors are stacked, nothing else") !=
        std::string::npos);
}

TEST_CASE("NaNs are one unique number") {
  written_onnx::written g;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  g.constant<float>("x", {nan, 1, nan, 2, nan, 1, nan});
  g.node("Unique", {"x"}, {"y"});
  g.outputs({"y"});
  jig::onnx_model model(g.model(), "file.onnx");
  const auto y = model({});
  REQUIRE(y.size() == 1);
  const auto found = elements(y[0].tensor);
  REQUIRE(found.size() == 3);
  CHECK((found[0] == 1 && found[1] == 2 && found[2] != found[2]));
}

// A graph for the declared extents, and one for those of a call, which knows them all.
TEST_CASE("nodes of models of which only a call tells the first extent") {
  using namespace written_onnx;
  const auto numbers = [](const any_tensor& t) {
    std::vector<float> out;
    for (jig::index i = 0; i < t.size(); ++i)
      out.push_back(t.dtype() == jig::dtype::int64     ? static_cast<float>(static_cast<const std::int64_t*>(t.data())[i])
                    : t.dtype() == jig::dtype::boolean ? static_cast<float>(static_cast<const bool*>(t.data())[i])
                                                       : static_cast<const float*>(t.data())[i]);
    return out;
  };
  const auto compare = [&](const std::string& bytes, const std::vector<any_tensor>& x) {
    const written_file file(bytes);
    const auto open = jig::loaded_function(jig::detail::read_onnx(file.path(), {})).call(x);
    jig::onnx_model model(bytes, "file.onnx");
    const auto known = model({x.begin(), x.end()});
    REQUIRE(open.size() == known.size());
    for (std::size_t k = 0; k < open.size(); ++k) {
      CHECK(open[k].shape() == known[k].tensor.shape());
      CHECK(numbers(open[k]) == numbers(known[k].tensor));
    }
    return numbers(open[0]);
  };
  jig::tensor<float, jig::dyn, 4, 2, 3> images(3);
  for (jig::index i = 0; i < images.size(); ++i) images.data()[i] = static_cast<float>(i * 7 % 31);
  const auto of_images = [&](const char* kind, const std::vector<attribute>& with, const names& more = {},
                             const std::function<void(written&)>& write = {}, const names& results = {"y"}) {
    written g;
    g.value(11, "x", jig::dtype::float32, {-1, 4, 2, 3});
    if (write) write(g);
    names inputs{"x"};
    inputs.insert(inputs.end(), more.begin(), more.end());
    g.node(kind, inputs, results, with);
    g.outputs(results);
    return compare(g.model(), {any_tensor(images)});
  };
  const auto blocks = of_images("DepthToSpace", {attribute::of("blocksize", 2)});
  CHECK(blocks[0] == images(0, 0, 0, 0));
  CHECK(blocks[1] == images(0, 1, 0, 0));
  CHECK(blocks[6] == images(0, 2, 0, 0));
  const auto scaled = of_images("Resize", {}, {"", "scales"}, [](written& g) { g.constant<float>("scales", {1, 1, 2, 1}); });
  CHECK(scaled[3] == images(0, 0, 0, 0));
  CHECK(scaled[6] == images(0, 0, 1, 0));
  (void)of_images("Resize", {attribute::of_text("mode", "linear")}, {"", "scales"},
                  [](written& g) { g.constant<float>("scales", {1, 1, 1, 3}); });
  (void)of_images("TopK", {attribute::of("axis", 1)}, {"k"}, [](written& g) { g.constant<std::int64_t>("k", {2}); }, {"y", "at"});
  (void)of_images("Dropout", {}, {}, {}, {"y", "mask"});
  for (const int axis : {0, 2})
    for (const int exclusive : {0, 1})
      for (const int back : {0, 1}) {
        const auto sums = of_images("CumSum", {attribute::of("exclusive", exclusive), attribute::of("reverse", back)}, {"axis"},
                                    [&](written& g) { g.constant<std::int64_t>("axis", {axis}, true); });
        float sum = 0;
        for (jig::index k = exclusive; k < (axis == 0 ? 3 : 2); ++k) sum += axis == 0 ? images(k, 1, 0, 2) : images(0, 1, k, 2);
        if (back) CHECK(sums[8] == sum);
        else CHECK(sums[8] == (exclusive ? 0 : images(0, 1, 0, 2)));
      }
  // Positions from the start and from the end, in rows that only a call knows.
  for (const char* kind : {"ScatterND", "GatherND"}) {
    const bool scatters = kind[0] == 'S';
    written g;
    g.value(11, "x", jig::dtype::float32, {-1, 4, 2, 3});
    g.value(11, "at", jig::dtype::int64, {-1, 2});
    if (scatters) g.value(11, "new", jig::dtype::float32, {-1, 2, 3});
    g.node(kind, scatters ? names{"x", "at", "new"} : names{"x", "at"}, {"y"});
    g.outputs({"y"});
    jig::tensor<std::int64_t, jig::dyn, 2> places(2);
    std::ranges::copy(std::vector<std::int64_t>{-1, 1, 0, -2}, places.data());
    jig::tensor<float, jig::dyn, 2, 3> changed(2);
    for (jig::index i = 0; i < 12; ++i) changed.data()[i] = static_cast<float>(100 + i);
    std::vector<any_tensor> x{any_tensor(images), any_tensor(places)};
    if (scatters) x.push_back(any_tensor(changed));
    const auto y = compare(g.model(), x);
    for (jig::index i = 0; i < 6; ++i) {
      const auto at_2_1 = static_cast<std::size_t>((2 * 4 + 1) * 6 + i), at_0_2 = static_cast<std::size_t>(2 * 6 + i),
                 k = static_cast<std::size_t>(i);
      CHECK(y[scatters ? at_2_1 : k] == (scatters ? changed.data()[i] : images.data()[at_2_1]));
      CHECK(y[scatters ? at_0_2 : 6 + k] == (scatters ? changed.data()[6 + i] : images.data()[at_0_2]));
    }
  }
  jig::tensor<std::int64_t, jig::dyn, 4, 2, 3> at(3);
  for (const int axis : {0, 1, 2, 3}) {
    const jig::index n = images.extent(axis);
    for (jig::index i = 0; i < at.size(); ++i) at.data()[i] = (i * 5 + i / 4) % n - (i % 3 == 0 ? n : 0);
    const auto of_extent = [&](jig::index n_of_x) {
      written g;
      g.value(11, "x", jig::dtype::float32, {n_of_x, 4, 2, 3});
      g.value(11, "at", jig::dtype::int64, {n_of_x, 4, 2, 3});
      g.node("GatherElements", {"x", "at"}, {"y"}, {attribute::of("axis", axis)});
      g.outputs({"y"});
      return g.model();
    };
    // Extents of one name are equal: then there is one graph. Other ones may have fewer positions than elements.
    const auto has_graph = [&](jig::index n_of_x) { return jig::onnx_model(of_extent(n_of_x), "file.onnx").declared_graph().has_value(); };
    CHECK(has_graph(written::named));
    CHECK(has_graph(-1) == (axis == 0));
    const auto picked = compare(of_extent(written::named), {any_tensor(images), any_tensor(at)});
    CHECK(picked == compare(of_extent(-1), {any_tensor(images), any_tensor(at)}));
    int wrong = 0;
    jig::index i = 0;
    for (jig::index a = 0; a < 3; ++a)
      for (jig::index b = 0; b < 4; ++b)
        for (jig::index c = 0; c < 2; ++c)
          for (jig::index d = 0; d < 3; ++d, ++i) {
            jig::index place[] = {a, b, c, d};
            place[axis] = (at.data()[i] + n) % n;
            wrong += picked[static_cast<std::size_t>(i)] != images(place[0], place[1], place[2], place[3]);
          }
    CHECK(wrong == 0);
  }
}

// What programs write for x.view(len(x), -1): the extents of a reshape are computed from those of the argument.
static std::string flattening(const char* last = "Neg") {
  using namespace written_onnx;
  written g;
  g.value(11, "x", jig::dtype::float32, {-1, 2, 3});
  g.constant<std::int64_t>("zero", {0});
  g.constant<std::int64_t>("rest", {-1});
  g.node("Shape", {"x"}, {"shape"});
  g.node("Gather", {"shape", "zero"}, {"rows"});
  g.node("Concat", {"rows", "rest"}, {"to"}, {attribute::of("axis", 0)});
  g.node("Reshape", {"x", "to"}, {"flat"});
  g.node(last, {"flat"}, {"y"}, {}, "last");
  g.value(12, "y", jig::dtype::float32, {-1, 6});
  return g.model();
}

TEST_CASE("where extents of arguments steer the graph, each call has its own") {
  const written_file file(flattening());
  const jig::loaded_function f(jig::detail::read_onnx(file.path(), {}));
  const auto rows = [](jig::index n) {
    jig::tensor<float, jig::dyn, 2, 3> x(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i + 1);
    return any_tensor(x);
  };
  const auto is_right = [&](const any_tensor& y, jig::index n, float factor) {
    bool right = y.shape() == jig::shape{2, {n, 6}};
    for (jig::index i = 0; right && i < y.size(); ++i) right = static_cast<const float*>(y.data())[i] == factor * static_cast<float>(i + 1);
    return right;
  };
  CHECK(!f.has_graph());
  for (const jig::index n : {2, 1, 5, 2}) CHECK(is_right(f(rows(n)), n, -1));
  CHECK(is_right(f({{"x", rows(3)}}), 3, -1));
  CHECK(f.input_spec(0) == jig::tensor_spec{jig::dtype::float32, {3, {jig::dyn, 2, 3}}});
  CHECK(f.output_spec(0) == jig::tensor_spec{jig::dtype::float32, {2, {jig::dyn, 6}}});
  CHECK(f.pretty_printed_signature().find("shape=(None, 2, 3)") != std::string::npos);

  // Its graph for some extents can be looked at and written.
  const jig::loaded_function four(f.model_for({{jig::dtype::float32, {3, {4, 2, 3}}}}));
  CHECK(four.graph().count("Reshape") == 1);
  CHECK(four.output_spec(0).shape == jig::shape{2, {4, 6}});
  CHECK(is_right(four(rows(4)), 4, -1));
  const auto why = [](auto call) -> std::string {
    try {
      call();
    } catch (const jig::error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(why([&] { (void)f.graph(); }).find("its graph is made for the arguments of each call; model_for() gives it for their specs") !=
        std::string::npos);
  CHECK(why([&] { (void)f.optimized_graph(); }) == why([&] { (void)f.graph(); }));
  CHECK(why([&] { (void)f.saved(); }) == why([&] { (void)f.graph(); }));
  CHECK(why([&] { (void)f.model_for({f.input_spec(0)}); }).find("argument x: its extents must be known, given float32 (None, 2, 3)") !=
        std::string::npos);
  CHECK(why([&] { (void)f(any_tensor(jig::tensor<float, 2, 2, 4>())); }).find("argument x: expected float32 (None, 2, 3)") !=
        std::string::npos);
  const written_file unknown(flattening("Frobnicate"));
  CHECK(why([&] { (void)jig::detail::read_onnx(unknown.path(), {}); }).find("node \"last\" (Frobnicate, opset 13): jig has no such op") !=
        std::string::npos);

  // In a trace of the run it is the graph for what is there.
  const auto twice = jig::dynamic_function([&](auto x) { return 2 * f(x).value(); });
  const auto slope = jig::dynamic_function([&](auto x) { return jig::gradient(jig::reduce_sum(jig::square(f(x).value())), x); });
  for (const jig::index n : {3, 1}) {
    CHECK(is_right(twice(rows(n)), n, -2));
    const any_tensor g = slope(rows(n));
    CHECK(g.shape() == jig::shape{3, {n, 2, 3}});
    CHECK(static_cast<const float*>(g.data())[5] == 12);
  }

  // At the same time.
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (jig::index k = 0; k < 50; ++k) wrong += !is_right(f(rows(1 + (k * 7 + t) % 8)), 1 + (k * 7 + t) % 8, -1);
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}
