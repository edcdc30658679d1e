// SPDX-License-Identifier: MIT
#include <jig/data/dataset.hpp>

#include <jig/data/split_mix.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

namespace {

namespace data = jig::data;
using numbers = std::vector<std::int64_t>;

// A source of any kind, so that random programs can make one of another.
struct any_source {
  using element_type = std::int64_t;
  struct cursor {
    std::function<const std::int64_t*()> step;
    const std::int64_t* at = nullptr;
    bool next() { return (at = step()) != nullptr; }
    const std::int64_t& element() const { return *at; }
  };
  std::function<cursor()> opened;
  jig::index count;
  jig::index cardinality() const { return count; }
  cursor open() const { return opened(); }

  template <class S>
  explicit any_source(const data::dataset<S>& from) : count(from.cardinality()) {
    opened = [from] {
      using inner = decltype(from.source().open());
      auto held = std::make_shared<inner>(from.source().open());
      return cursor{[held]() -> const std::int64_t* { return held->next() ? &held->element() : nullptr; }, nullptr};
    };
  }
};
using any_dataset = data::dataset<any_source>;
template <class S>
any_dataset any(const data::dataset<S>& from) {
  return any_dataset(any_source(from));
}

// One random step of a dataset, and the same of all its elements.
template <class S>
any_dataset random_step(const data::dataset<S>& d, numbers& n, const std::function<jig::index(jig::index)>& below) {
  const auto size = static_cast<jig::index>(n.size());
  const auto kept = [&](auto keep) {
    numbers out;
    for (jig::index i = 0; i < size; ++i)
      if (keep(i)) out.push_back(n[static_cast<std::size_t>(i)]);
    n = out;
  };
  switch (below(12)) {
    case 0: {
      const jig::index count = below(size + 3);
      kept([&](jig::index i) { return i < count; });
      return any(d.take(count));
    }
    case 1: {
      const jig::index count = below(size + 3);
      kept([&](jig::index i) { return i >= count; });
      return any(d.skip(count));
    }
    case 2: {
      const jig::index shards = 1 + below(4), number = below(shards);
      kept([&](jig::index i) { return i % shards == number; });
      return any(d.shard(shards, number));
    }
    case 3: {
      const jig::index times = n.size() > 300 ? 1 : below(4);
      numbers out;
      for (jig::index i = 0; i < times; ++i) out.insert(out.end(), n.begin(), n.end());
      n = out;
      return any(d.repeat(times));
    }
    case 4: {
      const jig::index factor = below(9) - 4;
      for (auto& x : n) x = x * factor + 1;
      return any(d.map([factor](auto x) { return x * factor + 1; }));
    }
    case 5: {
      const jig::index divisor = 2 + below(3);
      kept([&](jig::index i) { return n[static_cast<std::size_t>(i)] % divisor != 0; });
      return any(d.filter([divisor](auto x) { return x % divisor != 0; }));
    }
    case 6: {
      // Sums of batches, of which the last is smaller or left out.
      const jig::index of = 1 + below(5);
      const bool drop = below(2) == 0;
      numbers out;
      for (jig::index i = 0; i < size; i += of) {
        if (drop && i + of > size) break;
        std::int64_t sum = 0;
        for (jig::index j = i; j < i + of && j < size; ++j) sum = 3 * sum + n[static_cast<std::size_t>(j)];
        out.push_back(sum % 1000);
      }
      n = out;
      return any(d.batch(of, drop).map([](const auto& batch) {
        std::int64_t sum = 0;
        for (jig::index j = 0; j < batch.extent(0); ++j) sum = 3 * sum + batch(j);
        return sum % 1000;
      }));
    }
    case 7: {
      for (jig::index i = 0; i < size; ++i) n[static_cast<std::size_t>(i)] += 10 * (i + 2);
      return any(d.enumerate(2).map([](auto i, auto x) { return x + 10 * i; }));
    }
    case 8: {
      for (auto& x : n) x -= 1;
      return any(data::zip(d, d.map([](auto) { return std::int64_t{1}; })).map([](auto x, auto y) { return x - y; }));
    }
    case 9: return any(d.cache());
    case 10: return any(d.prefetch(1 + below(3)));
    default: {
      const jig::index room = 1 + below(size + 2);
      const auto order = d.shuffle(room, 7, false);
      numbers shuffled;
      for (const auto x : order) shuffled.push_back(x);
      numbers sorted = n, of_these = shuffled;
      std::sort(sorted.begin(), sorted.end());
      std::sort(of_these.begin(), of_these.end());
      CHECK(sorted == of_these);
      n = shuffled;
      return any(order);
    }
  }
}

TEST_CASE("Random chains of members do what loops over all elements do") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    data::detail::split_mix random(seed);
    const auto below = [&](jig::index n) { return static_cast<jig::index>(random() % static_cast<std::uint64_t>(n)); };
    numbers n;
    for (jig::index i = 0, count = below(20); i < count; ++i) n.push_back(static_cast<std::int64_t>(below(100)));
    const numbers memory = n;
    // A first step from a sequence, whose members have ways of their own.
    any_dataset d = random_step(data::from_tensor_slices(memory), n, below);
    for (jig::index steps = below(5); steps > 0; --steps) d = random_step(d, n, below);
    const jig::index known = d.cardinality();
    CHECK((known == data::unknown_cardinality || known == static_cast<jig::index>(n.size())));
    for (int times = 0; times < 2; ++times) {
      numbers seen;
      for (const auto x : d) seen.push_back(x);
      CHECK(seen == n);
    }
  }
}

TEST_CASE("A dataset is a range of input iterators, and is gone through by several threads") {
  const auto d = data::range(3);
  static_assert(std::ranges::input_range<decltype(d)>);
  auto i = d.begin();
  CHECK(*i == 0);
  i++;
  CHECK(*i == 1);
  CHECK(++i != d.end());
  CHECK(++i == d.end());
}

TEST_CASE("from_tensors has one element") {
  const auto one = data::from_tensors(jig::tensor<float, 2>{1, 2}, 3);
  CHECK(one.cardinality() == 1);
  int count = 0;
  for (const auto& [x, y] : one.repeat(2)) count += static_cast<int>(x(1)) * y;
  CHECK(count == 12);
}

}  // namespace
