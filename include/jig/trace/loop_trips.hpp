// SPDX-License-Identifier: MIT
#pragma once
// Loops over integers that count their trips: in other steps than of one the number behind the last one may be beyond those of its dtype.

#include <jig/graph/graph.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>

namespace jig::detail {

/// Appends to a graph, or to the body that is being built, what the trips of a loop are.
class loop_trips {
 public:
  constexpr explicit loop_trips(graph& g) : g_(g) {}

  /// Whether a loop with this constant step counts its trips.
  static constexpr bool are_counted(const node_view& step) {
    const std::uint64_t bits = step.attribute("value").words[0];
    return is_integer(step.dtype()) && bits != 1 && bits != static_cast<std::uint64_t>(-1);
  }
  /// How many there are, an int64: the difference of the bounds, which does not wrap around with 64 bits, is divided. The sign is 1 or -1
  /// where that of the step is known, else 0.
  constexpr edge count(const edge& first, const edge& last, const edge& step, int sign) {
    if (is_constant(first) && is_constant(last) && is_constant(step)) return scalar(dtype::int64, known_count(first, last, step));
    const dtype d = size_of(g_.view().spec(step).dtype) < 8 ? dtype::int64 : dtype::uint64;
    const edge none = scalar(d, 0), one = scalar(d, 1);
    const auto trips = [&](const op& goes_on, const edge& low, const edge& high, const edge& by) {
      const edge way = binary(ops::subtract, d, converted(high, d), converted(low, d));
      const edge more = binary(ops::floor_divide, d, binary(ops::subtract, d, way, one), by);
      return chosen(binary(goes_on, dtype::boolean, first, last), binary(ops::add, d, more, one), none);
    };
    const auto up = [&](const edge& by) { return trips(ops::less, first, last, by); };
    const auto down = [&](const edge& by) { return trips(ops::greater, last, first, by); };
    const auto back = [&] { return binary(ops::subtract, d, none, converted(step, d)); };
    if (sign > 0) return limited(up(converted(step, d)));
    if (sign < 0) return limited(down(back()));
    const edge zero = scalar(g_.view().spec(step).dtype, 0), stays = binary(ops::equal, dtype::boolean, step, zero);
    const edge rising = up(chosen(stays, one, converted(step, d))), falling = down(chosen(stays, one, back()));
    const edge moves = chosen(binary(ops::greater, dtype::boolean, step, zero), rising, falling);
    return limited(chosen(stays, none, moves));
  }
  /// Whether a loop that counts in its own numbers has come to one that its body is to see.
  constexpr edge goes_on(const edge& counter, const edge& last, const edge& step, int sign) {
    const auto test = [&](const op& kind, const edge& a, const edge& b) { return binary(kind, dtype::boolean, a, b); };
    const edge up = sign >= 0 ? test(ops::less, counter, last) : edge{}, down = sign <= 0 ? test(ops::greater, counter, last) : edge{};
    if (sign != 0) return sign > 0 ? up : down;
    const edge zero = scalar(g_.view().spec(step).dtype, 0);
    const edge rises = test(ops::logical_and, test(ops::greater, step, zero), up);
    const edge falls = test(ops::logical_and, test(ops::less, step, zero), down);
    return test(ops::logical_or, rises, falls);
  }
  /// The number that a trip sees.
  constexpr edge counter(const edge& first, const edge& step, const edge& trip) {
    const dtype d = g_.view().spec(first).dtype;
    return binary(ops::add, d, first, binary(ops::multiply, d, converted(trip, d), step));
  }

 private:
  constexpr bool is_constant(const edge& e) const { return g_.view().data(e.node).kind->is(fact::constant); }
  constexpr std::uint64_t word(const edge& e) const { return g_.view().node(e).attribute("value").words[0]; }
  constexpr std::uint64_t known_count(const edge& first, const edge& last, const edge& step) const {
    const bool has_sign = is_signed(g_.view().spec(step).dtype);
    const auto less = [&](std::uint64_t a, std::uint64_t b) {
      return has_sign ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
    };
    const std::uint64_t low = word(first), high = word(last), by = word(step);
    const bool up = less(0, by);
    if (by == 0 || !(up ? less(low, high) : less(high, low))) return 0;
    const std::uint64_t way = up ? high - low : low - high, count = (way - 1) / (up ? by : 0 - by) + 1;
    return count < most ? count : most;
  }
  static constexpr std::uint64_t most = static_cast<std::uint64_t>(-1) / 2;
  // More than an int64 holds are as many as it does.
  constexpr edge limited(const edge& trips) {
    if (g_.view().spec(trips).dtype == dtype::int64) return trips;
    const edge all = scalar(dtype::uint64, most);
    return converted(chosen(binary(ops::less, dtype::boolean, trips, all), trips, all), dtype::int64);
  }

  constexpr edge scalar(dtype d, std::uint64_t bits) { return add_constant(g_, d, bits); }
  constexpr edge binary(const op& kind, dtype result, const edge& a, const edge& b) {
    const edge inputs[] = {a, b};
    return g_.add(kind, {result, {}}, inputs);
  }
  constexpr edge chosen(const edge& condition, const edge& yes, const edge& no) {
    const edge inputs[] = {condition, yes, no};
    return g_.add(ops::select, g_.view().spec(yes), inputs);
  }
  constexpr edge converted(const edge& e, dtype to) {
    if (g_.view().spec(e).dtype == to) return e;
    const index number = static_cast<index>(to);
    const attribute_view with[] = {{"DstT", attribute_kind::type, {&number, 1}}};
    return g_.add(ops::cast, {to, {}}, {&e, 1}, with);
  }

  graph& g_;
};

}  // namespace jig::detail
