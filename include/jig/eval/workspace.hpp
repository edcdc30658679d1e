// SPDX-License-Identifier: MIT
#pragma once
// Memory for intermediates. Each thread keeps a stack of it that grows to what its calls needed, so that calls that
// repeat do not allocate; or a call takes it from what its caller lends. Which of them a call works in, its frame tells: what only works
// in lent memory has nothing of a thread in its program.

#include <jig/core/error.hpp>
#include <jig/core/storage.hpp>
#include <jig/core/threads.hpp>

#include <limits>

namespace jig::detail {

constexpr std::size_t aligned_size(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Where the workspaces of a call come from. The functions get this object and a number of bytes.
struct memory_source {
  /// `own`: whether the bytes are from the heap, this once.
  char* (*take)(memory_source&, std::size_t bytes, bool& own);
  void (*give_back)(memory_source&, std::size_t bytes);
  /// How many bytes there are, for what can do without.
  std::size_t (*room)(const memory_source&);
};

/// The stack of one thread.
class thread_memory {
 public:
  thread_memory() = default;
  thread_memory(const thread_memory&) = delete;
  thread_memory& operator=(const thread_memory&) = delete;
  ~thread_memory() { release(); }

  static char* take(memory_source&, std::size_t bytes, bool& own) {
    thread_memory& m = mine();
    const std::size_t begin = m.used_, end = begin + bytes;
    if (end > m.wanted_) m.wanted_ = end;
    m.grow();
    m.used_ = end;
    own = end > m.capacity_;
    return own ? static_cast<char*>(::operator new(bytes, std::align_val_t(alignment))) : m.data_ + begin;
  }
  static void give_back(memory_source&, std::size_t bytes) { mine().used_ -= bytes; }
  static std::size_t room(const memory_source&) { return (std::numeric_limits<std::size_t>::max)(); }

 private:
  static thread_memory& mine() {
    static JIG_THREAD_LOCAL thread_memory memory;
    return memory;
  }
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

/// The stack of whatever thread asks.
inline constinit memory_source memory_of_threads{&thread_memory::take, &thread_memory::give_back, &thread_memory::room};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_small_workspace(std::size_t given, std::size_t needed) {
  message m;
  m << "with_workspace: a call needs " << static_cast<index>(needed) << " bytes, given " << static_cast<index>(given);
  throw_invalid_argument(m.view());
}

/// A stack in memory of the caller, which one thread at a time works in.
class lent_memory : public memory_source {
 public:
  lent_memory(void* data, std::size_t size)
      : memory_source{&take_part, &give_part_back, &room_left}, data_(static_cast<char*>(data)), capacity_(size) {
    // What lies before the first multiple is lost.
    used_ = (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  }
  /// Errors: fewer bytes than these are left.
  void require_room(std::size_t bytes) const {
    if (bytes > capacity_ || used_ > capacity_ - bytes) throw_small_workspace(capacity_, used_ + bytes);
  }

 private:
  static char* take_part(memory_source& source, std::size_t bytes, bool& own) {
    auto& m = static_cast<lent_memory&>(source);
    m.require_room(bytes);
    m.used_ += bytes;
    own = false;
    return m.data_ + m.used_ - bytes;
  }
  static void give_part_back(memory_source& source, std::size_t bytes) { static_cast<lent_memory&>(source).used_ -= bytes; }
  static std::size_t room_left(const memory_source& source) {
    const auto& m = static_cast<const lent_memory&>(source);
    return m.used_ > m.capacity_ ? 0 : m.capacity_ - m.used_;
  }

  char* data_;
  std::size_t capacity_, used_;
};

/// Bytes of a call's memory as long as this lives. What does not fit into a thread's stack comes from the heap this once; of lent memory
/// it is an error.
class workspace {
 public:
  workspace(memory_source& from, std::size_t bytes) : from_(from), bytes_(aligned_size(bytes)), data_(from.take(from, bytes_, own_)) {}
  /// Of the thread's stack.
  explicit workspace(std::size_t bytes) : workspace(memory_of_threads, bytes) {}
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() {
    from_.give_back(from_, bytes_);
    if (own_) [[unlikely]]
      ::operator delete(data_, std::align_val_t(alignment));
  }
  char* data() const { return data_; }

 private:
  memory_source& from_;
  std::size_t bytes_;
  bool own_ = false;
  char* data_;
};

}  // namespace jig::detail
