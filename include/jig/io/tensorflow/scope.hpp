// SPDX-License-Identifier: MIT
#pragma once
// Where nodes of TensorFlow's are added while a graph is written: the graph itself, or a function of its library.

#include <jig/core/any_view.hpp>
#include <jig/graph/names.hpp>
#include <jig/graph/verify.hpp>
#include <jig/io/tensorflow/messages.hpp>
#include <jig/io/tensorflow/names.hpp>
#include <jig/trace/builder.hpp>

#include <bit>

namespace jig::detail::tensorflow {

inline named_attr type_attr(std::string_view key, int type) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::type;
  a.value.i = type;
  return a;
}
inline named_attr type_attr(std::string_view key, dtype d) { return type_attr(key, type_of_dtype(d)); }
inline named_attr bool_attr(std::string_view key, bool value) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::b;
  a.value.i = value;
  return a;
}
inline named_attr int_attr(std::string_view key, index value) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::i;
  a.value.i = value;
  return a;
}
inline named_attr text_attr(std::string_view key, std::string_view value) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::s;
  a.value.s = value;
  return a;
}
inline named_attr func_attr(std::string_view key, std::string_view value) {
  named_attr a = text_attr(key, value);
  a.value.kind = attr_kind::func;
  return a;
}
template <class Items, class Entry>
named_attr list_attr(std::string_view key, attr_kind of, const Items& items, Entry entry) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::list;
  a.value.of = of;
  for (const auto& x : items) a.value.list.push_back(entry(x).value);
  return a;
}
template <class Numbers>
named_attr ints_attr(std::string_view key, const Numbers& numbers) {
  return list_attr(key, attr_kind::i, numbers, [](index x) { return int_attr("", x); });
}
template <class Dtypes>
named_attr types_attr(std::string_view key, const Dtypes& dtypes) {
  return list_attr(key, attr_kind::type, dtypes, [](dtype d) { return type_attr("", d); });
}

/// A shape; extents with names have them.
inline shape_message shape_message_of(const shape& s) {
  shape_message out;
  for (int a = 0; a < s.rank; ++a) {
    auto& d = out.dims.emplace_back();
    d.size = is_static_extent(s[a]) ? s[a] : -1;
    if (is_named_extent(s[a])) {
      message m;
      append_extent(m, s[a]);
      d.name = m.view();
    }
  }
  return out;
}
inline named_attr shape_attr(std::string_view key, const shape& s) {
  named_attr a{std::string(key), {}};
  a.value.kind = attr_kind::shape;
  a.value.shape = shape_message_of(s);
  return a;
}

/// The bytes of elements that are words of a graph, little-endian.
inline std::string bytes_of_words(dtype d, stretch<std::uint64_t> words) {
  std::string out;
  const std::size_t size = size_of(d);
  out.reserve(size * words.size());
  for (const std::uint64_t w : words)
    for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<char>((w >> (8 * i)) & 255));
  return out;
}

/// A number as a word of a graph.
inline std::uint64_t word_of(dtype d, double x) {
  return with_type_of(d, [&](auto element) -> std::uint64_t {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::string>) return 0;
    else return to_word(static_cast<T>(x));
  });
}

/// One output of a node that was written.
struct written_value {
  std::string node;
  int port = 0;
  std::string_view output = "output";  // its name
  int place = 0;                       // among the outputs of this name
  bool is_argument = false;            // of the function
  tensor_spec spec{};
};

/// Nodes under way.
class scope {
 public:
  scope(std::vector<node_def>& nodes, bool in_function) : nodes_(nodes), in_function_(in_function) {}

  name_scope names;
  /// The last node with effects, behind which the next one runs; empty if there is none.
  std::string last_effect;

  bool in_function() const { return in_function_; }
  std::string reference(const written_value& v) const {
    if (in_function_) return v.is_argument ? v.node : v.node + ':' + std::string(v.output) + ':' + std::to_string(v.place);
    return v.port == 0 ? v.node : v.node + ':' + std::to_string(v.port);
  }

  /// Adds a node and returns its first output, of this spec.
  written_value add(std::string_view op, std::string_view name, const std::vector<written_value>& inputs, std::vector<named_attr> attrs,
                    const tensor_spec& spec, std::string_view output = "output") {
    node_def& n = nodes_.emplace_back();
    n.name = names.unique(std::string(name));
    n.op = op;
    for (const auto& x : inputs) n.input.push_back(reference(x));
    n.attr = std::move(attrs);
    return {n.name, 0, output, 0, false, spec};
  }
  node_def& last() { return nodes_.back(); }
  /// Makes the last node one with effects.
  void mark_effect() {
    if (!last_effect.empty()) last().input.push_back('^' + last_effect);
    last_effect = last().name;
  }

