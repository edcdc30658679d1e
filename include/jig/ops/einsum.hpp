// SPDX-License-Identifier: MIT
#pragma once
// Sums of products by Einstein's convention. An equation becomes transposes, reshapes, products and sums that
// exist already; two operands that share summed letters become one matrix product.

#include <jig/ops/matmul.hpp>
#include <jig/ops/shape.hpp>

#include <bit>

namespace jig {

namespace detail {

constexpr void diag_part_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto axes = c.integers("axes");
  if (axes.size() != 2 || from.rank < 2) return c.fail("a diagonal needs two axes");
  int a = c.axis(axes[0], from.rank), b = c.axis(axes[1], from.rank);
  if (c.failed) return;
  if (a >= b) return c.fail("the first axis of a diagonal must be before the second");
  shape out;
  for (int i = 0; i < from.rank; ++i) {
    if (i == b) continue;
    if (i != a) out.push_back(from[i]);
    else if (is_static_extent(from[a]) && is_static_extent(from[b])) out.push_back(from[a] < from[b] ? from[a] : from[b]);
    else out.push_back(c.equal(from[a], from[b], "a diagonal along wildcard extents needs equal ones"));
  }
  c.result = {c.inputs[0].dtype, out};
}
constexpr void diag_part_strides(const restride_context& c, index&, shape& strides) {
  auto axes = find_attribute(c.attributes, "axes").values;
  auto a = static_cast<int>(axes[0] < 0 ? axes[0] + c.input.rank : axes[0]);
  auto b = static_cast<int>(axes[1] < 0 ? axes[1] + c.input.rank : axes[1]);
  int to = 0;
  for (int i = 0; i < c.input.rank; ++i)
    if (i != b) strides[to++] = c.input_strides[i] + (i == a ? c.input_strides[b] : 0);
}

constexpr void diag_part_gradient(gradient_context&);
constexpr void diag_part_gradient_again(gradient_context&);

constexpr void ensure_shape_rule(rule_context& c) {
  c.result = c.inputs[0];
  auto pairs = c.integers("axes");
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    index& e = c.result.shape[static_cast<int>(pairs[i])];
    e = c.equal(e, c.inputs[1].shape[static_cast<int>(pairs[i + 1])], "extents that must be equal differ");
  }
}

}  // namespace detail

namespace ops {

extern const op diag_part_add;

/// Attribute `axes`: two axes, of which the first becomes the diagonal and the second goes.
inline constexpr op diag_part =
    detail::view_op("MatrixDiagPart", detail::diag_part_rule, detail::diag_part_strides, detail::diag_part_gradient)
        .making(made_ops<diag_part_add>);
/// Adds the second input to that diagonal of the first.
inline constexpr op diag_part_add = detail::view_update_op("MatrixDiagPartGrad", detail::diag_part_gradient_again)
                                        .making(made_ops<diag_part>)
                                        .taking({.elements = numbers});
/// Inputs: a tensor, and one that is looked at for its extents only. Attribute `axes`: pairs of an axis of
/// the first and one of the second whose extents must be equal.
inline constexpr op ensure_shape = detail::view_op("EnsureShape", detail::ensure_shape_rule, detail::same_gradient);

}  // namespace ops

template <>
struct kernel<ops::diag_part_add> : detail::view_update_kernel<ops::diag_part> {};

namespace detail {

constexpr void diag_part_gradient(gradient_context& c) { view_gradient(c, ops::diag_part_add); }
constexpr void diag_part_gradient_again(gradient_context& c) { view_update_gradient(c, ops::diag_part); }

}  // namespace detail

