// SPDX-License-Identifier: MIT
// Compiled with -fno-exceptions -fno-rtti: functions run as ever, and errors come to the handler. All headers are here that need no other
// library; with an argument, the program shows what happens when no handler is set.
#include <jig.hpp>
#include <jig/adapt/argument.hpp>
#include <jig/adapt/mdspan.hpp>
#include <jig/adapt/valarray.hpp>
#include <jig/nn.hpp>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#ifdef __cpp_exceptions
#error "this is about programs without exceptions"
#endif

namespace {

thread_local std::jmp_buf back;
thread_local char told[512];

// Goes back to `error_of`, with what it was told.
void keep(std::string_view what) {
  const std::size_t n = what.copy(told, sizeof(told) - 1);
  told[n] = '\0';
  std::longjmp(back, 1);
}

// The sentence of the error that f meets. Whatever lives in f is lost, so it keeps what it makes elsewhere.
template <class F>
const char* error_of(F f) {
  if (setjmp(back) == 0) {
    f();
    return "no error";
  }
  return told;
}

int failures = 0;
void expect(const char* given, const char* expected) {
  if (std::strcmp(given, expected) == 0) return;
  ++failures;
  std::fprintf(stderr, "given:    %s\nexpected: %s\n", given, expected);
}
void require(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "does not hold: %s\n", what);
}

constexpr int line_of_add = __LINE__ + 1;
constexpr auto add = jig::function<"add(x, y)">([](auto x, auto y) { return x + y; });
constexpr auto quotient = jig::function<"quotient(x, y)">([](auto x, auto y) { return x / y; });
constexpr auto positive = jig::function<"positive(x)">([](auto x) {
  jig::assert_that(jig::reduce_all(x > 0.0f), "x is not positive:", x);
  return jig::sqrt(x);
});
// A loop, an if and a gradient.
constexpr auto descend = jig::function<"descend(x)">([](auto x) {
  for ([[maybe_unused]] auto i : jig::range(20)) x = x - 0.25f * jig::gradient(jig::reduce_sum(x * x), x);
  if (jig::reduce_all(x < 1.0f)) return x;
  return x * 0.0f;
});

std::vector<float> two{1, 2}, three{1, 2, 3}, out(3);
std::array<float, 2> negative{1, -1};
int zero = 0;

}  // namespace

int main(int count, char**) {
  if (count > 1) add(two, three);  // nobody has set a handler

  const jig::error_handler first = jig::set_error_handler(keep);
  require(first != nullptr && jig::get_error_handler() == keep, "the handler is set");

  const std::string refusal =
      "AddV2: shapes do not broadcast: float32 (2,) and float32 (3,) (at no_exceptions.cpp:" + std::to_string(line_of_add) + ")";
  expect(error_of([] { add(two, three); }), refusal.c_str());
  expect(error_of([] { add.into(out, two, two); }),
         "add: result: expected float32 shape=(2,), given float32 shape=(3,); into resizes nothing");
  expect(error_of([] { quotient(7, zero); }), "TruncateDiv: integer division by zero");
  expect(error_of([] { positive(negative); }), "assertion failed: [x is not positive:] [1 -1]");
  expect(error_of([] { jig::detail::raise<std::bad_alloc>("any error"); }), "any error");

  // Calls after an error, and gradients in a loop.
  expect(error_of([] { add.into(out, three, three); }), "no error");
  require(out == std::vector<float>{2, 4, 6}, "a sum");
  descend.into(out, three);
  require(out[2] < 1e-4f && out[2] > 0, "a descent");

  // Handlers are for all threads, which meet their errors on their own.
  const char* sentence = nullptr;
  std::thread([&] { sentence = error_of([] { add(three, two); }) == told ? "AddV2" : "none"; }).join();
  expect(sentence, "AddV2");

  jig::set_error_handler(nullptr);
  require(jig::get_error_handler() == first, "null is what was there first");
  return failures;
}
