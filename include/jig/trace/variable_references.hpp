// SPDX-License-Identifier: MIT
#pragma once
// The variables of a structure by name, their types lost: what files of variables are read from and written to.

#include <jig/adapt/structure.hpp>
#include <jig/core/any_view.hpp>
#include <jig/trace/variable.hpp>

#include <vector>

namespace jig::detail {

/// How a variable whose extents are not all static takes a tensor of other ones: one is made, filled, then moved in.
struct replaced_elements {
  void* (*make)(const shape&);
  void* (*elements)(void* made);
  void (*move_in)(void* variable, void* made) noexcept;
  void (*drop)(void* made) noexcept;
};
template <class V>
inline constexpr replaced_elements replaced_elements_of{
    [](const shape& extents) -> void* { return new typename V::tensor_type(uninitialized, extents); },
    [](void* made) -> void* { return static_cast<typename V::tensor_type*>(made)->data(); },
    [](void* v, void* made) noexcept {
      variable_access::tensor_of(*static_cast<V*>(v)) = std::move(*static_cast<typename V::tensor_type*>(made));
    },
    [](void* made) noexcept { delete static_cast<typename V::tensor_type*>(made); }};

/// One variable, which has to outlive this.
struct variable_reference {
  std::string name;
  tensor_spec declared;  // with its wildcards
  any_view elements;     // dense; those of a variable that is not constant may be written
  void* variable;
  const replaced_elements* replaced;  // null where all extents are static
};

template <class X>
void append_references(std::vector<variable_reference>& out, X& x, const std::string& name) {
  using Plain = std::remove_const_t<X>;
  using S = structure<Plain>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_references(out, S::template get<I>(x), name + (name.empty() ? "" : "/") + std::string(S::template name<I>())), ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<Plain>) {
    constexpr tensor_spec declared = Plain::spec_type::value();
    const replaced_elements* replaced = nullptr;
    if constexpr (!declared.shape.is_static()) replaced = &replaced_elements_of<Plain>;
    out.push_back({name.empty() ? "variable" : name,
                   declared,
                   {declared.dtype, x.value().data(), x.shape(), x.value().strides()},
                   const_cast<Plain*>(&x),
                   replaced});
  }
}

}  // namespace jig::detail

namespace jig {

/// The variables of a structure in their order, with the names that `variables` lists; a variable alone is called `variable`. Changes of
/// their extents make what this returns invalid.
template <class X>
std::vector<detail::variable_reference> variable_references(X& x) {
  std::vector<detail::variable_reference> out;
  detail::append_references(out, x, "");
  return out;
}

}  // namespace jig
