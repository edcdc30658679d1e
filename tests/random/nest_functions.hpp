// SPDX-License-Identifier: MIT
#pragma once
// Steps of random programs that many ops share: functions of numbers, reductions, and what reads or writes at positions.

#include "nest_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nest_programs {

/// A function of floating numbers, as text with % in place of the operand: the loops have it by the same name. Results are up to
/// `most + times * bound`, and change `slope` times as much as the operand.
struct number_function {
  const char* text;
  double most, times, slope;
};

class function_steps : public nest_values {
 protected:
  using nest_values::nest_values;

  double noise(dtype type, double bound) const { return std::ldexp(8 * bound, type == dtype::single ? -24 : -53); }
  /// How far a value, or what is computed of it and as large, is from the exact one.
  double noise_of(const value& v) const { return v.error + noise(v.type, v.bound); }
  static std::string replaced(const std::string& text, const std::string& name) {
    std::string out;
    for (char c : text)
      if (c == '%') out += name;
      else out += c;
    return out;
  }

  bool function(int i) {
    switch (random_.below(6)) {
      case 0:
      case 1: return activated(i);
      case 2: return summarized(i);
      case 3: return of_row(i);
      case 4: return banded(i);
      default: return placed(i);
    }
  }

  // What stands behind layers, and functions like it.
  bool activated(int i) {
    static const std::vector<number_function> functions{
        {"relu(%)", 0, 1, 1},
        {"relu(%)", 0, 1, 1},
        {"relu6(%)", 6, 0, 1},
        {"leaky_relu(%)", 0, 1, 1},
        {"leaky_relu(%, 0.125)", 0, 1, 1},
        {"elu(%)", 1, 1, 1},
        {"selu(%)", 2, 1.1, 1.8},
        {"gelu(%)", 1, 1, 1.2},
        {"silu(%)", 1, 1, 1.2},
        {"sigmoid(%)", 1, 0, 0.25},
        {"log_sigmoid(%)", 1, 1, 1},
        {"softplus(%)", 1, 1, 1},
        {"softsign(%)", 1, 0, 1},
        {"tanh(%)", 1, 0, 1},
        {"erf(%)", 1, 0, 1.2},
        {"erfc(%)", 2, 0, 1.2},
        {"atan(%)", 1.6, 0, 1},
        {"asinh(%)", 0, 1, 1},
        {"log1p(abs(%))", 0, 1, 1},
        {"rsqrt(abs(%) + 1)", 1, 0, 0.5},
        {"reciprocal(abs(%) + 1)", 1, 0, 1},
        {"sin(%)", 1, 0, 1},
        {"cos(%)", 1, 0, 1},
        {"clip(%, -1, 1.5)", 1.5, 0, 1},
    };
    static const std::vector<number_function> steps{
        {"floor(%)", 1, 1, 0}, {"ceil(%)", 1, 1, 0},  {"trunc(%)", 0, 1, 0},
        {"rint(%)", 1, 1, 0},  {"round(%)", 1, 1, 0}, {"sign(%)", 1, 0, 0},
    };
    const value v = at(i);
    if (!floating(v.type)) return false;
    const bool decides = !gradients_ && v.error == 0 && random_.one_in(8);
    const number_function& f = random_.of(decides ? steps : functions);
    const std::string text = replaced(f.text, v.name);
    if (decides) return add(v.type, v.shape, f.most + f.times * v.bound, 0, 0, text, text, {i});
    const bool exact = text.compare(0, 4, "relu") == 0;
    // Periods of large numbers are as coarse as these.
    if (v.bound > 1e5) return false;
    return add(v.type, v.shape, f.most + f.times * v.bound, exact ? v.grain : 0, f.slope * (exact ? v.error : noise_of(v)), text, text, {i},
               !exact);
  }

