// SPDX-License-Identifier: MIT
// All pairs of rows of the table of ops, one behind the other in one graph: planned with and without passes, and run op by op.
#include "../op_pairs.hpp"

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

using jig::any_tensor;
using jig::dtype;
using jig::dynamic_symbol;
using jig::index;
using jig::shape;
using pairs::operand;

using row_function = dynamic_symbol (*)(const dynamic_symbol&, const dynamic_symbol&, const dynamic_symbol&);
struct table_row : pairs::row_facts {
  row_function f;
};

template <std::size_t I>
dynamic_symbol call_row(const dynamic_symbol& x, const dynamic_symbol& a, const dynamic_symbol& b) {
  return pairs::function_of<I>(x, a, b);
}
const std::vector<table_row>& rows() {
  static const auto all = []<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<table_row> out;
    (out.push_back({pairs::facts[I], &call_row<I>}), ...);
    return out;
  }(std::make_index_sequence<pairs::rows>());
  return all;
}

any_tensor made(const pairs::operand_spec& s, index salt) {
  any_tensor out = any_tensor::empty(s.dtype, s.shape);
  jig::detail::with_type_of(s.dtype, [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>)
      for (index i = 0; i < out.size(); ++i)
        static_cast<T*>(out.mutable_data())[i] = static_cast<T>(static_cast<float>(pairs::element(s, i, salt)));
  });
  return out;
}

bool takes(const table_row& row, dtype d, int rank) { return (row.ranks >> rank & 1) != 0 && pairs::takes(row.dtypes, d); }
bool takes(const table_row& row, const any_tensor& x) { return takes(row, x.dtype(), x.rank()); }

// The operands of a row.
std::vector<any_tensor> operands_of(const table_row& row, dtype d, const shape& x, index salt) {
  return {made(pairs::spec_of(row.a, d, x), salt), made(pairs::spec_of(row.b, d, x), salt + 1)};
}

using results = std::optional<std::vector<any_tensor>>;
template <class F>
results unless_refused(F f) {
  try {
    return f();
  } catch (const jig::invalid_argument&) {
    return {};
  }
}

jig::graph graph_of(const std::vector<const table_row*>& chain, const std::vector<any_tensor>& arguments) {
  std::vector<jig::tensor_spec> specs;
  for (const auto& x : arguments) specs.push_back({x.dtype(), x.shape()});
  specs.resize(5, {dtype::int32, {}});
  const auto f = [&](auto x, auto a, auto b, auto c, auto d) {
    const dynamic_symbol y = chain[0]->f(x, a, b);
    return chain.size() == 1 ? y : chain[1]->f(y, c, d);
  };
  return jig::detail::dynamic_trace("", f, specs[0], specs[1], specs[2], specs[3], specs[4]).graph;
}
std::vector<any_tensor> filled(std::vector<any_tensor> arguments) {
  while (arguments.size() < 5) arguments.push_back(made({dtype::int32, {}, 1}, 0));
  return arguments;
}
// One op after another, every value a tensor of its own.
results op_by_op(const jig::graph& traced, const std::vector<any_tensor>& arguments) {
  return unless_refused([&] {
    jig::detail::call_tape tape;
    auto out = jig::detail::run_nodes<any_tensor>(traced.view(), {arguments.data(), arguments.size()}, &tape);
    for (auto& x : out) x = any_tensor(x.view());
    return out;
  });
}
results planned(const jig::detail::runtime_graph<>& g, const std::vector<any_tensor>& arguments) {
  return unless_refused([&] { return jig::detail::run_graph(g, jig::stretch<any_tensor>(arguments.data(), arguments.size())); });
}

