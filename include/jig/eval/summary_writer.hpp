// SPDX-License-Identifier: MIT
#pragma once
// Where jig::summary_scalar writes: to whatever the program has named. What writes files is no part of this.

#include <jig/eval/print_stream.hpp>

#include <cstdint>
#include <string_view>

namespace jig::detail {

/// The writer of the program; none at first.
struct summary_writer {
  print_mutex mutex;
  void* to = nullptr;
  void (*write)(void* to, std::string_view tag, double value, std::int64_t step) = nullptr;

  static summary_writer& of_program() {
    static summary_writer writer;
    return writer;
  }
};

}  // namespace jig::detail
