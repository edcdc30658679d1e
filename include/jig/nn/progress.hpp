// SPDX-License-Identifier: MIT
#pragma once
// How far a training is, for who watches: a bar on a terminal, a line for each epoch elsewhere.

#include <jig/eval/print_stream.hpp>
#include <jig/nn/callback.hpp>

#include <chrono>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace jig::nn::detail {

inline bool prints_to_terminal() {
  if (jig::detail::line_writer::of_program().stream != nullptr) return false;
#if __has_include(<unistd.h>)
  return isatty(STDOUT_FILENO) == 1;
#else
  return false;
#endif
}

inline std::string number_text(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, std::abs(value) > 1e-3 || value == 0 ? "%.4f" : "%.4e", value);
  return digits;
}
inline std::string logs_text(const logs& numbers) {
  std::string text;
  for (const auto& [name, value] : numbers) text += " - " + name + ": " + number_text(value);
  return text;
}
/// A time in the unit that suits it: `1s`, `12ms`, `34us`.
inline std::string time_text(double seconds) {
  char digits[40];
  if (seconds >= 1) std::snprintf(digits, sizeof digits, "%.0fs", seconds);
  else if (seconds >= 1e-3) std::snprintf(digits, sizeof digits, "%.0fms", seconds * 1e3);
  else std::snprintf(digits, sizeof digits, "%.0fus", seconds * 1e6);
  return digits;
}

/// The bar of an epoch, or its line. verbose: 0 nothing, 1 a bar where there is a terminal, 2 lines. How many steps there are may be
/// unknown (-1) up to the end of the first epoch.
class progress {
 public:
  progress(int verbose, int steps, bool terminal = prints_to_terminal())
      : steps_(steps), silent_(verbose == 0), bar_(verbose == 1 && terminal) {}

  void begin(const std::string& title) {
    title_ = title;
    start_ = shown_ = clock::now();
    if (bar_ && !title.empty()) std::fprintf(stdout, "%s\n", title.c_str());
  }
  void step(int done, const logs& numbers) {
    done_ = done;
    if (!bar_) return;
    const auto now = clock::now();
    if (done < steps_ && now - shown_ < std::chrono::milliseconds(50)) return;
    shown_ = now;
    show(bar_text(done, numbers, seconds()));
  }
  void end(const logs& numbers) {
    if (steps_ < 0) steps_ = done_;
    if (silent_) return;
    if (bar_) show(bar_text(steps_, numbers, seconds()) + "\n");
    else jig::detail::write_line(line_text(numbers, seconds()));
  }

  std::string bar_text(int done, const logs& numbers, double seconds) const {
    constexpr int width = 20;
    const int full = steps_ > 0 ? static_cast<int>(static_cast<long long>(width) * done / steps_) : steps_ < 0 ? 0 : width;
    std::string text = std::to_string(done) + '/' + (steps_ < 0 ? "Unknown" : std::to_string(steps_)) + " [";
    text.append(static_cast<std::size_t>(full), '=').append(static_cast<std::size_t>(width - full), '.');
    const double each = done > 0 ? seconds / done : 0;
    text += "] " + time_text(done < steps_ ? each * (steps_ - done) : seconds) + ' ' + time_text(each) + "/step";
    return text + logs_text(numbers);
  }
  std::string line_text(const logs& numbers, double seconds) const {
    return (title_.empty() ? "" : title_ + " - ") + std::to_string(steps_) + '/' + std::to_string(steps_) + " - " + time_text(seconds) +
           " - " + time_text(steps_ > 0 ? seconds / steps_ : 0) + "/step" + logs_text(numbers);
  }

 private:
  using clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }
  void show(const std::string& text) {
    // What an earlier, longer line has left is erased.
    std::fprintf(stdout, "\r%s\x1b[K", text.c_str());
    std::fflush(stdout);
  }

  std::string title_;
  int steps_, done_ = 0;
  bool silent_, bar_;
  clock::time_point start_ = clock::now(), shown_ = start_;
};

}  // namespace jig::nn::detail
