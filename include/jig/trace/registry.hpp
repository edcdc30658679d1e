// SPDX-License-Identifier: MIT
#pragma once
// The list of a function's signatures. Each enters it before main runs, so that a call does not have to.

#include <jig/trace/signature_text.hpp>

namespace jig::detail {

/// All signatures of one function in the program.
template <class Function>
std::vector<const signature_record*>& signatures_of() {
  static std::vector<const signature_record*> all;
  return all;
}

/// Enters a signature into the list of its function where `entered` is named.
template <class Function, class Recorded>
struct registration {
  static bool enter() {
    signatures_of<Function>().push_back(&Recorded::record);
    return true;
  }
  static inline const bool entered = enter();
};

}  // namespace jig::detail
