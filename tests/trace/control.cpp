// SPDX-License-Identifier: MIT
#include "../same_as_compiled.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <vector>

namespace {

using jig::range;

// Called inside a trace as any function would be: it returns from inside its loop.
constexpr auto first_divisor_of = [](auto n) {
  for (auto i : range(2, n))
    if (n % i == 0) return i;
  return n;
};

}  // namespace

TEST_CASE("an if on a traced value") {
  constexpr auto magnitude = [](auto x) {
    if (x < 0) return -x;
    return x;
  };
  static_assert(graph_of_one(magnitude).count("If") == 1);
  same_as_compiled(magnitude);

  constexpr auto sign = [](auto x) {
    auto s = x * 0;
    if (x > 0) s = s + 1;
    else if (x < 0) s = s - 1;
    else s = s + 0;
    return s;
  };
  static_assert(graph_of_one(sign).count("If") == 2);
  same_as_compiled(sign);

  same_as_compiled([](auto x) { return x > 5 ? x * 2 : x + 100; });
  same_as_compiled([](auto x) {
    auto y = x;
    if (x > 3 && x < 10) y = y * 10;
    if (x < 0 || !(x < 30)) y = y - 1;
    return y;
  });
  same_as_compiled_2([](auto a, auto b) {
    if (a > b) {
      auto t = a;
      a = b;
      b = t;
    }
    return a * 100 + b;
  });
}

TEST_CASE("ways that do the same to values of other shapes stay apart") {
  constexpr auto sum_of_one = jig::function([](auto first, auto x, auto y) {
    auto a = x + 1;
    auto b = y + 1;
    if (first) return jig::reduce_sum(a);
    return jig::reduce_sum(b);
  });
  const std::array<int, 2> x{1, 2};
  const std::array<int, 3> y{10, 20, 30};
  CHECK(sum_of_one(true, x, y)() == 5);
  CHECK(sum_of_one(false, x, y)() == 63);
}

TEST_CASE("what follows ifs in sequence is in the graph once") {
  constexpr auto six = [](auto x) {
    auto y = x;
    if (x > 1) y = y + 1;
    if (x > 2) y = y * 2;
    if (x > 3) y = y - 5;
    if (x % 2 == 0) y = y * 3;
    if (y > 40) y = y + 7;
    if (y < 0) y = -y;
    return y * y;
  };
  constexpr const auto& g = graph_of_one(six);
  static_assert(g.count("If") == 6 && g.size() < 60);
  // The squares, the doubled and the tripled one.
  static_assert(g.count("Mul") == 3);
  same_as_compiled(six);
}

TEST_CASE("an if whose sides return different things") {
  same_as_compiled([](auto x) {
    if (x > 20) return x * 2;
    if (x > 10) {
      if (x % 2 == 0) return x + 1000;
      return x - 1000;
    }
    auto y = x * x;
    if (y == 4) return y;
    return y + 3;
  });
}

TEST_CASE("break and continue") {
  constexpr auto divisor = [](auto n) {
    auto found = n;
    for (auto i : range(2, n)) {
      if (n % i == 0) {
        found = i;
        break;
      }
    }
    return found;
  };
  same_as_compiled(divisor);
  same_as_compiled([](auto n) {
    auto s = n * 0;
    for (auto i : range(n)) {
      if (i % 3 == 0) continue;
      s = s + i;
      if (s > 50) break;
    }
    return s;
  });
  same_as_compiled([](auto n) {
    auto s = n * 0;
    for (auto i : range(n)) {
      if (i == 7) break;
      if (i == 11) break;
      s = s + i;
    }
    if (s > 10) s = s * 2;
    return s;
  });
}

TEST_CASE("returns from inside loops") {
  same_as_compiled(first_divisor_of);
  same_as_compiled([](auto n) {
    auto s = n;
    for (auto i : range(n)) {
      s = s + i;
      if (s > 100) return s * 2;
      if (s == 66) return i;
    }
    if (s > 50) return s - 50;
    return s;
  });
  same_as_compiled_2([](auto n, auto m) {
    auto s = n;
    for (auto i : range(n)) {
      for (auto j : range(m)) {
        if (i * j == 12) return i * 100 + j;
        s = s + j;
      }
      if (s > 40) return s;
    }
    return s - m;
  });
}

