// SPDX-License-Identifier: MIT
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace {

constexpr jig::detail::parallel_runner in_order{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
  for (jig::index block = 0; block < blocks; ++block) run(work, block);
}};

}  // namespace

TEST_CASE("who runs blocks is said for one thread, until a scope or a pause ends") {
  using namespace jig::detail;
  CHECK(current_threads == &threads_that_share);
  CHECK(!shares_work());
  {
    const parallel_pause nothing_to_pause;
    CHECK(!shares_work());
  }
  {
    const parallel_runner_scope scope(&in_order);
    CHECK(shares_work());
    {
      const parallel_pause pause;
      CHECK(!shares_work());
      CHECK(!is_shared(2 * shared_length));
    }
    CHECK((current_threads->runner() == &in_order));
    bool elsewhere = true;
    std::thread([&] { elsewhere = shares_work(); }).join();
    CHECK(!elsewhere);
  }
  CHECK(!shares_work());
}