namespace detail {

// The letters of one operand or result, a template argument.
struct labels {
  int count = 0;
  char at[2 * max_rank] = {};

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

// What an equation says, or what is wrong with it.
template <std::size_t N>
struct equation {
  labels in[N];
  labels out;
  bool failed = false;
  message reason;
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
template <std::size_t N>
constexpr labels implicit_result(const labels (&in)[N]) {
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

template <std::size_t N>
constexpr equation<N> parse_equation(std::string_view text, const shape (&shapes)[N]) {
  equation<N> e;
  e.reason << "einsum<\"" << text << "\">: ";
  auto fail = [&](auto&&... part) {
    if (!e.failed) ((e.reason << part), ...);
    e.failed = true;
  };
  std::size_t operand = 0;
  bool arrow = false;
  for (std::size_t i = 0; i < text.size() && !e.failed; ++i) {
    char c = text[i];
    if (c == ' ') continue;
    if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !arrow) {
      arrow = true;
      ++i;
    } else if (c == ',' && !arrow) {
      if (++operand == N) fail("the equation has more operands than the call");
    } else if (labels& l = arrow ? e.out : e.in[operand]; l.count == max_rank + l.has('.')) {
      fail("a tensor has at most 8 axes");
    } else if (text.substr(i, 3) == "..." && !l.has('.')) {
      l.push_back('.');
      i += 2;
    } else if (!is_label(c)) {
      fail("there is '", c, "', expected letters, commas, one ellipsis (...) for each operand and one arrow (->)");
    } else {
      l.push_back(c);
    }
  }
  if (!e.failed && operand + 1 < N) fail("the equation has fewer operands than the call");
  if (!arrow) e.out = implicit_result(e.in);
  int most = 0;  // axes of an ellipsis
  for (std::size_t k = 0; k < N && !e.failed; ++k) {
    const bool open = e.in[k].has('.');
    const int axes = shapes[k].rank - (e.in[k].count - open);
    if (open ? axes < 0 : axes != 0)
      fail("operand ", static_cast<index>(k), " has ", shapes[k].rank, " axes, the equation names ", e.in[k].count - open);
    if (open && axes > 0 && !e.out.has('.')) fail("the result must have the ellipsis of operand ", static_cast<index>(k));
    if (e.failed) break;
    e.in[k] = with_ellipsis(e.in[k], axes);
    if (open && axes > most) most = axes;
  }
  e.out = with_ellipsis(e.out, most);
  if (e.out.count > max_rank) fail("the result has more than 8 axes");
  if (e.out.repeated() >= 0) fail("the letter ", e.out.at[e.out.repeated()], " stands in the result twice");
  labels all;
  for (const auto& l : e.in) all += l;
  for (int i = 0; i < e.out.count; ++i)
    if (!all.has(e.out.at[i])) fail("the letter ", e.out.at[i], " of the result is in no operand");
  return e;
}

// An equation checked against the ranks, extents and dtypes of its operands.
template <std::size_t N>
constexpr equation<N> check_equation(std::string_view text, const shape (&shapes)[N], const bool (&same_dtype)[N], dtype first) {
  equation<N> e = parse_equation<N>(text, shapes);
  auto fail = [&](auto&&... part) {
    if (!e.failed) ((e.reason << part), ...);
    e.failed = true;
  };
  labels all;
  for (const auto& l : e.in) all += l;
  for (int i = 0; i < all.count && !e.failed; ++i) {
    index known = dyn;
    const bool broadcasts = is_of_ellipsis(all.at[i]);
    for (std::size_t k = 0; k < N; ++k)
      for (int a = 0; a < e.in[k].count; ++a) {
        index extent = shapes[k][a];
        if (e.in[k].at[a] != all.at[i] || !is_static_extent(extent) || (broadcasts && extent == 1)) continue;
        if (known != dyn && known != extent && broadcasts) fail("the axes of an ellipsis do not broadcast: ", known, " and ", extent);
        if (known != dyn && known != extent) fail("the letter ", all.at[i], " is ", known, " and ", extent);
        known = extent;
      }
  }
  for (bool s : same_dtype)
    if (!s) fail("dtypes differ, convert one with jig::cast");
  if (!is_number(first)) fail("the dtype must be a number, use jig::cast");
  return e;
}
template <text Eq, class... X>
struct checked_equation {
  static constexpr auto value = [] {
    using first = typename std::tuple_element_t<0, std::tuple<element_of_operand<X>...>>::type;
    const shape shapes[] = {operand_shape<X>()...};
    const bool same[] = {(world_of<X> == world::literal || world_of<std::tuple_element_t<0, std::tuple<X...>>> == world::literal ||
                          std::is_same_v<typename element_of_operand<X>::type, first>)...};
    return check_equation(Eq.view(), shapes, same, dtype_of<first>);
  }();
  // For refuse, when the equation fails.
  static constexpr const message& sentence = value.reason;
};

struct extent_list {
  int count = 0;
  index at[max_rank] = {};
  constexpr void push_back(index e) { at[count++] = e; }
};

// The product of some axes of an input with this shape, as an entry of a reshape.
constexpr index listed_product(const shape& s, int input, int first, int count) {
  index product = 1;
  for (int a = first; a < first + count; ++a) {
    if (!is_static_extent(s[a])) return product_of_axes(input, first, count);
    product *= s[a];
  }
  return product;
}

template <extent_list E, class X, class... Like>
constexpr auto reshaped(const X& x, const Like&... like) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return call<ops::reshape, attributes<integers<"shape", E.at[I]...>>>(x, like...);
  }(std::make_index_sequence<static_cast<std::size_t>(E.count)>());
}

// These return their argument itself where there is nothing to do: they are only used inside of one
// expression.
template <labels From, labels To, class X>
constexpr decltype(auto) permuted(const X& x) {
  if constexpr (From == To) {
    return (x);
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return transpose<From.position(To.at[I])...>(x);
    }(std::make_index_sequence<static_cast<std::size_t>(To.count)>());
  }
}

