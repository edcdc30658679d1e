// SPDX-License-Identifier: MIT
// Models from ONNX files, as jig::load reads them and its interpreter runs them, beside ONNX Runtime on one thread, whose library the
// environment variable JIG_BENCH_ONNXRUNTIME names: calls, and how long it takes from the file to the first result.

#include "models/onnx_file.hpp"
#include "models/onnx_runtime.hpp"
#include "workload.hpp"

#include <filesystem>
#include <jig/io.hpp>
#include <memory>

namespace {

using bench::onnx_file;
using list = std::vector<std::int64_t>;

// A model with arguments x0, x1 … and the result y.
struct written_model {
  std::string name;
  std::int64_t batch;
  std::vector<list> arguments;
  list result;
};

std::string dense(onnx_file& f, const std::string& x, std::int64_t in, std::int64_t out) {
  return f.node("Add", {f.node("MatMul", {x, f.weights({in, out}, in)}), f.weights({out}, 30)});
}

written_model mlp(onnx_file& f, std::int64_t batch) {
  std::string h = "x0";
  const list widths{784, 256, 128, 10};
  for (std::size_t k = 1; k < widths.size(); ++k) {
    h = dense(f, h, widths[k - 1], widths[k]);
    if (k + 1 < widths.size()) h = f.node("Relu", {h});
  }
  f.node("Softmax", {h}, {{"axis", std::int64_t{-1}}}, "y");
  return {"MLP of 784, 256, 128 and 10", batch, {{batch, 784}}, {batch, 10}};
}

written_model convolutions(onnx_file& f, std::int64_t batch) {
  const auto layer = [&](const std::string& x, std::int64_t in, std::int64_t out) {
    const auto w = f.weights({out, in, 3, 3}, in * 9), b = f.weights({out}, 30);
    const auto y = f.node("Relu", {f.node("Conv", {x, w, b}, {{"kernel_shape", list{3, 3}}, {"pads", list{1, 1, 1, 1}}})});
    return f.node("MaxPool", {y}, {{"kernel_shape", list{2, 2}}, {"strides", list{2, 2}}});
  };
  const auto h = f.node("Flatten", {layer(layer("x0", 3, 16), 16, 32)});
  f.node("Softmax", {dense(f, h, 32 * 8 * 8, 10)}, {{"axis", std::int64_t{-1}}}, "y");
  return {"two convolutions of 32 x 32 x 3, pools and a dense layer", batch, {{batch, 3, 32, 32}}, {batch, 10}};
}

written_model lstm(onnx_file& f, std::int64_t batch) {
  const auto y = f.node("LSTM", {"x0", f.weights({1, 256, 32}, 32), f.weights({1, 256, 64}, 64), f.weights({1, 512}, 30)},
                        {{"hidden_size", std::int64_t{64}}});
  f.node("Squeeze", {y, f.integers({1})}, {}, "y");
  return {"LSTM, 512 steps of 32 to 64", batch, {{512, batch, 32}}, {512, batch, 64}};
}

std::string attention(onnx_file& f, const std::string& q, const std::string& transposed_k, const std::string& v, std::int64_t depth,
                      const std::string& name = "") {
  const auto scores = f.node("Mul", {f.node("MatMul", {q, transposed_k}), f.number(1 / std::sqrt(static_cast<float>(depth)))});
  return f.node("MatMul", {f.node("Softmax", {scores}, {{"axis", std::int64_t{-1}}}), v}, {}, name);
}

written_model attention_alone(onnx_file& f, std::int64_t batch) {
  attention(f, "x0", f.node("Transpose", {"x1"}, {{"perm", list{0, 2, 1}}}), "x2", 256, "y");
  const list each{batch, 128, 256};
  return {"attention, 128 x 256", batch, {each, each, each}, each};
}

written_model transformer(onnx_file& f, std::int64_t batch) {
  constexpr std::int64_t width = 256, heads = 8, depth = width / heads;
  const auto normal = [&](const std::string& x) {
    return f.node("LayerNormalization", {x, f.weights({width}, 3), f.weights({width}, 30)}, {{"axis", std::int64_t{-1}}});
  };
  const auto in = normal("x0");
  const auto head = [&](const list& order) {
    const auto x = f.node("Reshape", {dense(f, in, width, width), f.integers({batch, 128, heads, depth})});
    return f.node("Transpose", {x}, {{"perm", order}});
  };
  const auto q = head({0, 2, 1, 3}), k = head({0, 2, 3, 1}), v = head({0, 2, 1, 3});
  const auto joined = f.node("Transpose", {attention(f, q, k, v, depth)}, {{"perm", list{0, 2, 1, 3}}});
  const auto h = f.node("Add", {"x0", dense(f, f.node("Reshape", {joined, f.integers({batch, 128, width})}), width, width)});
  const auto wide = dense(f, normal(h), width, 4 * width);
  const auto error = f.node("Erf", {f.node("Div", {wide, f.number(std::sqrt(2.0f))})});
  const auto gelu = f.node("Mul", {f.node("Mul", {wide, f.node("Add", {error, f.number(1)})}), f.number(0.5f)});
  f.node("Add", {h, dense(f, gelu, 4 * width, width)}, {}, "y");
  return {"transformer block, 128 x 256", batch, {{batch, 128, width}}, {batch, 128, width}};
}

jig::any_tensor tensor_of(const list& extents) {
  jig::shape s;
  for (const auto e : extents) s.extents[s.rank++] = e;
  return jig::any_tensor::empty(jig::dtype::float32, s);
}
float* elements_of(jig::any_tensor& t) { return static_cast<float*>(t.mutable_data()); }

// What is kept for the benchmarks, which run later.
struct running_model {
  written_model about;
  std::string path;
  std::vector<jig::any_tensor> arguments;
  std::vector<float> result;
  std::unique_ptr<jig::loaded_function> loaded{};
  std::unique_ptr<bench::onnx_session> session{};
  std::vector<std::string> names{};
  std::vector<const char*> name_pointers{};
  std::vector<void*> tensors{};
  void* to = nullptr;