  /// A node of an op with one type attribute `T`.
  written_value call(std::string_view op, std::string_view name, const std::vector<written_value>& inputs, const tensor_spec& spec,
                     std::string_view output = "output") {
    return add(op, name, inputs, {type_attr("T", inputs[0].spec.dtype)}, spec, output);
  }
  written_value binary(std::string_view op, std::string_view name, const written_value& x, const written_value& y,
                       const tensor_spec& spec) {
    return call(op, name, {x, y}, spec, "z");
  }

  written_value constant(std::string_view name, const tensor_spec& spec, stretch<std::uint64_t> words, std::string_view text = "") {
    named_attr value{"value", {}};
    value.value.kind = attr_kind::tensor;
    tensor_message& t = value.value.tensor;
    t.dtype = type_of_dtype(spec.dtype);
    t.tensor_shape = shape_message_of(spec.shape);
    if (spec.dtype == dtype::string) {
      for (const std::uint64_t length : words) {
        t.string_val.emplace_back(text.substr(0, static_cast<std::size_t>(length)));
        text.remove_prefix(static_cast<std::size_t>(length));
      }
    } else if (spec.shape.rank == 0) {
      t.words.assign(words.begin(), words.end());
    } else {
      t.tensor_content = bytes_of_words(spec.dtype, words);
    }
    return add("Const", name, {}, {type_attr("dtype", spec.dtype), std::move(value)}, spec);
  }
  written_value string(std::string_view name, std::string_view text) {
    const std::uint64_t length = text.size();
    return constant(name, {dtype::string, {}}, {&length, 1}, text);
  }
  /// Integers as a vector.
  template <class Numbers>
  written_value integers(std::string_view name, const Numbers& numbers, dtype d = dtype::int32) {
    std::vector<std::uint64_t> words;
    for (const index x : numbers) words.push_back(static_cast<std::uint64_t>(x));
    return constant(name, {d, shape{1, {static_cast<index>(words.size())}}}, words);
  }
  written_value integer(std::string_view name, index x, dtype d = dtype::int32) {
    const auto word = static_cast<std::uint64_t>(x);
    return constant(name, {d, {}}, {&word, 1});
  }
  written_value number(std::string_view name, dtype d, double x) {
    const std::uint64_t word = word_of(d, x);
    return constant(name, {d, {}}, {&word, 1});
  }

  /// The extents of a value, as a vector of int32.
  written_value shape_of(const std::string& name, const written_value& x) {
    return add("Shape", name, {x}, {type_attr("T", x.spec.dtype), type_attr("out_type", dtype::int32)},
               {dtype::int32, shape{1, {x.spec.shape.rank}}});
  }
  /// One extent, as a scalar.
  written_value extent_of(const std::string& name, const written_value& x, int axis) {
    if (is_static_extent(x.spec.shape[axis])) return integer(name, x.spec.shape[axis]);
    const auto all = shape_of(name + "/Shape", x);
    const index from[] = {axis}, to[] = {axis + 1}, one[] = {1};
    const auto begin = integers(name + "/begin", from), end = integers(name + "/end", to), strides = integers(name + "/strides", one);
    return add("StridedSlice", name, {all, begin, end, strides},
               {type_attr("T", dtype::int32), type_attr("Index", dtype::int32), int_attr("begin_mask", 0), int_attr("end_mask", 0),
                int_attr("shrink_axis_mask", 1), int_attr("ellipsis_mask", 0), int_attr("new_axis_mask", 0)},
               {dtype::int32, {}});
  }
  written_value pack(const std::string& name, const std::vector<written_value>& scalars) {
    return add("Pack", name, scalars,
               {int_attr("N", static_cast<index>(scalars.size())), type_attr("T", scalars[0].spec.dtype), int_attr("axis", 0)},
               {scalars[0].spec.dtype, shape{1, {static_cast<index>(scalars.size())}}});
  }
  /// The extents of a value whose shape is known, or else those of something that has the same.
  written_value extents(const std::string& name, const shape& s, const written_value& like) {
    if (s.is_static()) return integers(name, stretch<index>(s.extents, static_cast<std::size_t>(s.rank)));
    return shape_of(name, like);
  }

 private:
  std::vector<node_def>& nodes_;
  bool in_function_;
};

/// Gives the last node another type attribute than its first input's.
inline void fix_type(scope& in, std::string_view key, dtype d) {
  for (auto& a : in.last().attr)
    if (a.key == key) a.value.i = type_of_dtype(d);
}

}  // namespace jig::detail::tensorflow
