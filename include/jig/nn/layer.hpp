// SPDX-License-Identifier: MIT
#pragma once
// What a layer is. A layer is an object with a call operator: `layer(x)`, or `layer(x, training)` where training makes a difference.
// Most are structs of variables. A description of a layer, such as `layers::dense<64>()`, becomes a layer where the shape of its input
// is known; it has
//   template <class Input> using layer = …;               Input: a spec without the axis of the batch
//   static constexpr message refusal(const shape& input);  what it takes, if input does not fit, otherwise nothing; may be missing
// A layer whose variables do not depend on its input describes itself.
// A layer may have `static constexpr std::string_view type`, Keras' name of its class, and `initialize(seed)`.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

/// The shape of what a model takes, without the axis of the batch, which is a wildcard: `input<float, 28, 28, 1>()`.
template <class T, index... E>
struct input {
  using spec_type = spec<T, E...>;
};

/// Keras' name of a layer's class: `Dense`.
template <class Layer>
constexpr std::string_view type_of_layer() {
  if constexpr (requires { std::string_view(Layer::type); }) return Layer::type;
  else return "Layer";
}

/// Keras' name of a layer of this class: `max_pooling2d` of `MaxPooling2D`.
constexpr message layer_name(std::string_view type) {
  auto upper = [&](std::size_t i) { return i < type.size() && type[i] >= 'A' && type[i] <= 'Z'; };
  auto lower = [&](std::size_t i) { return i < type.size() && type[i] >= 'a' && type[i] <= 'z'; };
  message m;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (upper(i) && i > 0 && (lower(i - 1) || (i + 1 < type.size() && !upper(i + 1)))) m << '_';
    m << (upper(i) ? static_cast<char>(type[i] - 'A' + 'a') : type[i]);
  }
  return m;
}

/// A seed for part k of what is initialised with a seed.
/// Source: SplitMix64 (Steele, Lea and Flood, 2014).
constexpr std::int64_t seed_of_part(std::int64_t seed, std::size_t k) {
  std::uint64_t z = static_cast<std::uint64_t>(seed) + (k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::int64_t>((z ^ (z >> 31)) >> 1);
}

/// Initialises a model: what has `initialize(seed)` so, any other structure part by part, each with a seed of its own. Variables that no
/// layer initialises stay as they are.
template <class Model>
void initialize(Model& model, std::int64_t seed) {
  if constexpr (requires { model.initialize(seed); }) {
    model.initialize(seed);
  } else if constexpr (is_structure<Model>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (initialize(structure<Model>::template get<I>(model), seed_of_part(seed, I)), ...);
    }(std::make_index_sequence<structure<Model>::size>());
  }
}

/// What a layer makes of x. In training it may change its own variables.
template <class Layer, class X, class Training>
constexpr auto call_layer(Layer& layer, const X& x, const Training& training) {
  if constexpr (is_refused<X>) return x;
  else if constexpr (std::is_invocable_v<Layer&, const X&, const Training&>) return layer(x, training);
  else return layer(x);
}

namespace detail {

// The last extent of an input, or 0 where there is none.
template <class Input>
inline constexpr index last_extent = Input::rank() == 0 ? 0 : Input::value().shape[Input::rank() == 0 ? 0 : Input::rank() - 1];
constexpr message last_axis_refusal(const shape& input) {
  message m;
  if (input.rank == 0) m << "samples of at least one axis";
  return m;
}

template <class Spec>
struct batch_of;
template <class T, index... E>
struct batch_of<spec<T, E...>> {
  using type = symbol<T, dyn, E...>;
};
template <class Symbol>
struct without_batch;
template <class T, index N, index... E>
struct without_batch<symbol<T, N, E...>> {
  using type = spec<T, E...>;
};

}  // namespace detail

}  // namespace jig::nn
