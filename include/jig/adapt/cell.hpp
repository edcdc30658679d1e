// SPDX-License-Identifier: MIT
#pragma once
// Cells: objects that are numbers of one type all through, in places that the type tells. A container of cells is one tensor,
// whose last axes are those of a cell.

#include <jig/core/shape.hpp>

#include <array>

namespace jig {

/// How many numbers of one type an object of class T is made of, if it is a short axis of a tensor; 0 if it is not. To be specialised
/// for plain structs of equal members, nested ones too, and for classes with a `value_type` that hold nothing else:
/// `template <> inline constexpr int jig::components<point> = 3;`.
/// Errors: a class that is not made of just so many numbers of one type is refused where it is used.
template <class T>
inline constexpr int components = 0;

namespace detail {

/// `number`, the type of the numbers of X, and `extents`, how they lie in it, row-major; `number` is void when X is no cell.
template <class X>
struct cell {
  using number = void;
};
template <class X>
inline constexpr bool is_cell = !std::is_void_v<typename cell<X>::number>;
template <class X>
inline constexpr int cell_rank = [] {
  if constexpr (is_cell<X>) return cell<X>::extents.rank;
  else return max_rank + 1;
}();

template <Element T>
struct cell<T> {
  using number = T;
  static constexpr shape extents{};
};

constexpr shape behind(std::size_t first, const shape& rest) {
  shape s{1, {static_cast<index>(first)}};
  for (int a = 0; a < rest.rank; ++a) s.push_back(rest[a]);
  return s;
}
template <class X, std::size_t N>
  requires(cell_rank<X> < max_rank)
struct cell<std::array<X, N>> {
  using number = typename cell<X>::number;
  static constexpr shape extents = behind(N, cell<X>::extents);
};
// An array of characters is a text.
template <class X, std::size_t N>
  requires(!std::is_same_v<X, char> && cell_rank<X> < max_rank)
struct cell<X[N]> {
  using number = typename cell<X>::number;
  static constexpr shape extents = behind(N, cell<X>::extents);
};

template <class T>
struct just {
  template <class U>
    requires std::is_same_v<U, T>
  constexpr operator U() const;
};
// Whether a list of so many numbers of just this type makes an X.
template <class X, class T, class>
inline constexpr bool is_made_of = false;
template <class X, class T, std::size_t... I>
  requires(sizeof(X) == sizeof...(I) * sizeof(T))
inline constexpr bool is_made_of<X, T, std::index_sequence<I...>> = requires { X{(static_cast<void>(I), just<T>())...}; };

// The first of these types that X is made of, or void.
template <class X>
constexpr auto component_of() {
  return std::type_identity<void>();
}
template <class X, class T, class... More>
constexpr auto component_of() {
  if constexpr (is_made_of<X, T, std::make_index_sequence<static_cast<std::size_t>(components<X>)>>) return std::type_identity<T>();
  else return component_of<X, More...>();
}
template <class X>
constexpr auto number_in() {
  constexpr std::size_t n = static_cast<std::size_t>(components<X>);
  if constexpr (requires {
                  requires Element<typename X::value_type>;
                  requires sizeof(X) == n * sizeof(typename X::value_type);
                })
    return std::type_identity<typename X::value_type>();
  else
    return component_of<X, float, double, half, bfloat16, signed char, unsigned char, char, short, unsigned short, int, unsigned, long,
                        unsigned long, long long, unsigned long long, bool>();
}

template <class X>
  requires(components<X> > 0)
struct cell<X> {
  using number = typename decltype(number_in<X>())::type;
  static constexpr shape extents{1, {components<X>}};
};

}  // namespace detail

}  // namespace jig
