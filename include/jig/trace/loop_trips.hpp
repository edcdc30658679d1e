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
    const dtype word = size_of(g_.view().spec(step).dtype) < 8 ? dtype::int64 : dtype::uint64;
    const edge none = scalar(word, 0), one = scalar(word, 1);
    const auto trips = [&](const op& goes_on, const edge& low, const edge& high, const edge& by) {
      const edge way = binary(ops::subtract, word, converted(high, word), converted(low, word));
      const edge more = binary(ops::floor_divide, word, binary(ops::subtract, word, way, one), by);
      return chosen(binary(goes_on, dtype::boolean, first, last), binary(ops::add, word, more, one), none);
    };
    const edge by = converted(step, word), back = binary(ops::subtract, word, none, by);
    if (sign > 0) return converted(trips(ops::less, first, last, by), dtype::int64);
    if (sign < 0) return converted(trips(ops::greater, last, first, back), dtype::int64);
    const edge zero = scalar(g_.view().spec(step).dtype, 0), stays = binary(ops::equal, dtype::boolean, step, zero);
    const edge up = trips(ops::less, first, last, chosen(stays, one, by));
    const edge down = trips(ops::greater, last, first, chosen(stays, one, back));
    const edge moves = chosen(binary(ops::greater, dtype::boolean, step, zero), up, down);
    return converted(chosen(stays, none, moves), dtype::int64);
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
  constexpr edge scalar(dtype d, std::uint64_t bits) {
    const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&bits, 1}}};
    return g_.add(ops::constant, {d, {}}, {}, with);
  }
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
