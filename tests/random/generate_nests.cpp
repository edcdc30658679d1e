// SPDX-License-Identifier: MIT
// Writes random loop nests as C++: `generate_nests 1 20 > nests.cpp` takes seeds 1 to 20. Each is a lambda of ops on tensors of one to
// five axes, and the same as calls of loops; random/run_nests.hpp says what is done with the two. The same arguments give the same
// programs everywhere. `generate_nests 7 1 v4` leaves in program 7 what v4 needs and returns that alone: for those who look for the
// smallest program that still goes wrong. `generate_nests gradients 1 20` takes gradients of such programs, whose floating numbers are
// all double; random/run_nest_gradients.hpp says what these are compared with. `generate_nests layers 1 20` writes those in which layers of
// networks are frequent, `generate_nests gradients layers 1 20` gradients of them.

#include "layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace nest_programs {
namespace {

class nest_program : layer_steps {
 public:
  nest_program(std::uint64_t seed, bool gradients, bool layers) : layer_steps(seed, gradients) {
    extents_ = static_cast<extents>(random_.one_in(2) ? 0 : random_.between(1, 4));
    is_large_ = random_.one_in(4);
    is_empty_ = !layers && random_.one_in(16);
    is_layered_ = layers || (!is_empty_ && random_.one_in(3));
    if (gradients_ || is_layered_) is_large_ = is_large_ && random_.one_in(8);
    argument(is_layered_ && random_.one_in(2) ? only(dtype::single) : first_type(), is_layered_ ? layered_shape() : first_shape());
    const int count = random_.between(3, 10);
    if (is_large_ && random_.one_in(2)) reduced(0);
    for (int tries = 0; made_ < count && tries < 200; ++tries) step();
    if (made_ == 0) add(values_[0].type, values_[0].shape, values_[0].bound, values_[0].grain, values_[0].error, "identity(a0)", "a0", {0});
    // What most others are needed for.
    int most = 0;
    for (int i = 0; i < static_cast<int>(values_.size()); ++i) {
      const int size = static_cast<int>(needed({i}).size());
      if (values_[static_cast<std::size_t>(i)].is_argument || size < most) continue;
      most = size;
      results_ = {i};
    }
    for (int more = random_.below(3); more > 0; --more) {
      const int i = random_.below(static_cast<int>(values_.size()));
      if (!values_[static_cast<std::size_t>(i)].is_argument && std::find(results_.begin(), results_.end(), i) == results_.end())
        results_.push_back(i);
    }
    layout_ = random_.below(6);
  }