TEST_CASE("a function that returns from inside a loop is called inside a trace") {
  same_as_compiled([](auto n) {
    auto d = first_divisor_of(n);
    return d * 1000 + n;
  });
  same_as_compiled(
      [](auto n) {
        auto s = n * 0;
        for (auto k : range(2, n)) {
          auto d = first_divisor_of(k);
          if (d == k) s = s + 1;
        }
        return s;
      },
      -3, 25);
}

TEST_CASE("loops in loops, ifs in loops, loops in ifs") {
  same_as_compiled([](auto n) {
    auto count = n * 0;
    for (auto i : range(2, n)) {
      auto prime = n * 0 + 1;
      for (auto d : range(2, i)) {
        if (i % d != 0) continue;
        prime = prime * 0;
        break;
      }
      count = count + prime;
    }
    if (count == 10) return count * 100;
    return count;
  });
  same_as_compiled_2([](auto n, auto m) {
    auto s = n * 0;
    for (auto i : range(n)) {
      if (i % 2 == 0) {
        for (auto j : range(m)) {
          if (j == i) break;
          s = s + j;
        }
      } else {
        s = s * 2;
      }
    }
    return s;
  });
  same_as_compiled_2([](auto n, auto m) {
    auto a = n;
    if (n > m) {
      for (auto i : range(m)) a = a + i;
    } else {
      for (auto i : range(n)) a = a - i;
    }
    return a;
  });
  // A loop behind a loop, and one that uses what the first has left.
  same_as_compiled([](auto n) {
    auto a = n * 0;
    for (auto i : range(n)) a = a + i;
    auto b = a;
    for (auto i : range(a)) {
      if (i > 20) break;
      b = b + n;
    }
    return b;
  });
}

TEST_CASE("loops with a condition") {
  constexpr auto collatz = [](auto n) {
    auto steps = n * 0;
    JIG_WHILE(n > 1) {
      if (n % 2 == 0) n = n / 2;
      else n = 3 * n + 1;
      steps = steps + 1;
    }
    return steps;
  };
  static_assert(graph_of_one(collatz).count("While") == 1 && graph_of_one(collatz).count("If") == 1);
  same_as_compiled(collatz);
  same_as_compiled_2([](auto a, auto b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    JIG_WHILE(b != 0) {
      auto t = b;
      b = a % b;
      a = t;
    }
    return a;
  });
  same_as_compiled([](auto n) {
    auto i = n * 0, s = n * 0;
    JIG_WHILE(i < n) {
      i = i + 1;
      if (i % 5 == 0) continue;
      if (i > 30) break;
      auto j = i;
      JIG_WHILE(j > 0) {
        s = s + j;
        j = j / 2;
        if (s > 500) return s;
      }
    }
    return s + i;
  });
}

TEST_CASE("JIG_IF joins at its end") {
  constexpr auto both = [](auto x) {
    auto y = x, z = x;
    JIG_IF(x > 3) {
      y = y + 1;
      z = z * 2;
    } JIG_ELSE {
      y = y - 1;
    }
    JIG_IF(y > 10) {
      y = y * 2;
    }
    return y * 1000 + z;
  };
  static_assert(graph_of_one(both).count("If") == 2);
  same_as_compiled(both);
  same_as_compiled([](auto x) {
    auto y = x;
    JIG_IF(x > 3) {
      JIG_IF(x > 10) {
        y = y + 1;
      } JIG_ELSE {
        y = y + 2;
      }
      for (auto i : range(x)) {
        JIG_IF(i % 2 == 0) {
          y = y + i;
        } JIG_ELSE {
          y = y - 1;
        }
      }
      if (y > 30) y = y - 3;
    } JIG_ELSE {
      JIG_WHILE(y < 20) { y = y * 2 + 7; }
    }
    if (y % 2 == 0) return y;
    return y * 10;
  });
}

