// SPDX-License-Identifier: MIT
#pragma once
// Makes a graph of an ONNX model and its bodies, node by node. Nodes are appended with their attributes as values, as run-time traces do it
// one level below the functions on dynamic symbols: those take axes and extents as template arguments, which a file has as numbers.

#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>
#include <jig/io/named_graph.hpp>
#include <jig/io/onnx/graph_in_making.hpp>
#include <jig/io/onnx/model.hpp>
#include <jig/io/onnx/value.hpp>
#include <jig/runtime/all_kernels.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jig::onnx {

/// Makes nodes of a jig graph.
class maker : public graph_in_making {
 public:
  using graph_in_making::graph_in_making;

  shape extents(edge e) const { return spec(e).shape; }
  dtype type(edge e) const { return spec(e).dtype; }
  int rank(edge e) const { return spec(e).shape.rank; }

  /// A node.
  /// Errors: what the op refuses, and what goes beyond the limits, throws invalid_argument.
  edge call(const op& kind, const list<edge>& inputs, const std::vector<attr>& with = {}) {
    list<attribute_view> views;
    for (const auto& a : with) views.push_back({a.key, a.kind, a.values, a.text, {}});
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(spec(e));
    if (kind.is(fact::composite)) {
      const expansion listed = detail::expand(kind, specs, views);
      if (listed.failed()) detail::throw_invalid_argument(listed.why().view());
      require_room(listed.nodes().size());
      return detail::append_expansion(made, listed.nodes(), inputs)[0];
    }
    require_room(1);
    const auto asked = [&](int port) {
      const detail::inference found = detail::infer(kind, specs, views, port);
      if (found.failed) detail::throw_invalid_argument(refusal(kind, found.failure, specs).view());
      require_size(found.result);
      return found.result;
    };
    const edge first = made.add(kind, asked(0), inputs, views);
    for (int port = 1; port < kind.outputs; ++port) made.add_output(asked(port));
    return first;
  }
  edge unary(const op& kind, edge x) { return call(kind, {x}); }
  edge binary(const op& kind, edge x, edge y) { return call(kind, {x, y}); }

