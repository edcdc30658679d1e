// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/ranks.hpp>

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

namespace {

using list = std::vector<std::string>;

TEST_CASE("What ranks disagree about: the first item that differs, and who has which") {
  using jig::detail::disagreement;
  CHECK(disagreement({{"sum", "a"}}).empty());
  CHECK(disagreement({{"sum", "a"}, {"sum", "a"}}).empty());
  CHECK(disagreement({{"sum", "a", "b"}, {"sum", "a", "c"}}) == "sum: ranks disagree: rank 0 has b, rank 1 has c");
  CHECK(disagreement({{"sum", "a"}, {"sum", "b"}, {"sum", "a"}, {"sum", "a"}}) ==
        "sum: ranks disagree: ranks 0, 2 and 3 have a, rank 1 has b");
  CHECK(disagreement({{"sum", "a"}, {"sum"}}) == "sum: ranks disagree: rank 0 has a, rank 1 has nothing behind that");
  CHECK(disagreement({{"sum", "a"}, {"copy", "a"}}) == "ranks disagree: rank 0 is at sum, rank 1 is at copy");
  std::vector<list> many(20, list{"sum", "a"});
  many[19] = {"sum", "b"};
  CHECK(disagreement(many) == "sum: ranks disagree: ranks 0, 1, 2, 3, 4, 5, 6, 7 and 11 more have a, rank 19 has b");
  many.resize(10);
  many[9] = {"sum", "b"};
  CHECK(disagreement(many) == "sum: ranks disagree: ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 have a, rank 9 has b");
}

TEST_CASE("agree: all ranks throw the same sentence, or none does") {
  for (const int size : {1, 2, 3}) {
    for (const std::string& thrown : test::on_ranks(size, [](const jig::ranks& r) { r.agree({"fit", "8 shards"}); })) CHECK(thrown.empty());
  }
  // Texts of different lengths travel together.
  const list thrown =
      test::on_ranks(3, [](const jig::ranks& r) { r.agree({"fit", r.rank() == 1 ? "a longer text than that of others" : "short"}); });
  for (const std::string& sentence : thrown)
    CHECK(sentence == "fit: ranks disagree: ranks 0 and 2 have short, rank 1 has a longer text than that of others");
  // Whoever differs, all of a power of two hear of it, as all of another number do.
  for (const int size : {2, 3, 4, 5, 8})
    for (int odd = 0; odd < size; ++odd) {
      const list heard = test::on_ranks(size, [odd](const jig::ranks& r) { r.agree({"fit", r.rank() == odd ? "b" : "a"}); });
      CHECK(heard[0].find("fit: ranks disagree: rank") == 0);
      CHECK(heard == list(static_cast<std::size_t>(size), heard[0]));
    }
  // Items that only differ in where one ends and the next begins.
  CHECK(test::on_ranks(2, [](const jig::ranks& r) { r.agree(r.rank() == 0 ? list{"ab", "c"} : list{"a", "bc"}); })[0] ==
        "ranks disagree: rank 0 is at ab, rank 1 is at a");
  CHECK(test::on_ranks(2, [](const jig::ranks& r) { r.agree(static_cast<std::uint64_t>(r.rank()), [] { return list{"a"}; }); })[1] ==
        "ranks disagree, though all say that they have the same");
}

TEST_CASE("Leaves: their order, elements at strides, and keys") {
  float memory[12];
  for (int i = 0; i < 12; ++i) memory[i] = static_cast<float>(i);
  // Two of three columns, and columns of a column-major matrix.
  auto x = std::tuple(jig::view<float, jig::dyn, jig::dyn>(memory, {4, 2}, {3, 1}), std::vector<int>{7, 8}, jig::variable<double>(2.5),
                      jig::view(jig::column_major{memory}, 3, 4), std::vector<int>());
  const auto leaves = jig::detail::views_of_leaves<true>(x);
  REQUIRE(leaves.size() == 5);
  std::byte dense[8 * 4 + 2 * 4 + 8 + 12 * 4];
  jig::detail::copy_leaf<true>(leaves[0], dense);
  const float packed[] = {0, 1, 3, 4, 6, 7, 9, 10};
  CHECK(std::memcmp(dense, packed, sizeof packed) == 0);
  jig::detail::copy_leaf<true>(leaves[3], dense);
  const float transposed[] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11};
  CHECK(std::memcmp(dense, transposed, sizeof transposed) == 0);
  const float others[] = {-1, -2, -3, -4, -5, -6, -7, -8};
  jig::detail::copy_leaf<false>(leaves[0], reinterpret_cast<std::byte*>(const_cast<float*>(others)));
  CHECK(memory[4] == -4);
  CHECK(memory[5] == 5);
  CHECK(memory[10] == -8);
  jig::detail::copy_leaf<true>(leaves[4], nullptr);