template <labels From, labels Gone, class X>
constexpr auto summed_over(const X& x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return reduce_sum<From.position(Gone.at[I])...>(x);
  }(std::make_index_sequence<static_cast<std::size_t>(Gone.count)>());
}

// Axes [batch…, first…, second…] as [batch…, rows, columns].
template <int Batch, int First, int Second, class X>
constexpr decltype(auto) as_matrices(const X& x) {
  if constexpr (First == 1 && Second == 1) {
    return (x);
  } else {
    constexpr extent_list extents = [] {
      shape s = operand_shape<X>();
      extent_list e;
      for (int a = 0; a < Batch; ++a) e.push_back(listed_product(s, 0, a, 1));
      e.push_back(listed_product(s, 0, Batch, First));
      e.push_back(listed_product(s, 0, Batch + First, Second));
      return e;
    }();
    return reshaped<extents>(x);
  }
}

// Axes in the order of To, with extent 1 for letters that x does not have; none are put in front.
template <labels From, labels To, class X>
constexpr decltype(auto) aligned(const X& x) {
  constexpr labels present = To.within(From), missing = To.without(From);
  if constexpr (present == From) {
    constexpr extent_list extents = [] {
      shape s = operand_shape<X>();
      extent_list e;
      for (int i = 0; i < To.count; ++i) {
        int a = From.position(To.at[i]);
        if (a >= 0) e.push_back(listed_product(s, 0, a, 1));
        else if (e.count > 0) e.push_back(1);
      }
      return e;
    }();
    if constexpr (extents.count == From.count) return (x);
    else return reshaped<extents>(x);
  } else if constexpr (missing.count == 0) {
    return permuted<From, To>(x);
  } else {
    constexpr extent_list extents = [] {
      shape s = operand_shape<X>();
      extent_list e;
      for (int a = 0; a < From.count; ++a) e.push_back(listed_product(s, 0, a, 1));
      for (int i = 0; i < missing.count; ++i) e.push_back(1);
      return e;
    }();
    return permuted<joined(From, missing), To>(reshaped<extents>(x));
  }
}

// The letters of two operands by their part in the contraction.
struct contraction {
  labels batch, sum, first, second;
  bool along_batch = false;  // sums of products of neighbours, in place of matrices
  constexpr bool is_matmul() const { return sum.count > 0 && first.count + second.count > 0 && !along_batch; }
};

// The product of the extents of some letters; of one that only the call knows we guess that it is long.
constexpr double extent_of(const labels& of, const labels& l, const shape& s) {
  double product = 1;
  for (int i = 0; i < of.count; ++i) {
    const index e = s[l.position(of.at[i])];
    product *= is_static_extent(e) ? static_cast<double>(e) : 64.0;
  }
  return product;
}

