// SPDX-License-Identifier: MIT
// A libFuzzer target: bytes are an ONNX model, or load_error says why they are none; nothing else happens. What is read is well formed,
// also where elements of arguments steer it, and what can be written can be read again.
#include <jig/io/onnx.hpp>

#include "wire_mutator.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

using jig::any_tensor;

jig::load_limits few() {
  jig::load_limits limits;
  limits.elements = 1 << 16;
  limits.nodes = 1 << 10;
  limits.nesting = 20;
  return limits;
}

// Ones of the spec that a model declares; of extents that it does not know, two.
std::optional<jig::onnx::data> ones(const jig::onnx::type_message& type) {
  if (!type.around.empty() || !jig::onnx::dtype_of_element(type.element) || type.dims.size() > 4) return std::nullopt;
  jig::shape extents;
  jig::index elements = 1;
  for (const auto& d : type.dims) {
    extents.push_back(d.value < 0 ? 2 : d.value);
    if (!jig::detail::multiply_extents(elements, extents[extents.rank - 1], elements) || elements > 256) return std::nullopt;
  }
  any_tensor out = any_tensor::empty(*jig::onnx::dtype_of_element(type.element), extents);
  jig::detail::with_type_of(out.dtype(), [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>)
      std::fill_n(static_cast<T*>(out.mutable_data()), static_cast<std::size_t>(out.size()), T(1));
  });
  return jig::onnx::data(std::move(out));
}

void require_round_trip(const jig::onnx::imported_graph& made) {
  const jig::graph_view g = made.graph.view();
  jig::require_valid(g);
  std::string bytes;
  try {
    bytes = jig::onnx::model_bytes(jig::named_graph_of(g));
  } catch (const jig::error&) {
    return;
  }
  const auto again = jig::onnx_model(std::move(bytes), "again", few()).declared_graph();
  if (!again) return;
  jig::require_valid(again->graph.view());
  if (again->graph.view().inputs().size() != g.inputs().size() || again->graph.view().outputs().size() != g.outputs().size()) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::string changed = wire_mutator(seed).changed({reinterpret_cast<const char*>(data), size});
  if (changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    const jig::onnx_model model(std::string(reinterpret_cast<const char*>(data), size), "file", few());
    if (const auto made = model.declared_graph()) {
      jig::require_valid(made->graph.view());
      require_round_trip(*made);
      return 0;
    }
    std::vector<jig::onnx::data> given;
    for (const auto* a : model.arguments()) {
      auto x = ones(a->type);
      if (!x) return 0;
      given.push_back(std::move(*x));
    }
    std::vector<jig::onnx::importer::argument> known;
    for (const auto& x : given) known.push_back({&x, true});
    jig::require_valid(jig::onnx::importer(model.message(), "file", few()).run(known).graph.view());
  } catch (const jig::load_error&) {
  }
  return 0;
}
