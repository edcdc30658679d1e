// SPDX-License-Identifier: MIT
// Calls in memory of the caller: operator new is counted, and is never called from the first call on.
#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "../counted_allocations.hpp"

namespace {
int failures = 0;
void require(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("does not hold: %s\n", what);
}

template <class F>
std::size_t allocations_of(F f) {
  const std::size_t before = allocations;
  f();
  return allocations - before;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const jig::invalid_argument& why) {
    return why.what();
  }
  return "";
}

// Two layers with weights whose blocks are packed.
constexpr auto network = jig::function<"network(x, w, v)">([](auto x, auto w, auto v) {
  const auto h = jig::matmul(x, w);
  return jig::matmul(h, v) + jig::reduce_mean(h);
});
constexpr auto layers =
    network.get_concrete_function(jig::spec<float, 96, 130>{}, jig::spec<float, 130, 150>{}, jig::spec<float, 150, 70>{});
constexpr std::size_t room = 512 * 1024, enough = static_cast<std::size_t>(layers.peak_workspace());
static_assert(!layers.allocates() && layers.peak_workspace() > 96 * 150 * 4 && enough <= room);
alignas(64) std::byte memory[room];
float x[96][130], w[130][150], v[150][70], out[96][70], h[96][150];

// As plain loops do it.
bool is_right() {
  double mean = 0;
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 150; ++j) {
      h[i][j] = 0;
      for (int k = 0; k < 130; ++k) h[i][j] += x[i][k] * w[k][j];
      mean += h[i][j] / (96.0 * 150.0);
    }
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 70; ++j) {
      double y = mean;
      for (int k = 0; k < 150; ++k) y += h[i][k] * v[k][j];
      if (std::abs(y - out[i][j]) > 1e-3) return false;
    }
  return true;
}

void test_static_extents() {
  for (int k = 0; k < 130; ++k) {
    for (auto& row : x) row[k] = 0.01f * static_cast<float>(k % 7);
    for (int j = 0; j < 150; ++j) w[k][j] = 0.1f * static_cast<float>((k + j) % 5);
  }
  for (int k = 0; k < 150; ++k)
    for (int j = 0; j < 70; ++j) v[k][j] = 0.01f * static_cast<float>((k * j) % 3);

  // All else than operator new is done before: the very first call.
  const auto call = [] { layers.with_workspace(std::span(memory).first(enough)).into(out, x, w, v); };
  require(allocations_of(call) == 0, "the first call allocates nothing");
  require(is_right(), "the values of the first call");
  require(allocations_of(call) == 0, "the second call allocates nothing");
  require(allocations_of([] { network.with_workspace(memory).into(out, x, w, v); }) == 0, "nor does one of the function");

  const std::string needed = std::to_string(enough), given = std::to_string(enough - 1);
  out[0][0] = -7;
  require(error_of([&] { layers.with_workspace(std::span(memory).first(enough - 1)).into(out, x, w, v); }) ==
              "with_workspace: a call needs " + needed + " bytes, given " + given,
          "one byte less is refused");
  require(error_of([&] { layers.with_workspace({}).into(out, x, w, v); }) == "with_workspace: a call needs " + needed + " bytes, given 0",
          "no memory is refused");
  require(out[0][0] == -7, "nothing is written then");
  // What lies before the first multiple of 64 is lost.
  require(!error_of([&] { layers.with_workspace(std::span(memory).subspan(1, enough)).into(out, x, w, v); }).empty(), "it begins too late");
  require(error_of([&] { layers.with_workspace(std::span(memory).subspan(1, enough + 63)).into(out, x, w, v); }).empty(),
          "it is long enough");
  require(is_right(), "the values in memory that begins anywhere");

  // A call behind a refused one, in the thread's memory.
  layers.into(out, x, w, v);
  require(is_right(), "the thread's memory is used again");
}

// The result lies on top of the argument: it is made in the workspace, and copied.
constexpr auto turn = jig::function<"turn(y)">([](auto y) { return jig::reverse<0>(y) + jig::reduce_sum(y); });
void test_result_on_argument() {
  float at[] = {1, 2, 3, 4, 5, 6, 7, 8};
  require(!error_of([&] { turn.with_workspace(std::span(memory).first(64)).into(at, at); }).empty() || at[0] == 44,
          "too small for a copy, or done");
  for (int i = 0; i < 8; ++i) at[i] = static_cast<float>(i + 1);
  require(allocations_of([&] { turn.with_workspace(memory).into(at, at); }) == 0, "a copy is made in the workspace");
  require(at[0] == 44 && at[7] == 37, "reversed");
}

