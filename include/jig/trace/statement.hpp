// SPDX-License-Identifier: MIT
#pragma once
// What a program is made of whose runs have become one: statements and the values that they define.

#include <jig/graph/graph.hpp>

namespace jig::detail {

enum class statement_kind : unsigned char {
  node,    // an op
  fork,    // one of two blocks, by a decision
  branch,  // the same, written as one
  loop,
  condition,  // of a loop: what comes before belongs to it
  end,        // of a trip or of one of the blocks of a branch
  result      // of the function
};

/// A value of the program. Every run numbers its nodes anew, so that one number may mean different values in two of them, and two
/// numbers the same; a definition is the same value in all of them.
struct definition {
  int run = -1;      // who recorded it; -1 of a value that only the structure knows
  int node = -1;     // its number there; of such a value that of its spec
  int instead = -1;  // the definition that stands for this one, since both were recorded for one statement
};

/// Edges are outputs of definitions, given by their numbers.
struct statement {
  statement_kind kind = statement_kind::node;
  int run = 0;               // whose recording tells more
  int number = -1;           // of a node its definition, else of the event there
  range_of_pool operands{};  // of a loop: first, last, step, then what the objects stood for before
  int yes = -1, no = -1;     // the first statements of the blocks; of a loop `yes` is the body
  int next = -1;
  bool joins = false;       // fork: its blocks end where it ends, not where what is around them does
  range_of_pool joined{};   // fork: three values each, of behind it and of its blocks; loop: values of early exits
  range_of_pool escaped{};  // end: what the program used behind the loop, as the run knew it; the last of its operands
  edge exit{};              // loop: how it ended; 0 when nobody left it
  int exit_code = 0;        // end: how the loop ends; fork: taken for this one
  int first_joined = 0;     // end: where its escaped values are among those of the loop
  range_of_pool changed{};  // loop, branch: which objects have another value behind it than before
};

/// Something about every value of a program.
template <class T>
class table_of_values {
 public:
  template <class Recordings>
  constexpr table_of_values(const Recordings& runs, std::size_t definitions) {
    for (int r = 0; r < runs.size(); ++r)
      for (const auto& n : runs[r].graph.nodes)
        if (n.more_specs.count >= most_outputs_) most_outputs_ = n.more_specs.count + 1;
    all_ = list<T>(static_cast<int>(definitions) * most_outputs_);
  }
  constexpr T& operator[](const edge& e) { return all_[e.node * most_outputs_ + e.port]; }

 private:
  int most_outputs_ = 1;
  list<T> all_;
};

}  // namespace jig::detail