// Where operands and result have a batch as their last axis, matrices have to be put together from elements that lie apart. Sums of
// products along that axis need no copy, but read more. A copied element costs as much as so many products.
constexpr bool pays_along_batch(const contraction& c, const labels& a, const labels& b, const labels& out, const shape& s, const shape& t) {
  constexpr double products_of_copy = 8;
  if (joined(a, b).count > max_rank || out.count == 0) return false;
  const char last = out.at[out.count - 1];
  const double m = extent_of(c.first, a, s), n = extent_of(c.second, b, t), k = extent_of(c.sum, a, s);
  // It does not matter how the smaller one lies.
  constexpr double much_smaller = 8;
  const bool first = a.at[a.count - 1] == last || m * much_smaller <= n, second = b.at[b.count - 1] == last || n * much_smaller <= m;
  if (is_of_ellipsis(last) || !c.batch.has(last) || !first || !second) return false;
  return m * n * k <= products_of_copy * (m * k + k * n + m * n);
}

constexpr contraction plan_contraction(const labels& a, const labels& b, const labels& kept, const labels& out, const shape& s,
                                       const shape& t) {
  contraction c;
  labels shared = a.within(b);
  c.batch = shared.within(kept);
  c.batch = joined(out.within(c.batch), c.batch);
  c.sum = shared.without(kept);
  c.first = a.without(b);
  c.second = b.without(a);
  c.along_batch = c.is_matmul() && pays_along_batch(c, a, b, out, s, t);
  return c;
}

// An elementwise product can come out in the order of the result.
constexpr labels elementwise_order(const contraction& c, const labels& out) {
  labels all = joined(c.batch, c.first, c.second);
  return joined(out.within(all), all);
}

// The axes of the products that are summed: those that stay, in their order, and among them those that go. Registers run along the last
// axis, so that is one that stays, unless those that go are so few that they are unrolled, or lie as rows in both operands.
constexpr labels summing_order(const contraction& c, const labels& out, const labels& a, const labels& b, const shape& s) {
  constexpr double most_unrolled = 16;
  const labels kept = elementwise_order(c, out);
  if (kept.count == 0 || c.sum.count == 0) return joined(kept, c.sum);
  const bool rows = a.at[a.count - 1] == b.at[b.count - 1] && c.sum.has(a.at[a.count - 1]);
  labels last;
  last.push_back(kept.at[kept.count - 1]);
  if (rows || extent_of(c.sum, a, s) <= most_unrolled) return joined(kept, c.sum);
  return joined(kept.without(last), c.sum, last);
}

// Where all letters go but lie in different orders, registers run along one of them, which is summed last: the longer one of
// those that are the last axis of an operand.
constexpr labels summed_last(const contraction& c, const labels& a, const labels& b, const shape& s, const shape& t) {
  labels first, second;
  if (c.batch.count + c.first.count + c.second.count > 0 || c.sum.count < 2 || !s.is_static() || !t.is_static()) return {};
  first.push_back(a.at[a.count - 1]);
  second.push_back(b.at[b.count - 1]);
  if (first == second) return {};
  const double x = extent_of(first, a, s), y = extent_of(second, b, t);
  return x > y ? first : second;
}

// Whether two extents are the same in every call.
constexpr bool surely_equal(index a, index b) { return a == b && a != dyn; }

// b, after a check that its extents are those of a where they have letters in common.
template <labels A, labels B, labels Checked, class X, class Y>
constexpr decltype(auto) with_equal_extents(const X& a, const Y& b) {
  struct axis_pairs {
    int count = 0;
    index at[4 * max_rank] = {};
  };
  constexpr axis_pairs pairs = [] {
    shape s = operand_shape<X>(), t = operand_shape<Y>();
    axis_pairs p;
    for (int i = 0; i < Checked.count; ++i) {
      int u = A.position(Checked.at[i]), v = B.position(Checked.at[i]);
      if (surely_equal(s[u], t[v])) continue;
      p.at[p.count++] = v;
      p.at[p.count++] = u;
    }
    return p;
  }();
  if constexpr (pairs.count == 0) {
    return (b);
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<ops::ensure_shape, attributes<integers<"axes", pairs.at[I]...>>>(b, a);
    }(std::make_index_sequence<static_cast<std::size_t>(pairs.count)>());
  }
}

