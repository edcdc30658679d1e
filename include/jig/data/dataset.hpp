// SPDX-License-Identifier: MIT
#pragma once
// Datasets: elements one after another, and what makes other datasets of them.

#include <jig/data/batch.hpp>
#include <jig/data/cache.hpp>
#include <jig/data/generator.hpp>
#include <jig/data/map.hpp>
#include <jig/data/numbers.hpp>
#include <jig/data/prefetch.hpp>
#include <jig/data/repeat.hpp>
#include <jig/data/shuffle.hpp>
#include <jig/data/slices.hpp>
#include <jig/data/take.hpp>
#include <jig/data/zip.hpp>

#include <iterator>
#include <limits>

namespace jig::data {

/// Elements one after another, made when a loop asks for them: `for (const auto& [x, y] : dataset)`. An element is one component or a
/// std::tuple of them: numbers, views of memory that is there already, tensors, or any objects. A loop sees an element until its next
/// step; what it keeps of it, it copies. A dataset may be gone through any number of times, by several threads at once, and has to live
/// longer than its loops. Members make new datasets; all of them keep a copy of this one.
/// Cost: nothing is read or computed before a loop begins, and of the elements no more than it asks for.
/// Source: the members are those of tf.data.Dataset.
template <class S>
class dataset {
  S source_;
  using cursor = decltype(std::declval<const S&>().open());

 public:
  /// An element as loops see it.
  using element_type = std::remove_cvref_t<decltype(std::declval<cursor&>().element())>;

  explicit dataset(S source) : source_(std::move(source)) {}

  class iterator {
    cursor cursor_;
    bool ended_;

   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = element_type;
    explicit iterator(cursor c) : cursor_(std::move(c)), ended_(!cursor_.next()) {}
    iterator(iterator&&) = default;
    iterator& operator=(iterator&&) = default;
    const element_type& operator*() const { return cursor_.element(); }
    iterator& operator++() {
      ended_ = !cursor_.next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.ended_; }
  };
  iterator begin() const { return iterator(source_.open()); }
  std::default_sentinel_t end() const { return {}; }

  /// How many elements there are: `infinite_cardinality` where they do not end, `unknown_cardinality` where only a loop can tell.
  index cardinality() const { return source_.cardinality(); }

  /// What f returns for each element, with one argument for each component. f is a jig::function or any other one.
  template <class F>
  auto map(F f) const {
    constexpr bool fits = detail::is_callable_with<F, element_type>;
    static_assert(fits, "jig: map: a function takes one argument for each component of an element");
    if constexpr (fits) return dataset<detail::mapped<S, F>>({source_, std::move(f)});
    else return refused<>();
  }
  /// The elements for which f returns true.
  template <class F>
  auto filter(F f) const {
    constexpr bool fits = detail::is_callable_with<F, element_type>;
    static_assert(fits, "jig: filter: a function takes one argument for each component of an element");
    if constexpr (fits) return dataset<detail::filtered<S, F>>({source_, std::move(f)});
    else return refused<>();
  }

  /// So many elements at a time, side by side along a new first axis of unknown extent; the last batch has what is left.
  /// Slices of what is in memory become views of it, others are copied.
  /// Errors: a size below 1 throws invalid_argument, as do, in the loop, elements whose shapes differ.
  auto batch(index size, bool drop_remainder = false) const { return batched<dyn>(size, drop_remainder); }
  /// The same with an extent that is known: elements behind the last whole batch are left out.
  template <index Size>
  auto batch() const {
    static_assert(Size > 0, "jig: batch: its size must be at least 1");
    return batched<Size>(Size, true);
  }

