// SPDX-License-Identifier: MIT
#pragma once
// Batches: elements side by side along a new first axis.

#include <jig/data/sequence.hpp>

namespace jig::data::detail {

/// Batches of a sequence that lies side by side already: views of it. B is the size of each, or a wildcard.
template <class S, index B>
class blocks {
  S source_;
  index size_;
  bool drop_remainder_;

 public:
  using element_type = decltype(source_.template block<B>(0, 0));
  blocks(S source, index size, bool drop_remainder) : source_(std::move(source)), size_(size), drop_remainder_(drop_remainder) {}
  const S& source() const { return source_; }
  index cardinality() const {
    const index all = source_.cardinality();
    return all / size_ + (!drop_remainder_ && all % size_ != 0);
  }
  element_type at(index i) const {
    const index first = i * size_;
    return source_.template block<B>(first, (std::min)(size_, source_.cardinality() - first));
  }
  auto open() const { return sequence_cursor<blocks>(*this); }
};

// What elements are side by side.
template <class Spec, index B>
struct stacked;
template <class T, index... E, index B>
struct stacked<spec<T, E...>, B> {
  using type = tensor<T, B, E...>;
};
template <class E>
inline constexpr bool is_batchable = Argument<E>;
template <class... C>
inline constexpr bool is_batchable<std::tuple<C...>> = (is_batchable<C> && ...);
template <class C, index B>
struct batch_of {
  using type = typename stacked<typename argument<C>::spec_type, B>::type;
};
template <class... C, index B>
struct batch_of<std::tuple<C...>, B> {
  using type = std::tuple<typename batch_of<C, B>::type...>;
};

template <class E, class Each>
void for_each_component(E& batch, const auto& element, const Each& each) {
  if constexpr (is_tuple<E>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (detail::for_each_component(std::get<I>(batch), std::get<I>(element), each), ...);
    }(std::make_index_sequence<std::tuple_size_v<E>>());
  else each(batch, argument<std::remove_cvref_t<decltype(element)>>::bind(element));
}

inline shape batched(index size, const shape& extents) {
  shape all{1, {size}};
  for (int a = 0; a < extents.rank; ++a) all.push_back(extents[a]);
  return all;
}

[[noreturn, gnu::cold]] inline void throw_uneven(index number, const shape& given, const shape& expected) {
  message m;
  m << "batch: element " << number << " has shape ";
  jig::detail::append_numbers(m, given) << ", others in its batch have shape ";
  shape others;
  for (int a = 1; a < expected.rank; ++a) others.push_back(expected[a]);
  jig::detail::throw_invalid_argument(jig::detail::append_numbers(m, others).view());
}

template <class Cursor, index B>
class batch_cursor {
  Cursor source_;
  index size_;
  bool drop_remainder_;
  index number_ = 0;  // of elements before the next
  using upstream = std::remove_cvref_t<decltype(std::declval<Cursor&>().element())>;
  using element_type = typename batch_of<upstream, B>::type;
  std::optional<element_type> batch_;

 public:
  batch_cursor(Cursor source, index size, bool drop_remainder) : source_(std::move(source)), size_(size), drop_remainder_(drop_remainder) {}

  bool next() {
    index count = 0;
    for (; count < size_ && source_.next(); ++count, ++number_) {
      const auto& element = source_.element();
      if (count == 0) begin(element);
      detail::for_each_component(*batch_, element, [&](auto& out, const auto& from) {
        // Axis by axis: shapes as objects would take longer than small rows.
        index size = 1;
        for (int a = 0; a < from.rank(); ++a) {
          if (from.extent(a) != out.extent(a + 1)) throw_uneven(number_, from.shape(), out.shape());
          size *= from.extent(a);
        }
        detail::copy_view(from, out.data() + count * size);
      });
    }
    if (count == 0 || (count < size_ && (drop_remainder_ || B != dyn))) return false;
    if constexpr (B == dyn)
      if (count < size_) end(count);
    return true;
  }
  const element_type& element() const { return *batch_; }
  element_type take() {
    element_type out = std::move(*batch_);
    batch_.reset();
    return out;
  }

 private:
  // Places for a whole batch of elements like this one.
  void begin(const auto& element) {
    if (!batch_) batch_.emplace();
    detail::for_each_component(*batch_, element, [&](auto& out, const auto& from) {
      const shape all = batched(size_, from.shape());
      if (out.shape() != all) out = std::remove_cvref_t<decltype(out)>(uninitialized, all);
    });
  }
  // Keeps the first of them.
  void end(index count) {
    detail::for_each_component(*batch_, *batch_, [&](auto& out, const auto&) {
      shape kept = out.shape();
      kept[0] = count;
      out.shrink(kept);
    });
  }
};

/// Batches of any elements, in memory of their own. B is the size of each, or a wildcard.
template <class S, index B>
class batches {
  S source_;
  index size_;
  bool drop_remainder_;

 public:
  using element_type = typename batch_of<typename S::element_type, B>::type;
  batches(S source, index size, bool drop_remainder) : source_(std::move(source)), size_(size), drop_remainder_(drop_remainder) {}
  index cardinality() const {
    const index all = source_.cardinality();
    return all < 0 ? all : all / size_ + (!drop_remainder_ && all % size_ != 0);
  }
  auto open() const { return batch_cursor<decltype(source_.open()), B>(source_.open(), size_, drop_remainder_); }
};

template <index B, class S>
auto batch(S source, index size, bool drop_remainder) {
  if (size < 1) throw_too_few("batch: its size", 1, size);
  if constexpr (requires { source.template block<B>(0, 0); }) return blocks<S, B>(std::move(source), size, drop_remainder);
  else return batches<S, B>(std::move(source), size, drop_remainder);
}

}  // namespace jig::data::detail
