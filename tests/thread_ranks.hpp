// SPDX-License-Identifier: MIT
#pragma once
// Ranks that are threads of this process: what messages do, without any MPI.

#include <jig/adapt/ranks.hpp>

#include <barrier>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace test {

class thread_ranks final : public jig::ranks {
 public:
  struct group {
    explicit group(int size) : pointers(static_cast<std::size_t>(size)), barrier(size), given(pointers.size() * pointers.size()) {}
    std::vector<const void*> pointers;
    std::barrier<> barrier;
    // What one rank has for another that has not taken it yet.
    std::vector<const void*> given;
    std::mutex mutex;
    std::condition_variable changed;
  };
  thread_ranks(group& of, int rank) : group_(of), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_.pointers.size()); }
  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    const auto at = [&](std::size_t r) { return static_cast<char*>(all) + r * bytes; };
    exchange(mine == nullptr ? at(self()) : mine, [&](std::size_t r, const char* from) {
      if (r != self() || mine != nullptr) std::memcpy(at(r), from, bytes);
    });
  }
  void all_to_all(const void* pieces, std::size_t count, std::size_t stride, std::size_t bytes, void* received) const override {
    exchange(pieces, [&](std::size_t r, const char* from) {
      for (std::size_t k = 0; k < count; ++k)
        std::memcpy(static_cast<char*>(received) + (r * count + k) * bytes, from + k * stride + self() * bytes, bytes);
    });
  }
  void broadcast(void* data, std::size_t bytes, int root) const override {
    exchange(data, [&](std::size_t r, const char* from) {
      if (static_cast<int>(r) == root && root != rank_) std::memcpy(data, from, bytes);
    });
  }
  void swap(int other, const void* mine, void* theirs, std::size_t bytes) const override {
    const std::size_t count = group_.pointers.size(), there = static_cast<std::size_t>(other);
    const void *&out = group_.given[self() * count + there], *&in = group_.given[there * count + self()];
    std::unique_lock lock(group_.mutex);
    out = mine;
    group_.changed.notify_all();
    group_.changed.wait(lock, [&] { return in != nullptr; });
    std::memcpy(theirs, in, bytes);
    in = nullptr;
    group_.changed.notify_all();
    group_.changed.wait(lock, [&] { return out == nullptr; });
  }

 private:
  std::size_t self() const { return static_cast<std::size_t>(rank_); }
  template <class F>
  void exchange(const void* mine, F take) const {
    group_.pointers[self()] = mine;
    group_.barrier.arrive_and_wait();
    for (std::size_t r = 0; r < group_.pointers.size(); ++r) take(r, static_cast<const char*>(group_.pointers[r]));
    group_.barrier.arrive_and_wait();
  }

  group& group_;
  int rank_;
};

/// Calls f(ranks) in so many threads at once; returns what each throws, as text.
template <class F>
std::vector<std::string> on_ranks(int size, F f) {
  thread_ranks::group all(size);
  std::vector<std::string> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      try {
        f(thread_ranks(all, r));
      } catch (const std::exception& e) {
        thrown[static_cast<std::size_t>(r)] = e.what();
      }
    });
  for (std::thread& t : threads) t.join();
  return thrown;
}

}  // namespace test