// [batch…, rows, columns] as [batch…, first…, second…], whose extents are those of the operands.
template <labels A, labels B, contraction C, class R, class X, class Y>
constexpr auto from_matrices(const R& product, const X& a, const Y& b) {
  struct split {
    extent_list extents;
    bool needs_operands = false;
  };
  constexpr split found = [] {
    shape r = operand_shape<R>(), s = operand_shape<X>(), t = operand_shape<Y>();
    split f;
    auto add = [&](const shape& of, int input, int axis) {
      f.extents.push_back(listed_product(of, input, axis, 1));
      f.needs_operands = f.needs_operands || (input > 0 && !is_static_extent(of[axis]));
    };
    for (int i = 0; i < C.batch.count; ++i) add(r, 0, i);
    for (int i = 0; i < C.first.count; ++i) add(s, 1, A.position(C.first.at[i]));
    for (int i = 0; i < C.second.count; ++i) add(t, 2, B.position(C.second.at[i]));
    return f;
  }();
  if constexpr (found.needs_operands) return reshaped<found.extents>(product, a, b);
  else return reshaped<found.extents>(product);
}

// A matrix that lies as [batch…, columns, rows] is read transposed instead of being transposed.
template <labels A, labels B, contraction C, class X, class Y>
constexpr auto contract_as_matrices(const X& a, const Y& b) {
  constexpr labels a_rows = joined(C.batch, C.first, C.sum), a_columns = joined(C.batch, C.sum, C.first);
  constexpr labels b_rows = joined(C.batch, C.sum, C.second), b_columns = joined(C.batch, C.second, C.sum);
  constexpr bool ta = A == a_columns && !(A == a_rows), tb = B == b_columns && !(B == b_rows);
  constexpr int batch = C.batch.count, k = C.sum.count, m = C.first.count, n = C.second.count;
  auto product = [&] {
    return multiply_matrices<ta, tb>(as_matrices<batch, ta ? k : m, ta ? m : k>(permuted<A, ta ? a_columns : a_rows>(a)),
                                     as_matrices<batch, tb ? n : k, tb ? k : n>(permuted<B, tb ? b_columns : b_rows>(b)));
  };
  if constexpr (m == 1 && n == 1) return product();
  else return from_matrices<A, B, C>(product(), a, b);
}

template <labels Out, labels A, labels B, contraction C, class X, class Y>
constexpr auto contract_two(const X& a, const Y& b) {
  if constexpr (C.is_matmul()) {
    return contract_as_matrices<A, B, C>(a, b);
  } else if constexpr (constexpr labels last = summed_last(C, A, B, operand_shape<X>(), operand_shape<Y>()); last.count > 0) {
    constexpr contraction inner{.batch = last, .sum = C.sum.without(last), .first = {}, .second = {}};
    return reduce_sum<0>(contract_two<last, A, B, inner>(a, b));
  } else {
    constexpr labels all = summing_order(C, Out, A, B, operand_shape<X>());
    if constexpr (C.sum.count == 0) return call<ops::multiply>(aligned<A, all>(a), aligned<B, all>(b));
    else return summed_over<all, C.sum>(call<ops::multiply>(aligned<A, all>(a), aligned<B, all>(b)));
  }
}

// The diagonal along the letter that an operand has twice. Of extents that only a call knows it is checked that they are the
// same: diagonals themselves may be of matrices that are not square.
template <labels A, class X>
constexpr auto diagonal(const X& a) {
  constexpr int twin = A.repeated(), first = A.position(A.at[twin]);
  using axes = attributes<integers<"axes", first, twin>>;
  if constexpr (surely_equal(operand_shape<X>()[first], operand_shape<X>()[twin])) return call<ops::diag_part, axes>(a);
  else return call<ops::diag_part, axes>(call<ops::ensure_shape, attributes<integers<"axes", twin, first>>>(a, a));
}

// The last operand: what is left of its letters becomes the result.
template <labels Out, labels A, class X>
constexpr auto contract(const X& a) {
  if constexpr (is_refused<X>) {
    return a;
  } else if constexpr (A.repeated() >= 0) {
    return contract<Out, A.without_axis(A.repeated())>(diagonal<A>(a));
  } else if constexpr (constexpr labels gone = A.without(Out); gone.count > 0) {
    return contract<Out, A.within(Out)>(summed_over<A, gone>(a));
  } else if constexpr (A == Out && world_of<X> != world::traced && !is_tensor<X>) {
    return identity(a);  // a container, as a tensor
  } else {
    return permuted<A, Out>(a);
  }
}

