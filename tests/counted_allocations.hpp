// SPDX-License-Identifier: MIT
#pragma once
// A program that counts what it allocates: operator new and delete are replaced. For one file of a program.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations = 0;
}

// GCC sees malloc behind new and free behind delete, inlined in part, and takes them for a mismatch.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(std::size_t n) {
  ++allocations;
  if (void* memory = std::malloc(n == 0 ? 1 : n)) return memory;
  std::abort();
}
void* operator new(std::size_t n, std::align_val_t a) {
  ++allocations;
  const auto alignment = static_cast<std::size_t>(a);
  if (void* memory = std::aligned_alloc(alignment, (n + alignment) / alignment * alignment)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
