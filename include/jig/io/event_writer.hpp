// SPDX-License-Identifier: MIT
#pragma once
// Event files, which TensorBoard shows: numbers by step, and the graph. Records are framed as those of TFRecord files.
// Source: tensorflow/core/util/event.proto and framework/summary.proto, for the numbers of fields.

#include <jig/eval/summary_writer.hpp>
#include <jig/io/crc32c.hpp>
#include <jig/io/files.hpp>
#include <jig/io/wire.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>

namespace jig {

struct event_writer_options {
  /// Units: seconds. What was written is in the file after this time, when something more is written, at the latest.
  double flush_seconds = 2;
  /// Behind the name that TensorBoard expects.
  std::string suffix = "";
};

namespace detail {

/// A record as it lies in a file: its length, the data, and a checksum of each.
inline std::string framed_record(std::string_view data) {
  const auto little_endian = [](std::uint64_t n, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(n >> (8 * i) & 255);
    return out;
  };
  const auto checksum = [&](std::string_view bytes) { return little_endian(masked_crc32c(bytes.data(), bytes.size()), 4); };
  const std::string length = little_endian(data.size(), 8);
  return (length + checksum(length)).append(data) + checksum(data);
}

}  // namespace detail

/// Writes an event file, which TensorBoard shows, into a folder: `events.out.tfevents.<seconds>.<host>.<process>.<number>`. Several threads
/// may write at once.
/// Errors: a folder or file that cannot be written throws jig::error with the system's reason; the destructor throws nothing.
class event_writer {
 public:
  explicit event_writer(const std::filesystem::path& folder, const event_writer_options& options = {})
      : flush_seconds_(options.flush_seconds) {
    detail::require_folder(folder);
    char host[256] = "localhost";
    if (::gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') std::snprintf(host, sizeof host, "localhost");
    static int writers = 0;
    const int number = __atomic_fetch_add(&writers, 1, __ATOMIC_RELAXED);
    path_ = (folder / ("events.out.tfevents." + std::to_string(static_cast<std::int64_t>(seconds())) + '.' + host + '.' +
                       std::to_string(::getpid()) + '.' + std::to_string(number) + options.suffix))
                .string();
    file_.reset(std::fopen(path_.c_str(), "ab"));
    if (!file_) fail();
    write(0, [](wire_writer& event) { event.bytes(file_version, "brain.Event:2"); });
    flush();
  }
  event_writer(const event_writer&) = delete;
  event_writer& operator=(const event_writer&) = delete;

  const std::string& path() const { return path_; }

  /// A number under a tag for a step. TensorBoard has 32 bits of it.
  void scalar(std::string_view tag, double value, std::int64_t step) {
    write(step, [&](wire_writer& event) {
      event.message(summary, [&](wire_writer& values) {
        values.message(summary_value, [&](wire_writer& one) {
          one.bytes(value_tag, tag);
          one.real(value_number, static_cast<float>(value));
        });
      });
    });
  }
  /// A graph, as the bytes of a GraphDef.
  void graph_def(std::string_view bytes) {
    write(0, [&](wire_writer& event) { event.bytes(graph, bytes); });
    flush();
  }
  /// Lets the system have what was written.
  void flush() {
    const std::lock_guard lock(mutex_);
    flush_locked();
  }

  /// As long as this lives, jig::summary_scalar writes to a writer.
  class default_scope {
   public:
    explicit default_scope(event_writer& writer) : writer_(&writer) {
      auto& now = detail::summary_writer::of_program();
      const detail::print_lock lock(now.mutex);
      before_to_ = now.to;
      before_write_ = now.write;
      now.to = writer_;
      now.write = [](void* to, std::string_view tag, double value, std::int64_t step) {
        static_cast<event_writer*>(to)->scalar(tag, value, step);
      };
    }
    default_scope(const default_scope&) = delete;
    default_scope& operator=(const default_scope&) = delete;
    ~default_scope() {
      auto& now = detail::summary_writer::of_program();
      const detail::print_lock lock(now.mutex);
      now.to = before_to_;
      now.write = before_write_;
    }

   private:
    event_writer* writer_;
    void* before_to_;
    void (*before_write_)(void*, std::string_view, double, std::int64_t);
  };
  /// Makes it the writer of jig::summary_scalar, in all threads, until what is returned ends: `auto scope = writer.as_default();`. Scopes
  /// end in the opposite order, and before their writers.
  [[nodiscard]] default_scope as_default() { return default_scope(*this); }

 private:
  static constexpr std::uint32_t wall_time = 1, step_of_event = 2, file_version = 3, graph = 4, summary = 5;
  static constexpr std::uint32_t summary_value = 1, value_tag = 1, value_number = 2;
  struct closes {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  static double seconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }
  [[noreturn]] void fail() const { detail::raise<error>(path_ + ": cannot be written: " + std::strerror(errno)); }
  void flush_locked() {
    flushed_ = seconds();
    if (std::fflush(file_.get()) != 0) fail();
  }
  template <class F>
  void write(std::int64_t step, F what) {
    wire_writer event;
    const double now = seconds();
    event.real(wall_time, now);
    if (step != 0) event.integer(step_of_event, step);
    what(event);
    const std::string record = detail::framed_record(event.bytes());
    const std::lock_guard lock(mutex_);
    if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size()) fail();
    if (now - flushed_ >= flush_seconds_) flush_locked();
  }

  std::string path_;
  double flush_seconds_, flushed_ = 0;
  std::mutex mutex_;
  std::unique_ptr<std::FILE, closes> file_;
};

}  // namespace jig
