// SPDX-License-Identifier: MIT
#pragma once
// Where jig::print writes its lines.

#include <iostream>
#include <mutex>
#include <string>

namespace jig {

namespace detail {

struct line_writer {
  std::mutex mutex;
  std::ostream* out = &std::cout;

  static line_writer& of_program() {
    static line_writer writer;
    return writer;
  }
};

/// Writes a line as a whole, also when several threads do so at once.
inline void write_line(std::string line) {
  line += '\n';
  auto& writer = line_writer::of_program();
  const std::lock_guard lock(writer.mutex);
  writer.out->write(line.data(), static_cast<std::streamsize>(line.size()));
}

}  // namespace detail

/// The stream that jig::print writes to from now on; at first it is std::cout. It must outlive its use.
inline void set_print_stream(std::ostream& out) {
  auto& writer = detail::line_writer::of_program();
  const std::lock_guard lock(writer.mutex);
  writer.out = &out;
}

}  // namespace jig
