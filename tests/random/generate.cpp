// SPDX-License-Identifier: MIT
// Writes random programs as C++: `generate 1 100 control 1 50 tensors 1 50 gradients > programs.cpp` takes seeds from 1 on. Each is a
// generic lambda; random/run.hpp says what is done with them. The same arguments give the same programs everywhere. `generate seed 1
// control 3,7` leaves out the statements with these numbers, which stand in comments behind them: for those who look for the smallest
// program that still goes wrong.

#include "random_numbers.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace {

// One statement. Blocks stand in braces behind it.
struct statement {
  int id = 0;
  std::string text;  // the statement, or what stands before the first block
  bool has_block = false;
  std::vector<statement> block;
  std::string otherwise{};  // what stands before the second block, if there is one
  std::vector<statement> other{};
};
using block = std::vector<statement>;

void print(std::ostream& out, const block& b, const std::set<int>& without, int depth) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const auto& s : b) {
    if (without.count(s.id)) continue;
    out << indent << s.text;
    if (!s.has_block) {
      out << "  // " << s.id << '\n';
      continue;
    }
    out << " {  // " << s.id << '\n';
    print(out, s.block, without, depth + 1);
    out << indent << "}";
    if (!s.otherwise.empty()) {
      out << ' ' << s.otherwise << " {\n";
      print(out, s.other, without, depth + 1);
      out << indent << "}";
    }
    out << '\n';
  }
}

// Control flow on integers. Everything also means something on plain numbers, and stays small there: what loops compute is reduced.
class control_program {
 public:
  explicit control_program(std::uint64_t seed) : random_(seed) {}

  block make() {
    names_ = {"x", "y", "z"};
    decisions_ = random_.between(1, 6);
    state_ = random_.one_in(3);
    place here;
    size_ = random_.below(3);
    block b = statements(random_.between(2, 3 + 2 * size_), here);
    b.push_back(plain("return " + result() + ";"));
    return b;
  }

 private:
  // Where a statement stands.
  struct place {
    int depth = 0;
    int loops = 0;           // around it
    bool may_leave = false;  // `break` and `continue` are allowed
    bool may_return = true;
  };

  statement plain(std::string text) { return {++id_, std::move(text), false, {}}; }
  std::string number(int low, int high) { return std::to_string(random_.between(low, high)); }
  std::string variable() { return random_.of(names_); }
  std::string value() {
    if (state_ && random_.one_in(6)) return "s.read()";
    return variable();
  }
  // Of those that the program may assign: counters of loops stay.
  std::string assignable() {
    std::string name;
    do name = variable();
    while (name[0] == 'i' || name[0] == 'k');
    return name;
  }
  std::string modulus() { return random_.of(std::vector<std::string>{"3", "5", "7", "11", "97"}); }
  std::string expression(const place& at) {
    const std::string v = value(), w = value();
    switch (random_.below(at.loops > 0 ? 8 : 11)) {
      case 0: return v + " + " + number(1, 9);
      case 1: return "(" + v + " * " + number(2, 9) + " + " + w + ") % " + modulus();
      case 2: return "(" + v + " - " + w + ") % " + modulus();
      case 3: return v + " % " + modulus();
      case 4: return "constant(x, " + number(-3, 9) + ")";
      case 5: return "(" + v + " * " + w + " + " + number(-5, 5) + ") % " + modulus();
      case 6:
        if (decisions_ > 0 && random_.one_in(2)) {
          --decisions_;
          return "(" + comparison() + " ? " + v + " + " + number(0, 3) + " : (" + w + " * " + number(2, 4) + ") % " + modulus() + ")";
        }
        return "choice(" + comparison() + ", " + v + ", " + w + " % " + modulus() + ")";
      case 7: return v + " / " + number(2, 4);
      case 8: return v + " * " + number(2, 9) + " + " + w;
      case 9: return v + " - " + w;
      default: return "-" + v;
    }
  }
  std::string comparison() {
    static const std::vector<std::string> signs{"==", "!=", "<", "<=", ">", ">="};
    const std::string v = value();
    if (random_.one_in(3)) return v + " % " + number(2, 4) + " " + random_.of(signs) + " " + number(0, 2);
    if (random_.one_in(3)) return v + " " + random_.of(signs) + " " + value();
    return v + " " + random_.of(signs) + " " + number(-1, 5);
  }
  // Of a native if; each further decision is one more way through the program.
  std::string decision() {
    --decisions_;
    std::string c = comparison();
    if (decisions_ > 0 && random_.one_in(4)) {
      --decisions_;
      c += (random_.one_in(2) ? " && " : " || ") + comparison();
    }
    return random_.one_in(8) ? "!(" + c + ")" : c;
  }
  // Of JIG_IF and JIG_WHILE, which may not decide.
  std::string condition() {
    std::string c = comparison();
    if (random_.one_in(4)) c = (random_.one_in(2) ? "both(" : "either(") + c + ", " + comparison() + ")";
    return c;
  }
  std::string result() {
    std::string out = variable() + " * " + number(1, 9) + " + " + variable();
    if (random_.one_in(2)) out += " * " + variable();
    if (state_) out += " + s.read()";
    return out;
  }

