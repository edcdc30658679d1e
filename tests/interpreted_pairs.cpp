// SPDX-License-Identifier: MIT
#include "interpreted_pairs.hpp"

#include <cmath>
#include <string>
#include <vector>

// Defined apart from the tests, which share it: every row is compiled for dynamic symbols.
namespace pairs {

using jig::dtype;
using jig::dynamic_symbol;

template <std::size_t I>
dynamic_symbol call_row(const dynamic_symbol& x, const dynamic_symbol& a, const dynamic_symbol& b) {
  return function_of<I>(x, a, b);
}
const std::vector<table_row>& all_rows() {
  static const auto all = []<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<table_row> out;
    (out.push_back({facts[I], &call_row<I>}), ...);
    return out;
  }(std::make_index_sequence<rows>());
  return all;
}

any_tensor made(const operand_spec& s, index salt) {
  any_tensor out = any_tensor::empty(s.dtype, s.shape);
  jig::detail::with_type_of(s.dtype, [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>)
      for (index i = 0; i < out.size(); ++i)
        static_cast<T*>(out.mutable_data())[i] = static_cast<T>(static_cast<float>(element(s, i, salt)));
  });
  return out;
}

bool takes(const table_row& row, dtype d, int rank) { return (row.ranks >> rank & 1) != 0 && takes(row.dtypes, d); }
bool takes(const table_row& row, const any_tensor& x) { return takes(row, x.dtype(), x.rank()); }

std::vector<any_tensor> operands_of(const table_row& row, dtype d, const shape& x, index salt) {
  return {made(spec_of(row.a, d, x), salt), made(spec_of(row.b, d, x), salt + 1)};
}

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
std::string difference(const results& found, const results& expected, dtype computed) {
  if (found.has_value() != expected.has_value()) return found ? "is not refused" : "is refused";
  if (!found) return "";
  const any_tensor &x = (*found)[0], &y = (*expected)[0];
  if (x.dtype() != y.dtype()) return "has another dtype";
  if (!(x.shape() == y.shape())) return "has another shape";
  // What was rounded on the way is no more exact than that.
  const bool rounds = x.dtype() == dtype::float32 || x.dtype() == dtype::float64;
  const auto is = [&](dtype d) { return x.dtype() == d || (rounds && computed == d); };
  const double tolerance = is(dtype::float16) ? 1e-2 : x.dtype() != dtype::float64 || is(dtype::float32) ? 1e-4 : 1e-9;
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

std::optional<any_tensor> op_by_op(int first, int second, const std::vector<any_tensor>& arguments) {
  const auto& all = all_rows();
  const results out = unless_refused([&] {
    return op_by_op(graph_of({&all[static_cast<std::size_t>(first)], &all[static_cast<std::size_t>(second)]}, arguments),
                    filled(arguments));
  });
  return out ? std::optional<any_tensor>((*out)[0]) : std::nullopt;
}
std::string difference(const any_tensor& found, const any_tensor& expected, dtype computed) {
  return difference(results({found}), results({expected}), computed);
}

}  // namespace pairs
