// SPDX-License-Identifier: MIT
#pragma once
// Where jig::print and warnings write their lines. <iostream> and <mutex> would take a third of the time to include the library.

#include <cstdio>
#include <iosfwd>
#include <string>

#if !defined(__STDCPP_THREADS__)
#elif __has_include(<pthread.h>)
#include <pthread.h>
#else
#include <mutex>
#endif

namespace jig {

namespace detail {

#if !defined(__STDCPP_THREADS__)
class print_mutex {
 public:
  void lock() {}
  void unlock() {}
};
#elif __has_include(<pthread.h>)
class print_mutex {
 public:
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};
#else
using print_mutex = std::mutex;
#endif

struct line_writer {
  print_mutex mutex;
  void* stream = nullptr;  // null: standard output
  void (*write)(void* stream, const std::string& line) = [](void*, const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
  };

  static line_writer& of_program() {
    static line_writer writer;
    return writer;
  }
  static line_writer& of_warnings() {
    static line_writer writer{{}, nullptr, [](void*, const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }};
    return writer;
  }
};

class print_lock {
 public:
  explicit print_lock(print_mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  print_lock(const print_lock&) = delete;
  print_lock& operator=(const print_lock&) = delete;
  ~print_lock() { mutex_.unlock(); }

 private:
  print_mutex& mutex_;
};

/// Writes a line as a whole, also when several threads do so at once.
inline void write_line(std::string line, line_writer& writer = line_writer::of_program()) {
  line += '\n';
  const print_lock lock(writer.mutex);
  writer.write(writer.stream, line);
}

template <class Traits>
void set_stream(line_writer& writer, std::basic_ostream<char, Traits>& out) {
  const print_lock lock(writer.mutex);
  writer.stream = &out;
  writer.write = [](void* stream, const std::string& line) {
    static_cast<std::basic_ostream<char, Traits>*>(stream)->write(line.data(), static_cast<std::ptrdiff_t>(line.size()));
  };
}

}  // namespace detail

/// The stream that jig::print writes to from now on; at first it is standard output. It must outlive its use.
template <class Traits>
void set_print_stream(std::basic_ostream<char, Traits>& out) {
  detail::set_stream(detail::line_writer::of_program(), out);
}
/// The stream that warnings are written to from now on; at first it is standard error. It must outlive its use.
template <class Traits>
void set_warning_stream(std::basic_ostream<char, Traits>& out) {
  detail::set_stream(detail::line_writer::of_warnings(), out);
}

}  // namespace jig
