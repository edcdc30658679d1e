// SPDX-License-Identifier: MIT
#pragma once
// Elements that a function gives, one after another.

#include <jig/data/sequence.hpp>

#include <memory>
#include <ranges>

namespace jig::data::detail {

// What a call of the function gave is asked for elements until there are none: a function that returns an optional, or a range.
template <class G>
class generator_cursor {
  static constexpr bool is_range = std::ranges::input_range<G>;
  static auto element_like(G& from) {
    if constexpr (is_range) return std::type_identity<std::ranges::range_value_t<G>>();
    else return std::type_identity<typename std::remove_cvref_t<decltype(from())>::value_type>();
  }
  struct nothing {};
  template <class R>
  struct iterator_of {
    using type = nothing;
  };
  template <std::ranges::input_range R>
  struct iterator_of<R> {
    using type = std::ranges::iterator_t<R>;
  };

 public:
  using element_type = typename decltype(element_like(std::declval<G&>()))::type;

  // A range stays where it is: its iterators may point into it.
  explicit generator_cursor(std::unique_ptr<G> from) : from_(std::move(from)) {}
  bool next() {
    if (ended_) return false;
    if constexpr (is_range) {
      if (!at_) at_.emplace(std::ranges::begin(*from_));
      else ++*at_;
      if (*at_ == std::ranges::end(*from_)) ended_ = true;
      else element_.emplace(**at_);
    } else {
      if (auto given = (*from_)()) element_.emplace(*std::move(given));
      else ended_ = true;
    }
    return !ended_;
  }
  const element_type& element() const { return *element_; }
  element_type take() { return std::move(*element_); }

 private:
  std::unique_ptr<G> from_;
  std::optional<typename iterator_of<G>::type> at_;
  std::optional<element_type> element_;
  bool ended_ = false;
};

template <class F>
class generated {
  F function_;
  using given = std::remove_cvref_t<decltype(std::declval<const F&>()())>;

 public:
  using element_type = typename generator_cursor<given>::element_type;
  explicit generated(F function) : function_(std::move(function)) {}
  index cardinality() const { return unknown_cardinality; }
  auto open() const { return generator_cursor<given>(std::make_unique<given>(function_())); }
};

}  // namespace jig::data::detail
