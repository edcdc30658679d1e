// SPDX-License-Identifier: MIT
#include "onnx_case.hpp"

#include "../../interpreted_pairs.hpp"

#include <cctype>

std::vector<onnx_case> onnx_rows() {
  using jig::dtype, jig::shape;
  const shape shapes[] = {{}, {1, {7}}, {2, {3, 5}}, {3, {3, 2, 3}}, {4, {2, 3, 2, 2}}};
  std::vector<onnx_case> out;
  for (const auto& row : pairs::all_rows()) {
    std::string plain = "row" + std::to_string(&row - pairs::all_rows().data()) + "_";
    for (const char c : row.name) plain += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    for (int d = 0; d < jig::dtype_count; ++d) {
      const auto type = static_cast<dtype>(d);
      // Of most dtypes one rank: exporting does not depend on both.
      bool one = type != dtype::float32 && type != dtype::int32;
      for (const int rank : {2, 3, 1, 0, 4}) {
        if (!pairs::takes(row, type, rank)) continue;
        const shape& s = shapes[rank];
        auto arguments = pairs::operands_of(row, type, s, 1);
        arguments.insert(arguments.begin(), pairs::made({type, s}, 0));
        jig::named_graph named;
        try {
          named = jig::named_graph_of(pairs::graph_of({&row}, arguments).view(), plain);
        } catch (const jig::invalid_argument&) {
          continue;
        }
        named.inputs = {"x", "a", "b", "c", "d"};
        out.push_back(
            {plain + "_" + std::string(jig::name_of(type)) + "_" + std::to_string(rank), std::move(named), {pairs::filled(arguments)}});
        if (one) break;
      }
    }
  }
  return out;
}
