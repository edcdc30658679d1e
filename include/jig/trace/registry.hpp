// SPDX-License-Identifier: MIT
#pragma once
// The list of a function's signatures. Each enters it before main runs, so that a call does not have to.

#include <string>
#include <vector>

namespace jig::detail {

/// A signature in the list: how it is printed, short (TensorFlow's pretty print) or in full.
struct signature_record {
  std::string (*text)(bool full);
};

/// All signatures of one function in the program.
template <class Function>
std::vector<signature_record>& signatures_of() {
  static std::vector<signature_record> list;
  return list;
}

/// Enters a signature into the list of its function where `entered` is named.
template <class Function, class Concrete>
struct registration {
  static bool enter() {
    signatures_of<Function>().push_back({&Concrete::pretty_printed_signature});
    return true;
  }
  static inline const bool entered = enter();
};

}  // namespace jig::detail
