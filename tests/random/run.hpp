// SPDX-License-Identifier: MIT
#pragma once
// Random programs that generate.cpp wrote, and main.cpp runs.

#include <jig.hpp>

#include <cstdint>
#include <exception>
#include <ostream>

namespace random_programs {

/// One of them. `run` says what is wrong and returns whether all is well.
struct program {
  const char* name;
  bool (*run)(std::ostream& out);
  const program* next;
  static inline const program* first = nullptr;

  program(const char* called, bool (*check)(std::ostream&)) : name(called), run(check), next(first) { first = this; }
};

}  // namespace random_programs
