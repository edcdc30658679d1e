// SPDX-License-Identifier: MIT
#include <jig/core/storage.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using jig::detail::heap_storage;
using jig::detail::inline_storage;

template <class T>
bool aligned(const T* p, std::size_t to = jig::alignment) {
  return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

template <class T>
constexpr bool works_in_constant_evaluation() {
  heap_storage<T> a(3);
  bool zero = a.data()[0] == T() && a.data()[2] == T();
  a.data()[1] = T(5);
  auto b = a;
  b.data()[1] = T(6);
  auto c = std::move(b);
  heap_storage<T> d(2, jig::uninitialized);
  d.data()[0] = T(1);
  d = c;
  a = std::move(c);
  return zero && a.data()[1] == T(6) && d.data()[1] == T(6) && b.data() == nullptr;
}

const std::string long_text(100, 'x');

// Throws when the last copy that it grants has been made.
struct reluctant {
  static inline int copies_left = -1;
  int value = 0;
  reluctant() = default;
  reluctant(int x) : value(x) {}
  reluctant(const reluctant& o) : value(o.value) { grant(); }
  reluctant(reluctant&& o) noexcept : value(std::exchange(o.value, -1)) {}
  reluctant& operator=(const reluctant& o) {
    grant();
    value = o.value;
    return *this;
  }
  reluctant& operator=(reluctant&& o) noexcept {
    value = std::exchange(o.value, -1);
    return *this;
  }
  ~reluctant() = default;
  static void grant() {
    if (copies_left-- == 0) throw std::runtime_error("no more copies");
  }
};

}  // namespace

TEST_CASE("both storages work in constant evaluation") {
  static_assert(works_in_constant_evaluation<float>());
  static_assert(works_in_constant_evaluation<int>());
  static constexpr inline_storage<int, 3> zeros;
  static_assert(zeros.data()[2] == 0);
  static_assert(inline_storage<double, 0>().data()[0] == 0);
}

TEST_CASE_TEMPLATE("heap memory is aligned and zero", T, bool, std::int8_t, std::int16_t, float, double) {
  for (jig::index n : {1, 2, 3, 17, 1000}) {
    heap_storage<T> s(n);
    CHECK(aligned(s.data()));
    bool zero = true;
    for (jig::index i = 0; i < n; ++i) zero = zero && s.data()[i] == T();
    CHECK(zero);
    CHECK(aligned(heap_storage<T>(n, jig::uninitialized).data()));
  }
}

TEST_CASE("no elements need no memory") {
  heap_storage<float> none(0), never;
  CHECK(none.data() == nullptr);
  CHECK(never.data() == nullptr);
  auto copy = none;
  CHECK(copy.data() == nullptr);
  copy = heap_storage<float>(3);
  CHECK(copy.data()[2] == 0);
  copy = none;
  CHECK(copy.data() == nullptr);
}

TEST_CASE("copies are independent, moves take the memory") {
  heap_storage<int> a(4);
  for (int i = 0; i < 4; ++i) a.data()[i] = i;
  auto b = a;
  CHECK(b.data() != a.data());
  b.data()[0] = 10;
  CHECK(a.data()[0] == 0);
  CHECK(b.data()[3] == 3);
  const int* memory = b.data();
  auto c = std::move(b);
  CHECK(c.data() == memory);
  CHECK(b.data() == nullptr);
  b = a;
  CHECK(b.data()[3] == 3);
  auto& same = b;
  b = same;
  CHECK(b.data()[3] == 3);
  b = std::move(same);
  CHECK(b.data()[3] == 3);
}

TEST_CASE("elements of class type are constructed and destroyed") {
  heap_storage<std::string> a(3), b(2, jig::uninitialized);
  CHECK(aligned(a.data()));
  CHECK(a.data()[2].empty());
  CHECK(b.data()[1].empty());
  a.data()[0] = long_text;
  auto copy = a;
  copy.data()[0] += 'y';
  CHECK(a.data()[0] == long_text);
  b = std::move(copy);
  CHECK(b.data()[0] == long_text + 'y');
  b = heap_storage<std::string>();
  CHECK(b.data() == nullptr);
}

