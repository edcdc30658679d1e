// SPDX-License-Identifier: MIT
#pragma once
// Variables of a layer that are not trained: gradients and optimisers pass them by.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

/// A variable that a layer changes itself, such as a moving mean. It counts among the parameters that are not trainable.
template <class T, index... E>
struct state {
  BOOST_HANA_DEFINE_STRUCT(state, (variable<T, E...>, value));
};

/// Seeds of random numbers that differ from call to call. It does not count among the parameters, as in Keras.
struct seed_generator {
  BOOST_HANA_DEFINE_STRUCT(seed_generator, (variable<std::int64_t>, counter));

  /// The next seed.
  constexpr auto next() {
    auto seed = counter.read();
    counter.assign_add(1);
    return seed;
  }
};

}  // namespace jig::nn

template <class T, jig::index... E>
inline constexpr bool jig::is_trainable<jig::nn::state<T, E...>> = false;
template <>
inline constexpr bool jig::is_trainable<jig::nn::seed_generator> = false;