  /// Constants.
  edge constant(const any_tensor& t) {
    const any_tensor dense = t.is_dense() ? t : any_tensor(t.view());
    const tensor_spec s{t.dtype(), t.shape()};
    require_size(s);
    require_room(1);
    elements_ += s.shape.size();
    if (elements_ > limits().elements) detail::throw_invalid_argument("constants have more elements than load_limits allow");
    list<std::uint64_t> words(static_cast<int>(s.shape.size()));
    list<char> characters;
    detail::with_type_of(s.dtype, [&]<class T>(const T&) {
      const T* x = static_cast<const T*>(dense.data());
      for (std::uint64_t& to : words) {
        if constexpr (std::is_same_v<T, std::string>) {
          to = x->size();
          for (const char c : *x) characters.push_back(c);
        } else {
          to = detail::to_word(*x);
        }
        ++x;
      }
    });
    const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words},
                                   {"text", attribute_kind::text, {}, {characters.data(), characters.size()}, {}}};
    const edge e = made.add(ops::constant, s, {}, {with, s.dtype == dtype::string ? 2u : 1u});
    note(e, dense);
    return e;
  }
  template <class T>
  edge constants(const std::vector<T>& values, dtype d = dtype_of<T>) {
    any_tensor t = any_tensor::empty(d, shape{1, {static_cast<index>(values.size())}});
    detail::with_type_of(d, [&]<class E>(const E&) {
      if constexpr (!std::is_same_v<E, std::string>)
        for (std::size_t i = 0; i < values.size(); ++i) static_cast<E*>(t.mutable_data())[i] = converted<E>(values[i]);
    });
    return constant(t);
  }
  /// A scalar of this dtype.
  template <class N>
  edge number(dtype d, N value) {
    any_tensor t = any_tensor::empty(d, {});
    detail::with_type_of(d, [&]<class E>(const E&) {
      if constexpr (std::is_same_v<E, std::string>) detail::throw_invalid_argument("a number cannot become a string");
      else *static_cast<E*>(t.mutable_data()) = converted<E>(value);
    });
    return constant(t);
  }
  /// The same beside another value.
  template <class N>
  edge number_like(edge x, N value) {
    return number(type(x), value);
  }

  // What most ops are made of.
  edge add(edge x, edge y) { return binary(ops::add, x, y); }
  edge sub(edge x, edge y) { return binary(ops::subtract, x, y); }
  edge mul(edge x, edge y) { return binary(ops::multiply, x, y); }
  edge div(edge x, edge y) { return binary(is_floating(type(x)) ? ops::divide : ops::truncate_divide, x, y); }
  edge maximum(edge x, edge y) { return binary(ops::maximum, x, y); }
  edge minimum(edge x, edge y) { return binary(ops::minimum, x, y); }
  edge select(edge c, edge x, edge y) { return call(ops::select, {c, x, y}); }
  edge scaled(edge x, double by) { return by == 1 ? x : mul(x, number_like(x, by)); }
  edge cast(edge x, dtype to) { return type(x) == to ? x : call(ops::cast, {x}, {attr::type("DstT", to)}); }
  edge reduce(const op& kind, edge x, const list<index>& axes, bool keep) {
    if (axes.empty() && rank(x) > 0) return x;
    return call(kind, {x}, {attr::ints("axes", axes), attr::flag("keep_dims", keep)});
  }
  edge reshape(edge x, const list<index>& to) {
    const shape s = extents(x);
    bool same = s.rank == static_cast<int>(to.size());
    for (int a = 0; same && a < s.rank; ++a) same = s[a] == to[a] && is_static_extent(s[a]);
    return same ? x : call(ops::reshape, {x}, {attr::ints("shape", to)});
  }
  edge transpose(edge x, const list<index>& order) { return call(ops::transpose, {x}, {attr::ints("perm", order)}); }
  edge expand_dims(edge x, index axis) { return call(ops::expand_dims, {x}, {attr::number("dim", axis)}); }
  edge squeeze(edge x, const list<index>& axes) { return axes.empty() ? x : call(ops::squeeze, {x}, {attr::ints("squeeze_dims", axes)}); }
  edge broadcast_to(edge x, const list<index>& to) { return call(ops::broadcast_to, {x}, {attr::ints("shape", to)}); }
  edge concat(const list<edge>& x, index axis) {
    if (x.size() == 1) return x[0];
    return call(ops::concat, x, {attr::number("axis", axis)});
  }
  edge gather(edge x, edge positions, index axis) { return call(ops::gather, {x, positions}, {attr::number("axis", axis)}); }
  /// From begin to end along one axis; both count from the start.
  edge part(edge x, int axis, index begin, index end) {
    const index before = (index{1} << axis) - 1;
    list<index> b, e, s;
    for (int a = 0; a <= axis; ++a) {
      b.push_back(a == axis ? begin : 0);
      e.push_back(a == axis ? end : 0);
      s.push_back(1);
    }
    return call(ops::strided_slice, {x},
                {attr::ints("begin", b), attr::ints("end", e), attr::ints("strides", s), attr::number("begin_mask", before),
                 attr::number("end_mask", before), attr::number("shrink_axis_mask", 0)});
  }
  /// One position along an axis, which goes.
  edge item(edge x, int axis, index at) { return squeeze(part(x, axis, at, at + 1), {axis}); }
  edge pad(edge x, const list<index>& paddings, edge with) { return call(ops::pad, {x, with}, {attr::ints("paddings", paddings)}); }
  /// With its last two axes exchanged.
  /// Errors: fewer axes throw invalid_argument.
  edge transposed(edge x) {
    if (rank(x) < 2) detail::throw_invalid_argument("a matrix is expected");
    list<index> order;
    for (int a = 0; a < rank(x); ++a) order.push_back(a);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return transpose(x, order);
  }
  edge matmul(edge x, edge y, bool tx = false, bool ty = false) {
    return call(rank(x) > 2 || rank(y) > 2 ? ops::batch_matmul : ops::matmul, {x, y},
                {attr::flag("transpose_a", tx), attr::flag("transpose_b", ty)});
  }

  /// Whether a call will tell extents that are not known now.
  bool awaits_call = false;

  /// The extents, all of which must be numbers.
  /// Errors: others throw invalid_argument, or elements_needed where a call will tell them.
  shape static_extents(edge e) {
    const shape s = extents(e);
    if (!s.is_static()) raise_unknown_extents();
    return s;
  }

  /// The extent of one axis, which must be a number; others may be wildcards.
  /// Errors: as static_extents
  index static_extent(edge e, int axis) {
    const index n = extents(e)[axis];
    if (!is_static_extent(n)) raise_unknown_extents();
    return n;
  }

  std::vector<index> known_integers(edge e) {
    const any_tensor t = cast_known(e, dtype::int64);
    const auto* x = static_cast<const std::int64_t*>(t.data());
    return {x, x + t.size()};
  }
  std::vector<double> known_reals(edge e) {
    const any_tensor t = cast_known(e, dtype::float64);
    const auto* x = static_cast<const double*>(t.data());
    return {x, x + t.size()};
  }
  bool known_truth(edge e) {
    const auto x = known_integers(e);
    if (x.size() != 1) detail::throw_invalid_argument("a condition has one element");
    return x[0] != 0;
  }
  index known_integer(edge e) {
    const auto x = known_integers(e);
    if (x.size() != 1) detail::throw_invalid_argument("one number is expected");
    return x[0];
  }
  double known_real(edge e) {
    const auto x = known_reals(e);
    if (x.size() != 1) detail::throw_invalid_argument("one number is expected");
    return x[0];
  }

  /// An argument of the graph.
  edge argument(const tensor_spec& s, std::string_view name) {
    require_room(1);
    require_size(s);
    const attribute_view with[] = {{"name", attribute_kind::text, {}, name, {}}};
    const edge e = made.add(ops::placeholder, s, {}, with);
    made.input_nodes.push_back(e.node);
    return e;
  }

  [[noreturn]] void raise_unknown_extents() const {
    if (awaits_call) raise_needed({});
    detail::throw_invalid_argument("the extents must be known");
  }

 private:
  // As a cast converts: numbers of files may be none of the dtype.
  template <class E, class N>
  static E converted(N value) {
    if constexpr (is_storage_float<E>) return E(static_cast<float>(value));
    else return functor<ops::cast>::convert<E>(value);
  }
  any_tensor cast_known(edge e, dtype to) {
    if (type(e) == dtype::string) detail::throw_invalid_argument("a number is expected in place of a string");
    const any_tensor found = known(e);
    if (found.dtype() == to) return found.is_dense() ? found : any_tensor(found.view());
    const index as = static_cast<index>(to);
    const attribute_view with[] = {{"DstT", attribute_kind::type, {&as, 1}}};
    return detail::op_run<>(ops::cast, with, {found.view()})(1)[0];
  }
  index elements_ = 0;
};

}  // namespace jig::onnx
