// SPDX-License-Identifier: MIT
#pragma once
// How errors of run time reach the program: as exceptions or, where those are switched off, through a function that it sets. All
// of the library's errors pass through here.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#if !defined(__STDCPP_THREADS__) && __has_include(<unistd.h>)
#define JIG_PRINTS_BY_WRITE
#include <unistd.h>
#endif

namespace jig {

/// Is told the sentence that an exception would carry. It should not return: the program aborts behind it.
using error_handler = void (*)(std::string_view what);

namespace detail {

/// Prints the sentence to standard error; the program aborts behind it.
inline void print_error(std::string_view what) {
#if defined(JIG_PRINTS_BY_WRITE)
  // On bare machines streams would be a quarter of a small program.
  if (::write(2, what.data(), what.size()) >= 0 && ::write(2, "\n", 1) >= 0) return;
#else
  std::fwrite(what.data(), 1, what.size(), stderr);
  std::fputc('\n', stderr);
#endif
}

// Read and written as an atomic is; <atomic> would cost more time to include than this is worth.
inline constinit error_handler current_error_handler = print_error;

}  // namespace detail

/// Sets what errors of run time call in programs that are compiled without exceptions (`-fno-exceptions`), and returns what they called
/// before. Null stands for what they call first: it prints the sentence to standard error, and the program aborts. Where there
/// are exceptions, errors are thrown and nothing is called. Threads may set it, and meet errors, at the same time.
inline error_handler set_error_handler(error_handler handler) noexcept {
  return __atomic_exchange_n(&detail::current_error_handler, handler != nullptr ? handler : detail::print_error, __ATOMIC_ACQ_REL);
}
/// What errors of run time call in programs that are compiled without exceptions.
inline error_handler get_error_handler() noexcept { return __atomic_load_n(&detail::current_error_handler, __ATOMIC_ACQUIRE); }

namespace detail {

/// Throws an E that says `what` (E may have a sentence of its own), or calls the handler.
template <class E>
[[noreturn, gnu::cold, gnu::noinline]] void raise(std::string_view what) {
#ifdef __cpp_exceptions
  if constexpr (requires { E(std::string(what)); }) throw E(std::string(what));
  else throw E();
#else
  get_error_handler()(what);
  std::abort();
#endif
}

/// Calls `work`; whether that came to its end. When it throws an E that is `expected()`, it did not; other errors go on to the caller.
/// Without exceptions the handler has ended the program before.
template <class E, class Work, class Expected>
bool attempt(Work work, [[maybe_unused]] Expected expected) {
#ifdef __cpp_exceptions
  try {
    work();
  } catch (const E&) {
    if (!expected()) throw;
    return false;
  }
#else
  work();
#endif
  return true;
}

}  // namespace detail

}  // namespace jig
