// SPDX-License-Identifier: MIT
#pragma once
// What ops that only move elements have in common: those whose result is a view of the memory of an input, which costs nothing, and
// those that copy.

#include <jig/graph/gradient.hpp>
#include <jig/graph/simplification.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/copy.hpp>
#include <jig/ops/rules.hpp>

#include <algorithm>
#include <type_traits>

namespace jig {

namespace detail {

constexpr index no_flops(const rule_context&) { return 0; }

constexpr op view_op(std::string_view name, void (*rule)(rule_context&), void (*gradient)(gradient_context&)) {
  return {.name = name, .label = name, .facts = fact::view | fact::keeps_order, .rule = rule, .gradient = gradient};
}
constexpr op view_op(std::string_view name, void (*rule)(rule_context&), void (*restride)(const restride_context&, index&, shape&),
                     void (*gradient)(gradient_context&)) {
  return {.name = name, .label = name, .facts = fact::view, .rule = rule, .restride = restride, .gradient = gradient};
}
template <taken_axis (*Takes)(stretch<attribute_view>, int, int)>
constexpr void restride_taken_axes(const restride_context& c, index& offset, shape& strides) {
  strides.rank = c.result.rank;
  for (int a = 0; a < c.input.rank; ++a) {
    const auto [s, to] = Takes(c.attributes, a, c.input.rank);
    const index low = place_on_axis(s, s.low, c.input[a]), high = place_on_axis(s, s.high, c.input[a]);
    if (low < high) offset += first_place(s, c.input[a]) * c.input_strides[a];
    if (to >= 0) strides[to] = stride_of_slice(s, c.input_strides[a]);
  }
}
// A view that takes a slice of each axis.
template <taken_axis (*Takes)(stretch<attribute_view>, int, int)>
constexpr op view_op(std::string_view name, void (*rule)(rule_context&), void (*gradient)(gradient_context&)) {
  op o = view_op(name, rule, restride_taken_axes<Takes>, gradient);
  o.facts = o.facts | fact::takes_slices;
  o.takes = Takes;
  return o;
}
constexpr op copying_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs = 0,
                        void (*gradient)(gradient_context&) = no_gradient) {
  return {.name = name, .label = name, .rule = rule, .free_inputs = free_inputs, .flops = no_flops, .gradient = gradient};
}
// Along one axis.
constexpr op axis_op(std::string_view name, void (*rule)(rule_context&), fact facts = fact::none,
                     void (*gradient)(gradient_context&) = no_gradient) {
  op o = copying_op(name, rule, 0, gradient);
  o.facts = facts;
  o.flops = elements_of_first_input;
  return o;
}

// Adds to a part of the first input.
constexpr void first_rule(rule_context& c) { c.result = c.inputs[0]; }
constexpr op view_update_op(std::string_view name, void (*gradient)(gradient_context&), void (*rule)(rule_context&) = first_rule) {
  return {.name = name, .label = name, .facts = fact::updates, .rule = rule, .flops = no_flops, .gradient = gradient};
}

constexpr void view_gradient(gradient_context& c, const op& add_to_view) {
  c.give_into(0, add_to_view, {c.full_adjoint()}, c.attributes());
}
constexpr void view_update_gradient(gradient_context& c, const op& view) {
  c.give(0, c.adjoint());
  if (c.wants(1)) c.give(1, c.call_alike(view, {c.full_adjoint()}));
}
// Of what is undone by itself.
constexpr void view_again_gradient(gradient_context& c) { c.give(0, c.call_alike(c.node().kind(), {c.full_adjoint()})); }

// The axis that an attribute names, in a result of this rank.
template <class Attributes>
constexpr int axis_attribute(int rank, std::string_view key = "axis") {
  index a = find_attribute(Attributes::view(), key).values[0];
  return static_cast<int>(a < 0 ? a + rank : a);
}

// Kernels get attributes that are a type and views whose rank is part of theirs, or values of both: what they ask of them is a
// constant or found out by each run.
template <class Attributes>
concept static_attributes = requires { typename std::integral_constant<std::size_t, Attributes::view().size()>; };
template <class View>
concept static_rank = requires { typename std::integral_constant<int, View::rank()>; };

template <text Key, class Attributes>
[[gnu::always_inline]] constexpr attribute_view attribute_of(const Attributes& attributes) {
  if constexpr (static_attributes<Attributes>) {
    constexpr attribute_view found = find_attribute(Attributes::view(), Key.view());
    return found;
  } else {
    return find_attribute(attributes.view(), Key.view());
  }
}
template <text Key = "axis", class Attributes, class View>
[[gnu::always_inline]] constexpr int axis_of(const Attributes& attributes, const View& of) {
  if constexpr (static_attributes<Attributes> && static_rank<View>) {
    constexpr int axis = axis_attribute<Attributes>(View::rank(), Key.view());
    return axis;
  } else {
    const index a = attribute_of<Key>(attributes).values[0];
    return static_cast<int>(a < 0 ? a + of.rank() : a);
  }
}

// Calls f with every one of several inputs, or of a list of them.
template <class F, class... In>
[[gnu::always_inline]] inline void for_each_input(F&& f, const In&... in) {
  (f(in), ...);
}
template <class F, class List>
  requires(List::is_list)
void for_each_input(F&& f, const List& in) {
  in.each(f);
}

// Adds elements along one axis. As many as a register holds are read before any is written: compilers make registers of these.
template <class T>
void add_along_axis(T* to, index step, const T* from, index from_step, index n) {
  index i = 0;
  if (step == 0) {
    T sum = *to;
    for (; i < n; ++i) sum = static_cast<T>(sum + from[i * from_step]);
    *to = sum;
    return;
  }
  if (step == 1 && from_step == 1) {
    constexpr index block = static_cast<index>(64 / sizeof(T));
    for (; i + block <= n; i += block) {
      T sums[64 / sizeof(T)];
      for (index k = 0; k < block; ++k) sums[k] = static_cast<T>(to[i + k] + from[i + k]);
      for (index k = 0; k < block; ++k) to[i + k] = sums[k];
    }
  }
  for (; i < n; ++i) to[i * step] = static_cast<T>(to[i * step] + from[i * from_step]);
}

// Adds a view to elements at these strides.
template <class T, class In>
void add_strided(T* to, const shape& strides, const In& in) {
  if (in.size() == 0) return;
  const T* from = in.data();
  const int last = in.rank() - 1;
  if (last < 0) return add_along_axis(to, 0, from, 0, 1);
  index at[max_rank + 1] = {};
  for (;;) {
    add_along_axis(to, strides[last], from, in.stride(last), in.extent(last));
    int a = last - 1;
    for (; a >= 0; --a) {
      from += in.stride(a);
      to += strides[a];
      if (++at[a] < in.extent(a)) break;
      from -= in.stride(a) * in.extent(a);
      to -= strides[a] * in.extent(a);
      at[a] = 0;
    }
    if (a < 0) return;
  }
}

/// Adds a part to what a view of the result shows, or puts it in the place of that.
template <const op& View, bool Adds = true>
class view_update_kernel {
  // Larger parts go by what knows how to move rows.
  static constexpr index most_unrolled = 64;

