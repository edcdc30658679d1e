// SPDX-License-Identifier: MIT
#pragma once
// The list of a function's signatures. Each enters it before main runs, so that a call does not have to.

#include <jig/trace/signature_text.hpp>

namespace jig::detail {

/// A signature in the list of its function.
struct signature_link {
  const signature_record* record;
  signature_link* next;
};

// Linked through objects that are there anyway: what runs before main is a few moves, whatever instruction set the
// program chooses later.
struct signature_list {
  signature_link* first;
  signature_link* last;
  int count;
};

/// All signatures of one function in the program.
template <class Function>
inline constinit signature_list signatures_of{};

/// Enters a signature into the list of its function where `entered` is named.
template <class Function, class Recorded>
struct registration {
  static inline constinit signature_link link{&Recorded::record, nullptr};
  static bool enter() {
    signature_list& all = signatures_of<Function>;
    (all.last ? all.last->next : all.first) = &link;
    all.last = &link;
    ++all.count;
    return true;
  }
  static inline const bool entered = enter();
};

}  // namespace jig::detail
