// SPDX-License-Identifier: MIT
#include <jig/data/worker_error.hpp>

#include <doctest/doctest.h>

namespace {

namespace detail = jig::data::detail;

TEST_CASE("What was thrown is said with the element, and nested") {
  CHECK(detail::thrown_by([] {}) == nullptr);
  const auto error = detail::thrown_by([] { throw std::domain_error("why"); });
  try {
    detail::rethrow_from_worker(error, "here", 3);
  } catch (const jig::error& e) {
    CHECK(std::string(e.what()) == "here: element 3: why");
    CHECK_THROWS_AS(std::rethrow_if_nested(e), std::domain_error);
  }
  CHECK_THROWS_WITH_AS(detail::rethrow_from_worker(detail::thrown_by([] { throw 5; }), "here", 0),
                       "here: element 0: an exception of unknown type", jig::error);
}

}  // namespace