  block inner(int most, place at) {
    const auto names = names_;
    ++at.depth;
    block out = statements(random_.between(1, most), at);
    names_ = names;
    return out;
  }

  block statements(int count, const place& at) {
    block out;
    while (static_cast<int>(out.size()) < count) add(out, at);
    return out;
  }

  void add(block& out, const place& at) {
    if (at.may_leave && decisions_ > 0 && random_.one_in(4)) return leave(out, at);
    // Deeper blocks are simpler ones.
    const int choice = random_.below(at.depth >= 3 ? 5 : at.loops >= 2 || (size_ == 0 && at.depth >= 2) ? 10 : 14);
    switch (choice) {
      case 0:
      case 1:
      case 2: out.push_back(plain(assignable() + " = " + expression(at) + ";")); break;
      case 3:
        if (state_ && random_.one_in(2)) {
          out.push_back(
              plain(random_.one_in(2) ? "s.assign(" + expression(at) + ");" : "s.assign_add(" + variable() + " % " + modulus() + ");"));
        } else {
          const std::string name = "t" + std::to_string(++locals_);
          out.push_back(plain("auto " + name + " = " + expression(at) + ";"));
          names_.push_back(name);
        }
        break;
      case 4:
        // What leaves a block stands at its end, behind a decision.
        if (decisions_ > 0 && (at.may_leave || (at.may_return && random_.one_in(2)))) leave(out, at);
        break;
      case 5:
      case 6:
      case 7:
        if (decisions_ > 0) fork(out, at);
        break;
      case 8:
      case 9: {
        place in_block = at;
        in_block.may_leave = in_block.may_return = false;
        ++in_block.depth;
        statement s{++id_, "JIG_IF(" + condition() + ")", true, {}};
        s.block = inner(3, in_block);
        if (random_.one_in(2)) {
          s.otherwise = "JIG_ELSE";
          s.other = inner(3, in_block);
        }
        out.push_back(s);
        break;
      }
      case 10:
      case 11:
        if (at.loops < 2 || random_.one_in(2)) count(out, at);
        break;
      case 12:
        if (at.loops < 2) repeat(out, at);
        break;
      default: {
        // Trace-time logic.
        if (at.loops > 1 || decisions_ > 3) break;
        const std::string name = "n" + std::to_string(++locals_);
        statement s{++id_, "for (int " + name + " = 0; " + name + " < 2; ++" + name + ")", true, {}};
        const auto names = names_;
        place in_block = at;
        in_block.may_leave = false;
        ++in_block.depth;
        const int before = decisions_;
        decisions_ /= 2;
        s.block = statements(random_.between(1, 2), in_block);
        decisions_ = before - 2 * (before / 2 - decisions_);
        s.block.push_back(plain(assignable() + " = (" + variable() + " + " + name + ") % " + modulus() + ";"));
        names_ = names;
        out.push_back(s);
        break;
      }
    }
  }
  void leave(block& out, const place& at) {
    statement s{++id_, "if (" + decision() + ")", true, {}};
    if (random_.one_in(2)) s.block.push_back(plain(assignable() + " = " + expression(at) + ";"));
    const bool goes = at.may_leave && (!at.may_return || !random_.one_in(4));
    s.block.push_back(plain(!goes ? "return " + result() + ";" : random_.one_in(3) ? "continue;" : "break;"));
    out.push_back(s);
  }
  void fork(block& out, const place& at) {
    statement s{++id_, "if (" + decision() + ")", true, {}};
    s.block = inner(2 + size_, at);
    if (decisions_ > 0 && (at.may_leave || at.may_return) && random_.one_in(6)) {
      const bool goes = at.may_leave && random_.one_in(2);
      if (goes || at.may_return) s.block.push_back(plain(goes ? random_.one_in(3) ? "continue;" : "break;" : "return " + result() + ";"));
    }
    if (random_.one_in(2)) {
      s.otherwise = "else";
      s.other = inner(2 + size_, at);
    }
    out.push_back(s);
  }
  place in_loop(place at) {
    ++at.loops;
    at.may_leave = true;
    at.may_return = at.may_return && random_.one_in(3);
    return at;
  }
  void count(block& out, const place& at) {
    const std::string name = "i" + std::to_string(++locals_);
    std::string bounds;
    switch (random_.below(4)) {
      case 0: bounds = "0, " + variable() + " % 4"; break;
      case 1: bounds = variable() + " % 3, " + number(1, 3); break;
      case 2: bounds = number(2, 4) + ", " + variable() + " % 3, -1"; break;
      default: bounds = variable() + " % 5"; break;
    }
    statement s{++id_, "for (auto " + name + " : jig::range(" + bounds + "))", true, {}};
    const auto names = names_;
    names_.push_back(name);
    s.block = inner(2 + size_, in_loop(at));
    names_ = names;
    // A loop whose counter nobody looks at is a program too.
    s.block.insert(s.block.begin(), plain("(void)" + name + ";"));
    out.push_back(s);
  }
  void repeat(block& out, const place& at) {
    const std::string name = "k" + std::to_string(++locals_);
    out.push_back(plain("auto " + name + " = constant(x, " + number(1, 4) + ");"));
    std::string c = name + " > 0";
    if (random_.one_in(2)) c = "both(" + c + ", " + comparison() + ")";
    statement s{++id_, "JIG_WHILE(" + c + ")", true, {}};
    const auto names = names_;
    names_.push_back(name);
    s.block = inner(2 + size_, in_loop(at));
    // It stands first, so that what follows may go on to the next trip.
    s.block.insert(s.block.begin(), plain(name + " = " + name + " - 1;"));
    names_ = names;
    out.push_back(s);
  }

