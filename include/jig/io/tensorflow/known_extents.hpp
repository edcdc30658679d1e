// SPDX-License-Identifier: MIT
#pragma once
// What is known of integers before a call: that they are numbers, or extents of some value. TensorFlow computes extents with ordinary
// nodes, where jig has attributes.

#include <jig/graph/graph.hpp>
#include <jig/io/hash_map.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jig::detail::tensorflow {

/// A number times extents of values.
struct known_term {
  struct factor {
    edge of;
    int axis;
    bool operator==(const factor&) const = default;
  };
  index number = 1;
  std::vector<factor> factors{};
  bool operator==(const known_term&) const = default;
};

/// The integers of a graph of which something is known: scalars and short vectors.
class known_extents {
 public:
  using terms = std::vector<known_term>;

  /// What is known of a value, or null.
  constexpr const terms* find(const edge& e) const { return known_.find(key(e)); }
  constexpr void set(const edge& e, terms t) { known_.set(key(e), std::move(t)); }

  /// Lines that are formatted, by the node that stands for one.
  struct line {
    std::vector<edge> inputs;
    std::string text, placeholder;
  };
  hash_map<int, line> lines;

  /// The value to whose extents axes that are kept apart lead: those that BroadcastGradientArgs gives.
  constexpr const edge* find_reduced(const edge& axes) const { return reduced_.find(key(axes)); }
  constexpr void set_reduced(const edge& axes, const edge& to) { reduced_.set(key(axes), to); }

  constexpr void note_constant(const edge& e, const tensor_spec& s, stretch<std::uint64_t> words) {
    if (!is_integer(s.dtype) || words.size() > most) return;
    terms t;
    for (const std::uint64_t w : words) t.push_back({static_cast<index>(w), {}});
    set(e, std::move(t));
  }

  /// What follows for the results of a node. Of the importer it asks specs.
  template <class Importer>
  constexpr void note_node(const Importer& in, std::string_view op, const std::vector<edge>& inputs, const std::vector<edge>& results) {
    if (results.size() != 1 || inputs.empty() || find(results[0]) != nullptr) return;
    const tensor_spec result = in.spec(results[0]);
    if (!is_integer(result.dtype) || result.shape.rank > 1) return;
    if (op == "Shape" || op == "Size") {
      const shape s = in.spec(inputs[0]).shape;
      terms t;
      for (int a = 0; a < s.rank; ++a) {
        if (is_static_extent(s[a])) t.push_back({s[a], {}});
        else t.push_back({1, {{inputs[0], a}}});
      }
      if (op == "Size") t = {product(t)};
      return set(results[0], std::move(t));
    }
    if (op == "Pack" || op == "ConcatV2") {
      terms t;
      const std::size_t count = op == "Pack" ? inputs.size() : inputs.size() - 1;
      for (std::size_t k = 0; k < count; ++k) {
        const terms* const part = find(inputs[k]);
        if (part == nullptr || t.size() + part->size() > most) return;
        t.insert(t.end(), part->begin(), part->end());
      }
      return set(results[0], std::move(t));
    }
    const terms* const x = find(inputs[0]);
    if (x == nullptr) return;
    if (op == "Prod") return set(results[0], {product(*x)});
    if (op == "Cast" || op == "Identity" || op == "Reshape" || op == "ExpandDims" || op == "Squeeze") return set(results[0], *x);
    if (op == "StridedSlice" || op == "GatherV2") return note_part(op, inputs, result, *x, results[0]);
    const terms* const y = inputs.size() == 2 ? find(inputs[1]) : nullptr;
    if (y == nullptr || (x->size() != y->size() && x->size() != 1 && y->size() != 1)) return;
    terms t;
    for (std::size_t k = 0; k < (x->size() > y->size() ? x->size() : y->size()); ++k) {
      const known_term &a = (*x)[x->size() == 1 ? 0 : k], &b = (*y)[y->size() == 1 ? 0 : k];
      if (op == "Mul") {
        t.push_back(product({a, b}));
        continue;
      }
      if (!a.factors.empty() || !b.factors.empty()) return;
      index r = 0;
      if (op == "AddV2" || op == "Add") {
        if (!add_extents(a.number, b.number, r)) return;
      } else if (op == "Sub") {
        if (!subtract_extents(a.number, b.number, r)) return;
      } else if (op == "FloorDiv" && b.number > 0 && a.number >= 0) {
        r = a.number / b.number;
      } else if (op == "Maximum") {
        r = a.number > b.number ? a.number : b.number;
      } else if (op == "Minimum") {
        r = a.number < b.number ? a.number : b.number;
      } else {
        return;
      }
      t.push_back({r, {}});
    }
    set(results[0], std::move(t));
  }

 private:
  static constexpr std::size_t most = 4096;
  static constexpr std::uint64_t key(const edge& e) {
    return static_cast<std::uint64_t>(e.node) << 16 ^ static_cast<std::uint64_t>(e.port);
  }
  static constexpr known_term product(const terms& all) {
    known_term out;
    for (const auto& t : all) {
      // What does not fit has no meaning as an extent, and is refused there.
      if (!multiply_extents(out.number, t.number, out.number)) out.number = -2;
      out.factors.insert(out.factors.end(), t.factors.begin(), t.factors.end());
    }
    return out;
  }
  constexpr void note_part(std::string_view op, const std::vector<edge>& inputs, const tensor_spec& result, const terms& x,
                           const edge& to) {
    if (inputs.size() < 2) return;
    const terms* const first = find(inputs[1]);
    if (first == nullptr || first->size() != 1 || !(*first)[0].factors.empty()) return;
    const auto n = static_cast<index>(x.size());
    index begin = (*first)[0].number;
    if (begin < 0) begin += n;
    if (result.shape.rank == 0 || op == "GatherV2") {
      if (begin >= 0 && begin < n) set(to, {x[static_cast<std::size_t>(begin)]});
      return;
    }
    // With a step of 1, as many as the shape rule found. A begin that is masked is 0 in what TensorFlow writes.
    const index count = result.shape[0];
    const terms* const steps = inputs.size() == 4 ? find(inputs[3]) : nullptr;
    if (steps == nullptr || steps->size() != 1 || (*steps)[0].number != 1 || !(*steps)[0].factors.empty() || count < 0 || begin < 0 ||
        begin + count > n)
      return;
    set(to, terms(x.begin() + begin, x.begin() + begin + count));
  }

  hash_map<std::uint64_t, terms> known_;
  hash_map<std::uint64_t, edge> reduced_;
};

}  // namespace jig::detail::tensorflow