  bool return_only(const std::string& name) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i].name == name) return results_ = {static_cast<int>(i)}, true;
    return false;
  }

  void print(std::ostream& out, const std::string& name) const {
    std::string parameters, unpacked, body, loops, arguments, results, plain_results, tolerances;
    int count = 0;
    for (int i : needed(results_)) {
      const value& v = at(i);
      if (v.is_argument) {
        parameters += (count == 0 ? "auto " : ", auto ") + v.name;
        unpacked += "  const value& " + v.name + " = given[" + std::to_string(count++) + "];\n";
        arguments +=
            ",\n    nest_argument<jig::tensor<" + std::string(name_of(v.type)) + declared(v.shape) + ">" + extents_of(v.shape) + ">";
      } else {
        body += "  auto " + v.name + " = " + v.text + ";\n";
        loops += "  const value " + v.name + " = " + v.reference + ";\n";
      }
    }
    for (int r : results_) {
      results += (results.empty() ? "" : ", ") + at(r).name;
      // Errors add up to less; the bounds are those of all programs.
      std::ostringstream text;
      text << 2 * at(r).error;
      tolerances += (tolerances.empty() ? "" : ", ") + text.str();
    }
    plain_results = results;
    if (results_.size() > 1) results = "std::tuple(" + results + ")";
    if (gradients_) {
      std::string loss, slopes, positions;
      for (int r : results_)
        if (floating(at(r).type)) loss += (loss.empty() ? "" : " + ") + ("reduce_sum(square(" + at(r).name + "))");
      for (int a : sources()) {
        slopes += (slopes.empty() ? "" : ", ") + ("gradient(loss, " + at(a).name + ")");
        positions += (positions.empty() ? "" : ", ") + std::to_string(position_of_argument(a));
      }
      if (slopes.empty()) return;
      body += "  auto loss = " + loss + ";\n";
      results = "std::tuple(" + slopes + ")";
      tolerances = positions;
    }
    out << "constexpr auto " << name << " = [](" << parameters << ") {\n  using namespace jig;\n"
        << body << "  return " << results << ";\n};\n";
    out << "inline std::vector<nests::value> " << name << "_by_loops(const std::vector<nests::value>& given) {\n  using namespace nests;\n"
        << unpacked << loops << "  return {" << plain_results << "};\n}\n";
    static const char* const layouts[] = {"strided_arguments", "strided_results", "dense"};
    out << "static const program entered_" << name << "(\"" << name << "\", [](std::ostream& out) {\n  return "
        << (gradients_ ? "nest_gradient_check" : "nest_check") << "<decltype(" << name << "), layout::" << layouts[std::min(layout_, 2)]
        << arguments << ">::run(out, " << name << "_by_loops, {" << tolerances << "});\n});\n\n";
  }

 private:
  std::set<int> needed(const std::vector<int>& results) const {
    std::set<int> out(results.begin(), results.end());
    for (int i = static_cast<int>(values_.size()); i-- > 0;)
      if (out.count(i)) out.insert(at(i).uses.begin(), at(i).uses.end());
    return out;
  }
  // The arguments that the results are differentiable functions of.
  std::vector<int> sources() const {
    std::set<int> reached;
    std::vector<int> out;
    for (int r : results_)
      if (floating(at(r).type)) reached.insert(r);
    for (int i = static_cast<int>(values_.size()); i-- > 0;) {
      if (!reached.count(i)) continue;
      if (at(i).is_argument) out.insert(out.begin(), i);
      for (int u : at(i).uses)
        if (floating(at(u).type)) reached.insert(u);
    }
    return out;
  }
  int position_of_argument(int argument) const {
    int out = 0;
    for (int i : needed(results_)) out += i < argument && at(i).is_argument;
    return out;
  }
  std::string declared(const axes& shape) const {
    std::string out;
    for (const axis& a : shape)
      out += ", " + (a.is_static                  ? std::to_string(a.extent)
                     : extents_ == extents::names ? "jig::dim<\"e" + std::to_string(a.extent) + "\">"
                                                  : std::string("jig::dyn"));
    return out;
  }
  static std::string extents_of(const axes& shape) {
    std::string out;
    for (const axis& a : shape) out += ", " + std::to_string(a.extent);
    return out;
  }
  dtype first_type() {
    if (gradients_) return dtype::twice;
    return random_.of(std::vector<dtype>{dtype::single, dtype::single, dtype::single, dtype::twice, dtype::integer, dtype::integer,
                                         dtype::byte, dtype::boolean});
  }
  axes first_shape() {
    static const std::vector<int> few{1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 31, 33, 64, 65, 129},
        many{2, 3, 8, 17, 64, 100, 128, 129, 256, 300, 1000, 4001, 70000};
    const std::vector<int>& some = is_large_ ? many : few;
    axes shape;
    const int rank = random_.between(1, 5);
    for (int a = 0; a < rank; ++a) {
      // A few axes are long, so that the others are short ones.
      int extent = random_.of(some);
      while (elements(shape) * extent > most_elements()) extent = is_large_ ? random_.of(few) : random_.of(some);
      shape.push_back({extent, true});
    }
    if (is_empty_) shape[static_cast<std::size_t>(random_.below(rank))].extent = 0;
    choose_static(shape);
    return shape;
  }

  bool step() {
    const int i = recent();
    if (is_empty_) return step_of_nothing(i);
    if (is_layered_ && !random_.one_in(3)) return random_.one_in(3) ? function(i) : layer(i);
    if (!is_layered_ && random_.one_in(5)) return function(i);
    switch (random_.below(22)) {
      case 18: return random_.one_in(2) ? gathered(i) : numbered(i);
      case 19: return random_.one_in(2) ? copied(i) : ranked(i);
      case 20:
      case 21: return layer(i) || (random_.one_in(2) ? multiplied(i) : random_.one_in(3) ? solved(i) : summed_products(i));
      case 17: return random_.one_in(2) ? by_turns(i) : random_.one_in(2) ? shifted(i) : rolled(i);
      case 16: return stacked(i);
      case 15: return neighbours(i);
      case 12: return taken_apart(i);
      case 13: return multiplied(i);
      case 14: return ends_as_byte(i);
      case 0:
      case 1: return unary(i);
      case 2:
      case 3:
      case 4: return binary(i);
      case 5: return turned(i);
      case 6: return part(i);
      case 7: return reshaped(i);
      case 8:
      case 9:
      case 10: return reduced(i);
      default: return random_.one_in(2) ? joined(i) : scanned(i);
    }
  }

  // What has no elements, or is made of them: no positions and no extremes.
  bool step_of_nothing(int i) {
    switch (random_.below(7)) {
      case 0: return unary(i);
      case 1: return binary(i);
      case 2: return turned(i);
      case 3: return joined(i);
      case 4: return scanned(i);
      case 5: return stacked(i);
      default: return reduced(i);
    }
  }

  bool unary(int i) {
    const value v = at(i);
    const std::string &n = v.name, type = reference_name(v.type);
    const auto constant = [&](const std::string& c) { return "constant(" + type + ", " + c + ")"; };
    if (v.type == dtype::boolean) {
      if (random_.one_in(3)) return like(i, 1, "!" + n, "logical_not(" + n + ")");
      return converted(i);
    }
    if (random_.one_in(4)) return converted(i);
    if (is_integer(v.type)) {
      const std::string c = std::to_string(random_.between(1, 7));
      switch (random_.below(8)) {
        case 0: return like(i, v.bound, "-" + n, "negative(" + n + ")");
        case 1: return v.bound < 2147483648.0 && like(i, v.bound, "abs(" + n + ")", "abs(" + n + ")");
        case 2: return like(i, v.bound * 7, n + " * " + c, "multiply(" + n + ", " + constant(c) + ")");
        case 3: return like(i, v.bound + 7, n + " + " + c, "add(" + n + ", " + constant(c) + ")");
        case 4: return like(i, v.bound * 128, n + " << " + c, "shift_left(" + n + ", " + constant(c) + ")");
        case 5: return like(i, v.bound, n + " >> " + c, "shift_right(" + n + ", " + constant(c) + ")");
        case 6: return like(i, v.bound, n + " / " + c, "divide(" + n + ", " + constant(c) + ")");
        default: return like(i, std::max(v.bound, 7.0), "maximum(" + n + ", " + c + ")", "maximum(" + n + ", " + constant(c) + ")");
      }
    }
    const auto smooth = [&](double bound, double error, const std::string& text, const std::string& reference) {
      return add(v.type, v.shape, bound, 0, error, text, reference, {i}, true);
    };
    switch (v.bound > 100 ? 0 : random_.below(9)) {
      case 0:
        return add(v.type, v.shape, v.bound / 64, v.grain - 6, v.error / 64, n + " * 0.015625",
                   "multiply(" + n + ", " + constant("0.015625") + ")", {i});
      case 1: return like(i, v.bound, "-" + n, "negative(" + n + ")");
      case 2: return like(i, v.bound, "abs(" + n + ")", "abs(" + n + ")");
      case 3:
        return add(v.type, v.shape, v.bound * v.bound, 2 * v.grain, 2 * v.bound * v.error, "square(" + n + ")", "square(" + n + ")", {i});
      case 4: return like(i, v.bound, "relu(" + n + ")", "relu(" + n + ")");
      case 5:
        return add(v.type, v.shape, v.bound + 0.5, std::min(v.grain, -1), v.error, n + " + 0.5", "add(" + n + ", " + constant("0.5") + ")",
                   {i});
      case 6:
        return smooth(std::sqrt(v.bound + 1), v.error / 2, "sqrt(abs(" + n + ") + 1)", "sqrt(add(abs(" + n + "), " + constant("1") + "))");
      case 7: return v.bound < 4 && smooth(std::exp(v.bound), v.error * std::exp(v.bound), "exp(" + n + ")", "exp(" + n + ")");
      default: return smooth(1, v.error, "tanh(" + n + ")", "tanh(" + n + ")");
    }
  }

  bool converted(int i) {
    const value v = at(i);
    const dtype to =
        only(random_.of(std::vector<dtype>{dtype::boolean, dtype::byte, dtype::integer, dtype::single, dtype::single, dtype::twice}));
    if (to == v.type || (!floating(to) && v.error != 0)) return false;
    const int grain = floating(to) ? v.grain : 0;
    return add(to, v.shape, v.bound, grain, v.error, "cast<" + std::string(name_of(to)) + ">(" + v.name + ")",
               "cast(" + reference_name(to) + ", " + v.name + ")", {i});
  }

  bool binary(int i) {
    axes shape;
    const int j = operand(i, shape, at(i).type);
    if (j < 0) return false;
    value x = at(i), y = at(j);
    const bool swap = random_.one_in(2);
    if (swap) std::swap(x, y);
    const std::string both = x.name + ", " + y.name;
    const auto made = [&](dtype type, double bound, int grain, double error, const std::string& text, const std::string& reference,
                          bool rounds = false) { return add(type, shape, bound, grain, error, text, reference, {i, j}, rounds); };
    const int grain = std::min(x.grain, y.grain);
    const bool exact = x.error == 0 && y.error == 0;
    if (x.type == dtype::boolean) {
      switch (random_.below(4)) {
        case 0: return made(dtype::boolean, 1, 0, 0, x.name + " & " + y.name, "bit_and(" + both + ")");
        case 1: return made(dtype::boolean, 1, 0, 0, x.name + " | " + y.name, "bit_or(" + both + ")");
        case 2: return made(dtype::boolean, 1, 0, 0, x.name + " ^ " + y.name, "bit_xor(" + both + ")");
        default: return chosen(i);
      }
    }
    switch (random_.below(is_integer(x.type) ? 9 : 8)) {
      case 0: return made(x.type, x.bound + y.bound, grain, x.error + y.error, x.name + " + " + y.name, "add(" + both + ")");
      case 1: return made(x.type, x.bound + y.bound, grain, x.error + y.error, x.name + " - " + y.name, "subtract(" + both + ")");
      case 2:
        return made(x.type, x.bound * y.bound, x.grain + y.grain, x.bound * y.error + y.bound * x.error, x.name + " * " + y.name,
                    "multiply(" + both + ")");
      case 3:
        return made(x.type, std::max(x.bound, y.bound), grain, std::max(x.error, y.error), "maximum(" + both + ")",
                    "maximum(" + both + ")");
      case 4:
        return made(x.type, std::max(x.bound, y.bound), grain, std::max(x.error, y.error), "minimum(" + both + ")",
                    "minimum(" + both + ")");
      case 5: return exact && made(dtype::boolean, 1, 0, 0, x.name + " < " + y.name, "less(" + both + ")");
      case 6:
        if (!exact) return false;
        return made(x.type, std::max(x.bound, y.bound), grain, 0,
                    "where(" + x.name + " == " + y.name + ", " + x.name + ", -" + y.name + ")",
                    "where(equal(" + both + "), " + x.name + ", negative(" + y.name + "))");
      case 7: {
        const std::string one = "constant(" + reference_name(x.type) + ", 1)";
        if (floating(x.type))
          return made(x.type, x.bound, 0, x.error + x.bound * y.error, x.name + " / (abs(" + y.name + ") + 1)",
                      "divide(" + x.name + ", add(abs(" + y.name + "), " + one + "))", true);
        return made(x.type, x.bound, 0, 0, x.name + " / maximum(" + y.name + ", 1)",
                    "divide(" + x.name + ", maximum(" + y.name + ", " + one + "))");
      }
      default: {
        static const std::vector<std::vector<std::string>> ops{{" & ", "bit_and"}, {" | ", "bit_or"}, {" ^ ", "bit_xor"}};
        const auto& op = random_.of(ops);
        return made(x.type, 2147483648.0, 0, 0, x.name + op[0] + y.name, op[1] + "(" + both + ")");
      }
    }
  }
  // By a condition one of two other values, which may be broadcast to it.
  bool chosen(int c) {
    const dtype type = only(random_.of(std::vector<dtype>{dtype::single, dtype::integer, dtype::twice, dtype::byte}));
    axes shape, all;
    const int j = operand(c, shape, type);
    if (j < 0) return false;
    const int k = operand(j, all, type);
    if (k < 0 || !together(shape, at(k).shape, all)) return false;
    const value x = at(j), y = at(k);
    const std::string text = "where(" + at(c).name + ", " + x.name + ", " + y.name + ")";
    return add(type, all, std::max(x.bound, y.bound), std::min(x.grain, y.grain), std::max(x.error, y.error), text, text, {c, j, k});
  }

  bool turned(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (rank == 0) return false;
    if (v.type != dtype::boolean && random_.one_in(4)) {
      const std::string axis = std::to_string(random_.below(rank));
      const bool down = random_.one_in(2);
      return like(i, v.bound, "sort<" + axis + ">(" + v.name + (down ? ", descending)" : ")"),
                  "sort(" + v.name + ", " + axis + (down ? ", true)" : ", false)"));
    }
    std::vector<int> which;
    if (rank > 1 && !random_.one_in(3)) {
      axes shape;
      for (int a = 0; a < rank; ++a) which.insert(which.begin() + random_.below(a + 1), a);
      for (int a : which) shape.push_back(v.shape[static_cast<std::size_t>(a)]);
      return add(v.type, shape, v.bound, v.grain, v.error, "transpose<" + list(which) + ">(" + v.name + ")",
                 "transpose(" + v.name + ", {" + list(which) + "})", {i});
    }
    which = some_axes(rank);
    return like(i, v.bound, "reverse<" + list(which) + ">(" + v.name + ")", "reverse(" + v.name + ", {" + list(which) + "})");
  }
  bool part(int i) {
    const value v = at(i);
    if (v.shape.empty()) return false;
    axes shape;
    std::string slices, reference = v.name;
    bool any = false;
    // x(range_of(1, 5)), whose type has a wildcard, known though the extent is.
    const bool is_call = extents_ != extents::names && random_.one_in(3);
    for (std::size_t a = 0; a < v.shape.size(); ++a) {
      const int n = v.shape[a].extent;
      const auto taken = [&](int first, int count, int step) {
        any = true;
        reference = "slice(" + reference + ", " + list({static_cast<int>(a), first, count, step}) + ")";
      };
      if (a > 0) slices += ", ";
      const int kind = random_.below(5);
      if (kind < 2 || (kind < 4 && !v.shape[a].is_static)) {
        slices += "all";
        shape.push_back(v.shape[a]);
      } else if (kind == 4) {
        const int step = v.shape[a].is_static ? random_.between(1, 3) : 1, count = (n + step - 1) / step;
        slices += "range_of(unbounded, unbounded, -" + std::to_string(step) + ")";
        taken(n - 1, count, -step);
        shape.push_back({count, v.shape[a].is_static && !is_call});
      } else if (random_.one_in(5)) {
        const int at_position = random_.below(n);
        slices += std::to_string(at_position);
        taken(at_position, 1, 1);
      } else {
        const int first = random_.below(n), last = random_.between(first + 1, n), step = random_.between(1, 3),
                  count = (last - first + step - 1) / step;
        slices += "range_of(" + list({first, last, step}) + ")";
        taken(first, count, step);
        shape.push_back({count, !is_call});
      }
    }
    if (!any) return false;
    return add(v.type, shape, v.bound, v.grain, v.error,
               is_call ? v.name + "(" + slices + ")" : "strided_slice<" + slices + ">(" + v.name + ")",
               "reshape(" + reference + ", {" + list(numbers_of(shape)) + "})", {i});
  }

  // Windows of a value, padded or not, that are as long as each other and most often as the value: what stencils add up.
  bool neighbours(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    const std::size_t rank = v.shape.size();
    std::vector<int> before(rank), behind(rank), cut(rank);
    std::string paddings;
    axes padded = v.shape, shape = v.shape;
    const bool pads = !random_.one_in(3), whole = pads && !random_.one_in(4);
    for (std::size_t a = 0; a < rank; ++a) {
      const bool here = a + 2 >= rank || random_.one_in(3);
      if (pads && here) before[a] = random_.below(3), behind[a] = random_.below(3);
      paddings += (a == 0 ? "" : ", ") + list({before[a], behind[a]});
      padded[a].extent += before[a] + behind[a];
      cut[a] = whole ? before[a] + behind[a] : here ? std::min(random_.below(3), padded[a].extent - 1) : 0;
      shape[a].extent = padded[a].extent - cut[a];
    }
    if (pads && !add(v.type, padded, v.bound, v.grain, v.error, "pad<" + paddings + ">(" + v.name + ")",
                     "pad(" + v.name + ", {" + list(before) + "}, {" + list(behind) + "})", {i}))
      return false;
    const int from = pads ? static_cast<int>(values_.size()) - 1 : i;
    int all = whole ? i : -1;
    for (int more = random_.between(2, 3); more > 0; --more) {
      std::string slices, reference = at(from).name;
      for (std::size_t a = 0; a < rank; ++a) {
        const int first = random_.below(cut[a] + 1), rest = cut[a] - first;
        slices += (a == 0 ? "range_of(" : ", range_of(") + std::to_string(first) +
                  (rest > 0 ? ", -" + std::to_string(rest) : ", unbounded") + ")";
        reference = "slice(" + reference + ", " + list({static_cast<int>(a), first, shape[a].extent, 1}) + ")";
      }
      if (!add(v.type, shape, v.bound, v.grain, v.error, "strided_slice<" + slices + ">(" + at(from).name + ")", reference, {from}))
        return false;
      all = sum_of(all, static_cast<int>(values_.size()) - 1);
      if (all < 0) return false;
    }
    return true;
  }

  // Sums of places that follow one another along some axes, and are taken by turns.
  bool by_turns(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    std::vector<int> steps;
    axes shape = v.shape;
    bool any = false;
    for (axis& a : shape) {
      const int step = random_.between(2, 4);
      const bool here = a.extent % step == 0 && (!any || random_.one_in(2));
      steps.push_back(here ? step : 1);
      a.extent /= steps.back();
      any = any || here;
    }
    if (!any) return false;
    int all = -1;
    for (int parts = random_.between(2, 4); parts > 0; --parts) {
      std::string slices, reference = v.name;
      for (std::size_t a = 0; a < shape.size(); ++a) {
        const int first = random_.below(steps[a]);
        slices += (a == 0 ? "range_of(" : ", range_of(") + std::to_string(first) + ", unbounded, " + std::to_string(steps[a]) + ")";
        reference = "slice(" + reference + ", " + list({static_cast<int>(a), first, shape[a].extent, steps[a]}) + ")";
      }
      if (!add(v.type, shape, v.bound, v.grain, v.error, "strided_slice<" + slices + ">(" + v.name + ")", reference, {i})) return false;
      all = sum_of(all, static_cast<int>(values_.size()) - 1);
      if (all < 0) return false;
    }
    return true;
  }
  // A value and itself some places further along some axes, with zeros before or behind.
  bool shifted(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    std::vector<int> before, behind;
    std::string slices, paddings, reference = v.name;
    for (std::size_t a = 0; a < v.shape.size(); ++a) {
      const int by = random_.below(std::min(3, v.shape[a].extent)), first = random_.one_in(2) ? by : 0;
      before.push_back(by - first), behind.push_back(first);
      slices +=
          (a == 0 ? "range_of(" : ", range_of(") + std::to_string(first) + (by > first ? ", -" + std::to_string(by) : ", unbounded") + ")";
      paddings += (a == 0 ? "" : ", ") + list({before.back(), behind.back()});
      reference = "slice(" + reference + ", " + list({static_cast<int>(a), first, v.shape[a].extent - by, 1}) + ")";
    }
    return add(v.type, v.shape, v.bound, v.grain, v.error, "pad<" + paddings + ">(strided_slice<" + slices + ">(" + v.name + "))",
               "pad(" + reference + ", {" + list(before) + "}, {" + list(behind) + "})", {i}) &&
           sum_of(i, static_cast<int>(values_.size()) - 1) >= 0;
  }
  // A value and itself some places further along an axis, around its ends, once or twice.
  bool rolled(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    const int a = random_.below(static_cast<int>(v.shape.size())), n = v.shape[static_cast<std::size_t>(a)].extent;
    if (n < 2) return false;
    int all = i;
    for (int more = random_.between(1, 2); more > 0; --more) {
      const int by = random_.between(1, std::min(3, n - 1)), cut = random_.one_in(2) ? by : -by, first = cut > 0 ? cut : n + cut;
      std::string before;
      for (int b = 0; b < a; ++b) before += "all, ";
      const std::string at_cut = std::to_string(cut);
      const std::string text = "concat<" + std::to_string(a) + ">(strided_slice<" + before + "range_of(" + at_cut + ", unbounded)>(" +
                               v.name + "), strided_slice<" + before + "range_of(0, " + at_cut + ")>(" + v.name + "))";
      const std::string reference = "concat(slice(" + v.name + ", " + list({a, first, n - first, 1}) + "), slice(" + v.name + ", " +
                                    list({a, 0, first, 1}) + "), " + std::to_string(a) + ")";
      if (!add(v.type, v.shape, v.bound, v.grain, v.error, text, reference, {i})) return false;
      all = sum_of(all, static_cast<int>(values_.size()) - 1);
      if (all < 0) return false;
    }
    return true;
  }
  // Axes split and merge, once or twice.
  bool reshaped(int i) {
    const value v = at(i);
    axes shape = v.shape;
    for (int times = random_.between(1, 2); times > 0; --times) {
      const int a = shape.empty() ? 0 : random_.below(static_cast<int>(shape.size()));
      const auto here = shape.begin() + a;
      if (!shape.empty() && here + 1 != shape.end() && random_.one_in(2)) {
        here->extent *= here[1].extent;
        here->is_static = here->is_static && here[1].is_static;
        shape.erase(here + 1);
        continue;
      }
      std::vector<int> divisors;
      if (!shape.empty())
        for (int d : {2, 3, 4, 5, 8, 10, 16})
          if (here->extent % d == 0 && here->extent > d) divisors.push_back(d);
      if (divisors.empty()) {
        shape.insert(shape.begin() + a, axis{1, true});
        continue;
      }
      // The static part of a split wildcard stands before or behind the rest.
      const int d = random_.of(divisors);
      const axis rest{here->extent / d, here->is_static};
      *here = {d, true};
      shape.insert(random_.one_in(2) ? shape.begin() + a : shape.begin() + a + 1, rest);
    }
    std::string given;
    int unknown = 0;
    for (const axis& a : shape) {
      if (!a.is_static) ++unknown;
      given += (given.empty() ? "" : ", ") + (a.is_static ? std::to_string(a.extent) : std::string("infer"));
    }
    if (unknown > 1 || shape.empty()) return false;
    return add(v.type, shape, v.bound, v.grain, v.error, "reshape<" + given + ">(" + v.name + ")",
               "reshape(" + v.name + ", {" + list(numbers_of(shape)) + "})", {i});
  }

  bool reduced(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (rank == 0) return false;
    if (v.type != dtype::boolean && v.error == 0 && !is_empty_ && random_.one_in(6)) {
      const int a = random_.below(rank);
      axes shape = v.shape;
      shape.erase(shape.begin() + a);
      const std::string op = random_.one_in(2) ? "argmax" : "argmin";
      return add(dtype::integer, shape, v.shape[static_cast<std::size_t>(a)].extent, 0, 0,
                 "cast<std::int32_t>(" + op + "<" + std::to_string(a) + ">(" + v.name + "))",
                 op + "(" + v.name + ", " + std::to_string(a) + ")", {i});
    }
    std::vector<int> which = some_axes(rank);
    if (random_.one_in(8)) {
      which.clear();
      for (int a = 0; a < rank; ++a) which.push_back(a);
    }
    const bool keep = random_.one_in(2);
    axes shape;
    int n = 1;
    for (int a = 0; a < rank; ++a) {
      const axis& of = v.shape[static_cast<std::size_t>(a)];
      if (std::find(which.begin(), which.end(), a) == which.end()) shape.push_back(of);
      else if (n *= of.extent; keep) shape.push_back({1, true});
    }
    const auto made = [&](const std::string& op, double bound, int grain, double error, bool rounds = false) {
      return add(v.type, shape, bound, grain, error, op + "<" + list(which) + ">(" + v.name + (keep ? ", keepdims)" : ")"),
                 op + "(" + v.name + ", {" + list(which) + "}, " + (keep ? "true)" : "false)"), {i}, rounds);
    };
    if (v.type == dtype::boolean) return made(random_.one_in(2) ? "reduce_any" : "reduce_all", 1, 0, 0);
    switch (is_empty_ ? 5 : random_.below(6)) {
      case 0: return made("reduce_max", v.bound, v.grain, v.error);
      case 1: return made("reduce_min", v.bound, v.grain, v.error);
      case 2:
        if (is_integer(v.type)) return made("reduce_prod", 2147483648.0, 0, 0);
        return made("reduce_mean", v.bound, v.grain,
                    v.error + (v.error > 0 ? std::ldexp(v.bound * n, v.type == dtype::single ? -26 : -52) : 0), true);
      default: return made("reduce_sum", v.bound * n, v.grain, v.error * n);
    }
  }

  // What a loop computes, of which nobody reads more than parts with nothing in common.
  bool taken_apart(int i) {
    std::vector<int> along;
    for (std::size_t a = 0; a < at(i).shape.size(); ++a)
      if (at(i).shape[a].is_static && at(i).shape[a].extent > 1) along.push_back(static_cast<int>(a));
    if (along.empty()) return false;
    for (int more = random_.between(1, 3); more > 0; --more) {
      const int last = static_cast<int>(values_.size());
      if (random_.one_in(2) ? unary(i) : binary(i)) i = last;
    }
    i = static_cast<int>(values_.size()) - 1;
    const value v = at(i);
    const int a = random_.of(along);
    if (a >= static_cast<int>(v.shape.size()) || !v.shape[static_cast<std::size_t>(a)].is_static) return false;
    const int n = v.shape[static_cast<std::size_t>(a)].extent;
    if (n < 2) return false;
    // One position, or a stretch, behind the one before, or every other position.
    const bool single = random_.one_in(2), turns = !single && n % 2 == 0 && random_.one_in(2);
    const int length = single ? 1 : n / 2;
    std::vector<int> parts;
    for (int k = 0; k < (single ? std::min(n, 3) : 2); ++k) {
      axes shape = v.shape;
      if (single) shape.erase(shape.begin() + a);
      else shape[static_cast<std::size_t>(a)].extent = length;
      std::string slices;
      for (int b = 0; b < a; ++b) slices += "all, ";
      slices += single  ? std::to_string(k)
                : turns ? "range_of(" + list({k, n, 2}) + ")"
                        : "range_of(" + list({k * length, (k + 1) * length, 1}) + ")";
      const int first = turns ? k : k * length;
      if (!add(v.type, shape, v.bound, v.grain, v.error, "strided_slice<" + slices + ">(" + v.name + ")",
               "reshape(slice(" + v.name + ", " + list({a, first, length, turns ? 2 : 1}) + "), {" + list(numbers_of(shape)) + "})", {i}))
        return false;
      parts.push_back(static_cast<int>(values_.size()) - 1);
    }
    // All of them are read by what comes of them.
    int all = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const value x = at(all), y = at(parts[k]);
      const std::string both = "(" + x.name + ", " + y.name + ")";
      if (!add(v.type, x.shape, std::max(x.bound, y.bound), std::min(x.grain, y.grain), std::max(x.error, y.error),
               v.type == dtype::boolean ? x.name + " ^ " + y.name : "maximum" + both,
               (v.type == dtype::boolean ? "bit_xor" : "maximum") + both, {all, parts[k]}))
        return false;
      all = static_cast<int>(values_.size()) - 1;
    }
    return true;
  }

  // Rows or elements at some positions.
  bool gathered(int i) {
    const value v = at(i);
    if (v.shape.empty()) return false;
    const int a = random_.below(static_cast<int>(v.shape.size()));
    const axes places = few_places();
    axes shape = v.shape;
    shape.erase(shape.begin() + a);
    shape.insert(shape.begin() + a, places.begin(), places.end());
    if (shape.size() > 5) return false;
    std::string reference;
    int source = 0;
    const std::string text = positions(v.shape[static_cast<std::size_t>(a)].extent, places, reference, source);
    const std::string along = std::to_string(a);
    return source >= 0 && add(v.type, shape, v.bound, v.grain, v.error, "gather<" + along + ">(" + v.name + ", " + text + ")",
                              "gather(" + v.name + ", " + reference + ", " + along + ")", {i, source});
  }
  // Sums of rows by numbers, or rows of numbers.
  bool numbered(int i) {
    const value v = at(i);
    if (is_integer(v.type) && random_.one_in(2)) {
      const dtype type = only(random_.of(std::vector<dtype>{dtype::single, dtype::integer, dtype::byte, dtype::boolean}));
      axes shape = v.shape;
      shape.push_back({random_.between(1, 12), true});
      const std::string depth = std::to_string(shape.back().extent);
      return add(type, shape, 1, 0, 0, "one_hot<" + depth + ", " + name_of(type) + ">(" + v.name + ")",
                 "one_hot(" + reference_name(type) + ", " + v.name + ", " + depth + ")", {i});
    }
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    const auto rank = static_cast<std::ptrdiff_t>(random_.between(1, std::min(2, static_cast<int>(v.shape.size()))));
    const axes rows(v.shape.begin(), v.shape.begin() + rank);
    axes shape(v.shape.begin() + rank, v.shape.end());
    shape.insert(shape.begin(), axis{random_.of(std::vector<int>{1, 2, 5, 40, 300}), true});
    std::string reference;
    int source = 0;
    const std::string text = positions(std::min(shape[0].extent, 200), rows, reference, source), count = std::to_string(shape[0].extent);
    const auto all = static_cast<double>(elements(rows));
    return source >= 0 &&
           add(v.type, shape, v.bound * all, v.grain, v.error * all, "unsorted_segment_sum<" + count + ">(" + v.name + ", " + text + ")",
               "segment_sum(" + v.name + ", " + reference + ", " + count + ")", {i, source});
  }
  // Copies side by side or one after the other.
  bool copied(int i) {
    const value v = at(i);
    if (v.shape.empty()) return false;
    axes shape = v.shape;
    if (random_.one_in(2)) {
      std::vector<int> times;
      for (axis& a : shape) times.push_back(random_.one_in(2) ? 1 : random_.between(1, 3)), a.extent *= times.back();
      return add(v.type, shape, v.bound, v.grain, v.error, "tile<" + list(times) + ">(" + v.name + ")",
                 "tile(" + v.name + ", {" + list(times) + "})", {i});
    }
    const int a = random_.below(static_cast<int>(shape.size())), times = random_.between(1, 4);
    shape[static_cast<std::size_t>(a)].extent *= times;
    return add(v.type, shape, v.bound, v.grain, v.error, "repeat<" + list({times, a}) + ">(" + v.name + ")",
               "repeat(" + v.name + ", " + list({times, a}) + ")", {i});
  }
  // The order of elements, or what softmax makes of them.
  bool ranked(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    const int a = random_.below(static_cast<int>(v.shape.size()));
    const std::string along = std::to_string(a);
    if (floating(v.type) && v.bound <= 100 && random_.one_in(2))
      return add(v.type, v.shape, 1, 0, 4 * v.error, "softmax<" + along + ">(" + v.name + ")", "softmax(" + v.name + ", " + along + ")",
                 {i}, true);
    // By loops each element is compared with all others.
    if (v.error != 0 || v.shape[static_cast<std::size_t>(a)].extent > 1000) return false;
    const bool down = random_.one_in(2);
    return add(dtype::integer, v.shape, v.shape[static_cast<std::size_t>(a)].extent, 0, 0,
               "argsort<" + along + ">(" + v.name + (down ? ", descending)" : ")"),
               "argsort(" + v.name + ", " + along + (down ? ", true)" : ", false)"), {i});
  }
  // Integers of bytes and others, of which only low bits are read.
  bool ends_as_byte(int i) {
    if (at(i).type != dtype::byte) return false;
    const std::string n = at(i).name;
    if (!add(dtype::integer, at(i).shape, 255, 0, 0, "cast<std::int32_t>(" + n + ")", "cast(dtype::integer, " + n + ")", {i})) return false;
    for (int more = random_.between(1, 4); more > 0; --more) {
      const int last = static_cast<int>(values_.size()) - 1;
      const value v = at(last);
      axes shape;
      // Others are single numbers, a few, or as many.
      const int j = random_.one_in(2) && arguments_ < 8 ? argument(dtype::integer, {}) : operand(last, shape, dtype::integer);
      if (j < 0 || !together(v.shape, at(j).shape, shape)) return false;
      static const std::vector<std::vector<std::string>> ops{{" + ", "add"},     {" - ", "subtract"}, {" * ", "multiply"},
                                                             {" & ", "bit_and"}, {" | ", "bit_or"},   {" ^ ", "bit_xor"}};
      const auto& op = random_.of(ops);
      const std::string w = at(j).name, by = std::to_string(random_.between(1, 9));
      const bool shifts = random_.one_in(4);
      if (shifts ? !like(last, v.bound, v.name + " >> " + by, "shift_right(" + v.name + ", constant(dtype::integer, " + by + "))")
                 : !add(dtype::integer, shape, 2147483648.0, 0, 0, v.name + op[0] + w, op[1] + "(" + v.name + ", " + w + ")", {last, j}))
        return false;
    }
    const int last = static_cast<int>(values_.size()) - 1;
    return add(dtype::byte, at(last).shape, 255, 0, 0, "cast<std::uint8_t>(" + at(last).name + ")",
               "cast(dtype::byte, " + at(last).name + ")", {last});
  }

  bool scanned(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.type == dtype::boolean) return false;
    const int a = random_.below(static_cast<int>(v.shape.size())), n = v.shape[static_cast<std::size_t>(a)].extent;
    return add(v.type, v.shape, v.bound * n, v.grain, v.error * n, "cumsum<" + std::to_string(a) + ">(" + v.name + ")",
               "cumsum(" + v.name + ", " + std::to_string(a) + ")", {i});
  }

  // A value that nobody reads yet, which a loop computes.
  int computed(int i) {
    const std::string n = at(i).name;
    if (at(i).type == dtype::boolean || !like(i, at(i).bound, "-" + n, "negative(" + n + ")")) return i;
    return static_cast<int>(values_.size()) - 1;
  }
  bool joined(int i) {
    if (random_.one_in(2)) i = computed(i);
    const value v = at(i);
    std::vector<int> found;
    for (int j = 0; j < static_cast<int>(values_.size()); ++j) {
      const value& w = at(j);
      bool fits = w.type == v.type && w.shape.size() == v.shape.size();
      for (std::size_t a = 0; fits && a < v.shape.size(); ++a) fits = w.shape[a].extent == v.shape[a].extent;
      if (fits) found.push_back(j);
    }
    int j = random_.of(found);
    if (j != i && random_.one_in(2)) j = computed(j);
    const value w = at(j);
    const bool pile = v.shape.empty() || random_.one_in(2);
    const int a = random_.below(static_cast<int>(v.shape.size()) + (pile ? 1 : 0));
    axes shape = v.shape;
    for (std::size_t b = 0; b < shape.size(); ++b) shape[b].is_static = shape[b].is_static && w.shape[b].is_static;
    if (pile) shape.insert(shape.begin() + a, axis{2, true});
    else shape[static_cast<std::size_t>(a)].extent *= 2;
    const std::string op = pile ? "stack" : "concat", both = v.name + ", " + w.name;
    return add(v.type, shape, std::max(v.bound, w.bound), std::min(v.grain, w.grain), std::max(v.error, w.error),
               op + "<" + std::to_string(a) + ">(" + both + ")", op + "(" + both + ", " + std::to_string(a) + ")", {i, j});
  }

  // Values put side by side, as components of points are, and what is computed of them together and apart.
  bool stacked(int i) {
    const value v = at(i);
    const int n = random_.between(2, 5), a = random_.below(static_cast<int>(v.shape.size()) + 1);
    const bool joins = random_.one_in(4);
    std::string text, reference;
    std::vector<int> parts;
    axes shape = v.shape;
    double bound = 0, error = 0;
    int grain = v.grain;
    for (int k = 0; k < n; ++k) {
      if (k > 0 && random_.one_in(2)) {
        if (!unary(i) || at(static_cast<int>(values_.size()) - 1).type != v.type) return false;
        parts.push_back(static_cast<int>(values_.size()) - 1);
      } else {
        parts.push_back(random_.one_in(2) ? i : computed(i));
      }
      const value& p = at(parts.back());
      text += (k == 0 ? "" : ", ") + (joins ? "expand_dims<" + std::to_string(a) + ">(" + p.name + ")" : p.name);
      reference += (k == 0 ? "" : ", ") + p.name;
      bound = std::max(bound, p.bound), error = std::max(error, p.error), grain = std::min(grain, p.grain);
    }
    shape.insert(shape.begin() + a, axis{n, true});
    const std::string along = std::to_string(a);
    if (!add(v.type, shape, bound, grain, error, (joins ? "concat<" : "stack<") + along + ">(" + text + ")",
             "stack({" + reference + "}, " + along + ")", parts))
      return false;
    const std::size_t rank = shape.size();
    std::vector<int> points{static_cast<int>(values_.size()) - 1};
    // Part of what somebody computed of all of them.
    const auto part = [&](int of, int first, int count, bool single) {
      const value x = at(of);
      axes to = x.shape;
      if (single) to.erase(to.begin() + a);
      else to[static_cast<std::size_t>(a)] = {count, true};
      std::string slices;
      for (int b = 0; b < a; ++b) slices += "all, ";
      slices += single ? std::to_string(first) : "range_of(" + list({first, first + count, 1}) + ")";
      const std::string taken = "slice(" + x.name + ", " + list({a, first, count, 1}) + ")";
      return add(x.type, to, x.bound, x.grain, x.error, "strided_slice<" + slices + ">(" + x.name + ")",
                 single ? "reshape(" + taken + ", {" + list(numbers_of(to)) + "})" : taken, {of});
    };
    for (int more = random_.between(2, 6); more > 0; --more) {
      const int u = random_.of(points);
      switch (random_.below(7)) {
        case 0:
          if (!unary(u)) return false;
          break;
        case 1:
          if (!binary(u)) return false;
          break;
        case 2:
          if (!combined(u, random_.of(points))) return false;
          break;
        case 3: {
          const value x = at(u);
          if (x.type == dtype::boolean) break;
          axes kept = x.shape;
          kept[static_cast<std::size_t>(a)] = {1, true};
          const bool sums = is_empty_ || random_.one_in(2);
          const std::string op = sums ? "reduce_sum" : "reduce_max";
          if (!add(x.type, kept, sums ? n * x.bound : x.bound, x.grain, sums ? n * x.error : x.error,
                   op + "<" + along + ">(" + x.name + ", keepdims)", op + "(" + x.name + ", {" + along + "}, true)", {u}) ||
              !combined(u, static_cast<int>(values_.size()) - 1))
            return false;
          break;
        }
        case 4: {
          if (!part(u, random_.below(n), 1, true)) return false;
          const int one = static_cast<int>(values_.size()) - 1;
          if (!part(random_.of(points), random_.below(n), 1, true)) return false;
          combined(one, static_cast<int>(values_.size()) - 1);
          break;
        }
        case 5: multiplied(u); break;
        default: {
          const int count = random_.between(1, n), first = random_.below(n - count + 1);
          if (!part(u, first, count, false)) return false;
          if (count == 1) combined(random_.of(points), static_cast<int>(values_.size()) - 1);
          break;
        }
      }
      const axes& last = at(static_cast<int>(values_.size()) - 1).shape;
      if (last.size() == rank && last[static_cast<std::size_t>(a)].extent == n) points.push_back(static_cast<int>(values_.size()) - 1);
    }
    return true;
  }

  std::vector<int> results_;
  bool is_layered_ = false;
  int layout_ = 0;
};

}  // namespace
}  // namespace nest_programs

int main(int argc, char** argv) {
  const auto takes = [&](const char* mode) {
    const bool here = argc > 1 && std::string(argv[1]) == mode;
    if (here) --argc, ++argv;
    return here;
  };
  const bool gradients = takes("gradients"), layers = takes("layers");
  if (argc < 3) {
    std::cerr << "usage: generate_nests [gradients] [layers] FIRST_SEED COUNT [VALUE]\n";
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  std::cout << "// Written by random/generate_nests.cpp.\n#include <random/run_nest" << (gradients ? "_gradients" : "s")
            << ".hpp>\n\nnamespace random_programs {\n\n";
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    nest_programs::nest_program program(seed, gradients, layers);
    if (argc > 3 && !program.return_only(argv[3])) return std::cerr << "no value " << argv[3] << '\n', 1;
    program.print(std::cout, "nest_" + std::to_string(seed));
  }
  std::cout << "}  // namespace random_programs\n";
}