// A gradient in a loop, whose values need memory.
constexpr auto descend = jig::function<"descend(y)">([](auto y) {
  for ([[maybe_unused]] auto i : jig::range(50)) y = y - 0.1f * jig::gradient(jig::reduce_sum((y - 1.0f) * (y - 1.0f)), y);
  return y;
});
void test_gradient_in_a_loop() {
  static float y[1000], z[1000];
  constexpr auto f = descend.get_concrete_function(jig::spec<float, 1000>{});
  static_assert(f.peak_workspace() >= 0 && f.peak_workspace() <= static_cast<jig::index>(room));
  require(allocations_of([&] { f.with_workspace(memory).into(z, y); }) == 0, "a gradient in a loop allocates nothing");
  require(std::abs(z[0] - 1) < 1e-3f && std::abs(z[999] - 1) < 1e-3f, "a minimum");
}

// Wildcard extents: only the call knows what it needs.
constexpr auto normalised = jig::function<"normalised(x)">([](auto m) {
  const auto centred = m - jig::reduce_mean<0>(m, jig::keepdims);
  return centred / (jig::reduce_max<1>(jig::abs(centred), jig::keepdims) + jig::reduce_sum(jig::matmul(m, centred)));
});
void test_wildcards() {
  std::vector<double> from(200 * 200, 0.5), to(200 * 200);
  from[7] = 3;
  const jig::view in(static_cast<const double*>(from.data()), 200, 200);
  const jig::view result(to.data(), 200, 200);
  static std::byte large[4 << 20];
  require(allocations_of([&] { normalised.with_workspace(large).into(result, in); }) == 0, "wildcard extents allocate nothing");
  const std::vector<double> first = to;
  normalised.into(result, in);
  require(first == to && to[7] != 0, "the values are those of other calls");
  require(error_of([&] {
            normalised.with_workspace(std::span(large).first(64)).into(result, in);
          }).starts_with("with_workspace: a call needs "),
          "too few bytes are refused");
}

// Each thread has its own memory, lent or not.
void test_threads() {
  std::size_t inside = 1;
  std::thread([&] { inside = allocations_of([] { layers.with_workspace(memory).into(out, x, w, v); }); }).join();
  require(inside == 0 && is_right(), "the first call of a thread allocates nothing");

  // Two threads, each with memory and tensors of its own, at the same time; a third one in the thread's memory.
  alignas(64) static std::byte other_memory[room];
  static float other[96][70], ordinary[96][70];
  std::atomic<int> ready = 0;
  const auto wait = [&] {
    for (++ready; ready < 3;) std::this_thread::yield();
  };
  std::thread one([&] {
    wait();
    for (int i = 0; i < 20; ++i) layers.with_workspace(memory).into(out, x, w, v);
  });
  std::thread two([&] {
    wait();
    for (int i = 0; i < 20; ++i) layers.with_workspace(other_memory).into(other, x, w, v);
  });
  wait();
  for (int i = 0; i < 20; ++i) layers.into(ordinary, x, w, v);
  one.join();
  two.join();
  require(is_right() && std::memcmp(out, other, sizeof out) == 0 && std::memcmp(out, ordinary, sizeof out) == 0,
          "calls of several threads at the same time");
}

// A function of the program calls another one, in memory of its own, while the call around it works in its own.
constexpr auto squares = jig::function<"squares(x)">([](auto y) { return jig::matmul(y, jig::transpose(y)) / jig::reduce_sum(y); });
alignas(64) std::byte inner_memory[room];
bool allocated_inside = false;
constexpr auto around = jig::function<"around(x)">([](auto y) {
  const auto part = jig::matmul(y, jig::transpose(y)) - 1.0f;
  return jig::matmul(part, part) + jig::host_call<jig::like<0>>(
                                       [](auto seen) {
                                         static float result[96][96];
                                         allocated_inside =
                                             allocations_of([&] { squares.with_workspace(inner_memory).into(result, seen); }) != 0;
                                         return jig::view<const float, 96, 96>(result[0]);
                                       },
                                       part);
});
void test_host_calls() {
  static float result[96][96], again[96][96];
  around.with_workspace(memory).into(result, x);
  require(!allocated_inside, "a call inside a function of the program works in the memory that it is given");
  around.into(again, x);
  require(std::memcmp(result, again, sizeof result) == 0 && result[3][4] != 0, "its values are those of other calls");
}

// Calls with a workspace stay on their thread, whatever is around them.
constexpr auto large = jig::function<"large(x)">([](auto y) { return jig::reverse<0>(y) * 2.0f + jig::reduce_sum(y); });
int blocks_run = 0;
void test_no_sharing() {
  static float from[200'000], to[200'000];
  from[1] = 1;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    blocks_run += static_cast<int>(blocks);
    for (jig::index block = 0; block < blocks; ++block) run(work, block);
  }};
  const jig::detail::parallel_runner_scope scope(&runner);
  large.with_workspace(memory).into(to, from);
  require(blocks_run == 0 && to[199'998] == 3 && to[0] == 1, "with a workspace nothing is shared");
  large.into(to, from);
  require(blocks_run > 0 && to[199'998] == 3, "without one it is, before and after");
}

}  // namespace

int main() {
  test_static_extents();
  test_result_on_argument();
  test_gradient_in_a_loop();
  test_wildcards();
  test_threads();
  test_host_calls();
  test_no_sharing();
  return failures;
}
