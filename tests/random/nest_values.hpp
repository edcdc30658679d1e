// SPDX-License-Identifier: MIT
#pragma once
// What random loop nests are written of: values, of which bounds are known before anything runs, as C++ with jig and as calls of loops.

#include "random_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nest_programs {

enum class dtype { boolean, byte, integer, single, twice };

inline const char* name_of(dtype d) {
  static const char* const names[] = {"bool", "std::uint8_t", "std::int32_t", "float", "double"};
  return names[static_cast<int>(d)];
}
inline std::string reference_name(dtype d) {
  static const char* const names[] = {"boolean", "byte", "integer", "single", "twice"};
  return std::string("dtype::") + names[static_cast<int>(d)];
}
inline bool floating(dtype d) { return d == dtype::single || d == dtype::twice; }
inline bool is_integer(dtype d) { return d == dtype::byte || d == dtype::integer; }

struct axis {
  int extent;
  bool is_static;  // the program's types tell the extent
};
using axes = std::vector<axis>;

inline std::int64_t elements(const axes& shape) {
  std::int64_t n = 1;
  for (const axis& a : shape) n *= a.extent;
  return n;
}

// What is known of a value before anything runs. Where all elements are multiples of 2^grain and few enough bits, floating results do
// not depend on the order of operations: the error is 0 then, and decisions may be taken.
struct value {
  std::string name;
  dtype type = dtype::single;
  axes shape{};
  double bound = 0;  // of absolute values
  int grain = 0;
  double error = 0;
  std::string text{}, reference{};
  std::vector<int> uses{};  // of values
  bool is_argument = false;
};

inline std::string list(const std::vector<int>& numbers) {
  std::string out;
  for (int n : numbers) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return out;
}

/// The values of a program, each made of those before it.
class nest_values {
 protected:
  enum class extents { all_static, first_wildcard, wildcards, names, some_wildcards };

  nest_values(std::uint64_t seed, bool gradients) : random_(seed ^ 0xae57), gradients_(gradients) {}

  const value& at(int i) const { return values_[static_cast<std::size_t>(i)]; }
  int last() const { return static_cast<int>(values_.size()) - 1; }
  static std::vector<int> numbers_of(const axes& shape) {
    std::vector<int> out;
    for (const axis& a : shape) out.push_back(a.extent);
    return out;
  }

  // Threads share loops over 65536 elements and more.
  int most_elements() const { return is_large_ ? 200000 : gradients_ ? 2000 : 20000; }
  dtype only(dtype type) const { return gradients_ && floating(type) ? dtype::twice : type; }
  // Which extents of the first argument are told by types.
  void choose_static(axes& shape) {
    for (std::size_t a = 0; a < shape.size(); ++a)
      if (shape[a].extent != 1)
        shape[a].is_static = extents_ == extents::all_static || (extents_ == extents::first_wildcard && a > 0) ||
                             (extents_ == extents::some_wildcards && random_.one_in(2));
  }

  int argument(dtype type, axes shape) {
    value v;
    v.name = "a" + std::to_string(arguments_++);
    v.type = type;
    v.shape = std::move(shape);
    v.bound = floating(type) ? 2 : type == dtype::integer ? 100 : type == dtype::byte ? 255 : 1;
    v.grain = floating(type) ? -3 : 0;
    v.is_argument = true;
    values_.push_back(v);
    return static_cast<int>(values_.size()) - 1;
  }

  // Adds a value, and to its error that of one more rounding if one may have happened.
  bool add(dtype type, axes shape, double bound, int grain, double error, const std::string& text, const std::string& reference,
           std::vector<int> uses, bool rounds = false) {
    if (type == dtype::byte) bound = 255;
    if (type == dtype::integer) bound = std::min(bound, 2147483648.0);
    if (type == dtype::boolean) bound = 1;
    if (floating(type)) {
      const double bits = type == dtype::single ? 24 : 53;
      if (bound > 1e9 || error > 1e-3 * (1 + bound)) return false;
      if (rounds || error > 0 || bound > std::ldexp(1.0, static_cast<int>(bits) + grain))
        error += 8 * std::ldexp(bound, -static_cast<int>(bits));
    } else if (error != 0) {
      return false;
    }
    if (elements(shape) > 3 * most_elements() || shape.size() > 6) return false;
    value v{"v" + std::to_string(++made_), type, std::move(shape), bound, grain, error, text, reference, std::move(uses)};
    values_.push_back(v);
    return true;
  }
  // With the shape and the bits of another value.
  bool like(int i, double bound, const std::string& text, const std::string& reference) {
    return add(at(i).type, at(i).shape, bound, at(i).grain, at(i).error, text, reference, {i});
  }