  axes without(const axes& from, const std::vector<int>& which, bool keep) const {
    axes shape;
    for (int a = 0; a < static_cast<int>(from.size()); ++a)
      if (std::find(which.begin(), which.end(), a) == which.end()) shape.push_back(from[static_cast<std::size_t>(a)]);
      else if (keep) shape.push_back({1, true});
    return shape;
  }
  // Reductions that are made of others.
  bool summarized(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean || is_empty_) return false;
    const std::vector<int> which = some_axes(static_cast<int>(v.shape.size()));
    const bool keep = random_.one_in(2);
    const axes shape = without(v.shape, which, keep);
    double n = 1;
    for (int a : which) n *= v.shape[static_cast<std::size_t>(a)].extent;
    const auto made = [&](const std::string& op, dtype type, double bound, int grain, double error, bool rounds = true) {
      const std::string rest = keep ? ", keepdims)" : ")";
      const std::string text = op + "<" + list(which) + ">(" + v.name + rest;
      return add(type, shape, bound, grain, error, op == "count_nonzero" ? "cast<std::int32_t>(" + text + ")" : text,
                 op + "(" + v.name + ", {" + list(which) + "}, " + (keep ? "true)" : "false)"), {i}, rounds);
    };
    const double close = noise_of(v);
    switch (random_.below(floating(v.type) ? 6 : 2)) {
      case 0:
        if (v.error != 0) return false;
        return made("count_nonzero", dtype::integer, n, 0, 0);
      case 1: {
        // Elements up to 1, or few of them.
        const double bound = std::pow(std::max(v.bound, 1.0), n);
        if (is_integer(v.type)) return made("reduce_prod", v.type, 2147483648.0, 0, 0);
        return bound < 1e4 && (!gradients_ || v.is_argument) &&
               made("reduce_prod", v.type, bound, v.grain * static_cast<int>(n), n * bound * close);
      }
      case 2: return made("reduce_logsumexp", v.type, v.bound + std::log(n), 0, 2 * close);
      case 3: return v.bound < 1e4 && made("reduce_variance", v.type, 4 * v.bound * v.bound, 0, 16 * v.bound * close);
      default: {
        // Of zeros a root has no slope.
        if (gradients_ || v.error != 0 || v.bound > 1e4) return false;
        const bool deviation = random_.one_in(2);
        return made(deviation ? "reduce_std" : "norm", v.type, deviation ? 2 * v.bound : std::sqrt(n) * v.bound, 0,
                    (deviation ? n : 8) * std::ldexp(close, -std::min(v.grain, 0)));
      }
    }
  }
  // What becomes of rows along an axis.
  bool of_row(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean || is_empty_) return false;
    const int rank = static_cast<int>(v.shape.size()), a = random_.below(rank);
    const axis row = v.shape[static_cast<std::size_t>(a)], last_row = v.shape.back();
    const std::string along = std::to_string(a), to_last = std::to_string(rank - 1);
    switch (random_.below(6)) {
      case 0:
        if (!floating(v.type) || v.bound > 1e4) return false;
        return add(v.type, v.shape, 2 * v.bound + std::log(row.extent), 0, 3 * noise_of(v), "log_softmax<" + along + ">(" + v.name + ")",
                   "log_softmax(" + v.name + ", " + along + ")", {i}, true);
      case 1: {
        const double bound = std::pow(std::max(v.bound, 1.0), row.extent);
        // A factor of zero has no slope, as in TensorFlow.
        if (floating(v.type) && (bound > 1e4 || (gradients_ && !v.is_argument))) return false;
        return add(v.type, v.shape, bound, v.grain * row.extent, row.extent * bound * noise_of(v) * (v.error > 0 ? 1 : 0),
                   "cumprod<" + along + ">(" + v.name + ")", "cumprod(" + v.name + ", " + along + ")", {i});
      }
      case 2: {
        const int k = random_.between(1, std::min(last_row.extent, random_.one_in(2) ? 3 : 20));
        axes shape = v.shape;
        shape.back() = {k, true};
        const bool order = v.error == 0 && random_.one_in(2);
        if (order && last_row.extent > 1000) return false;
        const std::string number = std::to_string(k);
        return add(order ? dtype::integer : v.type, shape, order ? last_row.extent : v.bound, order ? 0 : v.grain, order ? 0 : v.error,
                   std::string("std::get<") + (order ? "1" : "0") + ">(top_k<" + number + ">(" + v.name + "))",
                   std::string("slice(") + (order ? "argsort(" : "sort(") + v.name + ", " + to_last + ", true), " + to_last + ", 0, " +
                       number + ", 1)",
                   {i});
      }
      case 3: {
        const int n = row.extent, shift = random_.between(-n - 1, n + 1);
        if (random_.one_in(2) || arguments_ >= 8)
          return add(v.type, v.shape, v.bound, v.grain, v.error, "roll<" + list({shift, a}) + ">(" + v.name + ")",
                     "roll(" + v.name + ", constant(dtype::integer, " + std::to_string(shift) + "), " + along + ")", {i});
        const int j = argument(dtype::integer, {});
        return add(v.type, v.shape, v.bound, v.grain, v.error, "roll<" + along + ">(" + v.name + ", " + at(j).name + ")",
                   "roll(" + v.name + ", " + at(j).name + ", " + along + ")", {i, j});
      }
      case 4: {
        // Parts, of which one is read or two are added.
        std::vector<int> counts;
        for (int n = 2; n <= std::min(row.extent, 6); ++n)
          if (row.is_static && row.extent % n == 0) counts.push_back(n);
        if (counts.empty()) return false;
        const int n = random_.of(counts), one = random_.below(n), length = row.extent / n;
        axes shape = v.shape;
        shape[static_cast<std::size_t>(a)].extent = length;
        return add(v.type, shape, v.bound, v.grain, v.error,
                   "std::get<" + std::to_string(one) + ">(split<" + list({n, a}) + ">(" + v.name + "))",
                   "slice(" + v.name + ", " + list({a, one * length, length, 1}) + ")", {i});
      }
      default: {
        // Where values lie in sorted rows, or between boundaries.
        if (arguments_ >= 8 || v.error != 0 || v.bound > 1e6) return false;
        const bool right = random_.one_in(2), rows = rank > 1 && random_.one_in(2);
        axes shape(1, axis{random_.of(std::vector<int>{1, 3, 8, 17, 65, 200}), random_.one_in(2)});
        if (rows) shape.insert(shape.begin(), v.shape.begin(), v.shape.end() - 1);
        if (elements(shape) > most_elements()) return false;
        const int j = argument(v.type, shape);
        const std::string sorted = "sort(" + at(j).name, sorted_by_loops = sorted + ", " + std::to_string(shape.size() - 1) + ", false)";
        const bool buckets = !rows && random_.one_in(2);
        return add(dtype::integer, v.shape, shape.back().extent, 0, 0,
                   buckets ? "bucketize(" + v.name + ", " + sorted + "))"
                           : std::string("searchsorted<") + (right ? "\"right\"" : "\"left\"") + ">(" + sorted + "), " + v.name + ")",
                   "searchsorted(" + sorted_by_loops + ", " + v.name + (right || buckets ? ", true)" : ", false)"), {i, j});
      }
    }
  }

  // Diagonals of matrices and bands around them.
  bool banded(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (rank == 0 || is_empty_) return false;
    axes shape = v.shape;
    if (rank == 1 || (random_.one_in(4) && v.shape.back().extent < 40)) {
      shape.push_back(v.shape.back());
      return v.type != dtype::boolean && add(v.type, shape, v.bound, v.grain, v.error, "diag(" + v.name + ")", "diag(" + v.name + ")", {i});
    }
    const axis m = shape[shape.size() - 2], n = shape.back();
    // Of which diagonal the shorter one is only types tell.
    const bool known = (m.is_static && n.is_static) || (m.extent == n.extent && !gradients_);
    shape.pop_back();
    shape.back() = {std::min(m.extent, n.extent), m.is_static && n.is_static};
    switch (random_.below(4)) {
      case 0: return known && add(v.type, shape, v.bound, v.grain, v.error, "diag_part(" + v.name + ")", "diag_part(" + v.name + ")", {i});
      case 1: {
        if (v.type == dtype::boolean || v.type == dtype::byte || !known) return false;
        const int terms = shape.back().extent;
        shape.pop_back();
        return add(v.type, shape, v.bound * terms, v.grain, v.error * terms, "matrix_trace(" + v.name + ")",
                   "reduce_sum(diag_part(" + v.name + "), {" + std::to_string(rank - 2) + "}, false)", {i});
      }
      case 2: {
        if (!known || arguments_ >= 8) return false;
        const int j = argument(v.type, shape);
        return add(v.type, v.shape, std::max(v.bound, at(j).bound), std::min(v.grain, at(j).grain), v.error,
                   "set_diag(" + v.name + ", " + at(j).name + ")", "set_diag(" + v.name + ", " + at(j).name + ")", {i, j});
      }
      default: {
        const int lower = random_.between(-1, std::min(m.extent, 9)), upper = random_.between(-1, std::min(n.extent, 9));
        if (random_.one_in(3) && arguments_ < 8) {
          std::string reference;
          int source = 0;
          const std::string text = positions(std::min(m.extent, 9), {}, reference, source);
          return add(v.type, v.shape, v.bound, v.grain, v.error, "band_part(" + v.name + ", " + text + ", " + std::to_string(upper) + ")",
                     "band_part(" + v.name + ", " + reference + ", constant(dtype::integer, " + std::to_string(upper) + "))", {i, source});
        }
        return add(v.type, v.shape, v.bound, v.grain, v.error, "band_part(" + v.name + ", " + list({lower, upper}) + ")",
                   "band_part(" + v.name + ", constant(dtype::integer, " + std::to_string(lower) + "), constant(dtype::integer, " +
                       std::to_string(upper) + "))",
                   {i});
      }
    }
  }

  // Reads and writes at positions that are values.
  bool placed(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (rank == 0 || v.type == dtype::boolean || is_empty_ || arguments_ >= 6) return false;
    std::string reference, second_reference;
    int source = 0, second = 0;
    switch (random_.below(7)) {
      case 0: {
        // Rows of a table.
        const axes places = few_places();
        if (rank + static_cast<int>(places.size()) > 6) return false;
        const std::string text = positions(v.shape[0].extent, places, reference, source);
        axes shape = places;
        shape.insert(shape.end(), v.shape.begin() + 1, v.shape.end());
        return add(v.type, shape, v.bound, v.grain, v.error, "embedding_lookup(" + v.name + ", " + text + ")",
                   "gather(" + v.name + ", " + reference + ", 0)", {i, source});
      }
      case 1: {
        // Each item has positions of its own.
        if (rank < 2) return false;
        const int batch = random_.between(1, rank - 1), a = random_.between(batch, rank - 1);
        axes own(v.shape.begin(), v.shape.begin() + batch), shape = v.shape;
        const bool one = random_.one_in(3);
        if (!one) own.push_back({random_.of(std::vector<int>{1, 2, 5, 8, 17}), true});
        if (one) shape.erase(shape.begin() + a);
        else shape[static_cast<std::size_t>(a)] = own.back();
        const std::string text = positions(v.shape[static_cast<std::size_t>(a)].extent, own, reference, source);
        return add(v.type, shape, v.bound, v.grain, v.error, "gather<" + list({a, batch}) + ">(" + v.name + ", " + text + ")",
                   "gather_of_items(" + v.name + ", " + reference + ", " + list({a, batch}) + ")", {i, source});
      }
      case 2:
      case 3: {
        // Positions with one or two numbers, to read at or to write at.
        const int numbers = std::min(rank, random_.between(1, 2));
        axes places(1, axis{random_.of(std::vector<int>{1, 2, 5, 17, 40}), true});
        if (random_.one_in(3)) places.push_back({random_.between(1, 4), true});
        std::string text = positions(v.shape[0].extent, places, reference, source);
        std::vector<int> uses{i, source};
        if (numbers == 1) {
          text = "expand_dims<-1>(" + text + ")";
          reference = "expand(" + reference + ", " + std::to_string(places.size()) + ")";
        } else {
          const std::string next = positions(v.shape[1].extent, places, second_reference, second);
          text = "stack<-1>(" + text + ", " + next + ")";
          reference = "stack(" + reference + ", " + second_reference + ", " + std::to_string(places.size()) + ")";
          uses.push_back(second);
        }
        axes rows = places;
        rows.insert(rows.end(), v.shape.begin() + numbers, v.shape.end());
        if (random_.one_in(3))
          return add(v.type, rows, v.bound, v.grain, v.error, "gather_nd(" + v.name + ", " + text + ")",
                     "gather_nd(" + v.name + ", " + reference + ")", std::move(uses));
        if (elements(rows) > most_elements() || arguments_ >= 8) return false;
        uses.push_back(argument(v.type, rows));
        const value u = at(uses.back());
        // As in TensorFlow, gradients go to updates that another one replaces, too.
        const bool adds = gradients_ || random_.one_in(2);
        const double most = adds ? static_cast<double>(elements(places)) : 1;
        const std::string op = adds ? "tensor_scatter_add(" : "tensor_scatter_update(";
        return add(v.type, v.shape, v.bound + most * u.bound, std::min(v.grain, u.grain), v.error,
                   op + v.name + ", " + text + ", " + u.name + ")", op + v.name + ", " + reference + ", " + u.name + ")", std::move(uses));
      }
      case 4: {
        // The largest, the smallest or the mean of rows by numbers.
        const int count = random_.of(std::vector<int>{1, 2, 5, 40});
        const axes rows(v.shape.begin(), v.shape.begin() + random_.between(1, std::min(2, rank)));
        axes shape(v.shape.begin() + static_cast<std::ptrdiff_t>(rows.size()), v.shape.end());
        shape.insert(shape.begin(), axis{count, true});
        const std::string text = positions(count, rows, reference, source), number = std::to_string(count);
        const int kind = random_.below(floating(v.type) ? 3 : 2);
        const std::string op = kind == 0 ? "segment_max" : kind == 1 ? "segment_min" : "segment_mean";
        std::string made = "unsorted_" + op + "<" + number + ">(" + v.name + ", " + text + ")";
        std::string by_loops = op + "(" + v.name + ", " + reference + ", " + number + ")";
        double bound = v.bound;
        if (kind < 2 && floating(v.type)) {
          // Segments without rows have the lowest or the highest number.
          bound = std::ceil(v.bound);
          const std::string limit = (kind == 0 ? "-" : "") + std::to_string(static_cast<std::int64_t>(bound));
          const std::string limited = kind == 0 ? "maximum(" : "minimum(";
          made = limited + made + ", " + limit + ")";
          by_loops = limited + by_loops + ", constant(" + reference_name(v.type) + ", " + limit + "))";
        }
        return add(v.type, shape, is_integer(v.type) ? 2147483648.0 : bound, v.grain, v.error, made, by_loops, {i, source}, kind == 2);
      }
      case 5: {
        if (v.type == dtype::byte) return false;
        const int count = random_.of(std::vector<int>{1, 2, 9, 200});
        const std::string text = positions(random_.one_in(2) ? count : 250, v.shape, reference, source), number = std::to_string(count);
        const auto n = static_cast<double>(elements(v.shape));
        if (random_.one_in(2))
          return add(dtype::integer, {{count, true}}, n, 0, 0, "bincount<" + number + ">(" + text + ")",
                     "bincount(" + reference + ", " + number + ")", {source});
        return add(v.type, {{count, true}}, n * v.bound, v.grain, n * v.error, "bincount<" + number + ">(" + text + ", " + v.name + ")",
                   "bincount(" + reference + ", " + number + ", " + v.name + ")", {i, source});
      }
      default: {
        // A part that begins somewhere along one axis, read or written.
        const int a = random_.below(rank);
        const axis all = v.shape[static_cast<std::size_t>(a)];
        const int length = random_.between(1, all.extent), rest = all.extent - length;
        axes shape = v.shape;
        shape[static_cast<std::size_t>(a)] = {length, true};
        std::string sizes, ones;
        for (int b = 0; b < rank; ++b) {
          sizes += (b == 0 ? "" : ", ") + (b == a ? std::to_string(length) : std::string("jig::dyn"));
          ones += (b == 0 ? "" : ", ") + std::string(b == a ? "1" : "0");
        }
        const std::string from = positions(std::min(rest, 200) + 1, {}, reference, source);
        const std::string begin = "(" + from + ") * lits<" + ones + ">";
        const std::string place = reference + ", " + std::to_string(a);
        if (random_.one_in(2))
          return add(v.type, shape, v.bound, v.grain, v.error, "slice<" + sizes + ">(" + v.name + ", " + begin + ")",
                     "slice_from(" + v.name + ", " + place + ", " + std::to_string(length) + ")", {i, source});
        const int j = argument(v.type, shape);
        return add(v.type, v.shape, std::max(v.bound, at(j).bound), std::min(v.grain, at(j).grain), v.error,
                   "slice_update<" + sizes + ">(" + v.name + ", " + begin + ", " + at(j).name + ")",
                   "slice_update(" + v.name + ", " + place + ", " + at(j).name + ")", {i, source, j});
      }
    }
  }
};

}  // namespace nest_programs
