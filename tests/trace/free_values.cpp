// SPDX-License-Identifier: MIT
#include <jig/trace/free_values.hpp>

#include "../recorded_ways.hpp"

#include <string>

namespace {

using ways::find, ways::record, ways::recordings, ways::statement_kind, ways::structure;
using search = jig::detail::free_value_search<recordings>;

// The names of arguments and the types of other nodes.
std::string text(const recordings& runs, const structure& s, const jig::detail::free_values& found) {
  std::string out;
  for (const auto& e : found.used) {
    const auto& d = s.definitions[e.node];
    const auto node = runs.graph(d.run).node(d.node);
    out += node.kind().is(jig::fact::input) ? node.attribute("name").text : node.op();
    out += ' ';
  }
  return out;
}

// What all of a program uses that it does not define.
template <class F>
std::string used_by(F f) {
  recordings runs;
  record(runs, f);
  structure s(runs);
  // Loops carry what they change, not all that is there.
  const jig::detail::resolution<recordings> resolved(runs, s);
  search all(runs, s);
  auto found = all.none();
  all.find(found, s.first);
  return text(runs, s, found);
}

TEST_CASE("a whole program uses its arguments, in the order of their first use") {
  CHECK(used_by([](auto x, auto y, auto z) {
          if (z > 0) y = y + 1;
          return y * x;
        }) == "z y x ");
  CHECK(used_by([](auto x, auto y, auto) {
          for (auto i : jig::range(0, y)) x = x + i;
          return x;
        }) == "y x ");
  // What its loop defines when it is left is not free either.
  const std::string left = used_by([](auto x, auto y, auto z) {
    for (auto i : jig::range(0, 4)) {
      if (i > z) break;
      x = x + y;
    }
    return x;
  });
  CHECK(left.size() == 6);
  for (char name : {'x', 'y', 'z'}) CHECK(left.find(name) != std::string::npos);
}

TEST_CASE("a side of an if uses what it has from outside; constants are at home everywhere") {
  recordings runs;
  record(runs, [](auto x, auto y, auto z) {
    const auto product = x * y;
    auto result = x + 0;
    if (z > 0) {
      const auto inner = product - 3;
      result = inner * z + inner;
    } else {
      result = y;
    }
    return result / x;
  });
  const structure s(runs);
  const auto fork = find(s, statement_kind::fork);
  search all(runs, s);
  // What another search has seen defined makes no difference.
  auto whole = all.none();
  all.find(whole, s.first);
  auto yes = all.none();
  all.find(yes, fork.yes);
  CHECK(text(runs, s, yes) == "Mul z ");
  auto no = all.none();
  all.find(no, fork.no);
  CHECK(text(runs, s, no) == "");
  all.use_joined(no, fork, 2);
  CHECK(text(runs, s, no) == "y ");
}

TEST_CASE("a value that is defined or used already is not used again") {
  recordings runs;
  record(runs, [](auto x, auto y, auto) {
    if (x > 0) return y;
    return x + 3;
  });
  const structure s(runs);
  search all(runs, s);
  auto f = all.none();
  const jig::edge x = s.named(0, {0, 0}), y = s.named(0, {1, 0});
  all.use(f, x);
  all.use(f, x);
  CHECK(f.used.size() == 1);
  CHECK_FALSE(all.is_noted(f, y));
  all.note(f, y);
  CHECK(all.is_noted(f, y));
  all.use(f, y);
  CHECK(f.used.size() == 1);
  auto another = all.none();
  all.use(another, y);
  CHECK(another.used.size() == 1);
}

}  // namespace
