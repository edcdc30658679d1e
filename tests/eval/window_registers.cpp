// SPDX-License-Identifier: MIT
#include <jig/eval/window_registers.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

template <class T>
void check_runs(jig::index windows, jig::index step, jig::index channels, std::vector<jig::index> places) {
  CAPTURE(windows);
  CAPTURE(step);
  CAPTURE(channels);
  const auto at = [](jig::index i) { return static_cast<std::size_t>(i); };
  std::vector<T> x(at((windows * step + 10) * channels)), y(at(windows * channels + 1), T(9)), expected = y;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 5 % 17);
  for (jig::index i = 0; i < windows; ++i)
    for (jig::index c = 0; c < channels; ++c) {
      T sum(places.empty() ? 3 : 0);
      for (const jig::index place : places) sum = static_cast<T>(sum + x[at(i * step * channels + c + place * channels)]);
      expected[at(i * channels + c)] = static_cast<T>(sum + T(1));
    }
  for (jig::index& place : places) place *= channels;
  jig::detail::combine_runs<T>(
      y.data(), x.data(), {windows, step, channels}, {places.data(), static_cast<jig::index>(places.size())}, T(3),
      [](const auto& a, const auto& b) { return a + b; }, []<class B>(const B& a) { return a + B(T(1)); });
  CHECK(y == expected);
}

// The first element of every window, in pools of a line.
jig::detail::pool_windows windows_of_line(jig::index extent, jig::index channels, jig::index taps, jig::index step) {
  const jig::index ksize[] = {1, taps, 1}, strides[] = {1, step, 1}, ones[] = {1, 1, 1};
  const jig::attribute_view with[] = {{"ksize", jig::attribute_kind::integers, {ksize, 3}},
                                      {"strides", jig::attribute_kind::integers, {strides, 3}},
                                      {"dilations", jig::attribute_kind::integers, {ones, 3}},
                                      {"padding", jig::attribute_kind::text, {}, "VALID"}};
  return {with, jig::shape{3, {1, extent, channels}}, jig::shape{3, {1, (extent - taps) / step + 1, channels}}};
}

}  // namespace

TEST_CASE_TEMPLATE("registers combine the elements of windows, however many fit into one", T, float, std::uint8_t) {
  const jig::index lanes = jig::simd::lanes<T>;
  for (jig::index windows : {1, 3, 4, 9})
    for (jig::index step : {1, 2})
      for (jig::index channels :
           {jig::index{1}, lanes / 2 - 1, lanes / 2, lanes / 2 + 1, lanes - 1, lanes, lanes + 1, 4 * lanes, 5 * lanes + 3})
        for (const auto& places : {std::vector<jig::index>{}, {2}, {0, 1, 3}}) check_runs<T>(windows, step, channels, places);
}

TEST_CASE("blocks of a line have all of its windows, side by side") {
  for (jig::index step : {1, 2, 3})
    for (jig::index channels : {1, 2}) {
      const auto windows = windows_of_line(5000, channels, 4, step);
      const jig::detail::line_blocks blocks(windows, 1, true);
      jig::index next = 0, most = 0;
      windows.for_each_line([&](const jig::detail::window_line& line) {
        blocks.for_each(line, [&](const jig::detail::window_line& part) {
          CHECK(part.to == next * channels);
          CHECK(part.from == next * step * channels);
          next += part.count;
          const jig::index size = blocks.parts(part.count, 4).size();
          CHECK(size <= blocks.size());
          if (size > most) most = size;
        });
      });
      CHECK(next == windows.positions());
      CHECK(most == blocks.size());
      CHECK(most < 4000);
    }
}

TEST_CASE("lanes run along phases where windows move by several elements and a register has the channels of four") {
  const jig::index lanes = jig::simd::lanes<float>;
  CHECK(jig::detail::passes_phases<float>(windows_of_line(100, 1, 2, 2), 50));
  CHECK_FALSE(jig::detail::passes_phases<float>(windows_of_line(100, 1, 2, 2), 1));
  CHECK_FALSE(jig::detail::passes_phases<float>(windows_of_line(100, 1, 2, 1), 50));
  CHECK_FALSE(jig::detail::passes_phases<float>(windows_of_line(100, lanes / 4 + 1, 2, 2), 50));
}