  CHECK(jig::detail::exchange_items("sum", leaves) == list{"sum", "float32 (4, 2) as part 1", "int32 (2,) as part 2",
                                                           "float64 () as part 3", "float32 (3, 4) as part 4", "int32 (0,) as part 5"});
  const auto key = [](std::string_view name, auto... part) {
    auto parts = std::tuple(part...);
    return jig::detail::exchange_key(name, jig::detail::views_of_leaves<true>(parts));
  };
  using vector = std::vector<float>;
  CHECK(key("sum", vector(3), vector(4)) == key("sum", vector(3), vector(4)));
  CHECK(key("sum", vector(3), vector(4)) != key("sum", vector(4), vector(3)));
  CHECK(key("sum", vector(3)) != key("copy", vector(3)));
  CHECK(key("sum", vector(3)) != key("sum", std::vector<int>(3)));
  CHECK(key("sum", jig::tensor<float, 2, 3>()) != key("sum", jig::tensor<float, 3, 2>()));
}

TEST_CASE("broadcast_leaves: from every rank, and what it refuses") {
  for (const int root : {0, 2}) {
    std::vector<std::tuple<jig::variable<float, 3>, std::vector<std::int64_t>, jig::tensor<bool, 2>>> x(3);
    const auto thrown = test::on_ranks(3, [&](const jig::ranks& r) {
      auto& mine = x[static_cast<std::size_t>(r.rank())];
      std::get<0>(mine).assign(jig::tensor<float, 3>{static_cast<float>(r.rank()), 1, 2});
      std::get<1>(mine) = {10 + r.rank(), -1};
      std::get<2>(mine) = jig::tensor<bool, 2>{r.rank() == 2, true};
      jig::detail::broadcast_leaves(jig::detail::views_of_leaves<true>(mine), root, r);
    });
    CHECK(thrown == list(3));
    for (const auto& mine : x) {
      CHECK(std::get<0>(mine).value()(0) == static_cast<float>(root));
      CHECK(std::get<1>(mine) == std::vector<std::int64_t>{10 + root, -1});
      CHECK(std::get<2>(mine)(0) == (root == 2));
    }
  }
  CHECK(test::on_ranks(2, [](const jig::ranks& r) {
          std::vector<int> x(r.rank() == 0 ? 2 : 3);
          jig::detail::broadcast_leaves(jig::detail::views_of_leaves<true>(x), 0, r);
        }) == list(2, "broadcast from rank 0: ranks disagree: rank 0 has int32 (2,) as part 1, rank 1 has int32 (3,) as part 1"));
  const auto from = [](int root) {
    return test::on_ranks(2, [root](const jig::ranks& r) {
      int x = 0;
      jig::detail::broadcast_leaves(jig::detail::views_of_leaves<true>(x), root == 7 ? r.rank() : root, r);
    });
  };
  CHECK(from(2) == list(2, "broadcast: rank 2 is none of 2"));
  CHECK(from(-1) == list(2, "broadcast: rank -1 is none of 2"));
  CHECK(from(7) == list(2, "ranks disagree: rank 0 is at broadcast from rank 0, rank 1 is at broadcast from rank 1"));
}

TEST_CASE("Memory for messages grows, is aligned and begins as zeros") {
  test::on_ranks(1, [](const jig::ranks& r) {
    for (const std::size_t bytes : {1u, 100u, 5000u}) {
      std::byte* memory = r.memory(bytes);
      CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
      CHECK(memory[bytes - 1] == std::byte(0));
      memory[bytes - 1] = std::byte(1);
      CHECK(r.memory(bytes) == memory);
    }
  });
}

}  // namespace
