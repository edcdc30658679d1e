// SPDX-License-Identifier: MIT
#pragma once
// The builder of a trace: the growing graph, and for every traced object what it stands for at the moment.

#include <jig/core/error.hpp>
#include <jig/graph/graph.hpp>
#include <jig/ops/source.hpp>

#include <bit>
#include <concepts>
#include <string>
#include <utility>

namespace jig {

namespace detail {

/// The bits of an element as they are stored in a graph.
template <class T>
constexpr std::uint64_t to_word(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else return static_cast<std::uint64_t>(x);
}

template <class T>
constexpr T from_word(std::uint64_t w) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(w));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(w);
  else return static_cast<T>(w);
}

/// Whether an element of type T can hold the value of a literal. Of integers only: floating ones round.
template <class T, class L>
constexpr bool literal_fits(L x) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<L> && !std::is_same_v<T, bool>) return std::in_range<T>(+x);
  else return true;
}

}  // namespace detail

/// Records a trace. A traced object holds a serial number; assignment changes the entry of the table `value`, not the
/// object, so that loops and branches can see what was assigned.
class builder {
 public:
  jig::graph graph;
  list<edge> value;
  list<char> alive;

  constexpr int track(edge e) {
    value.push_back(e);
    alive.push_back(1);
    return static_cast<int>(value.size()) - 1;
  }

  constexpr edge input(const tensor_spec& spec, std::string_view name) {
    attribute_view with[] = {{"name", attribute_kind::text, {}, name, {}}};
    edge e = graph.add(ops::placeholder, spec, {}, with);
    graph.input_nodes.push_back(e.node);
    return e;
  }

  template <class T>
  constexpr edge constant(const shape& extents, const T* elements) {
    list<std::uint64_t> words;
    index n = extents.size();
    tensor_spec spec{dtype_of<T>, extents};
    if constexpr (std::is_same_v<T, std::string>) {
      list<char> characters;
      for (index i = 0; i < n; ++i) {
        words.push_back(elements[i].size());
        for (char c : elements[i]) characters.push_back(c);
      }
      attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words},
                               {"text", attribute_kind::text, {}, {characters.data(), characters.size()}, {}}};
      return graph.add(ops::constant, spec, {}, with);
    } else {
      for (index i = 0; i < n; ++i) words.push_back(detail::to_word(elements[i]));
      attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words}};
      return graph.add(ops::constant, spec, {}, with);
    }
  }

  /// A literal as a constant of dtype T. A value that T cannot hold ends the constant evaluation in the function whose
  /// name says so.
  template <class T, class L>
  constexpr edge literal(L x) {
    if (!detail::literal_fits<T>(x)) the_literal_does_not_fit_the_dtype_of_the_tensor();
    T element = static_cast<T>(x);
    return constant<T>(shape{}, &element);
  }

 private:
  static void the_literal_does_not_fit_the_dtype_of_the_tensor() {
    throw invalid_argument("a literal does not fit the dtype of the tensor");
  }
};

}  // namespace jig
