// SPDX-License-Identifier: MIT
#pragma once
// Datasets as arguments of functions: the tensors that they slice are leaves of the argument, and a loop over the elements is one node.

#include <jig.hpp>
#include <jig/data/dataset.hpp>

namespace jig::data {

namespace detail {

// How a source's elements are made of the tensors that it slices. There is none for sources that only a loop of the program can read.
template <class S>
struct recipe;

template <class... X>
struct recipe<slices<X...>> {
  static constexpr std::size_t size = sizeof...(X);
  template <std::size_t I>
  static constexpr auto& part(const slices<X...>& s) {
    return s.template object<I>();
  }
  template <class P, class... More>
  static constexpr auto count(const P& first, const More&...) {
    return jig::extent<0>(first);
  }
  template <class I, class... P>
  static constexpr auto at(const I& i, const P&... part) {
    return detail::element_of(jig::element(part, i)...);
  }
  template <index B, class I, class... P>
  static constexpr auto block(const I& first, const P&... part) {
    return detail::element_of(rows<B>(part, first)...);
  }

 private:
  template <index B, class P, class I>
  static constexpr auto rows(const P& part, const I& first) {
    constexpr shape extents = jig::detail::operand_spec<P>::type::value().shape;
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      const auto zero = first - first;
      return jig::slice<B, extents[static_cast<int>(A) + 1]...>(part, jig::stack<0>(first, (static_cast<void>(A), zero)...));
    }(std::make_index_sequence<static_cast<std::size_t>(extents.rank - 1)>());
  }
};

template <class S, index B>
  requires(B != dyn)
struct recipe<blocks<S, B>> : recipe<S> {
  template <std::size_t I>
  static constexpr auto& part(const blocks<S, B>& s) {
    return recipe<S>::template part<I>(s.source());
  }
  template <class... P>
  static constexpr auto count(const P&... part) {
    return recipe<S>::count(part...) / B;
  }
  template <class I, class... P>
  static constexpr auto at(const I& i, const P&... part) {
    return recipe<S>::template block<B>(i * B, part...);
  }
};

template <class S, class F>
  requires std::is_empty_v<F>
struct recipe<mapped<S, F>> : recipe<S> {
  template <std::size_t I>
  static constexpr auto& part(const mapped<S, F>& s) {
    return recipe<S>::template part<I>(s.source());
  }
  template <class I, class... P>
  static constexpr auto at(const I& i, const P&... part) {
    const F f;
    return detail::call_with(f, recipe<S>::at(i, part...));
  }
};

template <class S>
concept Traceable = requires { recipe<S>::size; };

/// A dataset inside a trace, over traced tensors.
template <class Recipe, class... P>
class in_trace {
  std::tuple<P...> parts_;

  constexpr auto numbers() const {
    const auto count = std::apply([](const auto&... p) { return Recipe::count(p...); }, parts_);
    return jig::range(index{0}, count, jig::beside(std::get<0>(parts_)));
  }

 public:
  constexpr in_trace() = default;  // as keys of signatures are
  constexpr explicit in_trace(P... parts) : parts_(std::move(parts)...) {}

  class iterator {
    using range = decltype(std::declval<const in_trace&>().numbers());
    const in_trace& of_;
    range range_;
    decltype(std::declval<const range&>().begin()) at_;

   public:
    constexpr explicit iterator(const in_trace& of) : of_(of), range_(of.numbers()), at_(range_.begin()) {}
    iterator(const iterator&) = delete;  // it refers to itself
    constexpr bool operator!=(jig::detail::loop_end end) { return at_ != end; }
    constexpr void operator++() { ++at_; }
    constexpr auto operator*() const {
      return std::apply([&](const auto&... p) { return Recipe::at(*at_, p...); }, of_.parts_);
    }
  };
  constexpr iterator begin() const { return iterator(*this); }
  constexpr jig::detail::loop_end end() const { return {}; }

  template <std::size_t I>
  constexpr auto& part() {
    return std::get<I>(parts_);
  }
  template <std::size_t I>
  constexpr const auto& part() const {
    return std::get<I>(parts_);
  }
};

// What both kinds have as structures.
template <class Recipe>
struct dataset_structure {
  static constexpr bool nested = true;
  static constexpr std::size_t size = Recipe::size;
  template <std::size_t I>
  static constexpr std::string_view name() {
    return jig::detail::position<I>.view();
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return in_trace<Recipe, std::remove_cvref_t<P>...>(std::forward<P>(parts)...);
  }
};

}  // namespace detail

}  // namespace jig::data

namespace jig {

/// Functions take datasets of slices, of batches whose size is known, and of what functions that do not capture make of these. The objects
/// that are sliced are the leaves of such an argument. A loop `for (auto [x, y] : dataset)` in the lambda is one While node, however many
/// elements there are, and however long those are.
template <data::detail::Traceable S>
struct structure<data::dataset<S>> : data::detail::dataset_structure<data::detail::recipe<S>> {
  template <std::size_t I>
  static constexpr auto& get(const data::dataset<S>& x) {
    return data::detail::recipe<S>::template part<I>(x.source());
  }
};
template <class S>
  requires(!data::detail::Traceable<S>)
struct refused_argument<data::dataset<S>> {
  static constexpr text sentence =
      "a function loops over datasets of slices, of batches of a known size and of maps that do not capture: over others the program does";
};

template <class Recipe, class... P>
struct structure<data::detail::in_trace<Recipe, P...>> : data::detail::dataset_structure<Recipe> {
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return x.template part<I>();
  }
};

}  // namespace jig
