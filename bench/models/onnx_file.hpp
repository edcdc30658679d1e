// SPDX-License-Identifier: MIT
#pragma once
// Models as ONNX files, node by node, with weights that are the same in every run.

#include <jig/io/wire.hpp>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace bench {

using extents_of_tensor = std::vector<std::int64_t>;

struct onnx_attribute {
  std::string name;
  std::variant<float, std::int64_t, std::vector<std::int64_t>> value;
};

class onnx_file {
 public:
  void argument(const std::string& name, const extents_of_tensor& extents) { value_info(11, name, extents); }
  void result(const std::string& name, const extents_of_tensor& extents) { value_info(12, name, extents); }

  /// A node; returns the name of its result.
  std::string node(const std::string& kind, const std::vector<std::string>& inputs, const std::vector<onnx_attribute>& with = {},
                   std::string name = "") {
    if (name.empty()) name = fresh();
    graph_.message(1, [&](jig::wire_writer& n) {
      for (const auto& i : inputs) n.bytes(1, i);
      n.bytes(2, name);
      n.bytes(4, kind);
      for (const auto& a : with) n.message(5, [&](jig::wire_writer& to) { write(a, to); });
    });
    return name;
  }
  /// Random weights, of a size that keeps what they are multiplied with as large as it was.
  std::string weights(const extents_of_tensor& extents, std::int64_t summands) {
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> x(count(extents));
    for (auto& e : x) e = number(generator_) * std::sqrt(3.0f / static_cast<float>(summands));
    return constant(extents, 1, x);
  }
  std::string number(float x) { return constant({}, 1, std::vector{x}); }
  std::string integers(const std::vector<std::int64_t>& x) { return constant({static_cast<std::int64_t>(x.size())}, 7, x); }

  void write_to(const std::string& path) const {
    jig::wire_writer model;
    model.number(1, 8);
    model.bytes(7, graph_.bytes());
    model.message(8, [](jig::wire_writer& opset) { opset.number(2, 17); });
    std::ofstream(path, std::ios::binary) << model.bytes();
  }

 private:
  static std::size_t count(const extents_of_tensor& extents) {
    std::size_t n = 1;
    for (const auto e : extents) n *= static_cast<std::size_t>(e);
    return n;
  }
  std::string fresh() { return "v" + std::to_string(next_++); }
  template <class T>
  std::string constant(const extents_of_tensor& extents, std::uint64_t type, const std::vector<T>& x) {
    const std::string name = fresh();
    graph_.message(5, [&](jig::wire_writer& t) {
      for (const auto e : extents) t.integer(1, e);
      t.number(2, type);
      t.bytes(8, name);
      t.bytes(9, {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T)});
    });
    return name;
  }
  static void write(const onnx_attribute& a, jig::wire_writer& to) {
    to.bytes(1, a.name);
    if (const auto* x = std::get_if<float>(&a.value)) {
      to.real(2, *x);
      to.number(20, 1);
    } else if (const auto* i = std::get_if<std::int64_t>(&a.value)) {
      to.integer(3, *i);
      to.number(20, 2);
    } else {
      for (const auto n : std::get<2>(a.value)) to.integer(8, n);
      to.number(20, 7);
    }
  }
  void value_info(std::uint32_t field, const std::string& name, const extents_of_tensor& extents) {
    graph_.message(field, [&](jig::wire_writer& v) {
      v.bytes(1, name);
      v.message(2, [&](jig::wire_writer& type) {
        type.message(1, [&](jig::wire_writer& tensor) {
          tensor.number(1, 1);
          tensor.message(2, [&](jig::wire_writer& dims) {
            for (const auto e : extents) dims.message(1, [&](jig::wire_writer& d) { d.integer(1, e); });
          });
        });
      });
    });
  }

  jig::wire_writer graph_;
  std::mt19937 generator_{42};
  int next_ = 0;
};

}  // namespace bench
