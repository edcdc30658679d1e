// SPDX-License-Identifier: MIT
#pragma once
// Steps of random programs that multiply matrices and other tensors, and solve systems of equations.

#include "nest_functions.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nest_programs {

class matrix_steps : public function_steps {
 protected:
  using function_steps::function_steps;

  // The product of matrices, transposed or not, of which there may be several, or with a vector.
  bool multiplied(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (rank < 2 || v.type == dtype::boolean || v.type == dtype::byte || arguments_ >= 8) return false;
    const bool from_left = random_.one_in(4), vector = random_.one_in(3), turns_v = !vector && random_.one_in(4),
               turns_w = !vector && random_.one_in(4);
    const axis last = v.shape.back(), before = v.shape[v.shape.size() - 2];
    const axis along = from_left == turns_v ? last : before, kept = from_left == turns_v ? before : last;
    const axis columns{random_.one_in(2) ? random_.between(1, 4) : random_.of(std::vector<int>{5, 8, 16, 17, 33}), true};
    if (elements(v.shape) * columns.extent > 4 * most_elements()) return false;
    axes front(v.shape.begin(), v.shape.end() - 2), own;
    if (!vector && random_.one_in(2)) own = front;
    if (vector) own.push_back(along);
    else if (from_left != turns_w) own.push_back(columns), own.push_back(along);
    else own.push_back(along), own.push_back(columns);
    const int j = argument(v.type, own);
    const value w = at(j);
    axes shape = front;
    shape.push_back(kept);
    if (!vector) shape.insert(from_left ? shape.end() - 1 : shape.end(), columns);
    const bool turns_first = from_left ? turns_w : turns_v, turns_second = from_left ? turns_v : turns_w;
    const std::string both = from_left ? w.name + ", " + v.name : v.name + ", " + w.name;
    const double bound = v.bound * w.bound * along.extent;
    return add(v.type, shape, bound, v.grain + w.grain, along.extent * w.bound * v.error,
               "matmul(" + both + (turns_first ? ", transpose_a" : "") + (turns_second ? ", transpose_b)" : ")"),
               "matmul(" + both + (turns_first ? ", true" : ", false") + (turns_second ? ", true)" : ", false)"), {i, j});
  }

  // Sums of products with up to two further operands, along any axes, which come out in any order.
  bool summed_products(int i) {
    const value v = at(i);
    if (v.shape.empty() || v.shape.size() > 4 || v.type == dtype::boolean || v.type == dtype::byte || arguments_ >= 7) return false;
    const int rank = static_cast<int>(v.shape.size());
    // Letters and their axes; capital ones are those of an ellipsis.
    std::string letters;
    axes of_letters;
    const auto extent_of = [&](char c) -> axis& { return of_letters[letters.find(c)]; };
    const auto lettered = [&](char first, const axis& a) {
      char c = first;
      while (letters.find(c) != std::string::npos) ++c;
      letters += c;
      of_letters.push_back(a);
      return c;
    };
    const bool rests = random_.one_in(4);
    const int others = rests ? random_.below(std::min(rank, 3)) : 0, first_other = random_.below(rank - others + 1);
    std::string of_v, ellipsis;
    for (int k = 0; k < rank; ++k) {
      const axis& a = v.shape[static_cast<std::size_t>(k)];
      if (k >= first_other && k < first_other + others) {
        of_v += lettered('A', a);
        ellipsis += of_v.back();
        continue;
      }
      // A diagonal, of which a letter stands twice.
      std::string alike;
      for (char c : of_v)
        if (std::islower(c) && extent_of(c).extent == a.extent && extent_of(c).is_static == a.is_static) alike += c;
      of_v += !alike.empty() && random_.one_in(4) ? alike[0] : lettered('a', a);
    }
    // The letters of an operand, of which dots may stand for some, wherever they begin.
    const auto as_text = [&](const std::string& of, std::size_t begin) {
      std::string out;
      for (std::size_t k = 0; k <= of.size(); ++k) {
        if (rests && k == begin) out += "...";
        if (k < of.size() && std::islower(of[k])) out += of[k];
      }
      return out;
    };
    std::vector<std::string> operands{of_v}, texts{as_text(of_v, static_cast<std::size_t>(first_other))}, names{v.name};
    std::vector<int> uses{i};
    double bound = v.bound, error = v.error;
    int grain = v.grain;
    const auto shuffled = [&](std::string some) {
      for (std::size_t k = some.size(); k > 1; --k)
        std::swap(some[k - 1], some[static_cast<std::size_t>(random_.below(static_cast<int>(k)))]);
      return some;
    };
    for (int more = random_.of(std::vector<int>{0, 1, 1, 1, 2}); more > 0; --more) {
      std::string of;
      for (char c : letters)
        if (std::islower(c) && random_.one_in(2)) of += c;
      for (int fresh = random_.below(of.size() > 2 ? 1 : 3); fresh > 0; --fresh)
        of += lettered('a', {random_.of(std::vector<int>{1, 2, 3, 4, 5, 8, 16, 17, 33}), true});
      of = shuffled(of);
      const std::size_t begin = rests ? static_cast<std::size_t>(random_.below(static_cast<int>(of.size()) + 1)) : 0;
      const std::size_t skipped = ellipsis.empty() ? 0 : static_cast<std::size_t>(random_.below(static_cast<int>(ellipsis.size()) + 1));
      if (rests) of.insert(begin, ellipsis.substr(skipped));
      axes own;
      for (char c : of) own.push_back(std::isupper(c) && random_.one_in(3) ? axis{1, true} : extent_of(c));
      if (elements(own) > most_elements()) return false;
      uses.push_back(argument(v.type, own));
      const value w = at(uses.back());
      operands.push_back(of), texts.push_back(as_text(of, begin)), names.push_back(w.name);
      bound *= w.bound, error *= w.bound, grain += w.grain;
    }
    if (static_cast<double>(elements(of_letters)) > 4.0 * most_elements()) return false;
    std::string out, all;
    for (const std::string& of : operands) all += of;
    const bool implied = random_.one_in(8);
    for (char c : letters)
      if (std::islower(c) && (implied ? std::count(all.begin(), all.end(), c) == 1 : !random_.one_in(3))) out += c;
    if (implied) std::sort(out.begin(), out.end());
    else out = shuffled(out);
    const std::size_t begin = rests && !implied ? static_cast<std::size_t>(random_.below(static_cast<int>(out.size()) + 1)) : 0;
    if (rests) out.insert(begin, ellipsis);
    axes shape;
    double sums = 1;
    for (char c : out) shape.push_back(extent_of(c));
    for (char c : letters)
      if (out.find(c) == std::string::npos) sums *= extent_of(c).extent;
    if (out.size() > 5) return false;
    for (std::size_t k = names.size(); k > 1; --k) {
      const auto other = static_cast<std::size_t>(random_.below(static_cast<int>(k)));
      std::swap(names[k - 1], names[other]), std::swap(texts[k - 1], texts[other]), std::swap(operands[k - 1], operands[other]);
    }
    const auto joined = [](const std::vector<std::string>& parts, const std::string& before, const std::string& behind,
                           const char* between) {
      std::string joint;
      for (const std::string& p : parts) joint += (joint.empty() ? "" : between) + (before + p + behind);
      return joint;
    };
    const std::string equation = joined(texts, "", "", ",") + (implied ? "" : "->" + as_text(out, begin));
    return add(v.type, shape, bound * sums, grain, error * sums, "einsum<\"" + equation + "\">(" + joined(names, "", "", ", ") + ")",
               "einsum({" + joined(names, "", "", ", ") + "}, {" + joined(operands, "\"", "\"", ", ") + "}, \"" + out + "\")", uses);
  }

