// SPDX-License-Identifier: MIT
#pragma once
// Maps whose function runs for several elements at a time. Not part of jig/data.hpp: the headers of oneTBB, which JIG_USE_TBB says is
// there, take long to include.

#include <jig/data/dataset.hpp>

#ifdef JIG_USE_TBB
#include <tbb/parallel_for.h>
#endif

namespace jig::data {

namespace detail {

template <class Cursor, class F>
class parallel_map_cursor {
  using input_type = owned<std::remove_cvref_t<decltype(std::declval<Cursor&>().element())>>;
  using element_type = std::remove_cvref_t<decltype(detail::call_with(std::declval<const F&>(), std::declval<const input_type&>()))>;
  struct result {
    std::optional<element_type> element;
    std::exception_ptr error;
  };

  Cursor source_;
  const F* function_;
  std::size_t calls_;
  std::vector<input_type> inputs_;
  std::vector<result> results_;
  std::size_t next_ = 0;          // of the results
  index number_ = 0;              // of the element that comes next
  std::exception_ptr of_source_;  // arrives behind the results

 public:
  parallel_map_cursor(Cursor source, const F& function, index calls)
      : source_(std::move(source)), function_(&function), calls_(static_cast<std::size_t>(calls)) {}

  bool next() {
    if (next_ == results_.size()) compute();
    if (next_ == results_.size()) {
#ifdef __cpp_exceptions
      if (of_source_) std::rethrow_exception(std::exchange(of_source_, nullptr));
#endif
      return false;
    }
    [[maybe_unused]] const std::exception_ptr error = results_[next_++].error;
#ifdef __cpp_exceptions
    if (error) detail::rethrow_from_worker(error, "parallel_map", number_);
#endif
    ++number_;
    return true;
  }
  const element_type& element() const { return *results_[next_ - 1].element; }
  element_type take() { return std::move(*results_[next_ - 1].element); }

 private:
  void compute() {
    inputs_.clear();
    results_.clear();
    next_ = 0;
    if (of_source_) return;
    of_source_ = detail::thrown_by([&] {
      while (inputs_.size() < calls_ && source_.next()) inputs_.push_back(detail::take_owned(source_));
    });
    results_.resize(inputs_.size());
    const auto call = [this](std::size_t i) {
      results_[i].error = detail::thrown_by([&] { results_[i].element.emplace(detail::call_with(*function_, inputs_[i])); });
    };
#ifdef JIG_USE_TBB
    tbb::parallel_for(std::size_t{0}, inputs_.size(), call);
#else
    for (std::size_t i = 0; i < inputs_.size(); ++i) call(i);
#endif
  }
};

template <class S, class F>
class parallel_mapped {
  S source_;
  F function_;
  index calls_;

 public:
  using element_type =
      std::remove_cvref_t<decltype(detail::call_with(std::declval<const F&>(), std::declval<const owned<typename S::element_type>&>()))>;
  parallel_mapped(S source, F function, index calls) : source_(std::move(source)), function_(std::move(function)), calls_(calls) {
    if (calls < 1) throw_too_few("parallel_map: num_parallel_calls", 1, calls);
  }
  index cardinality() const { return source_.cardinality(); }
  auto open() const { return parallel_map_cursor<decltype(source_.open()), F>(source_.open(), function_, calls_); }
};

}  // namespace detail

/// As dataset.map(f), by the threads of oneTBB: so many elements are read, f runs for all of them, then the loop gets them one by one,
/// in their order. Behind it `prefetch` lets the loop run at the same time. f must be safe to call from several threads.
/// Without JIG_USE_TBB one thread does the same.
/// Errors: what f throws arrives behind the elements before it, nested in a jig::error that says the element's number;
/// num_parallel_calls below 1 throws invalid_argument.
template <class S, class F>
auto parallel_map(const dataset<S>& of, F f, index num_parallel_calls) {
  return dataset<detail::parallel_mapped<S, F>>({of.source(), std::move(f), num_parallel_calls});
}

}  // namespace jig::data