inline constexpr text too_many_axes = "einsum: an intermediate result has more than 8 axes";

// Operands as sets of letters, to find out in which order to make two of them one.
template <std::size_t N>
struct contraction_order {
  int count = 0;
  std::uint64_t sets[N] = {};
  std::uint64_t out = 0;
  double extents[64] = {};

  static constexpr int number_of(char c) { return is_of_ellipsis(c) ? c - '0' + 52 : c >= 'a' ? c - 'a' : c - 'A' + 26; }
  constexpr std::uint64_t add(const labels& l) {
    std::uint64_t set = 0;
    for (int i = 0; i < l.count; ++i) set |= std::uint64_t{1} << number_of(l.at[i]);
    return set;
  }
  constexpr void add(const labels& l, const shape& s) {
    sets[count++] = add(l);
    // Of extents that only the call knows we guess that they are long.
    for (int i = 0; i < l.count; ++i) {
      const double e = is_static_extent(s[i]) ? static_cast<double>(s[i]) : 64.0;
      double& known = extents[number_of(l.at[i])];
      if (e > known) known = e;
    }
  }
  struct choice {
    int first = 0, second = 1;
    double cost = 0;
  };
  // The letters of two operands that are left when they are one, and what that costs.
  constexpr std::uint64_t merged(int i, int k, double& cost) const {
    std::uint64_t kept = out;
    for (int other = 0; other < count; ++other)
      if (other != i && other != k) kept |= sets[other];
    const std::uint64_t all = sets[i] | sets[k], computed = all & (kept | (sets[i] & sets[k]));
    cost = 1;
    for (int b = 0; b < 64; ++b)
      if ((computed >> b & 1) != 0) cost *= extents[b];
    if (std::popcount(all & kept) > max_rank) cost *= 1e100;
    return all & kept;
  }
  // The cheapest order of up to five operands, of more the cheapest next step.
  constexpr choice best() const {
    choice found;
    found.cost = -1;
    for (int i = 0; i < count; ++i)
      for (int k = i + 1; k < count; ++k) {
        choice c{i, k, 0};
        const std::uint64_t one = merged(i, k, c.cost);
        if (count > 2 && count <= 5) {
          contraction_order rest = *this;
          rest.sets[i] = one;
          rest.sets[k] = rest.sets[--rest.count];
          c.cost += rest.best().cost;
        }
        if (found.cost < 0 || c.cost < found.cost) found = c;
      }
    return found;
  }
};

// The operands in another order, in which those that become one next are in front.
template <labels Out, std::size_t First, std::size_t Second, labels... L, class... X>
constexpr auto contract_next(const X&... x);

// The first two operands become one, without the letters that nobody else needs.
template <labels Out, labels A, labels B, labels... Rest, class X, class Y, class... More>
constexpr auto contract(const X& a, const Y& b, const More&... more) {
  constexpr labels kept = [] {
    labels l = Out;
    ((l += Rest), ...);
    return l;
  }();
  constexpr auto next = [] {
    contraction_order<2 + sizeof...(Rest)> order;
    order.add(A, operand_shape<X>());
    order.add(B, operand_shape<Y>());
    (order.add(Rest, operand_shape<More>()), ...);
    order.out = order.add(Out);
    return sizeof...(Rest) == 0 ? typename contraction_order<2 + sizeof...(Rest)>::choice{} : order.best();
  }();
  if constexpr (is_refused<X>) {
    return a;
  } else if constexpr (next.first != 0 || next.second != 1) {
    return contract_next<Out, static_cast<std::size_t>(next.first), static_cast<std::size_t>(next.second), A, B, Rest...>(a, b, more...);
  } else if constexpr (A.repeated() >= 0) {
    return contract<Out, A.without_axis(A.repeated()), B, Rest...>(diagonal<A>(a), b, more...);
  } else if constexpr (B.repeated() >= 0) {
    return contract<Out, A, B.without_axis(B.repeated()), Rest...>(a, diagonal<B>(b), more...);
  } else if constexpr (constexpr labels gone_a = A.without(kept).without(B); gone_a.count > 0) {
    return contract<Out, A.without(gone_a), B, Rest...>(summed_over<A, gone_a>(a), b, more...);
  } else if constexpr (constexpr labels gone_b = B.without(kept).without(A); gone_b.count > 0) {
    return contract<Out, A, B.without(gone_b), Rest...>(a, summed_over<B, gone_b>(b), more...);
  } else {
    constexpr contraction c = plan_contraction(A, B, kept, Out, operand_shape<X>(), operand_shape<Y>());
    // The product of matrices comes out in the order of the result.
    constexpr bool swap = c.is_matmul() && c.first.count > 0 && c.second.count > 0 && Out.position(c.second.at[0]) >= 0 &&
                          Out.position(c.second.at[0]) < Out.position(c.first.at[0]);
    if constexpr (swap) {
      return contract<Out, B, A, Rest...>(b, a, more...);
    } else {
      // A matrix product checks the one summed letter itself.
      constexpr labels checked = without_ellipsis(c.is_matmul() && c.sum.count == 1 ? c.batch : joined(c.batch, c.sum));
      constexpr labels result = c.is_matmul() ? joined(c.batch, c.first, c.second) : elementwise_order(c, Out);
      if constexpr (joined(result, c.sum).count > max_rank && !c.is_matmul()) return refuse_with<too_many_axes, X, Y>();
      else if constexpr (sizeof...(Rest) == 0 && result == Out)
        return contract_two<Out, A, B, c>(a, with_equal_extents<A, B, checked>(a, b));
      else return contract<Out, result, Rest...>(contract_two<Out, A, B, c>(a, with_equal_extents<A, B, checked>(a, b)), more...);
    }
  }
}