  // Systems of equations whose matrix is close to the identity, so that solutions are as exact as what is given.
  bool solved(int i) {
    const value v = at(i);
    const int rank = static_cast<int>(v.shape.size());
    if (!floating(v.type) || rank == 0 || arguments_ >= 8 || v.bound > 1e4) return false;
    const axis n = rank == 1 ? v.shape[0] : v.shape[static_cast<std::size_t>(rank) - 2];
    if (n.extent > 33) return false;
    axes own = v.shape;
    if (rank == 1) own.push_back(n);
    else own.back() = n;
    if (elements(own) * n.extent > 10 * most_elements()) return false;
    const int j = argument(v.type, own);
    const std::string a = at(j).name;
    const std::string text = a + " * 0.0078125 + eye_like(" + a + ")",
                      loops = "add(multiply(" + a + ", constant(" + reference_name(v.type) + ", 0.0078125)), eye_like(" + a + "))";
    const std::string positive = "matmul(" + a + ", " + a + ", transpose_b) * 0.0009765625 + eye_like(" + a + ")",
                      positive_loops = "add(multiply(matmul(" + a + ", " + a + ", false, true), constant(" + reference_name(v.type) +
                                       ", 0.0009765625)), eye_like(" + a + "))";
    const double close = noise_of(v) * (n.extent + 4), of_matrix = noise(v.type, 2.0 * n.extent + 8);
    const std::string flag[] = {"false", "true"};
    const bool turned = random_.one_in(3), upper = random_.one_in(2);
    switch (random_.below(6)) {
      case 0:
        return add(v.type, v.shape, 4 * v.bound, 0, 4 * close, "solve(" + text + ", " + v.name + (turned ? ", transpose_a)" : ")"),
                   "solve(" + loops + ", " + v.name + ", " + flag[turned] + ")", {i, j}, true);
      case 1:
        return add(v.type, v.shape, 4 * v.bound, 0, 4 * close,
                   "triangular_solve(" + text + ", " + v.name + (upper ? ", upper" : "") + (turned ? ", transpose_a)" : ")"),
                   "solve(triangle(" + loops + ", " + flag[upper] + "), " + v.name + ", " + flag[turned] + ")", {i, j}, true);
      case 2:
        return add(v.type, v.shape, 4 * v.bound, 0, 8 * close, "cholesky_solve(cholesky(" + positive + "), " + v.name + ")",
                   "solve(" + positive_loops + ", " + v.name + ", false)", {i, j}, true);
      case 3: return add(v.type, own, 4, 0, 4 * of_matrix, "cholesky(" + positive + ")", "cholesky(" + positive_loops + ")", {j}, true);
      case 4:
        return add(v.type, own, 4, 0, 4 * of_matrix, "inv(" + text + ")", "solve(" + loops + ", eye_like(" + a + "), false)", {j}, true);
      default: {
        own.resize(own.size() - 2);
        return add(v.type, own, 8, 0, 8 * of_matrix, "det(" + text + ")", "det(" + loops + ")", {j}, true);
      }
    }
  }
};

}  // namespace nest_programs
