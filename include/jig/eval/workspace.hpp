// SPDX-License-Identifier: MIT
#pragma once
// Memory for intermediates. Each thread keeps a stack of it that grows to what its calls needed, so that calls that
// repeat do not allocate; or a call takes it from what its caller lends.

#include <jig/core/error.hpp>
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

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_small_workspace(std::size_t given, std::size_t needed) {
  message m;
  m << "with_workspace: a call needs " << static_cast<index>(needed) << " bytes, given " << static_cast<index>(given);
  throw_invalid_argument(m.view());
}

/// A stack in memory of the caller.
class lent_memory {
 public:
  lent_memory(void* data, std::size_t size) : data_(static_cast<char*>(data)), capacity_(size) {
    // What lies before the first multiple is lost.
    used_ = (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  }
  char* take(std::size_t bytes) {
    if (bytes > capacity_ || used_ > capacity_ - bytes) throw_small_workspace(capacity_, used_ + bytes);
    used_ += bytes;
    return data_ + used_ - bytes;
  }
  void give_back(std::size_t bytes) { used_ -= bytes; }
  /// Errors: fewer bytes than these are left.
  void require_room(std::size_t bytes) {
    take(bytes);
    give_back(bytes);
  }

 private:
  char* data_;
  std::size_t capacity_, used_;
};

/// What the call that this thread is in takes its workspaces from; null: from the thread's.
inline constinit JIG_THREAD_LOCAL lent_memory* current_lent_memory = nullptr;

/// Workspaces come from there until this ends.
class lent_memory_scope {
  lent_memory* before_ = current_lent_memory;

 public:
  explicit lent_memory_scope(lent_memory& now) { current_lent_memory = &now; }
  lent_memory_scope(const lent_memory_scope&) = delete;
  lent_memory_scope& operator=(const lent_memory_scope&) = delete;
  ~lent_memory_scope() { current_lent_memory = before_; }
};

constexpr std::size_t aligned_size(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Bytes of the thread's stack for the duration of one call, or of what the caller lends. What does not fit comes from the heap this
/// once; of lent memory it is an error.
class workspace {
 public:
  explicit workspace(std::size_t bytes) : bytes_(aligned_size(bytes)), lent_(current_lent_memory) {
    if (lent_ != nullptr) data_ = lent_->take(bytes_);
    else take_from_thread();
  }
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() {
    if (lent_ != nullptr) lent_->give_back(bytes_);
    else thread_memory::mine().used_ -= bytes_;
    if (own_ != nullptr) ::operator delete(own_, std::align_val_t(alignment));
  }
  char* data() const { return data_; }

 private:
  void take_from_thread() {
    thread_memory& m = thread_memory::mine();
    std::size_t end = m.used_ + bytes_;
    if (end > m.wanted_) m.wanted_ = end;
    m.grow();
    if (end > m.capacity_) own_ = static_cast<char*>(::operator new(bytes_, std::align_val_t(alignment)));
    data_ = own_ != nullptr ? own_ : m.data_ + m.used_;
    m.used_ = end;
  }
  std::size_t bytes_;
  lent_memory* lent_;
  char* own_ = nullptr;
  char* data_ = nullptr;
};

}  // namespace jig::detail