template <class T>
double number(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(x);
  else if constexpr (std::is_same_v<T, std::string>) return 0;
  else return static_cast<double>(static_cast<float>(x));
}
// Fused loops may round otherwise.
std::string difference(const results& found, const results& expected) {
  if (found.has_value() != expected.has_value()) return found ? "is not refused" : "is refused";
  if (!found) return "";
  const any_tensor &x = (*found)[0], &y = (*expected)[0];
  if (x.dtype() != y.dtype()) return "has another dtype";
  if (!(x.shape() == y.shape())) return "has another shape";
  const double tolerance = x.dtype() == dtype::float64 ? 1e-9 : x.dtype() == dtype::float16 ? 1e-2 : 1e-4;
  std::string out;
  jig::detail::with_type_of(x.dtype(), [&]<class T>(const T&) {
    const T *p = static_cast<const T*>(x.data()), *q = static_cast<const T*>(y.data());
    for (index i = 0; i < x.size() && out.empty(); ++i) {
      const double a = number(p[i]), b = number(q[i]);
      if (a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * (1 + std::abs(b))) continue;
      out = "element " + std::to_string(i) + " is " + std::to_string(a) + ", not " + std::to_string(b);
    }
  });
  return out;
}

}  // namespace

std::optional<any_tensor> pairs::op_by_op(int first, int second, const std::vector<any_tensor>& arguments) {
  const auto& all = ::rows();
  const results out = unless_refused([&] {
    return ::op_by_op(graph_of({&all[static_cast<std::size_t>(first)], &all[static_cast<std::size_t>(second)]}, arguments),
                      filled(arguments));
  });
  return out ? std::optional<any_tensor>((*out)[0]) : std::nullopt;
}
std::string pairs::difference(const any_tensor& found, const any_tensor& expected) {
  return ::difference(results({found}), results({expected}));
}

namespace {

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

// Have extents that only a run tells, check values, stand for nothing, or are made by lowering; these gradients and loops have tests with
// wildcard extents.
constexpr std::string_view elsewhere[] = {"Where",
                                          "Unique",
                                          "CheckNumerics",
                                          "NoOp",
                                          "Shape",
                                          "SumLike",
                                          "Shrinkage",
                                          "ConcatPart",
                                          "TensorListGetItem",
                                          "TensorListPushBack",
                                          "BatchMatMulArranged"};

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
  const std::string with = difference(planned(jig::detail::runtime_graph_of(both), arguments), expected);
  const std::string without = difference(planned(jig::detail::runtime_graph<>(both), arguments), expected);
  if (!with.empty()) wrong += " planned: " + with;
  if (!without.empty()) wrong += " without passes: " + without;
  if (wrong.empty()) return;
  jig::message text;
  text << "'" << second.name << "' behind '" << first.name << "' of "
       << jig::tensor_spec{from.arguments[0].dtype(), from.arguments[0].shape()};
  wrong = std::string(text.view()) + ":" + wrong;
  FAIL_CHECK(wrong);
}

// All pairs, each with some of the sizes and dtypes: `every` of them or one for each rank, by turns.
counts run_pairs(bool every) {
  counts n;
  n.produces.resize(rows().size());
  n.consumes.resize(rows().size());
  for (std::size_t p = 0; p < rows().size(); ++p) {
    const table_row& first = rows()[p];
    std::map<std::size_t, std::optional<produced>> made_of;
    std::vector<char> paired(rows().size());
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
    for (std::size_t c = 0; c < rows().size(); ++c) {
      const table_row& second = rows()[c];
      for (std::size_t rank = 0; rank < sizes().size(); ++rank) {
        std::vector<const produced*> fitting;
        for (const auto& [at, y] : made_of)
          if (at / 100 == rank && takes(second, y->value)) fitting.push_back(&*y);
        if (fitting.empty()) continue;
        n.produces[p] = n.consumes[c] = paired[c] = 1;
        if (every)
          for (const produced* y : fitting) run_pair(first, second, *y, n);
        else run_pair(first, second, *fitting[(p * 5 + c) % fitting.size()], n);
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
  for (std::size_t k = 0; k < rows().size(); ++k) {
    CAPTURE(std::string(rows()[k].name));
    CHECK(n.produces[k]);
    CHECK(n.consumes[k]);
  }
}

// Takes minutes: `jig_tests --no-skip -tc="*in every size"`.
TEST_CASE("every op behind every op in every size" * doctest::skip()) {
  const counts n = run_pairs(true);
  MESSAGE(n.text());
}

// Of ops without a kernel of their own, which are views, tests/op_pairs.hpp has those that users call.
TEST_CASE("every op that has a kernel is in the table") {
  std::set<const jig::op*> found;
  for (const auto& row : rows())
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
