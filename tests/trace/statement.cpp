// SPDX-License-Identifier: MIT
#include <jig/trace/statement.hpp>

#include "../recorded_ways.hpp"

namespace {

// Every output of so many definitions has a place of its own.
int misplaced(const ways::recordings& runs, int definitions, int outputs) {
  jig::detail::table_of_values<int> table(runs, static_cast<std::size_t>(definitions));
  int wrong = 0;
  for (int d = 0; d < definitions; ++d)
    for (int port = 0; port < outputs; ++port) {
      wrong += table[{d, port}] != 0;
      table[{d, port}] = 1 + d * 10 + port;
    }
  for (int d = 0; d < definitions; ++d)
    for (int port = 0; port < outputs; ++port) wrong += table[{d, port}] != 1 + d * 10 + port;
  return wrong;
}

void add_input(ways::recordings& runs) {
  jig::builder& b = runs.add();
  b.input(jig::spec<float, 4>::value(), "x");
}
void add_top_k(ways::recordings& runs) {
  jig::builder& b = runs.add();
  const jig::symbol<float, 4> x(&b, b.input(jig::spec<float, 4>::value(), "x"));
  (void)jig::top_k<2>(x);
}

TEST_CASE("a table has room for all outputs of the op with the most, in whatever run") {
  ways::recordings plain, last, first;
  add_input(plain);
  CHECK(misplaced(plain, 7, 1) == 0);
  CHECK(misplaced(plain, 0, 1) == 0);
  add_input(last);
  add_top_k(last);
  CHECK(misplaced(last, 7, 2) == 0);
  add_top_k(first);
  add_input(first);
  CHECK(misplaced(first, 7, 2) == 0);
}

}  // namespace
