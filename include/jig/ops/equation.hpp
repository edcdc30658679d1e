// SPDX-License-Identifier: MIT
#pragma once
// Equations of Einstein's convention: letters for axes, and what is wrong with an equation for operands of these shapes.

#include <jig/core/list.hpp>
#include <jig/core/shape.hpp>
#include <jig/core/text.hpp>

#include <string_view>

namespace jig::detail {

/// The letters of one operand or result.
struct labels {
  int count = 0;
  char at[64] = {};  // all that there are: letters and axes of an ellipsis

  constexpr bool operator==(const labels&) const = default;
  constexpr int position(char c) const {
    for (int i = 0; i < count; ++i)
      if (at[i] == c) return i;
    return -1;
  }
  constexpr bool has(char c) const { return position(c) >= 0; }
  constexpr void push_back(char c) { at[count++] = c; }
  constexpr labels& operator+=(const labels& o) {
    for (int i = 0; i < o.count; ++i)
      if (!has(o.at[i])) push_back(o.at[i]);
    return *this;
  }
  // Only those that the other has, or has not.
  constexpr labels within(const labels& o, bool wanted = true) const {
    labels out;
    for (int i = 0; i < count; ++i)
      if (o.has(at[i]) == wanted) out.push_back(at[i]);
    return out;
  }
  constexpr labels without(const labels& o) const { return within(o, false); }
  constexpr labels without_axis(int axis) const {
    labels out;
    for (int i = 0; i < count; ++i)
      if (i != axis) out.push_back(at[i]);
    return out;
  }
  // The first place whose letter stands at an earlier place too, or -1.
  constexpr int repeated() const {
    for (int i = 1; i < count; ++i)
      if (position(at[i]) < i) return i;
    return -1;
  }
};

constexpr labels joined(labels a, const labels& b, const labels& c = {}) {
  a += b;
  a += c;
  return a;
}

/// What an equation says, or what is wrong with it.
struct equation {
  list<labels> in;
  labels out;
  bool failed = false;
  message reason;

  template <class... Part>
  constexpr void fail(const Part&... part) {
    if (!failed) ((reason << part), ...);
    failed = true;
  }
};

constexpr bool is_label(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The axes of an ellipsis are '0' to '7', of which the last axis is always '7'. They broadcast.
constexpr bool is_of_ellipsis(char c) { return c >= '0' && c <= '7'; }
constexpr labels without_ellipsis(const labels& l) {
  labels out;
  for (int i = 0; i < l.count; ++i)
    if (!is_of_ellipsis(l.at[i])) out.push_back(l.at[i]);
  return out;
}
// '.' becomes this many axes.
constexpr labels with_ellipsis(const labels& l, int axes) {
  labels out;
  for (int i = 0; i < l.count; ++i) {
    if (l.at[i] != '.') out.push_back(l.at[i]);
    else
      for (int a = max_rank - axes; a < max_rank; ++a) out.push_back(static_cast<char>('0' + a));
  }
  return out;
}

// Without an arrow the result has the axes of ellipses, then the letters that occur once, in alphabetical order.
constexpr labels implicit_result(const list<labels>& in) {
  labels out;
  for (const auto& l : in)
    if (l.has('.') && !out.has('.')) out.push_back('.');
  for (char c = 'A'; c <= 'z'; ++c) {
    int uses = 0;
    for (const auto& l : in)
      for (int i = 0; i < l.count; ++i) uses += l.at[i] == c;
    if (uses == 1 && out.count < 2 * max_rank) out.push_back(c);
  }
  return out;
}

// The letters as they are written, an ellipsis as '.'.
constexpr void read_letters(equation& e, std::string_view text, std::size_t operands) {
  e.in = list<labels>(static_cast<int>(operands));
  std::size_t operand = 0;
  bool arrow = false;
  for (std::size_t i = 0; i < text.size() && !e.failed; ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !arrow) {
      arrow = true;
      ++i;
    } else if (c == ',' && !arrow) {
      if (++operand == operands) e.fail("the equation has more operands than the call");
    } else if (labels& l = arrow ? e.out : e.in[operand]; l.count == max_rank + l.has('.')) {
      e.fail("a tensor has at most 8 axes");
    } else if (text.substr(i, 3) == "..." && !l.has('.')) {
      l.push_back('.');
      i += 2;
    } else if (!is_label(c)) {
      e.fail("there is '", c, "', expected letters, commas, one ellipsis (...) for each operand and one arrow (->)");
    } else {
      l.push_back(c);
    }
  }
  if (!e.failed && operand + 1 < operands) e.fail("the equation has fewer operands than the call");
  if (!arrow) e.out = implicit_result(e.in);
}

// The axes that ellipses stand for.
constexpr void expand_ellipses(equation& e, const list<shape>& shapes) {
  int most = 0;
  for (std::size_t k = 0; k < shapes.size() && !e.failed; ++k) {
    const bool open = e.in[k].has('.');
    const int axes = shapes[k].rank - (e.in[k].count - open);
    if (open ? axes < 0 : axes != 0)
      e.fail("operand ", static_cast<index>(k), " has ", shapes[k].rank, " axes, the equation names ", e.in[k].count - open);
    if (open && axes > 0 && !e.out.has('.')) e.fail("the result must have the ellipsis of operand ", static_cast<index>(k));
    if (e.failed) return;
    e.in[k] = with_ellipsis(e.in[k], axes);
    if (open && axes > most) most = axes;
  }
  e.out = with_ellipsis(e.out, most);
}

// Every letter has one extent.
constexpr void check_extents(equation& e, const labels& all, const list<shape>& shapes) {
  for (int i = 0; i < all.count && !e.failed; ++i) {
    index known = dyn;
    const bool broadcasts = is_of_ellipsis(all.at[i]);
    for (std::size_t k = 0; k < shapes.size(); ++k)
      for (int a = 0; a < e.in[k].count; ++a) {
        const index extent = shapes[k][a];
        if (e.in[k].at[a] != all.at[i] || !is_static_extent(extent) || (broadcasts && extent == 1)) continue;
        if (known != dyn && known != extent && broadcasts) e.fail("the axes of an ellipsis do not broadcast: ", known, " and ", extent);
        if (known != dyn && known != extent) e.fail("the letter ", all.at[i], " is ", known, " and ", extent);
        known = extent;
      }
  }
}

/// An equation for operands of these shapes.
constexpr equation read_equation(std::string_view text, const list<shape>& shapes) {
  equation e;
  e.reason << "einsum<\"" << text << "\">: ";
  read_letters(e, text, shapes.size());
  expand_ellipses(e, shapes);
  if (e.out.count > max_rank) e.fail("the result has more than 8 axes");
  if (e.out.repeated() >= 0) e.fail("the letter ", e.out.at[e.out.repeated()], " stands in the result twice");
  labels all;
  for (const auto& l : e.in) all += l;
  for (int i = 0; i < e.out.count; ++i)
    if (!all.has(e.out.at[i])) e.fail("the letter ", e.out.at[i], " of the result is in no operand");
  check_extents(e, all, shapes);
  return e;
}

}  // namespace jig::detail
