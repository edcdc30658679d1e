// SPDX-License-Identifier: MIT
#pragma once

#include "without_line.hpp"

#include <jig.hpp>

#include <iostream>
#include <sstream>
#include <string>

/// What f prints.
template <class F>
std::string printed(F f) {
  std::ostringstream out;
  jig::set_print_stream(out);
  f();
  jig::set_print_stream(std::cout);
  return out.str();
}

/// The message of the invalid_argument that f throws, without the line of an op; empty if it throws nothing.
template <class F>
std::string complaint(F f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return without_line(e.what());
  }
  return "";
}