  random_numbers random_;
  std::vector<std::string> names_;
  int id_ = 0, locals_ = 0, decisions_ = 0, size_ = 0;
  bool state_ = false;
};

// Programs of tensors: x [n], a [m, n], b [k, 3, 3] and a scalar s, of which parts and products of all kinds are made. `count` is how
// often loops run.
class tensor_program {
 public:
  explicit tensor_program(std::uint64_t seed, bool smooth) : random_(seed ^ 0x5eed), smooth_(smooth) {}

  // Extents n, m and k.
  std::vector<int> extents() {
    static const std::vector<int> of_n{1, 2, 3, 4, 5, 33, 70}, of_m{1, 2, 4, 9, 65}, of_k{1, 5, 127, 128, 130, 260};
    if (smooth_) return {random_.between(1, 4), random_.between(1, 3), random_.of(std::vector<int>{1, 2, 130})};
    return {random_.of(of_n), random_.of(of_m), random_.of(of_k)};
  }
  block make() {
    forms_ = {{"x", form::vector}, {"a", form::matrix}, {"b", form::batch}, {"s", form::scalar}};
    controls_ = random_.below(3);
    block out = statements(random_.between(4, 9), 0);
    // What is not of x has no gradient.
    std::string loss;
    std::vector<std::string> results;
    for (int i = 0; i < 3; ++i) {
      // Those made last: what nobody uses is pruned.
      const value& v = forms_[forms_.size() - 1 - static_cast<std::size_t>(i)];
      results.push_back(v.name);
      loss += " + reduce_mean(" + v.name + ")";
    }
    if (smooth_) out.push_back(plain("return reduce_sum(square(x)) * 0.5" + loss + ";"));
    else out.push_back(plain("return std::tuple(" + results[0] + ", " + results[1] + " * 0.5, " + results[2] + " - 1.0);"));
    return out;
  }

 private:
  // row: [k, 3], flat: [3 k], cell: [3, 3], stack: [k], turned: [n, m], column: [m, 1], wide: [m, m], side: [m].
  enum class form { scalar, vector, matrix, turned, column, wide, side, batch, row, flat, cell, stack };
  struct value {
    std::string name;
    form f;
  };