TEST_CASE("what holds on one side of an if does not on the other") {
  same_as_compiled_2([](auto a, auto b) {
    auto c = a * 2 - b;
    for (auto i : range(b % 3, c % 6)) {
      if (a > b) {
        a = b + 2;
      } else {
        JIG_IF(a > -1) {
          b = c * -2;
        } JIG_ELSE {
          a = c + i;
        }
      }
      JIG_IF(c != -2) {
        c = c + 8;
      } JIG_ELSE {
        b = c % 5;
      }
    }
    return a + b * 3 + c * 5;
  });
}

TEST_CASE("fifty ifs in sequence") {
  constexpr auto fifty = [](auto x) {
    auto y = x;
    JIG_IF(y > 0) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 1) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 2) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 3) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 4) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 5) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 6) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 7) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 8) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 9) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 10) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 11) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 12) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 13) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 14) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 15) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 16) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 17) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 18) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 19) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 20) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 21) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 22) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 23) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 24) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 25) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 26) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 27) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 28) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 29) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 30) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 31) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 32) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 33) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 34) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 35) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 36) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 37) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 38) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 39) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 40) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 41) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 42) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 43) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 44) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 45) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 46) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 47) {
      y = y - 3;
    } JIG_ELSE {
      y = y + 2;
    }
    JIG_IF(y > 48) {
      y = y - 1;
    } JIG_ELSE {
      y = y + 1;
    }
    JIG_IF(y > 49) {
      y = y - 2;
    } JIG_ELSE {
      y = y + 2;
    }
    return y;
  };
  static_assert(graph_of_one(fifty).count("If") == 50);
  same_as_compiled(fifty);
}

TEST_CASE("what a loop carries may be held by anything") {
  same_as_compiled(
      [](auto n) {
        std::array state{n * 0, n * 0 + 1};
        std::tuple other(n, n * 2);
        for (auto i : range(n)) {
          state[1] = state[1] + state[0];
          state[0] = state[0] + i;
          std::get<0>(other) = std::get<1>(other) - i;
        }
        return state[0] * 3 + state[1] + std::get<0>(other);
      },
      -3, 20);
}

TEST_CASE("conditions of other shapes come through the reductions") {
  constexpr auto f = jig::function([](auto x) {
    if (jig::reduce_all(x > 0)) return jig::reduce_sum(x);
    return jig::reduce_sum(x * 0);
  });
  CHECK(f(jig::tensor<float, 3>{1, 2, 3})() == 6.0f);
  CHECK(f(jig::tensor<float, 3>{1, -2, 3})() == 0.0f);
  CHECK(f(std::vector<float>())() == 0.0f);
}

TEST_CASE("the same lambda on tensors runs as it stands") {
  auto relu = [](auto x) {
    if (x > 0) return x;
    return jig::zeros_like(x);
  };
  CHECK(relu(jig::tensor<int>(5))() == 5);
  CHECK(relu(jig::tensor<int>(-5))() == 0);
  auto f = [](auto n) {
    auto s = jig::zeros_like(n);
    for (auto i : range(n)) s = s + i;
    JIG_WHILE(s > 10) { s = s / 2; }
    JIG_IF(s > 5) {
      s = s * 100;
    } JIG_ELSE {
      s = s * 10;
    }
    return s;
  };
  CHECK(f(jig::tensor<int>(6))() == 700);
  CHECK(f(jig::tensor<int>(3))() == 30);
}

TEST_CASE("graphs of control flow are well formed") {
  static_assert(jig::verify(graph_of_one(first_divisor_of)) == nullptr);
  constexpr auto& g = graph_of_one(first_divisor_of);
  for (int k = 0; k < static_cast<int>(g.bodies_.size()); ++k) CHECK(jig::verify(g.body(k)) == nullptr);
}
