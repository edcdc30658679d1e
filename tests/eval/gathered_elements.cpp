// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <jig.hpp>
#include <random>
#include <string>
#include <vector>

using jig::dyn;

namespace {

constexpr auto at2 = jig::function<"at2">([](auto x, auto i, auto j) { return jig::gather_nd(x, jig::stack<-1>(i, j)); });
constexpr auto given = jig::function<"given">([](auto x, auto i) { return jig::gather_nd(x, i); });

struct positions {
  std::vector<int> i, j, both;
  positions(jig::index n, int rows, int columns, unsigned seed) {
    std::mt19937 generator(seed);
    for (jig::index k = 0; k < n; ++k) {
      i.push_back(static_cast<int>(generator() % static_cast<unsigned>(rows)));
      j.push_back(static_cast<int>(generator() % static_cast<unsigned>(columns)));
      both.insert(both.end(), {i.back(), j.back()});
    }
  }
};

std::vector<float> counted(jig::index n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k);
  return x;
}
template <class V>
std::vector<float> elements(const V& x, const positions& p) {
  std::vector<float> out;
  for (std::size_t k = 0; k < p.i.size(); ++k) out.push_back(x(p.i[k], p.j[k]));
  return out;
}

// What is thrown, without the line of the op, which every message has.
template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    const std::string all = e.what();
    CHECK(all.find(" (at gathered_elements.cpp:") != std::string::npos);
    return all.substr(0, all.find(" (at "));
  }
  return "";
}

}  // namespace

TEST_CASE("elements of a matrix at any number of positions") {
  const auto memory = counted(40 * 30);
  const jig::view<const float, dyn, dyn> x(memory.data(), {2, {20, 30}});
  // As it lies, some columns, turned round.
  const jig::view<const float, dyn, dyn> apart(memory.data(), {2, {20, 15}}, {2, {60, 2}});
  const jig::view<const float, dyn, dyn> turned(memory.data() + 599, {2, {30, 20}}, {2, {-1, -30}});
  jig::tensor<float, 20, 30> known;
  std::copy_n(memory.begin(), 600, known.begin());
  for (jig::index n = 0; n < 40; ++n) {
    CAPTURE(n);
    const positions p(n, 20, 15, static_cast<unsigned>(n)), turned_p(n, 30, 20, static_cast<unsigned>(n));
    const jig::view<const int, dyn, 2> both(p.both.data(), {2, {n, 2}});
    const auto expected = elements(x, p);
    std::vector<float> y(static_cast<std::size_t>(n), -1);
    const auto check = [&](const std::vector<float>& right) {
      CHECK(y == right);
      y.assign(y.size(), -1);
    };
    at2.into(y, x, p.i, p.j), check(expected);
    at2.into(y, known, p.i, p.j), check(expected);
    at2.into(y, apart, p.i, p.j), check(elements(apart, p));
    at2.into(y, turned, turned_p.i, turned_p.j), check(elements(turned, turned_p));
    given.into(y, x, both), check(expected);
    given.into(y, known, both), check(expected);
    given.into(y, apart, both), check(elements(apart, p));
    // Positions of 64 bits, and such that lie apart.
    const std::vector<std::int64_t> i(p.i.begin(), p.i.end()), j(p.j.begin(), p.j.end());
    at2.into(y, x, i, j), check(expected);
    const jig::view<const int, dyn> every_other(p.both.data(), {1, {n}}, {1, {2}}), others(p.both.data() + (n > 0), {1, {n}}, {1, {2}});
    at2.into(y, x, every_other, others), check(expected);
  }
}

TEST_CASE("positions of two axes, of one and of three, in tensors of other elements") {
  jig::tensor<int, 3, 5> i, j;
  jig::tensor<std::string, 4, 6> words;
  for (jig::index k = 0; k < 24; ++k) words.data()[k] = std::to_string(k);
  for (jig::index k = 0; k < 15; ++k) i.data()[k] = static_cast<int>(k % 4), j.data()[k] = static_cast<int>(5 - k % 6);
  const auto y = at2(words, i, j);
  const auto numbers =
      at2(jig::constant(jig::tensor<std::uint8_t, 2, 2>{{1, 2}, {3, 4}}), jig::tensor<int, 3>{0, 1, 1}, jig::tensor<int, 3>{1, 0, 1});
  for (jig::index k = 0; k < 15; ++k) CHECK(y.data()[k] == std::to_string(k % 4 * 6 + 5 - k % 6));
  CHECK(std::vector<int>(numbers.begin(), numbers.end()) == std::vector<int>{2, 3, 4});

  const auto memory = counted(3 * 4 * 5);
  const jig::view<const float, dyn, 4, 5> box(memory.data(), {3, {3, 4, 5}});
  std::vector<int> a, b, c;
  for (int k = 0; k < 21; ++k) a.push_back(k % 3), b.push_back(k % 4), c.push_back(k % 5);
  const auto of_three =
      jig::function([](auto x, auto p, auto q, auto r) { return jig::gather_nd(x, jig::stack<1>(p, q, r)); })(box, a, b, c);
  const auto of_one = jig::function([](auto x, auto p) { return jig::gather_nd(x, jig::stack<1>(p)); })(memory, c);
  for (int k = 0; k < 21; ++k) {
    CHECK(of_three(k) == static_cast<float>(k % 3 * 20 + k % 4 * 5 + k % 5));
    CHECK(of_one(k) == static_cast<float>(k % 5));
  }
}

TEST_CASE("a position that is out of range is named, wherever it is") {
  const auto memory = counted(6 * 7);
  const jig::view<const float, dyn, dyn> x(memory.data(), {2, {6, 7}});
  const jig::view<const float, dyn, dyn> none(memory.data(), {2, {0, 7}});
  for (jig::index n : {1, 7, 8, 9, 16, 33}) {
    CAPTURE(n);
    for (jig::index k : {jig::index{0}, n / 2, n - 1}) {
      CAPTURE(k);
      const auto at_k = static_cast<std::size_t>(k);
      positions p(n, 6, 7, 1);
      p.j[at_k] = 7;
      CHECK(message([&] { at2(x, p.i, p.j); }) == "GatherNd: index 7 is out of range for axis 1 with 7 elements");
      p.both[2 * at_k + 1] = 7;
      const jig::view<const int, dyn, 2> both(p.both.data(), {2, {n, 2}});
      CHECK(message([&] { given(x, both); }) == "GatherNd: index 7 is out of range for axis 1 with 7 elements");
      // Of two that are, the first axis is named.
      p.i[at_k] = -1;
      CHECK(message([&] { at2(x, p.i, p.j); }) == "GatherNd: index -1 is out of range for axis 0 with 6 elements");
      // In one run of memory it would be another element.
      p.j[at_k] = 0;
      p.i[at_k] = 6;
      CHECK(message([&] { at2(x, p.i, p.j); }) == "GatherNd: index 6 is out of range for axis 0 with 6 elements");
    }
    CHECK_THROWS_AS(at2(none, positions(n, 1, 1, 1).i, positions(n, 1, 1, 1).j), jig::invalid_argument);
  }
  CHECK(at2(none, std::vector<int>(), std::vector<int>()).size() == 0);
}