  statement plain(std::string text) { return {++id_, std::move(text), false, {}}; }
  std::string number() {
    const int n = random_.between(-1999, 1999);
    return std::to_string(n / 1000) + "." + std::to_string(1000 + std::abs(n % 1000)).substr(1);
  }
  std::string small_number() { return "0." + std::to_string(random_.between(1, 9)); }
  bool is_one_of(form f, std::initializer_list<form> list) {
    for (form g : list)
      if (f == g) return true;
    return false;
  }
  // The form of two values that broadcast together.
  bool together(form a, form b, form& out) {
    if (a == b || b == form::scalar) return out = a, true;
    if (a == form::scalar) return out = b, true;
    const auto either = [&](form p, form q) { return (a == p && b == q) || (a == q && b == p); };
    if (either(form::vector, form::matrix) || either(form::column, form::matrix) || either(form::column, form::vector))
      return out = form::matrix, true;
    if (either(form::column, form::wide) || either(form::side, form::wide) || either(form::column, form::side))
      return out = form::wide, true;
    if (either(form::cell, form::batch)) return out = form::batch, true;
    return false;
  }
  std::string unary(const std::string& v) {
    switch (random_.below(smooth_ ? 6 : 9)) {
      case 0: return "tanh(" + v + ")";
      case 1: return "-" + v;
      case 2: return "sin(" + v + ")";
      case 3: return "exp(tanh(" + v + "))";
      case 4: return "square(" + v + ") * 0.25";
      case 5: return "sigmoid(" + v + ")";
      case 6: return "relu(" + v + ")";
      case 7: return "sqrt(abs(" + v + ") + 0.25)";
      default: return "abs(" + v + ")";
    }
  }
  std::string binary(const std::string& v, const std::string& w) {
    switch (random_.below(smooth_ ? 6 : 8)) {
      case 0: return v + " + " + w;
      case 1: return v + " - " + w;
      case 2: return v + " * " + w;
      case 3: return v + " / (square(" + w + ") + 0.5)";
      case 4: return "squared_difference(" + v + ", " + w + ")";
      case 5: return v + " * 0.5 + " + w;
      case 6: return "maximum(" + v + ", " + w + ")";
      default: return "minimum(" + v + ", " + w + ")";
    }
  }
  bool of_form(form f, std::string& name) {
    std::vector<std::string> found;
    for (const auto& v : forms_)
      if (v.f == f) found.push_back(v.name);
    if (found.empty()) return false;
    name = random_.of(found);
    return true;
  }