TEST_CASE("too much memory is refused, not wrapped around") {
  constexpr auto most = std::numeric_limits<jig::index>::max();
  CHECK_THROWS_AS(heap_storage<double>(most, jig::uninitialized), std::bad_alloc);
  CHECK_THROWS_AS(heap_storage<double>(most / 4 + 1, jig::uninitialized), std::bad_alloc);
}

TEST_CASE("memory inside the object is aligned as far as it is useful") {
  static_assert(jig::detail::inline_alignment(4, 4) == 4);
  static_assert(jig::detail::inline_alignment(12, 4) == 16);
  static_assert(jig::detail::inline_alignment(64, 4) == 64);
  static_assert(jig::detail::inline_alignment(1000, 4) == 64);
  static_assert(jig::detail::inline_alignment(1, 8) == 8);
  static_assert(sizeof(inline_storage<float, 1>) == 4);
  static_assert(alignof(inline_storage<float, 3>) == 16);
  static_assert(alignof(inline_storage<double, 100>) == 64);
  static_assert(std::is_trivially_copyable_v<inline_storage<float, 3>>);
  inline_storage<float, 100> s(100, jig::uninitialized);
  CHECK(aligned(s.data()));
  CHECK(s.data()[99] == 0);
  CHECK(reinterpret_cast<char*>(s.data()) == reinterpret_cast<char*>(&s));
}

TEST_CASE("strings inside the object") {
  inline_storage<std::string, 2> a(2);
  a.data()[1] = long_text;
  auto b = a;
  auto c = std::move(a);
  CHECK(b.data()[1] == long_text);
  CHECK(c.data()[1] == long_text);
}

TEST_CASE("copy-assignment keeps the memory where as many elements are in it") {
  heap_storage<int> a(3), b(3), longer(4);
  b.data()[2] = 7;
  longer.data()[3] = 8;
  const int* memory = a.data();
  a = b;
  CHECK(a.data() == memory);
  CHECK(a.data()[2] == 7);
  const auto& itself = a;
  a = itself;
  CHECK(a.data() == memory);
  CHECK(a.data()[2] == 7);
  a = longer;
  CHECK(a.data() != memory);
  CHECK(a.data()[3] == 8);
  const int* moved = b.data();
  a = std::move(b);
  CHECK(a.data() == moved);
  a = heap_storage<int>();
  CHECK(a.data() == nullptr);
}

TEST_CASE_TEMPLATE("a copy-assignment that throws changes nothing", S, heap_storage<reluctant>, inline_storage<reluctant, 3>) {
  S a(3), b(3);
  for (int i = 0; i < 3; ++i) {
    a.data()[i] = reluctant(i);
    b.data()[i] = reluctant(10 + i);
  }
  for (int granted : {0, 1, 2}) {
    reluctant::copies_left = granted;
    CHECK_THROWS_AS(a = b, std::runtime_error);
    for (int i = 0; i < 3; ++i) {
      CHECK(a.data()[i].value == i);
      CHECK(b.data()[i].value == 10 + i);
    }
  }
  reluctant::copies_left = -1;
  a = b;
  for (int i = 0; i < 3; ++i) CHECK(a.data()[i].value == 10 + i);
  const auto& itself = a;
  a = itself;
  for (int i = 0; i < 3; ++i) CHECK(a.data()[i].value == 10 + i);
}

TEST_CASE("a copy-assignment to another size that throws changes nothing") {
  heap_storage<reluctant> a(2), b(3);
  a.data()[1] = reluctant(1);
  const auto* memory = a.data();
  reluctant::copies_left = 2;
  CHECK_THROWS_AS(a = b, std::runtime_error);
  reluctant::copies_left = -1;
  CHECK(a.data() == memory);
  CHECK(a.data()[1].value == 1);
}
