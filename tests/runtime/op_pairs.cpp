// SPDX-License-Identifier: MIT
// All pairs of rows of the table of ops, one behind the other in one graph: planned with and without passes, and run op by op.
#include "../interpreted_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using jig::dtype;
using jig::index;
using jig::shape;
using namespace pairs;

// By rank: below and beyond what loops, kernels and batches of items take at a time.
const std::vector<std::vector<shape>>& sizes() {
  static const std::vector<std::vector<shape>> all{{{}},
                                                   {{1, {7}}, {1, {300}}, {1, {2100}}},
                                                   {{2, {3, 5}}, {2, {130, 9}}, {2, {65, 33}}, {2, {4, 4}}},
                                                   {{3, {3, 2, 3}}, {3, {130, 3, 3}}, {3, {9, 65, 5}}},
                                                   {{4, {2, 3, 2, 2}}, {4, {5, 27, 2, 3}}}};
  return all;
}
constexpr dtype dtypes[] = {dtype::float32, dtype::float64, dtype::int32, dtype::boolean};

// What one row gives for x, op by op.
struct produced {
  std::vector<any_tensor> arguments;
  any_tensor value;
};

// Have extents that only a run tells, check values, stand for nothing, or are made by lowering; these gradients and
// loops have tests with wildcard extents.
constexpr std::string_view elsewhere[] = {"Where", "Unique", "CheckNumerics", "NoOp", "Shape", "SumLike", "Shrinkage", "ConcatPart",
                                          "TensorListGetItem", "TensorListPushBack", "BatchMatMulArranged", "PadLike", "MaxPoolGradGrad",
                                          "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter",
                                          // What differs from those of two axes in the number of axes alone.
                                          "Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "MaxPool3D", "MaxPool3DGrad",
                                          "MaxPool3DGradGrad", "AvgPool3D", "AvgPool3DGrad"};

struct counts {
  int pairs = 0, runs = 0, refused = 0;
  std::vector<char> produces, consumes;
  std::string text() const {
    return std::to_string(pairs) + " pairs, " + std::to_string(runs) + " runs, " + std::to_string(refused) + " refused";
  }
};

void run_pair(const table_row& first, const table_row& second, const produced& from, counts& n) {
  std::vector<any_tensor> arguments = from.arguments;
  for (auto& x : operands_of(second, from.value.dtype(), from.value.shape(), 3)) arguments.push_back(x);
  std::vector<any_tensor> alone = operands_of(second, from.value.dtype(), from.value.shape(), 3);
  alone.insert(alone.begin(), from.value);
  std::string wrong;
  ++n.runs;
  results expected;
  jig::graph one;
  try {
    one = graph_of({&second}, alone);
  } catch (const jig::invalid_argument&) {
    ++n.refused;
    CHECK_THROWS_AS(graph_of({&first, &second}, arguments), jig::invalid_argument);
    return;
  }
  expected = op_by_op(one, filled(alone));
  n.refused += !expected;
  const jig::graph both = graph_of({&first, &second}, arguments);
  const std::string with = difference(planned(jig::detail::runtime_graph_of(both), arguments), expected, from.value.dtype());
  const std::string without = difference(planned(jig::detail::runtime_graph<>(both), arguments), expected, from.value.dtype());
  if (!with.empty()) wrong += " planned: " + with;
  if (!without.empty()) wrong += " without passes: " + without;
  if (wrong.empty()) return;
  jig::message text;
  text << "'" << second.name << "' behind '" << first.name << "' of "
       << jig::tensor_spec{from.arguments[0].dtype(), from.arguments[0].shape()};
  wrong = std::string(text.view()) + ":" + wrong;
  FAIL_CHECK(wrong);
}

// With sanitizers everything takes ten times as long: of four runs one is made there, by turns.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t one_of = 4;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t one_of = 4;
#else
constexpr std::size_t one_of = 1;
#endif
#else
constexpr std::size_t one_of = 1;
#endif

