// SPDX-License-Identifier: MIT
#pragma once
// Vectors in place of tensors of scalars: slices of memory, with nothing where it ends, constants, and vectors of which each has some
// lanes.

#include <jig/ops/reshape.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/constant_positions.hpp>

namespace jig::detail {

/// Adds nodes of one shape to a graph, equal ones once.
class superword_vectors {
 public:
  constexpr explicit superword_vectors(graph& out) : out_(out) {}

  /// For vectors of this shape from here on.
  constexpr void begin(const shape& space) {
    space_ = space;
    parts_.clear();
    splits_ = 0;
    padded_ = false;
  }
  constexpr const shape& space() const { return space_; }
  constexpr tensor_spec of(dtype d) const { return {d, space_}; }
  /// Whether a loop over the shape has to read parts of memory as parts of it.
  constexpr bool have_padded_reads() const { return padded_; }
  /// Whether one more vector may be made of two.
  constexpr bool may_split() const { return space_.rank == 1 && splits_ < most_splits; }

  constexpr edge constant(const tensor_spec& spec, stretch<std::uint64_t> bits) { return add_constant(out_, spec, bits); }

  /// Elements of a tensor from `begin` on in `count` lanes behind `before` others.
  struct positions {
    index begin, before, count;
    constexpr bool operator==(const positions&) const = default;
  };
  /// `base` says which tensor it is, `made` where that is in the new graph. No edge if loops could not read it.
  constexpr edge slice(const edge& base, const edge& made, const positions& p) {
    for (const auto& known : parts_)
      if (known.base == base && known.at == p) return known.made;
    const bool whole = p.count == space_.size();
    if (!whole && space_.rank != 1) return nothing;
    const tensor_spec from = out_.view().spec(made);
    const index size = from.shape.size();
    edge shown = from.shape.rank == 1 ? made : reshaped(made, {from.dtype, shape{1, {size}}});
    if (p.begin != 0 || p.count != size) {
      slice_positions along;
      along.add(p.begin, 1, p.count);
      shown = with_attributes(along, [&](stretch<attribute_view> with) {
        return out_.add(ops::strided_slice, {from.dtype, shape{1, {p.count}}}, {&shown, 1}, with);
      });
    }
    if (!whole) shown = padded_read(shown, p.before, p.count);
    if (space_.rank != 1) shown = reshaped(shown, of(from.dtype));
    parts_.push_back({base, p, shown});
    return shown;
  }

  /// One vector in these lanes, another one beside them. No edge if there are too many such vectors.
  constexpr edge selected(index before, index count, const edge& x, const edge& other) {
    if (!may_split() || count <= 0) return nothing;
    ++splits_;
    const edge inputs[] = {inside(before, count), x, other};
    return out_.add(ops::select, of(out_.view().spec(x).dtype), inputs);
  }

 private:
  static constexpr edge nothing{-1, 0};
  static constexpr int most_splits = 4;

  constexpr edge reshaped(const edge& e, const tensor_spec& to) {
    const attribute_view with[] = {
        {"shape", attribute_kind::integers, {to.shape.extents, static_cast<std::size_t>(to.shape.rank)}, {}, {}}};
    return out_.add(ops::reshape, to, {&e, 1}, with);
  }
  // A vector with zeros before and behind it.
  constexpr edge padded_read(const edge& e, index before, index count) {
    padded_ = true;
    const dtype d = out_.view().spec(e).dtype;
    const std::uint64_t zero = 0;
    const edge inputs[] = {e, constant({d, {}}, {&zero, 1})};
    const index paddings[] = {before, space_.size() - before - count};
    const attribute_view with[] = {{"paddings", attribute_kind::integers, {paddings, 2}, {}, {}}};
    return out_.add(ops::pad, of(d), inputs, with);
  }
  // Whether a lane is one of these.
  constexpr edge inside(index before, index count) {
    const positions p{0, before, count};
    for (const auto& known : parts_)
      if (known.base == nothing && known.at == p) return known.made;
    const std::uint64_t yes = 1;
    const edge truth = constant({dtype::boolean, {}}, {&yes, 1});
    const attribute_view with[] = {{"shape", attribute_kind::integers, {&count, 1}, {}, {}}};
    const edge made = padded_read(out_.add(ops::broadcast_to, {dtype::boolean, shape{1, {count}}}, {&truth, 1}, with), before, count);
    parts_.push_back({nothing, p, made});
    return made;
  }

  struct made_part {
    edge base;
    positions at;
    edge made;
  };
  graph& out_;
  shape space_{};
  list<made_part> parts_;
  int splits_ = 0;
  bool padded_ = false;
};

}  // namespace jig::detail
