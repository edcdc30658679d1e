// SPDX-License-Identifier: MIT
#pragma once
// Optimisers that bound the gradients before another one's step, by Keras' names of the arguments that do so there.

#include <jig/nn/optimizer.hpp>
#include <jig/ops/clip_norm.hpp>

namespace jig::nn {

namespace detail {

template <class Optimizer>
using limit_of = variable<typename Optimizer::value_type>;

}  // namespace detail

/// An optimiser that sees every element of a gradient between -limit and limit: `nn::clipvalue(nn::adam<net>(1e-3), 0.5)`.
template <class Optimizer>
struct clipvalue {
  using value_type = typename Optimizer::value_type;
  BOOST_HANA_DEFINE_STRUCT(clipvalue, (Optimizer, optimizer), (detail::limit_of<Optimizer>, limit));

  constexpr clipvalue() {}
  clipvalue(const Optimizer& of, double most) : optimizer(of) { detail::set_number(limit, most); }

  constexpr void apply_gradients(auto& model, const auto& gradients) {
    optimizer.apply_gradients(model, map_leaves(gradients, [&](const auto& g) { return clip(g, -limit, limit); }));
  }
};

/// An optimiser that sees each gradient with a norm of at most limit: `nn::clipnorm(nn::adam<net>(1e-3), 1)`.
template <class Optimizer>
struct clipnorm {
  using value_type = typename Optimizer::value_type;
  BOOST_HANA_DEFINE_STRUCT(clipnorm, (Optimizer, optimizer), (detail::limit_of<Optimizer>, limit));

  constexpr clipnorm() {}
  clipnorm(const Optimizer& of, double most) : optimizer(of) { detail::set_number(limit, most); }

  constexpr void apply_gradients(auto& model, const auto& gradients) {
    optimizer.apply_gradients(model,
                              map_leaves(gradients, [&](const auto& g) { return g * jig::detail::factor_for_norm(limit, norm(g)); }));
  }
};

/// An optimiser that sees gradients whose norm, of all elements of all of them, is at most limit: `nn::global_clipnorm(nn::adam<net>(),
/// 1)`.
template <class Optimizer>
struct global_clipnorm {
  using value_type = typename Optimizer::value_type;
  BOOST_HANA_DEFINE_STRUCT(global_clipnorm, (Optimizer, optimizer), (detail::limit_of<Optimizer>, limit));

  constexpr global_clipnorm() {}
  global_clipnorm(const Optimizer& of, double most) : optimizer(of) { detail::set_number(limit, most); }

  constexpr void apply_gradients(auto& model, const auto& gradients) {
    optimizer.apply_gradients(model, clip_by_global_norm(gradients, limit));
  }
};

}  // namespace jig::nn
