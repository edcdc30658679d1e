// SPDX-License-Identifier: MIT
#pragma once
// Elements that a function makes of others, and those that a function chooses.

#include <jig/data/sequence.hpp>

namespace jig::data::detail {

template <class Cursor, class F>
class map_cursor {
  Cursor source_;
  const F* function_;
  using element_type = std::remove_cvref_t<decltype(detail::call_with(*function_, source_.element()))>;
  std::optional<element_type> element_;

 public:
  map_cursor(Cursor source, const F& function) : source_(std::move(source)), function_(&function) {}
  bool next() {
    if (!source_.next()) return false;
    element_.emplace(detail::call_with(*function_, source_.element()));
    return true;
  }
  const element_type& element() const { return *element_; }
  element_type take() { return std::move(*element_); }
};

template <class S, class F>
class mapped {
  S source_;
  F function_;

 public:
  using element_type =
      std::remove_cvref_t<decltype(detail::call_with(std::declval<const F&>(), std::declval<const typename S::element_type&>()))>;
  mapped(S source, F function) : source_(std::move(source)), function_(std::move(function)) {}
  const S& source() const { return source_; }
  index cardinality() const { return source_.cardinality(); }
  auto open() const { return map_cursor<decltype(source_.open()), F>(source_.open(), function_); }
};

template <class Cursor, class F>
class filter_cursor {
  Cursor source_;
  const F* predicate_;

 public:
  filter_cursor(Cursor source, const F& predicate) : source_(std::move(source)), predicate_(&predicate) {}
  bool next() {
    while (source_.next())
      if (static_cast<bool>(detail::call_with(*predicate_, source_.element()))) return true;
    return false;
  }
  decltype(auto) element() const { return source_.element(); }
  auto take() { return detail::take_element(source_); }
};

template <class S, class F>
class filtered {
  S source_;
  F predicate_;

 public:
  using element_type = typename S::element_type;
  filtered(S source, F predicate) : source_(std::move(source)), predicate_(std::move(predicate)) {}
  index cardinality() const {
    return source_.cardinality() == 0 ? 0 : source_.cardinality() == infinite_cardinality ? infinite_cardinality : unknown_cardinality;
  }
  auto open() const { return filter_cursor<decltype(source_.open()), F>(source_.open(), predicate_); }
};

}  // namespace jig::data::detail
