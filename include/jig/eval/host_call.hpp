// SPDX-License-Identifier: MIT
#pragma once
// The kernel of host calls.

#include <jig/eval/program.hpp>
#include <jig/ops/host_call.hpp>

namespace jig {

template <const op& Op>
  requires(Op.is(fact::host))
struct kernel<Op> {
  template <class Attributes, class Out, class... In>
  static void run(Attributes, const Out& out, const In&... in) {
    const any_view values[] = {untyped(in)..., {}};
    Op.host({values, sizeof...(In)}, untyped(out));
  }
};

}  // namespace jig