template <std::size_t I, labels... L>
inline constexpr labels labels_at = [] {
  constexpr labels all[] = {L...};
  return all[I];
}();

template <labels Out, std::size_t First, std::size_t Second, labels... L, class... X>
constexpr auto contract_next(const X&... x) {
  struct permutation {
    std::size_t at[sizeof...(X)];
  };
  constexpr permutation order = [] {
    permutation p{};
    p.at[0] = First;
    p.at[1] = Second;
    std::size_t to = 2;
    for (std::size_t i = 0; i < sizeof...(X); ++i)
      if (i != First && i != Second) p.at[to++] = i;
    return p;
  }();
  const auto operands = std::tie(x...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return contract<Out, labels_at<order.at[I], L...>...>(std::get<order.at[I]>(operands)...);
  }(std::index_sequence_for<X...>());
}

// Defined in runtime/dynamic_einsum.hpp.
template <class... X>
auto dynamic_einsum(std::string_view equation, const X&... x);

template <class Checked, std::size_t... I, class... X>
constexpr auto contract_all(std::index_sequence<I...>, const X&... x) {
  return contract<Checked::value.out, Checked::value.in[I]...>(x...);
}

}  // namespace detail

/// The sum of products that an equation names: `einsum<"ij,jk->ik">(a, b)`. Every letter is an axis; letters
/// that are not in the result are summed over, a letter twice in one operand takes its diagonal. An ellipsis
/// stands for all other axes of an operand, which broadcast. Without an arrow the result has the axes of the
/// ellipses and the letters that occur once, in alphabetical order. Which operands become one first is decided
/// at compile time by cost, at best for up to five of them and step by step for more; an extent that only the
/// call knows counts as 64.
/// Shape: the extents of the letters behind the arrow
/// Errors: equations that say nothing, and ranks, dtypes or extents that do not fit them are refused at
/// compile time; extents that are known at run time only throw invalid_argument.
/// Cost: two operands with summed letters are one matrix product, or sums along a letter that is the last one everywhere; operands
/// are copied only where several letters lie in an order that no matrix has.
template <text Equation, Operand... X>
  requires(sizeof...(X) > 0)
constexpr auto einsum(const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return detail::first_refused(x...);
  } else if constexpr (detail::is_dynamic<X...>) {
    return detail::dynamic_einsum(Equation.view(), x...);
  } else {
    using checked = detail::checked_equation<Equation, X...>;
    if constexpr (checked::value.failed) {
      return refuse<checked>();
    } else {
      const auto& traced = detail::traced_one_of(x...);
      return detail::contract_all<checked>(std::index_sequence_for<X...>(), detail::beside(traced, x)...);
    }
  }
}

}  // namespace jig