  /// The elements in a random order: each step draws one of the next buffer_size elements. The order follows from the seed; where
  /// reshuffle_each_iteration holds, every loop has another one, and the loops of another dataset that is made alike have the same.
  /// Errors: a buffer_size below 1 throws invalid_argument.
  auto shuffle(index buffer_size, std::uint64_t seed = 0, bool reshuffle_each_iteration = true) const {
    return dataset<detail::shuffled<S>>({source_, buffer_size, seed, reshuffle_each_iteration});
  }
  /// All elements so many times, or without end (-1).
  auto repeat(index count = -1) const { return dataset<detail::repeated<S>>({source_, count}); }
  /// The first elements, at most so many; -1 is all of them.
  auto take(index count) const { return wrapped(detail::take(source_, count)); }
  /// The elements behind the first so many.
  auto skip(index count) const { return wrapped(detail::skip(source_, count)); }
  /// One of every so many elements, beginning with that number.
  /// Errors: a number that is not one from 0 to below num_shards throws invalid_argument.
  auto shard(index num_shards, index number) const { return wrapped(detail::shard(source_, num_shards, number)); }
  /// Pairs of each element's number and the element.
  auto enumerate(index start = 0) const {
    const detail::numbers counted(start, (std::numeric_limits<index>::max)(), 1);
    return wrapped(detail::zipped<detail::numbers, S>(counted, source_));
  }
  /// These elements, and then those of another dataset.
  template <class Other>
  auto concatenate(const dataset<Other>& other) const {
    return wrapped(detail::concatenated<S, Other>(source_, other.source()));
  }
  /// The same elements, which the first loop that comes to their end leaves in memory for those after it.
  auto cache() const { return wrapped(detail::cached<S>(source_)); }
  /// The same elements, made by another thread, which is ahead of the loop by at most so many. It ends with the loop.
  /// Errors: what it throws arrives in the loop behind the elements before it, nested in a jig::error that says the element's number.
  auto prefetch(index buffer_size) const { return dataset<detail::prefetched<S>>({source_, buffer_size}); }

  /// f(… f(f(initial, first element), second one) …).
  template <class State, class F>
  State reduce(State initial, F f) const {
    for (const auto& element : *this) initial = f(std::move(initial), element);
    return initial;
  }

  /// What it is made of, for those that make other datasets.
  const S& source() const { return source_; }

 private:
  template <index Size>
  auto batched(index size, bool drop_remainder) const {
    constexpr bool fits = detail::is_batchable<element_type>;
    static_assert(fits, "jig: batch: elements are made of numbers, tensors and containers that jig knows");
    if constexpr (fits) return wrapped(detail::batch<Size>(source_, size, drop_remainder));
    else return refused<>();
  }
  template <class Other>
  static auto wrapped(Other source) {
    return dataset<Other>(std::move(source));
  }
};

/// The parts of the arguments along their first axes, which are equally long: `from_tensor_slices(images, labels)`. Of one argument
/// they are numbers or views, of several tuples of them. Arguments that have a name are seen where they are and must live longer; others
/// are kept.
/// Errors: different numbers of slices throw invalid_argument.
template <Argument... X>
  requires(sizeof...(X) > 0)
auto from_tensor_slices(X&&... x) {
  using source = detail::slices<X...>;
  return dataset<source>(source(std::forward<X>(x)...));
}
/// One element: the arguments.
template <class... X>
  requires(sizeof...(X) > 0)
auto from_tensors(X... x) {
  auto element = detail::element_of(std::move(x)...);
  return dataset<detail::single<decltype(element)>>(detail::single(std::move(element)));
}
/// The numbers from start to before stop.
/// Errors: a step of 0 throws invalid_argument.
inline auto range(index start, index stop, index step = 1) { return dataset<detail::numbers>({start, stop, step}); }
inline auto range(index stop) { return range(0, stop); }
/// What f gives. Each loop calls f once; what it returns is a range, or a function whose calls return an optional each, without a
/// value behind the last.
template <class F>
auto from_generator(F f) {
  return dataset<detail::generated<F>>(detail::generated<F>(std::move(f)));
}
/// Tuples of the elements of several datasets, as many as the shortest has.
template <class... S>
  requires(sizeof...(S) > 0)
auto zip(const dataset<S>&... datasets) {
  return dataset<detail::zipped<S...>>(detail::zipped<S...>(datasets.source()...));
}

}  // namespace jig::data
