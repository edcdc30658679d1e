// SPDX-License-Identifier: MIT
#pragma once
// Elements that are kept, and not made again.

#include <jig/data/sequence.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace jig::data::detail {

template <class E>
struct cached_elements {
  std::mutex access;
  std::shared_ptr<const std::vector<E>> all;  // once a loop has come to the end

  std::shared_ptr<const std::vector<E>> get() {
    const std::lock_guard lock(access);
    return all;
  }
  void set(std::vector<E> elements) {
    const std::lock_guard lock(access);
    if (!all) all = std::make_shared<const std::vector<E>>(std::move(elements));
  }
};

template <class S>
class cache_cursor {
  using upstream = decltype(std::declval<const S&>().open());
  using element_type = owned<typename S::element_type>;
  std::shared_ptr<cached_elements<element_type>> kept_;
  std::shared_ptr<const std::vector<element_type>> all_;
  std::optional<upstream> source_;
  std::vector<element_type> new_;
  std::size_t next_ = 0;

 public:
  cache_cursor(const S& source, std::shared_ptr<cached_elements<element_type>> kept) : kept_(std::move(kept)), all_(kept_->get()) {
    if (!all_) source_.emplace(source.open());
  }
  bool next() {
    if (all_) return next_ < all_->size() && (++next_, true);
    if (!source_) return false;
    if (source_->next()) {
      new_.push_back(detail::take_owned(*source_));
      return true;
    }
    source_.reset();
    kept_->set(std::move(new_));
    return false;
  }
  const element_type& element() const { return all_ ? (*all_)[next_ - 1] : new_.back(); }
};

template <class S>
class cached {
  S source_;
  std::shared_ptr<cached_elements<owned<typename S::element_type>>> kept_;

 public:
  using element_type = owned<typename S::element_type>;
  explicit cached(S source) : source_(std::move(source)), kept_(std::make_shared<cached_elements<element_type>>()) {}
  index cardinality() const { return source_.cardinality(); }
  auto open() const { return cache_cursor<S>(source_, kept_); }
};

}  // namespace jig::data::detail
