// SPDX-License-Identifier: MIT
#include <jig/core/error_handler.hpp>

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>

// What is called where there are no exceptions is tested by build/no_exceptions.cpp.

namespace {

void silent(std::string_view) {}

}  // namespace

TEST_CASE("the handler can be set, read and set back") {
  const jig::error_handler first = jig::get_error_handler();
  CHECK((first != nullptr));
  CHECK((jig::set_error_handler(silent) == first));
  CHECK((jig::get_error_handler() == silent));
  CHECK((jig::set_error_handler(nullptr) == silent));
  CHECK((jig::get_error_handler() == first));
}

TEST_CASE("where there are exceptions they are thrown, whatever the handler is") {
  jig::set_error_handler(silent);
  CHECK_THROWS_WITH_AS(jig::detail::raise<std::runtime_error>("the sentence"), "the sentence", std::runtime_error);
  // The text may be part of a longer one.
  CHECK_THROWS_WITH_AS(jig::detail::raise<std::runtime_error>(std::string_view("one two").substr(0, 3)), "one", std::runtime_error);
  CHECK_THROWS_AS(jig::detail::raise<std::bad_alloc>("has no text"), std::bad_alloc);
  jig::set_error_handler(nullptr);
}

TEST_CASE("what is attempted may fail as expected") {
  const auto nothing = [] {};
  const auto fails = [] { throw std::range_error("it"); };
  const auto yes = [] { return true; };
  const auto no = [] { return false; };
  CHECK(jig::detail::attempt<std::runtime_error>(nothing, no));
  CHECK_FALSE(jig::detail::attempt<std::runtime_error>(fails, yes));
  CHECK_THROWS_WITH_AS(jig::detail::attempt<std::runtime_error>(fails, no), "it", std::range_error);
  CHECK_THROWS_AS(jig::detail::attempt<std::logic_error>(fails, yes), std::range_error);
}
