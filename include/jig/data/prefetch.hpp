// SPDX-License-Identifier: MIT
#pragma once
// Elements that another thread makes while the loop is busy with those before.

#include <jig/data/sequence.hpp>
#include <jig/data/worker_error.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace jig::data::detail {

/// What the loop and the thread that loads share.
template <class S>
class prefetcher {
  using element_type = owned<typename S::element_type>;
  std::mutex access_;
  std::condition_variable changed_;
  std::vector<std::optional<element_type>> ring_;
  std::size_t given_ = 0, loaded_ = 0;  // how many elements
  bool stops_ = false, ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;

  void load(const S& source) {
    auto cursor = source.open();
    while (cursor.next()) {
      element_type element = detail::take_owned(cursor);
      std::unique_lock lock(access_);
      changed_.wait(lock, [&] { return stops_ || loaded_ - given_ < ring_.size(); });
      if (stops_) return;
      ring_[loaded_++ % ring_.size()].emplace(std::move(element));
      changed_.notify_one();
    }
  }
  void run(const S& source) {
    const std::exception_ptr error = detail::thrown_by([&] { load(source); });
    const std::lock_guard lock(access_);
    error_ = error;
    ended_ = true;
    changed_.notify_one();
  }

 public:
  prefetcher(const S& source, index room) : ring_(static_cast<std::size_t>(room)), thread_([this, &source] { run(source); }) {}
  prefetcher(const prefetcher&) = delete;
  prefetcher& operator=(const prefetcher&) = delete;
  ~prefetcher() {
    {
      const std::lock_guard lock(access_);
      stops_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  /// The next element, or none behind the last.
  std::optional<element_type> next() {
    std::unique_lock lock(access_);
    changed_.wait(lock, [&] { return ended_ || loaded_ > given_; });
    if (loaded_ > given_) {
      auto element = std::exchange(ring_[given_++ % ring_.size()], std::nullopt);
      changed_.notify_one();
      return element;
    }
#ifdef __cpp_exceptions
    if (error_) detail::rethrow_from_worker(std::exchange(error_, nullptr), "prefetch", static_cast<index>(given_));
#endif
    return std::nullopt;
  }
};

template <class S>
class prefetch_cursor {
  std::unique_ptr<prefetcher<S>> loads_;
  std::optional<owned<typename S::element_type>> element_;

 public:
  prefetch_cursor(const S& source, index room) : loads_(std::make_unique<prefetcher<S>>(source, room)) {}
  bool next() {
    element_ = loads_->next();
    return element_.has_value();
  }
  const auto& element() const { return *element_; }
  auto take() { return std::move(*element_); }
};

template <class S>
class prefetched {
  S source_;
  index room_;

 public:
  using element_type = owned<typename S::element_type>;
  prefetched(S source, index room) : source_(std::move(source)), room_(room) {
    if (room < 1) throw_too_few("prefetch: its buffer_size", 1, room);
  }
  index cardinality() const { return source_.cardinality(); }
  auto open() const { return prefetch_cursor<S>(source_, room_); }
};

}  // namespace jig::data::detail