  // What a value of some form becomes: text and form.
  bool shaped(const value& v, std::string& text, form& f) {
    const std::string& n = v.name;
    const auto is = [&](std::string t, form g) { return text = std::move(t), f = g, true; };
    switch (v.f) {
      case form::scalar: return false;
      case form::vector:
        switch (random_.below(4)) {
          case 0: return is("reverse<0>(" + n + ")", form::vector);
          case 1: return is("cumsum<0>(" + n + ")", form::vector);
          case 2: return is("element(" + n + ", 0)", form::scalar);
          default: return is("softmax<0>(" + n + ")", form::vector);
        }
      case form::matrix:
        switch (random_.below(8)) {
          case 0: return is("transpose(" + n + ")", form::turned);
          case 1: return is("reduce_sum<0>(" + n + ")", form::vector);
          case 2: return is("reduce_mean<1>(" + n + ")", form::side);
          case 3: return smooth_ ? false : is("expand_dims<1>(reduce_max<1>(" + n + ") + 0.5)", form::column);
          case 4: return is("softmax<1>(" + n + ")", form::matrix);
          case 5: return is("element(" + n + ", 0)", form::vector);
          case 6: return is("cumsum<" + std::to_string(random_.below(2)) + ">(" + n + ")", form::matrix);
          default: return is("reverse<" + std::to_string(random_.below(2)) + ">(" + n + ")", form::matrix);
        }
      case form::turned:
        if (random_.one_in(2)) return is("transpose(" + n + ")", form::matrix);
        return is("reduce_sum<0>(" + n + ")", form::side);
      case form::column: return is("squeeze<1>(" + n + ")", form::side);
      case form::wide:
        switch (random_.below(3)) {
          case 0: return is("transpose(" + n + ")", form::wide);
          case 1: return is("softmax<0>(" + n + ")", form::wide);
          default: return is("reduce_mean<0>(" + n + ")", form::side);
        }
      case form::side: return is("expand_dims<1>(" + n + ")", form::column);
      case form::batch:
        switch (random_.below(14)) {
          case 0: return is("transpose<0, 2, 1>(" + n + ")", form::batch);
          case 1: return is("reduce_sum<2>(" + n + ")", form::row);
          case 2: return is("reduce_mean<0>(" + n + ")", form::cell);
          case 3: return is("reshape<-1, 3>(reduce_sum<1>(" + n + "))", form::row);
          case 4: return is("picked<1, 2, 0, 2>(" + n + ")", form::batch);
          case 5: return is("part<2, 0, 3>(concat<2>(" + n + ", square(" + n + ")))", form::batch);
          case 6: return is("squeeze<2>(part<2, 1, 2>(" + n + "))", form::row);
          case 7: return is("element(" + n + ", 0)", form::cell);
          case 8: return is("softmax<" + std::to_string(random_.between(1, 2)) + ">(" + n + ")", form::batch);
          case 9: return is("reverse<" + std::to_string(random_.below(3)) + ">(" + n + ")", form::batch);
          case 10: return is("reshape<-1, 3, 3>(" + unary("reshape<-1, 9>(" + n + ")") + ")", form::batch);
          case 11: return is("reshape<-1, 3, 3>(reshape<-1, 3>(" + n + ") * 0.5)", form::batch);
          case 12: return is("reduce_mean<1>(reshape<-1, 9>(" + n + "))", form::stack);
          default: return is("cumsum<" + std::to_string(random_.below(3)) + ">(" + n + ") * 0.1", form::batch);
        }
      case form::row:
        switch (random_.below(5)) {
          case 0: return is("flatten(" + n + ")", form::flat);
          case 1: return is("reduce_sum<1>(" + n + ")", form::stack);
          case 2: return is("matmul(" + n + ", reduce_mean<0>(b))", form::row);
          case 3: return is("squeeze<1>(part<1, 2, 3>(" + n + "))", form::stack);
          default: return is("softmax<1>(" + n + ")", form::row);
        }
      case form::flat:
        if (random_.one_in(3)) return is("reverse<0>(" + n + ")", form::flat);
        return is("reshape<-1, 3>(" + n + ")", form::row);
      case form::cell:
        if (random_.one_in(2)) return is("matmul(" + n + ", transpose(" + n + ")) * 0.3", form::cell);
        return is("transpose(" + n + ")", form::cell);
      case form::stack: return is("cumsum<0>(" + n + ") * 0.1", form::stack);
    }
    return false;
  }
  bool product(std::string& text, form& f) {
    std::string v, w;
    switch (random_.below(7)) {
      case 0:
        if (!of_form(form::matrix, v) || !of_form(form::turned, w)) return false;
        return text = "matmul(" + v + ", " + w + ") * 0.2", f = form::wide, true;
      case 1:
        if (!of_form(form::wide, v) || !of_form(form::matrix, w)) return false;
        return text = "matmul(" + v + ", " + w + ") * 0.2", f = form::matrix, true;
      case 2:
      case 3:
        if (!of_form(form::batch, v) || !of_form(form::batch, w)) return false;
        return text = "matmul(" + v + ", " + w + ")", f = form::batch, true;
      case 4:
        if (!of_form(form::batch, v) || !of_form(form::row, w)) return false;
        return text = "squeeze<2>(matmul(" + v + ", expand_dims<2>(" + w + ")))", f = form::row, true;
      case 5:
        if (!of_form(form::batch, v) || !of_form(form::batch, w)) return false;
        return text = "reshape<-1, 3, 3>(reshape<-1, 9>(matmul(" + v + ", " + w + ")))", f = form::batch, true;
      default:
        if (!of_form(form::batch, v)) return false;
        if (!of_form(form::row, w)) w = "reduce_mean<2>(" + v + ")";
        return text = "matvec(" + v + ", " + w + ")", f = form::row, true;
    }
  }

