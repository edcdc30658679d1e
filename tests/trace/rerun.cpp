// SPDX-License-Identifier: MIT
// C++ variables that change inside traced blocks are refused, whatever shows them; those that do not are left alone.
#include <jig/trace/rerun.hpp>

#include "../dynamic_trace.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <optional>
#include <vector>

namespace {

using jig::range;

template <class F>
constexpr bool is_refused(F) {
  return jig::trace<F, "f(x)", jig::spec<int>>::failure == jig::trace_failure::native_change;
}
template <class F>
constexpr bool is_accepted(F) {
  return jig::trace<F, "f(x)", jig::spec<int>>::failure == jig::trace_failure::none;
}
template <class F>
void refused_at_run_time_too(F f) {
  CHECK(refused_dynamically(f, jig::spec<int>()).find("a C++ variable changes inside a traced loop or a block of JIG_IF") !=
        std::string::npos);
}
template <class F>
void accepted_at_run_time_too(F f) {
  CHECK(refused_dynamically(f, jig::spec<int>()) == "accepted");
}

}  // namespace

TEST_CASE("a counter of trips") {
  constexpr auto of_range = [](auto x) {
    int n = 0;
    for (auto i : range(0, x)) {
      n += 1;
      (void)i;
    }
    return x + n;
  };
  static_assert(is_refused(of_range));
  refused_at_run_time_too(of_range);

  constexpr auto of_while = [](auto x) {
    int n = 0;
    JIG_WHILE(x < 100) {
      x = x * 2;
      ++n;
    }
    return x * 0 + n;
  };
  static_assert(is_refused(of_while));
  refused_at_run_time_too(of_while);

  constexpr auto in_a_condition = [](auto x) {
    int n = 0;
    JIG_WHILE(x < ++n) { x = x - 1; }
    return x;
  };
  static_assert(is_refused(in_a_condition));
  refused_at_run_time_too(in_a_condition);

  constexpr auto in_a_form = [](auto x) {
    int n = 0;
    x = jig::while_loop([](auto v) { return v < 100; },
                        [&](auto v) {
                          ++n;
                          return v * 2;
                        },
                        x);
    return x + n;
  };
  static_assert(is_refused(in_a_form));
  refused_at_run_time_too(in_a_form);
}

TEST_CASE("what is only seen in the next trip") {
  constexpr auto first_trip = [](auto x) {
    bool first = true;
    for (auto i : range(0, x)) {
      x = first ? x + i : x * 2;
      first = false;
    }
    first = true;
    return x;
  };
  static_assert(is_refused(first_trip));
  refused_at_run_time_too(first_trip);

  constexpr auto now_and_then = [](auto x) {
    bool odd = false;
    JIG_WHILE(x < 100) {
      x = odd ? x + 1 : x * 2;
      odd = !odd;
    }
    return x;
  };
  static_assert(is_refused(now_and_then));
  refused_at_run_time_too(now_and_then);

  constexpr auto on_another_way = [](auto x) {
    int step = 1;
    for (auto i : range(0, x)) {
      if (i == 3) step = 2;
      x = x + step;
    }
    return x;
  };
  static_assert(is_refused(on_another_way));
  refused_at_run_time_too(on_another_way);

  constexpr auto on_the_second_of_three_ways = [](auto x) {
    int last = 0;
    for (auto i : range(0, x)) {
      if (i == 3) {
        last = 1;
      } else if (i == 5) {
        x = x + last;
      } else {
        last = 0;
      }
    }
    return x;
  };
  static_assert(is_refused(on_the_second_of_three_ways));
  refused_at_run_time_too(on_the_second_of_three_ways);
}

TEST_CASE("what is only seen where no trip is made") {
  constexpr auto any_trip = [](auto x) {
    bool any = false;
    for (auto i : range(0, x)) {
      (void)i;
      any = true;
    }
    return any ? x : -x;
  };
  static_assert(is_refused(any_trip));
  refused_at_run_time_too(any_trip);

  constexpr auto on_one_way = [](auto x) {
    bool found = false;
    for (auto i : range(0, x)) {
      if (i == 3) found = true;
    }
    return x * 0 + (found ? 1 : 0);
  };
  static_assert(is_refused(on_one_way));
  refused_at_run_time_too(on_one_way);

  constexpr auto in_an_inner_loop = [](auto x) {
    for (auto i : range(0, x)) {
      bool any = false;
      for (auto j : range(0, i)) {
        (void)j;
        any = true;
      }
      x = any ? x + 1 : x + 2;
    }
    return x;
  };
  static_assert(is_refused(in_an_inner_loop));
  refused_at_run_time_too(in_an_inner_loop);
}

TEST_CASE("changes in two blocks that make up for each other") {
  constexpr auto two_loops = [](auto x) {
    bool odd = false;
    for (auto i : range(0, x)) {
      (void)i;
      odd = !odd;
    }
    for (auto i : range(0, x * 2)) {
      (void)i;
      odd = !odd;
    }
    return odd ? x : -x;
  };
  static_assert(is_refused(two_loops));
  refused_at_run_time_too(two_loops);
}

