// SPDX-License-Identifier: MIT
#pragma once
// The ops of tensor arrays: as many elements of one shape as another tensor has along an axis, written one after another.

#include <jig/ops/gather.hpp>

#include <cstring>

namespace jig {

namespace detail {

constexpr void new_array_rule(rule_context& c) {
  const shape& of = c.inputs[0].shape;
  tensor_spec element;
  if (c.inputs.size() > 1) {
    element = c.inputs[1];
  } else {
    element.dtype = static_cast<dtype>(c.integer("T"));
    for (index e : c.integers("shape")) element.shape.push_back(e);
  }
  const attribute_view given = find_attribute(c.attributes, "count");
  const int axis = given.key.empty() ? c.axis(c.integer("axis"), of.rank) : 0;
  if (element.shape.rank == max_rank) c.fail("a tensor has at most 8 axes");
  if (c.failed) return;
  const index count = given.key.empty() ? of[axis] : given.values[0];
  const auto at = static_cast<int>(c.integer("element_axis"));
  shape out;
  for (int a = 0; a <= element.shape.rank; ++a) out.push_back(a == at ? count : element.shape[a < at ? a : a - 1]);
  c.result = {element.dtype, out};
}

constexpr void array_write_rule(rule_context& c) {
  constexpr const char* reason = "the value does not have the shape of an element of the array";
  const shape& array = c.inputs[0].shape;
  const shape& value = c.inputs[2].shape;
  if (!is_integer(c.inputs[1].dtype) || c.inputs[1].shape.rank != 0) return c.fail("the index must be an integer scalar");
  if (c.inputs[0].dtype != c.inputs[2].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  if (array.rank != value.rank + 1) return c.fail(reason);
  const auto at = static_cast<int>(c.integer("element_axis"));
  for (int a = 0; a < value.rank; ++a) c.equal(array[a < at ? a : a + 1], value[a], reason);
  c.result = c.inputs[0];
}

}  // namespace detail

namespace ops {

/// An array of zeros with one element for each position along an axis of the first input, or as many as attribute `count` says.
/// Elements are like the second input or, without one, as attributes `T` and `shape` say. Attribute `element_axis`: along which axis
/// of the array they lie, 0 unless it is there; `uninitialized`: there need not be zeros.
inline constexpr op new_array{.name = "TensorListReserve",
                              .label = "TensorListReserve",
                              .rule = detail::new_array_rule,
                              .free_inputs = 3,
                              .gradient = detail::zero_gradient,
                              .operands = {.moves = true, .shapes = 3}};

/// The array with another element at an index. Inputs: array, index, element. Attribute `element_axis` as above.
inline constexpr op array_write{.name = "TensorListSetItem",
                                .label = "TensorListSetItem",
                                .facts = fact::updates | fact::checked | fact::dynamic_update,
                                .rule = detail::array_write_rule,
                                .free_inputs = 2,
                                .gradient =
                                    [](gradient_context& c) {
                                      auto g = c.full_adjoint();
                                      const index axis = c.integer("element_axis");
                                      attribute_view with{"axis", attribute_kind::integer, {&axis, 1}};
                                      // Read before it is overwritten, so that this may happen in place.
                                      auto element = c.call(gather, {g, c.input(1)}, {&with, 1});
                                      if (c.wants(2)) c.give(2, element);
                                      if (c.wants(0)) c.give(0, c.call_alike(c.node().kind(), {g, c.input(1), c.zeros_like(element)}));
                                    },
                                .makes = made_ops<gather>,
                                .operands = {.moves = true, .positions = 2}};

}  // namespace ops

template <>
struct kernel<ops::new_array> {
  template <class Attributes>
  static constexpr bool does_nothing = !find_attribute(Attributes::view(), "uninitialized").key.empty();
  template <class Attributes, class Out, class... In>
  static void run(Attributes attributes, const Out& out, const In&...) {
    if (!detail::attribute_of<"uninitialized">(attributes).key.empty()) return;
    std::fill_n(out.data(), out.size(), typename Out::value_type());
  }
};
template <>
struct kernel<ops::array_write> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I>& at, const dense_view<const T, U...>& x) {
    constexpr int axis = element_axis(Attributes());
    if constexpr (axis == 0) {
      detail::update_part("TensorListSetItem", out, in, at, x, detail::take_update);
    } else {
      write(out, in, static_cast<index>(*at.data()), axis, [&](T* to, index offset, index n) {
        if constexpr (std::is_trivially_copyable_v<T>) std::memcpy(to, x.data() + offset, static_cast<std::size_t>(n) * sizeof(T));
        else std::copy_n(x.data() + offset, n, to);
      });
    }
  }
  template <class Attributes, class Out, class In, class Index, class Element>
  static void run(Attributes attributes, const Out& out, const In& in, const Index& at, const Element& x) {
    const int axis = element_axis(attributes);
    const detail::part_shape part(x.shape(), x.strides(), axis);
    detail::element_cursor<Element> rest(x);
    write(out, in, static_cast<index>(*at.data()), axis, [&](auto* to, index, index n) {
      if (axis == 0) part.copy(to, x.data());
      else
        for (index k = 0; k < n; ++k) to[k] = rest.next();
    });
  }

 private:
  template <class Attributes>
  static constexpr int element_axis(const Attributes& attributes) {
    const auto given = detail::attribute_of<"element_axis">(attributes).values;
    return given.empty() ? 0 : static_cast<int>(given[0]);
  }
  // Calls copy(to, offset, n) for every run of contiguous elements of the array that the element with number i has.
  template <class Out, class In, class Copy>
  [[gnu::always_inline]] static void write(const Out& out, const In& in, index i, int axis, Copy copy) {
    const index count = out.extent(axis);
    if (i < 0 || i >= count) [[unlikely]]
      detail::throw_bad_index("TensorListSetItem", i, 0, count);
    if (in.data() != out.data()) [[unlikely]]
      detail::copy_unless_there(out, in);
    const index outer = detail::elements_along(out, 0, axis), inner = detail::elements_along(out, axis + 1, out.rank());
    for (index o = 0; o < outer; ++o) copy(out.data() + (o * count + i) * inner, o * inner, inner);
  }
};

}  // namespace jig
