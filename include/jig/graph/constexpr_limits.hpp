// SPDX-License-Identifier: MIT
#pragma once
// What fits in one constant evaluation, found by trying.

/// How many times their default limits of constant evaluation compilers are given (GCC's -fconstexpr-ops-limit, Clang's
/// -fconstexpr-steps): what a trace may hold grows with it.
#ifndef JIG_CONSTEXPR_LIMITS
#define JIG_CONSTEXPR_LIMITS 1
#endif

namespace jig::detail {

// Nodes while a lambda is traced, where an event counts for more with Clang, and those that are copied, looked at and made for gradients,
// where what is made counts for more and a branch or loop for much more.
inline constexpr int nodes_for_a_made_one = 3;
inline constexpr int most_traced_nodes = 2500 * (JIG_CONSTEXPR_LIMITS);
#ifdef __clang__
inline constexpr int nodes_for_an_event = 4, nodes_for_a_block = 27;
inline constexpr int most_nodes_for_gradients = 2700 * (JIG_CONSTEXPR_LIMITS);
#else
inline constexpr int nodes_for_an_event = 1, nodes_for_a_block = 60;
inline constexpr int most_nodes_for_gradients = 7500 * (JIG_CONSTEXPR_LIMITS);
#endif

}  // namespace jig::detail
