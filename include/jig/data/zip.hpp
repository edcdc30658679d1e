// SPDX-License-Identifier: MIT
#pragma once
// Several datasets side by side, one behind another, and with the numbers of their elements.

#include <jig/data/sequence.hpp>

namespace jig::data::detail {

template <class... Cursor>
class zip_cursor {
  std::tuple<Cursor...> sources_;
  using element_type = std::tuple<decltype(detail::take_element(std::declval<Cursor&>()))...>;
  std::optional<element_type> element_;

 public:
  explicit zip_cursor(Cursor... sources) : sources_(std::move(sources)...) {}
  bool next() {
    return std::apply(
        [&](auto&... source) {
          if (!(source.next() && ...)) return false;
          element_.emplace(detail::take_element(source)...);
          return true;
        },
        sources_);
  }
  const element_type& element() const { return *element_; }
  element_type take() { return std::move(*element_); }
};

template <class... S>
class zipped {
  std::tuple<S...> sources_;

 public:
  using element_type = std::tuple<typename S::element_type...>;
  explicit zipped(S... sources) : sources_(std::move(sources)...) {}
  index cardinality() const {
    index least = infinite_cardinality;
    bool known = true;
    std::apply(
        [&](const auto&... source) {
          for (const index n : {source.cardinality()...}) {
            if (n == unknown_cardinality) known = false;
            else if (n >= 0) least = least < 0 ? n : (std::min)(least, n);
          }
        },
        sources_);
    return known || least == 0 ? least : unknown_cardinality;
  }
  auto open() const {
    return std::apply([](const auto&... source) { return zip_cursor<decltype(source.open())...>(source.open()...); }, sources_);
  }
};

template <class First, class Second>
class concatenate_cursor {
  First first_;
  Second second_;
  bool in_first_ = true;

 public:
  concatenate_cursor(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}
  bool next() {
    if (in_first_ && first_.next()) return true;
    in_first_ = false;
    return second_.next();
  }
  const auto& element() const { return in_first_ ? first_.element() : second_.element(); }
  auto take() { return in_first_ ? detail::take_element(first_) : detail::take_element(second_); }
};

template <class S, class Other>
class concatenated {
  static_assert(std::is_same_v<typename S::element_type, typename Other::element_type>,
                "jig: concatenate: the elements of both datasets are of one type");
  S first_;
  Other second_;

 public:
  using element_type = typename S::element_type;
  concatenated(S first, Other second) : first_(std::move(first)), second_(std::move(second)) {}
  index cardinality() const {
    const index a = first_.cardinality(), b = second_.cardinality();
    if (a == infinite_cardinality || b == infinite_cardinality) return infinite_cardinality;
    return a < 0 || b < 0 ? unknown_cardinality : a + b;
  }
  auto open() const { return concatenate_cursor<decltype(first_.open()), decltype(second_.open())>(first_.open(), second_.open()); }
};

}  // namespace jig::data::detail
