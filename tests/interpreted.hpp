// SPDX-License-Identifier: MIT
#pragma once
// Graphs that are traced at compile time and run by the interpreter: its kernels are compiled once, not for each graph.

#include <jig.hpp>

#include <functional>
#include <vector>

std::function<std::vector<jig::any_tensor>(const std::vector<jig::any_tensor>&)> interpreted(const jig::graph_view& traced);