 public:
  // Extents and strides that are known at compile time.
  template <class Attributes, class T, index... E, index... P>
    requires(shape{sizeof...(E), {E...}}.is_static() && shape{sizeof...(P), {P...}}.is_static() &&
             shape{sizeof...(P), {P...}}.size() <= most_unrolled)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const T, P...>& part) {
    if (in.data() != out.data()) std::copy_n(in.data(), in.size(), out.data());
    constexpr place where = place_of(Attributes::view(), shape{sizeof...(E), {E...}}, shape{sizeof...(P), {P...}});
    const T* from = part.data();
    change<where, 0, P...>(out.data() + where.offset, from);
  }
  template <class Attributes, class Out, class In, class Part>
  static void run(Attributes attributes, const Out& out, const In& in, const Part& part) {
    if (in.data() != out.data()) copy_strided(out.data(), out.strides(), in.data(), in.strides(), in.shape());
    const place where = place_of(attributes.view(), out.shape(), part.shape());
    if constexpr (Adds) add_strided(out.data() + where.offset, where.strides, part);
    else if (part.size() > 0) copy_strided(out.data() + where.offset, where.strides, part.data(), part.strides(), part.shape());
  }

 private:
  struct place {
    index offset;
    shape strides;
  };
  static constexpr place place_of(stretch<attribute_view> attributes, const shape& whole, const shape& part) {
    place out{0, part};
    if (part.size() > 0) View.restride({attributes, whole, row_major_strides(whole), part}, out.offset, out.strides);
    return out;
  }
  template <place Where, int Axis, index... P, class T>
  [[gnu::always_inline]] static void change(T* to, const T*& from) {
    constexpr index extents[] = {P..., 1};
    if constexpr (Axis == sizeof...(P)) {
      if constexpr (Adds) *to = static_cast<T>(*to + *from++);
      else *to = *from++;
    } else {
      for (index i = 0; i < extents[Axis]; ++i) change<Where, Axis + 1, P...>(to + i * Where.strides[Axis], from);
    }
  }
};

}  // namespace detail

}  // namespace jig
