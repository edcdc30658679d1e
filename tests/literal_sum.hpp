// SPDX-License-Identifier: MIT
#pragma once
// Sums of products by loops over all letters of an equation, to compare einsum with.

#include <jig.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Small numbers that differ, so that every sum is exact.
template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  int i = seed;
  for (auto& e : x) e = static_cast<T>((i = (i * 37 + 11) % 101) % 9 - 4);
  return x;
}

// Elements of any dtype in row-major order.
struct operand {
  jig::shape extents;
  std::vector<double> elements;
  operand(const jig::shape& of, std::vector<double> in_order) : extents(of), elements(std::move(in_order)) {}
  explicit operand(const auto& x) : extents(x.shape()), elements(x.begin(), x.end()) {}
  template <class T, jig::index... E>
  explicit operand(const jig::view<T, E...>& x) : operand(jig::tensor<std::remove_const_t<T>, E...>(x)) {}
};

// The equation taken literally: a loop over all values of all letters.
struct literal_sum {
  std::vector<std::string> in;
  std::string out;
  std::map<char, jig::index> extent, at;
  std::vector<double> result;

  literal_sum(std::string_view equation, const std::vector<operand>& x) {
    in.emplace_back();
    auto arrow = equation.find("->");
    for (char c : equation.substr(0, arrow)) {
      if (c == ',') in.emplace_back();
      else in.back() += c;
    }
    out = equation.substr(arrow + 2);
    run(x);
  }
  void run(const std::vector<operand>& x) {
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t a = 0; a < in[k].size(); ++a) extent[in[k][a]] = x[k].extents[static_cast<int>(a)];
    result.assign(count(out), 0.0);
    for (const auto& [c, n] : extent) {
      if (n == 0) return;
      at[c] = 0;
    }
    while (true) {
      double product = 1;
      for (std::size_t k = 0; k < x.size(); ++k) product *= x[k].elements[place(in[k])];
      result[place(out)] += product;
      auto next = at.begin();
      for (; next != at.end(); ++next) {
        if (++next->second < extent[next->first]) break;
        next->second = 0;
      }
      if (next == at.end()) return;
    }
  }
  // Where an element of these letters lies.
  std::size_t place(const std::string& letters) {
    jig::index to = 0;
    for (char c : letters) to = to * extent[c] + at[c];
    return static_cast<std::size_t>(to);
  }
  // How many elements these letters have.
  std::size_t count(const std::string& letters) {
    jig::index n = 1;
    for (char c : letters) n *= extent[c];
    return static_cast<std::size_t>(n);
  }
  void check(const jig::shape& extents, const std::vector<double>& elements) {
    CHECK(static_cast<std::size_t>(extents.rank) == out.size());
    for (std::size_t a = 0; a < out.size(); ++a) CHECK(extents[static_cast<int>(a)] == extent[out[a]]);
    CHECK(elements == result);
  }
};