// All pairs, each with some of the sizes and dtypes: `every` of them or one for each rank, by turns.
counts run_pairs(bool every) {
  counts n;
  n.produces.resize(all_rows().size());
  n.consumes.resize(all_rows().size());
  for (std::size_t p = 0; p < all_rows().size(); ++p) {
    const table_row& first = all_rows()[p];
    std::map<std::size_t, std::optional<produced>> made_of;
    std::vector<char> paired(all_rows().size());
    for (std::size_t rank = 0; rank < sizes().size(); ++rank) {
      const auto& of_rank = sizes()[rank];
      for (std::size_t k = 0; k < of_rank.size() * std::size(dtypes); ++k) {
        const dtype d = dtypes[k / of_rank.size()];
        const shape& s = of_rank[k % of_rank.size()];
        if (!takes(first, d, s.rank)) continue;
        auto operands = operands_of(first, d, s, 1);
        operands.insert(operands.begin(), made({d, s}, 0));
        try {
          const results y = op_by_op(graph_of({&first}, operands), filled(operands));
          if (y) made_of[rank * 100 + k] = produced{operands, (*y)[0]};
        } catch (const jig::invalid_argument&) {
        }
      }
    }
    for (std::size_t c = 0; c < all_rows().size(); ++c) {
      const table_row& second = all_rows()[c];
      for (std::size_t rank = 0; rank < sizes().size(); ++rank) {
        std::vector<const produced*> fitting;
        for (const auto& [at, y] : made_of)
          if (at / 100 == rank && takes(second, y->value)) fitting.push_back(&*y);
        if (fitting.empty()) continue;
        n.produces[p] = n.consumes[c] = paired[c] = 1;
        if (every)
          for (const produced* y : fitting) run_pair(first, second, *y, n);
        else if ((p + c + rank) % one_of == 0) run_pair(first, second, *fitting[(p * 5 + c) % fitting.size()], n);
      }
      n.pairs += paired[c];
    }
  }
  return n;
}

}  // namespace

TEST_CASE("every op behind every op, run as one graph, gives what they give one by one") {
  const counts n = run_pairs(false);
  MESSAGE(n.text());
  for (std::size_t k = 0; k < all_rows().size(); ++k) {
    CAPTURE(std::string(all_rows()[k].name));
    CHECK(n.produces[k]);
    CHECK(n.consumes[k]);
  }
}

// Takes minutes: `jig_tests_runtime_op_pairs --no-skip -tc="*in every size"`.
TEST_CASE("every op behind every op in every size" * doctest::skip()) {
  const counts n = run_pairs(true);
  MESSAGE(n.text());
}

// Of ops without a kernel of their own, which are views, tests/op_pairs.hpp has those that users call.
TEST_CASE("every op that has a kernel is in the table") {
  std::set<const jig::op*> found;
  for (const auto& row : all_rows())
    for (std::size_t k = 0; k < sizes().size() * std::size(dtypes); ++k) {
      const auto& of_rank = sizes()[k / std::size(dtypes)];
      const dtype d = dtypes[k % std::size(dtypes)];
      if (!takes(row, d, of_rank[0].rank)) continue;
      auto arguments = operands_of(row, d, of_rank[0], 1);
      arguments.insert(arguments.begin(), made({d, of_rank[0]}, 0));
      try {
        const jig::graph g = graph_of({&row}, arguments);
        jig::holds_for_any(g.view(), [&](const jig::graph_view&, const jig::node_data& n) {
          found.insert(n.kind);
          return false;
        });
      } catch (const jig::invalid_argument&) {
      }
    }
  for (const auto* link = jig::detail::first_runtime_kernel; link != nullptr; link = link->next) {
    const jig::op& kind = *link->kernel->kind;
    const std::string name(kind.name);
    CAPTURE(name);
    // Effects have tests of their own; these have extents that only a run tells, and run node by node.
    const bool excused = kind.is(jig::fact::stateful | jig::fact::host) || std::count(std::begin(elsewhere), std::end(elsewhere), name) > 0;
    CHECK((excused || found.count(&kind) > 0));
  }
}
