// SPDX-License-Identifier: MIT
#include <jig/trace/resolve.hpp>

#include "../recorded_ways.hpp"

#include <utility>

namespace {

using ways::find, ways::record, ways::recordings, ways::statement_kind, ways::structure;

// How many objects a lambda's loop, or what it writes as one branch, changes.
template <class F>
int changed_by(statement_kind kind, F f) {
  recordings runs;
  record(runs, f);
  structure s(runs);
  const jig::detail::resolution<recordings> resolved(runs, s);
  return find(s, kind).changed.count;
}
// How many values an if gives to what follows.
template <class F>
int joined_by(F f) {
  recordings runs;
  record(runs, f);
  structure s(runs);
  const jig::detail::resolution<recordings> resolved(runs, s);
  return find(s, statement_kind::fork).joined.count / 3;
}

TEST_CASE("a loop changes the objects that have another value at the end of a trip") {
  constexpr auto loop = statement_kind::loop;
  CHECK(changed_by(loop, [](auto x, auto y, auto z) {
          for (auto i : jig::range(0, z)) (void)(y + i);
          return x;
        }) == 0);
  CHECK(changed_by(loop, [](auto x, auto y, auto z) {
          for (auto i : jig::range(0, z)) x = x * y + i;
          return x + y;
        }) == 1);
  CHECK(changed_by(loop, [](auto x, auto y, auto z) {
          for ([[maybe_unused]] auto i : jig::range(0, z)) {
            auto old = x;
            x = y;
            y = old;
          }
          return x - y;
        }) == 2);
  CHECK(changed_by(loop, [](auto x, auto y, auto z) {
          for ([[maybe_unused]] auto i : jig::range(0, z)) {
            auto old = x;
            x = x + y;
            y = x * 2;
            x = old;
          }
          return x - y;
        }) == 1);
  CHECK(changed_by(loop, [](auto x, auto y, auto z) {
          for (auto i : jig::range(0, z))
            if (i > y) x = x + 1;
          return x;
        }) == 1);
}

TEST_CASE("a branch changes the objects that have another value on some side") {
  constexpr auto branch = statement_kind::branch;
  CHECK(changed_by(branch, [](auto x, auto y, auto) {
          JIG_IF(x > 0) {
            x = y;
          }
          return x + y;
        }) == 1);
  CHECK(changed_by(branch, [](auto x, auto y, auto z) {
          JIG_IF(x > 0) {
            x = y;
          }
          JIG_ELSE {
            z = y;
          }
          return x + z;
        }) == 2);
  CHECK(changed_by(branch, [](auto x, auto y, auto z) {
          JIG_IF(x > 0) {
            (void)(y * z);
          }
          return x + y;
        }) == 0);
}

TEST_CASE("an if gives on what differs and is used") {
  CHECK(joined_by([](auto x, auto y, auto z) {
          if (x > 0) y = z + 1;
          else y = z * 2;
          return y * z;
        }) == 1);
  CHECK(joined_by([](auto x, auto y, auto z) {
          if (x > 0) y = z + 1;
          else y = z * 2;
          return x * z;
        }) == 0);
  CHECK(joined_by([](auto x, auto y, auto z) {
          if (x > 0) y = z;
          else y = z;
          return y * x;
        }) == 0);
  CHECK(joined_by([](auto x, auto y, auto z) {
          if (x > 0) y = z + 1, x = z;
          else y = z * 2, x = y;
          return y * x;
        }) == 2);
}

}  // namespace