  // What was made last is used more often.
  int recent() {
    const int count = static_cast<int>(values_.size());
    return random_.one_in(3) ? random_.below(count) : count - 1 - random_.below(std::min(count, 2));
  }

  // Whether two shapes broadcast as far as types can tell, and what comes out.
  bool together(const axes& x, const axes& y, axes& out) const {
    // Where extents have names, what has one is never one place for others.
    const auto stretches = [&](const axis& a) { return a.extent == 1 && (a.is_static || extents_ != extents::names); };
    out = x.size() > y.size() ? x : y;
    const axes& other = x.size() > y.size() ? y : x;
    for (std::size_t a = 0; a < other.size(); ++a) {
      axis& to = out[out.size() - other.size() + a];
      const axis& o = other[a];
      if (to.extent == o.extent) to.is_static = to.is_static && o.is_static;
      else if (stretches(to)) to = o;
      else if (!stretches(o)) return false;
    }
    return true;
  }
  // A further operand for a value: another value, or an argument that is broadcast along some axes.
  int operand(int i, axes& shape, dtype type) {
    if (random_.one_in(2)) {
      std::vector<int> found;
      for (int j = 0; j < static_cast<int>(values_.size()); ++j)
        if (at(j).type == type && together(at(i).shape, at(j).shape, shape)) found.push_back(j);
      if (!found.empty()) {
        const int j = random_.of(found);
        together(at(i).shape, at(j).shape, shape);
        return j;
      }
    }
    if (arguments_ >= 8) return -1;
    axes own = at(i).shape;
    for (axis& a : own)
      if (random_.one_in(3)) a = {1, (extents_ != extents::wildcards && extents_ != extents::some_wildcards) || random_.one_in(2)};
    if (random_.one_in(3) && !own.empty()) own.erase(own.begin(), own.begin() + random_.below(static_cast<int>(own.size()) + 1));
    const int j = argument(type, own);
    together(at(i).shape, own, shape);
    return j;
  }

  std::vector<int> some_axes(int rank) {
    std::vector<int> which;
    while (which.empty())
      for (int a = 0; a < rank; ++a)
        if (random_.one_in(2)) which.push_back(a);
    return which;
  }

  // The sum of two values of one shape, or the second one alone; -1 where that is too large.
  int sum_of(int one, int other) {
    if (one < 0) return other;
    const value x = at(one), y = at(other);
    const bool added = add(x.type, x.shape, x.bound + y.bound, std::min(x.grain, y.grain), x.error + y.error, x.name + " + " + y.name,
                           "add(" + x.name + ", " + y.name + ")", {one, other});
    return added ? static_cast<int>(values_.size()) - 1 : -1;
  }

  // The sum, the difference, the product or the larger ones of two values that go together.
  bool combined(int i, int j) {
    const value x = at(i), y = at(j);
    axes shape;
    if (x.type != y.type || x.type == dtype::boolean || !together(x.shape, y.shape, shape)) return false;
    const std::string both = "(" + x.name + ", " + y.name + ")";
    const double errors = x.error + y.error;
    const int grain = std::min(x.grain, y.grain);
    switch (random_.below(4)) {
      case 0: return add(x.type, shape, x.bound + y.bound, grain, errors, x.name + " + " + y.name, "add" + both, {i, j});
      case 1: return add(x.type, shape, x.bound + y.bound, grain, errors, x.name + " - " + y.name, "subtract" + both, {i, j});
      case 2:
        return add(x.type, shape, x.bound * y.bound, x.grain + y.grain, x.error * y.bound + y.error * x.bound, x.name + " * " + y.name,
                   "multiply" + both, {i, j});
      default:
        return add(x.type, shape, std::max(x.bound, y.bound), grain, std::max(x.error, y.error), "maximum" + both, "maximum" + both,
                   {i, j});
    }
  }
  // Positions from 0 to less than n, as many as the shape says; -1 where there is no room.
  std::string positions(int n, const axes& shape, std::string& reference, int& source) {
    if (arguments_ >= 8) return source = -1, "";
    source = argument(dtype::byte, shape);
    const std::string rest = std::to_string(n);
    reference = "remainder(cast(dtype::integer, " + at(source).name + "), " + rest + ")";
    return "cast<std::int32_t>(" + at(source).name + ") % " + rest;
  }
  axes few_places() {
    axes shape;
    for (int rank = random_.below(3); rank > 0; --rank) shape.push_back({random_.of(std::vector<int>{1, 2, 3, 5, 8, 17, 40}), true});
    return shape;
  }
  random_numbers random_;
  extents extents_ = extents::all_static;
  bool is_large_ = false, is_empty_ = false, gradients_ = false;
  std::vector<value> values_;
  int arguments_ = 0, made_ = 0;
};

}  // namespace nest_programs