TEST_CASE("blocks of JIG_IF") {
  constexpr auto both = [](auto x) {
    int best = 0;
    JIG_IF(x > 1) {
      best = 5;
    } JIG_ELSE {
      best = 7;
    }
    return x + best;
  };
  static_assert(is_refused(both));
  refused_at_run_time_too(both);

  constexpr auto one = [](auto x) {
    int best = 0;
    JIG_IF(x > 1) {
      best = 5;
    }
    return x + best;
  };
  static_assert(is_refused(one));
  refused_at_run_time_too(one);

  constexpr auto seen_in_the_other = [](auto x) {
    int k = 0;
    JIG_IF(x > 1) {
      k = 5;
    } JIG_ELSE {
      x = x + k;
    }
    k = 0;
    return x;
  };
  static_assert(is_refused(seen_in_the_other));
  refused_at_run_time_too(seen_in_the_other);

  constexpr auto in_cond = [](auto x) {
    int k = 0;
    auto y = jig::cond(x > 1, [&] { return k = 1, x + 1; }, [&] { return k = 2, x + 2; });
    return y + k;
  };
  static_assert(is_refused(in_cond));
  refused_at_run_time_too(in_cond);

  constexpr auto in_a_loop = [](auto x) {
    for (auto i : range(0, x)) {
      int k = 0;
      JIG_IF(i == 2) {
        k = 1;
      }
      x = x + k;
    }
    return x;
  };
  static_assert(is_refused(in_a_loop));
  refused_at_run_time_too(in_a_loop);
}

TEST_CASE("elements of an array") {
  constexpr auto f = [](auto x) {
    std::array<int, 2> sums{0, 0};
    for (auto i : range(0, x)) {
      (void)i;
      sums[0] = sums[0] + 1;
    }
    return x * 0 + sums[0];
  };
  static_assert(is_refused(f));
  refused_at_run_time_too(f);
}

TEST_CASE("traced values that are kept behind the block that makes them") {
  constexpr auto sentence = "a traced value that is made inside a traced loop or a block of JIG_IF is kept behind it";
  constexpr auto in_an_optional = [](auto x) {
    std::optional<decltype(x)> last;
    for (auto i : range(0, x)) last.emplace(i);
    return last ? x + *last : x;
  };
  static_assert(jig::trace<decltype(in_an_optional), "f(x)", jig::spec<int>>::failure == jig::trace_failure::outlived_block);
  CHECK(refused_dynamically(in_an_optional, jig::spec<int>()).find(sentence) != std::string::npos);
  auto in_a_vector = [](auto x) {
    std::vector<decltype(x)> all;
    JIG_IF(x > 1) {
      all.push_back(x * 2);
    }
    return x + all[0];
  };
  CHECK(refused_dynamically(in_a_vector, jig::spec<int>()).find(sentence) != std::string::npos);

  // Made before, it is carried like any other.
  constexpr auto made_before = [](auto x) {
    std::optional<decltype(x)> last(x);
    for (auto i : range(0, x)) last = i;
    return x + *last;
  };
  static_assert(is_accepted(made_before));
  accepted_at_run_time_too(made_before);
}

TEST_CASE("C++ variables that no block changes for what follows") {
  constexpr auto inside = [](auto x) {
    for (auto i : range(0, x)) {
      int k = 1;
      for (int j = 0; j < 3; ++j) k = k * 2;
      x = x + k * i;
    }
    return x;
  };
  static_assert(is_accepted(inside));
  accepted_at_run_time_too(inside);

  constexpr auto native_ifs = [](auto x) {
    int best = 0;
    if (x > 1) best = 5;
    else best = 7;
    return x + best;
  };
  static_assert(is_accepted(native_ifs));
  accepted_at_run_time_too(native_ifs);

  constexpr auto native_if_of_a_trip = [](auto x) {
    for (auto i : range(0, x)) {
      int step = 1;
      if (i == 3) step = 2;
      if (i > 10) break;
      JIG_IF(x > 20) {
        x = x - step;
      } JIG_ELSE {
        x = x + step;
      }
    }
    return x;
  };
  static_assert(is_accepted(native_if_of_a_trip));
  accepted_at_run_time_too(native_if_of_a_trip);

  constexpr auto overwritten = [](auto x) {
    int last = 0;
    for (auto i : range(0, x)) {
      last = 7;
      x = x + i * last;
    }
    last = 3;
    return x + last;
  };
  static_assert(is_accepted(overwritten));
  accepted_at_run_time_too(overwritten);

  // What is known when a loop is left by return, each way by itself.
  constexpr auto leaves = [](auto x) {
    int why = 0;
    for (auto i : range(0, x)) {
      if (i * i == x) {
        why = 1;
        return x * 0 + why;
      }
      if (i * i > x) return x * 0 + 2;
    }
    return x + why;
  };
  static_assert(is_accepted(leaves));
  accepted_at_run_time_too(leaves);
}

TEST_CASE("a lambda that captures and counts how often it is traced is not refused for that") {
  int runs = 0;
  auto graph = traced_dynamically(
      [&](auto x) {
        ++runs;
        for (auto i : range(0, x)) x = x + i;
        return x;
      },
      jig::spec<int>());
  CHECK(graph.graph.count("While") == 1);
  CHECK(runs >= 2);
}
