// SPDX-License-Identifier: MIT
#pragma once
// Memory for intermediates. Each thread keeps a stack of it that grows to what its calls needed, so that calls that
// repeat do not allocate.

#include <jig/core/storage.hpp>
#include <jig/core/threads.hpp>

namespace jig::detail {

/// The stack of one thread.
class thread_memory {
 public:
  thread_memory() = default;
  thread_memory(const thread_memory&) = delete;
  thread_memory& operator=(const thread_memory&) = delete;
  ~thread_memory() { release(); }

  static thread_memory& mine() {
    static JIG_THREAD_LOCAL thread_memory memory;
    return memory;
  }

 private:
  friend class workspace;
  void release() {
    if (data_ != nullptr) ::operator delete(data_, std::align_val_t(alignment));
    data_ = nullptr;
    capacity_ = 0;
  }
  // Grows while nobody uses it, to the most that was asked for at one time.
  void grow() {
    if (used_ != 0 || wanted_ <= capacity_) return;
    release();
    data_ = static_cast<char*>(::operator new(wanted_, std::align_val_t(alignment)));
    capacity_ = wanted_;
  }
  char* data_ = nullptr;
  std::size_t capacity_ = 0, used_ = 0, wanted_ = 0;
};

constexpr std::size_t aligned_size(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Bytes of the thread's stack for the duration of one call; what does not fit comes from the heap this once.
class workspace {
 public:
  explicit workspace(std::size_t bytes) : memory_(thread_memory::mine()), bytes_(aligned_size(bytes)) {
    auto& m = memory_;
    std::size_t end = m.used_ + bytes_;
    if (end > m.wanted_) m.wanted_ = end;
    m.grow();
    if (end > m.capacity_) own_ = static_cast<char*>(::operator new(bytes_, std::align_val_t(alignment)));
    data_ = own_ != nullptr ? own_ : m.data_ + m.used_;
    m.used_ = end;
  }
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() {
    memory_.used_ -= bytes_;
    if (own_ != nullptr) ::operator delete(own_, std::align_val_t(alignment));
  }
  char* data() const { return data_; }

 private:
  thread_memory& memory_;
  std::size_t bytes_;
  char* own_ = nullptr;
  char* data_ = nullptr;
};

}  // namespace jig::detail
