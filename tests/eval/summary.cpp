// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <vector>

namespace {

struct written {
  std::string tag;
  double value;
  std::int64_t step;
  bool operator==(const written&) const = default;
};

// What f writes.
template <class F>
std::vector<written> summaries(F f) {
  std::vector<written> out;
  auto& writer = jig::detail::summary_writer::of_program();
  writer.to = &out;
  writer.write = [](void* to, std::string_view tag, double value, std::int64_t step) {
    static_cast<std::vector<written>*>(to)->push_back({std::string(tag), value, step});
  };
  f();
  writer.to = nullptr;
  writer.write = nullptr;
  return out;
}

constexpr auto trained = jig::function<"trained(x, step)">([](auto x, auto step) {
  auto sum = jig::reduce_sum(x);
  jig::summary_scalar("sum", sum, step);
  for (auto i : jig::range(2)) jig::summary_scalar("trip", x[i], step + jig::cast<std::int64_t>(i));
  JIG_IF(sum > 2) jig::summary_scalar("large", 0.5, step);
  jig::summary_scalar("literal", x[0] * 2, 7);
  return x;
});

TEST_CASE("Summaries in every call, in the order of the program") {
  const jig::tensor<float, 2> one{1, 0.25f}, two{2, 3};
  CHECK(summaries([&] {
          trained(one, std::int64_t{5});
          trained(two, std::int64_t{6});
        }) == std::vector<written>{{"sum", 1.25, 5},
                                   {"trip", 1, 5},
                                   {"trip", 0.25, 6},
                                   {"literal", 2, 7},
                                   {"sum", 5, 6},
                                   {"trip", 2, 6},
                                   {"trip", 3, 7},
                                   {"large", 0.5, 6},
                                   {"literal", 4, 7}});
}

TEST_CASE("Summaries of tensors and numbers, at once") {
  CHECK(summaries([] {
          jig::summary_scalar("a", 2, 3);
          jig::summary_scalar("b", jig::tensor<jig::half>(jig::half(0.5f)), jig::tensor<std::uint8_t>(std::uint8_t{255}));
          jig::summary_scalar("c", jig::variable<double>(1e300), std::int64_t{-1});
        }) == std::vector<written>{{"a", 2, 3}, {"b", 0.5, 255}, {"c", 1e300, -1}});
}

TEST_CASE("Without a writer nothing happens") {
  jig::summary_scalar("a", 2, 3);
  CHECK(trained(jig::tensor<float, 2>{1, 2}, std::int64_t{1})(1) == 2);
}

}  // namespace