  void load() { loaded = std::make_unique<jig::loaded_function>(jig::load(path)); }
  jig::loaded_results<> call() const { return loaded->call(arguments); }
  void load_session() {
    session = std::make_unique<bench::onnx_session>(path);
    names.clear(), tensors.clear(), name_pointers.clear();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      names.push_back("x" + std::to_string(k));
      tensors.push_back(session->tensor(static_cast<const float*>(arguments[k].data()), about.arguments[k]));
    }
    for (const auto& n : names) name_pointers.push_back(n.c_str());
    to = session->tensor(result.data(), about.result);
  }
  void call_session() const { (*session)(name_pointers, tensors, "y", to); }
};

template <class Run>
void enter(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), [run](benchmark::State& state) {
    for (auto _ : state) {
      run();
      benchmark::ClobberMemory();
    }
  });
}

void check(const running_model& m, const jig::any_tensor& found) {
  const auto* x = static_cast<const float*>(found.data());
  float largest = 0, farthest = 0;
  for (std::size_t i = 0; i < m.result.size(); ++i) {
    largest = std::fmax(largest, std::fabs(m.result[i]));
    farthest = std::fmax(farthest, std::fabs(x[i] - m.result[i]));
    if (std::isnan(x[i]) || std::isnan(m.result[i])) farthest = std::numeric_limits<float>::infinity();
  }
  if (found.size() == static_cast<jig::index>(m.result.size()) && farthest <= 1e-4f * largest) return;
  std::fprintf(stderr, "%s: results differ by %.9g, the largest is %.9g\n", m.about.name.c_str(), static_cast<double>(farthest),
               static_cast<double>(largest));
  std::exit(1);
}

void add(const std::filesystem::path& folder, written_model (*write)(onnx_file&, std::int64_t), std::int64_t batch) {
  static int number = 0;
  onnx_file file;
  auto& m = *new running_model{write(file, batch), folder / ("model" + std::to_string(number++) + ".onnx"), {}, {}};
  for (std::size_t k = 0; k < m.about.arguments.size(); ++k) {
    file.argument("x" + std::to_string(k), m.about.arguments[k]);
    m.arguments.push_back(tensor_of(m.about.arguments[k]));
    auto all = std::span(elements_of(m.arguments.back()), static_cast<std::size_t>(m.arguments.back().size()));
    bench::fill(-1, 1, all);
  }
  file.result("y", m.about.result);
  file.write_to(m.path);
  m.load();
  const auto found = m.call();
  m.result.resize(static_cast<std::size_t>(found.value().size()), std::numeric_limits<float>::quiet_NaN());
  if (bench::onnx_runtime::is_there()) {
    m.load_session();
    m.call_session();
    check(m, found);
  }
  const std::string size = "/batch of " + std::to_string(batch) + "/";
  enter(m.about.name + size + "jig", [&m] { benchmark::DoNotOptimize(m.call()); });
  if (bench::onnx_runtime::is_there()) enter(m.about.name + size + "ONNX Runtime", [&m] { m.call_session(); });
  enter("first call: " + m.about.name + size + "jig", [&m] {
    m.load();
    benchmark::DoNotOptimize(m.call());
  });
  if (bench::onnx_runtime::is_there())
    enter("first call: " + m.about.name + size + "ONNX Runtime", [&m] {
      m.load_session();
      m.call_session();
    });
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = std::filesystem::temp_directory_path() / ("jig_bench_models_" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  for (const auto write : {mlp, convolutions, lstm, attention_alone, transformer})
    for (const std::int64_t batch : {1, 32}) add(folder, write, batch);
  const int status = bench::run(argc, argv);
  std::filesystem::remove_all(folder);
  return status;
}
