// SPDX-License-Identifier: MIT
#pragma once
// ONNX Runtime through its C interface, whose library is looked for when the program runs: what JIG_BENCH_ONNXRUNTIME names. The table of
// its functions only ever grows at its end, so that numbers in it name functions and no header is needed.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

/// The functions of the library.
class onnx_runtime {
 public:
  enum function : int {
    get_error_message = 2,
    create_env = 3,
    create_session = 7,
    run = 9,
    create_session_options = 10,
    set_optimization_level = 23,
    set_intra_op_threads = 24,
    create_tensor = 49,
    create_memory_info = 69,
    release_session = 95,
  };

  /// Whether there is one.
  static bool is_there() { return library().table_ != nullptr; }
  template <class... A>
  static void call(function f, A... a) {
    if (void* const failed = reinterpret_cast<void* (*)(A...)>(at(f))(a...)) {
      std::fprintf(stderr, "ONNX Runtime: %s\n", reinterpret_cast<const char* (*)(void*)>(at(get_error_message))(failed));
      std::exit(1);
    }
  }
  static void release(function f, void* of) { reinterpret_cast<void (*)(void*)>(at(f))(of); }
  static void* environment() { return library().environment_; }
  static void* options() { return library().options_; }
  static void* memory() { return library().memory_; }

 private:
  struct base {
    void* const* (*table)(std::uint32_t version);
    const char* (*version)();
  };
  onnx_runtime() {
    const char* const path = std::getenv("JIG_BENCH_ONNXRUNTIME");
    if (path == nullptr) return;
    void* const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* const found = opened == nullptr ? nullptr : dlsym(opened, "OrtGetApiBase");
    if (found == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(1);
    }
    table_ = reinterpret_cast<const base* (*)()>(found)()->table(1);
  }
  static onnx_runtime& library() {
    static onnx_runtime one;
    static bool begun = false;
    if (one.table_ != nullptr && !begun) {
      begun = true;
      call(create_env, 3, "bench", &one.environment_);
      call(create_session_options, &one.options_);
      call(set_intra_op_threads, one.options_, 1);
      call(set_optimization_level, one.options_, 99);
      call(create_memory_info, 0, 0, &one.memory_);
    }
    return one;
  }
  static void* at(function f) { return library().table_[f]; }

  void* const* table_ = nullptr;
  void *environment_ = nullptr, *options_ = nullptr, *memory_ = nullptr;
};

/// A model that ONNX Runtime has read, on one thread.
class onnx_session {
 public:
  explicit onnx_session(const std::string& path) {
    onnx_runtime::call(onnx_runtime::create_session, onnx_runtime::environment(), path.c_str(), onnx_runtime::options(), &session_);
  }
  onnx_session(const onnx_session&) = delete;
  onnx_session& operator=(const onnx_session&) = delete;
  ~onnx_session() { onnx_runtime::release(onnx_runtime::release_session, session_); }

  /// An argument or a result of floats, in memory of the caller.
  void* tensor(const float* elements, const std::vector<std::int64_t>& extents) const {
    std::size_t bytes = sizeof(float);
    for (const auto e : extents) bytes *= static_cast<std::size_t>(e);
    void* out = nullptr;
    onnx_runtime::call(onnx_runtime::create_tensor, onnx_runtime::memory(), const_cast<float*>(elements), bytes, extents.data(),
                       extents.size(), 1, &out);
    return out;
  }
  void operator()(const std::vector<const char*>& names, const std::vector<void*>& arguments, const char* name, void* result) const {
    onnx_runtime::call(onnx_runtime::run, session_, static_cast<void*>(nullptr), names.data(), arguments.data(), arguments.size(), &name,
                       std::size_t{1}, &result);
  }

 private:
  void* session_ = nullptr;
};

}  // namespace bench
