// SPDX-License-Identifier: MIT
#pragma once
// What other threads throw, in the loop that they work for.

#include <jig/core/error.hpp>
#include <jig/core/extent.hpp>

#include <exception>
#include <string>

namespace jig::data::detail {

#ifdef __cpp_exceptions
/// Throws a jig::error that says which element it was; what was thrown is nested in it.
[[noreturn]] inline void rethrow_from_worker(const std::exception_ptr& thrown, const char* by, index number) {
  const std::string where = std::string(by) + ": element " + std::to_string(number) + ": ";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    std::throw_with_nested(error(where + e.what()));
  } catch (...) {
    std::throw_with_nested(error(where + "an exception of unknown type"));
  }
}
#endif

/// Runs f; returns what it throws, or null.
template <class F>
std::exception_ptr thrown_by(F f) {
#ifdef __cpp_exceptions
  try {
    f();
  } catch (...) {
    return std::current_exception();
  }
#else
  f();
#endif
  return nullptr;
}

}  // namespace jig::data::detail
