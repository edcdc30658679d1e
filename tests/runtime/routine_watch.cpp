// SPDX-License-Identifier: MIT
#include <jig/runtime/routine_watch.hpp>

#include "../interpreted.hpp"

#include <doctest/doctest.h>

namespace {

using namespace jig;

struct counting final : detail::routine_watch<graph_view> {
  using routine = detail::planned_routine<graph_view>;
  int begun = 0, regions = 0, ended = 0;
  jig::index elements = 0;
  bool asks_for_regions = true;
  bool begin(const routine&) override {
    ++begun;
    return asks_for_regions;
  }
  void behind(const routine&, std::size_t) override { ++regions; }
  void end(const routine&) override { ++ended; }
  std::uint64_t now() override { return 17; }
  void behind_tile(const routine&, std::size_t region, jig::index n, std::uint64_t since) override {
    CHECK(region == 0);
    CHECK(since == 17);
    elements += n;
  }
};

TEST_CASE("a watch is told of every routine and region") {
  constexpr auto f = [](auto x) {
    JIG_WHILE(reduce_sum(x) < 10) x = x * 2;
    return reduce_sum(x);
  };
  const auto run = interpreted(graph_of(f, spec<float, 2>{}));
  const std::vector<any_tensor> x{any_tensor(tensor<float, 2>{1, 2})};
  counting watch;
  detail::watch_of_routines<graph_view> = &watch;
  CHECK(run(x)[0].as<float>()() == 12);
  detail::watch_of_routines<graph_view> = nullptr;
  // The graph, three conditions and two trips.
  CHECK(watch.begun == 6);
  CHECK(watch.ended == 6);
  CHECK(watch.regions >= 6);
  // Only of those.
  const int regions = watch.regions;
  watch.asks_for_regions = false;
  detail::watch_of_routines<graph_view> = &watch;
  (void)run(x);
  detail::watch_of_routines<graph_view> = nullptr;
  CHECK(watch.regions == regions);
  CHECK(watch.begun == 12);
  CHECK(watch.ended == 12);
  const int before = watch.begun;
  (void)run(x);
  CHECK(watch.begun == before);
}

TEST_CASE("and of the elements that a loop behind a product has done") {
  constexpr auto f = [](auto x, auto w) { return matmul(x, w) * 2; };
  const auto run = interpreted(graph_of(f, spec<float, dyn, 3>{}, spec<float, 3, dyn>{}));
  const std::vector<any_tensor> x{any_tensor(ones<float, 70, 3>()), any_tensor(ones<float, 3, 1100>())};
  counting watch;
  detail::watch_of_routines<graph_view> = &watch;
  CHECK(run(x)[0].as<float>()(69, 1099) == 6);
  detail::watch_of_routines<graph_view> = nullptr;
  CHECK(watch.regions == 1);
  CHECK(watch.elements == 70 * 1100);
}

}  // namespace