  // What was made last is used more often: so ops stand behind ops.
  value recent() {
    const int count = static_cast<int>(forms_.size());
    if (count > 4 && random_.one_in(2)) return forms_[static_cast<std::size_t>(count - 1 - random_.below(2))];
    return random_.one_in(4) ? value{"b", form::batch} : random_.of(forms_);
  }
  bool expression(std::string& text, form& f) {
    const value v = recent(), w = recent();
    switch (random_.below(8)) {
      case 0: return text = unary(v.name), f = v.f, true;
      case 1:
        if (!together(v.f, w.f, f)) return false;
        return text = binary(v.name, w.name), true;
      case 2: {
        form g{};
        const value u = random_.of(forms_);
        if (smooth_ || !together(v.f, w.f, g) || !together(g, u.f, f)) return false;
        return text = "where(" + v.name + " > " + w.name + ", " + u.name + ", " + v.name + " - " + w.name + ")", true;
      }
      case 3:
      case 4: return shaped(v, text, f);
      case 5:
      case 6: return product(text, f);
      default: return text = v.name + " * " + number() + " + 0.125", f = v.f, true;
    }
  }
  block statements(int count, int depth) {
    block out;
    while (static_cast<int>(out.size()) < count) {
      if (depth < 2 && controls_ > 0 && random_.one_in(6)) {
        control(out, depth);
        continue;
      }
      std::string text;
      form f{};
      if (!expression(text, f)) continue;
      const std::string name = "v" + std::to_string(++locals_);
      out.push_back(plain("auto " + name + " = " + text + ";"));
      forms_.push_back({name, f});
    }
    return out;
  }
  // Values that a block changes keep their form.
  block inner(int depth) {
    const auto before = forms_;
    block out = statements(random_.between(1, 2), depth + 1);
    const value last = forms_.back();
    forms_ = before;
    const value changed = random_.of(forms_);
    form f{};
    const bool fits = together(changed.f, last.f, f) && f == changed.f;
    out.push_back(plain(changed.name + " = " + changed.name + " * " + small_number() + " + tanh(" +
                        (fits ? last.name : "reduce_mean(" + last.name + ")") + ");"));
    return out;
  }
  std::string condition() { return "truth(reduce_mean(" + random_.of(forms_).name + ") > " + number() + ")"; }
  void control(block& out, int depth) {
    --controls_;
    const int which = random_.below(3);
    statement s{++id_, "", true, {}};
    if (which == 0) s.text = "for (auto i" + std::to_string(id_) + " : range(count))";
    else s.text = (which == 1 ? "if (" : "JIG_IF(") + condition() + ")";
    const std::string counter = "i" + std::to_string(id_);
    s.block = inner(depth);
    if (which == 0) s.block.insert(s.block.begin(), plain("(void)" + counter + ";"));
    else if (random_.one_in(2)) {
      s.otherwise = which == 1 ? "else" : "JIG_ELSE";
      s.other = inner(depth);
    }
    out.push_back(s);
  }

  random_numbers random_;
  bool smooth_;
  std::vector<value> forms_;
  int id_ = 0, locals_ = 0, controls_ = 0;
};

void write(const std::string& kind, std::uint64_t first, std::uint64_t count, const std::set<int>& without) {
  std::cout << "#include <random/run_" << kind << ".hpp>\n\nnamespace random_programs {\n\n";
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string name = kind + '_' + std::to_string(seed);
    std::cout << "constexpr auto " << name;
    if (kind == "control") {
      std::cout << " = [](auto& s, auto x, auto y, auto z) {\n  (void)s, (void)x;\n";
      print(std::cout, control_program(seed).make(), without, 1);
      std::cout << "};\nRANDOM_PROGRAM(" << name << ")\n\n";
    } else {
      tensor_program program(seed, kind == "gradients");
      const auto extents = program.extents();
      std::cout << " = [](auto x, auto a, auto b, auto s, auto count) {\n  (void)x, (void)a, (void)b, (void)s, (void)count;\n";
      print(std::cout, program.make(), without, 1);
      // Static, wildcard and named extents.
      std::cout << "};\nRANDOM_PROGRAM(" << name << ", " << seed % 3;
      for (int e : extents) std::cout << ", " << e;
      std::cout << ")\n\n";
    }
  }
  std::cout << "}  // namespace random_programs\n\n";
}

std::uint64_t number_in(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: generate {seed count control|tensors|gradients}... [statements to leave out]\n";
    return 2;
  }
  std::set<int> without;
  for (const char* at = argc % 3 == 2 ? argv[argc - 1] : ""; *at != 0;) {
    char* end = nullptr;
    without.insert(static_cast<int>(std::strtol(at, &end, 10)));
    if (end == at) break;
    at = *end == ',' ? end + 1 : end;
  }
  std::cout << "// Written by random/generate.cpp.\n";
  for (int i = 1; i + 2 < argc; i += 3) write(argv[i + 2], number_in(argv[i]), number_in(argv[i + 1]), without);
}
