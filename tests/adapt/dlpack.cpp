// SPDX-License-Identifier: MIT
// First, to see that it needs nothing before it.
#include <jig/adapt/dlpack.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace {

// What another library hands over, and how often it was asked to take it back.
struct foreign {
  std::vector<float> memory = std::vector<float>(24, 1.0f);
  std::vector<std::int64_t> shape{2, 3}, strides{12, 2};
  DLManagedTensor managed{};
  int deleted = 0;

  foreign() {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
    managed.dl_tensor = {memory.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape.data(), strides.data(), 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* m) { ++static_cast<foreign*>(m->manager_ctx)->deleted; };
  }
};

void drop(DLManagedTensor* m) { m->deleter(m); }

}  // namespace

TEST_CASE("tensors go out and come back in place") {
  jig::tensor<float, 2, 2> small{{1, 2}, {3, 4}};
  jig::any_tensor back = jig::from_dlpack(jig::to_dlpack(std::move(small)));
  CHECK(back.shape() == jig::shape{2, {2, 2}});
  CHECK(back.as<float>()(1, 0) == 3);

  jig::tensor<double, jig::dyn> large(jig::uninitialized, {1, {1000}});
  for (double& e : large) e = 1.5;
  const double* memory = large.data();
  DLManagedTensor* out = jig::to_dlpack(std::move(large));
  CHECK(out->dl_tensor.data == memory);
  CHECK(out->dl_tensor.ndim == 1);
  CHECK(out->dl_tensor.shape[0] == 1000);
  CHECK(out->dl_tensor.strides[0] == 1);
  CHECK(out->dl_tensor.byte_offset == 0);
  CHECK(out->dl_tensor.device.device_type == kDLCPU);
  auto again = jig::from_dlpack(out);
  CHECK(again.data() == memory);
  CHECK(again.mutable_data() == memory);
  CHECK(twice(again).as<double>()(999) == 3);
  CHECK(jig::from_dlpack(jig::to_dlpack(jig::tensor<int>(5))).as<int>()() == 5);
  CHECK(jig::from_dlpack(jig::to_dlpack(jig::tensor<int, 0, 3>())).shape() == jig::shape{2, {0, 3}});
}

TEST_CASE("every dtype goes both ways") {
  const auto check = []<class T>(T, unsigned code, unsigned bits) {
    DLManagedTensor* out = jig::to_dlpack(jig::tensor<T, 2>());
    CHECK(out->dl_tensor.dtype.code == code);
    CHECK(out->dl_tensor.dtype.bits == bits);
    CHECK(out->dl_tensor.dtype.lanes == 1);
    CHECK(jig::from_dlpack(out).dtype() == jig::dtype_of<T>);
  };
  check(float(), 2, 32), check(double(), 2, 64), check(jig::half(), 2, 16), check(jig::bfloat16(), 4, 16);
  check(std::int8_t(), 0, 8), check(std::int16_t(), 0, 16), check(std::int32_t(), 0, 32), check(std::int64_t(), 0, 64);
  check(std::uint8_t(), 1, 8), check(std::uint16_t(), 1, 16), check(std::uint32_t(), 1, 32), check(std::uint64_t(), 1, 64);
  check(bool(), 6, 8);
}

TEST_CASE("run-time tensors") {
  jig::any_tensor x(jig::tensor<float, jig::dyn>{1, 2, 3});
  const void* memory = x.data();
  DLManagedTensor* out = jig::to_dlpack(std::move(x));
  CHECK(out->dl_tensor.data == memory);
  drop(out);
  // Shared elements are copied: the other owner's do not change.
  jig::any_tensor one(jig::tensor<float, jig::dyn>{1, 2, 3}), two = one;
  out = jig::to_dlpack(std::move(two));
  CHECK(out->dl_tensor.data != one.data());
  static_cast<float*>(out->dl_tensor.data)[0] = 5;
  CHECK(one.as<float>()(0) == 1);
  drop(out);
  std::vector<float> viewed{1, 2, 3};
  out = jig::to_dlpack(jig::any_tensor::viewing(viewed));
  CHECK(out->dl_tensor.data == viewed.data());
  drop(out);
  out = jig::to_dlpack(jig::any_tensor::viewing(std::as_const(viewed)));
  CHECK(out->dl_tensor.data != viewed.data());
  drop(out);
  CHECK_THROWS_AS(jig::to_dlpack(jig::any_tensor("text")), jig::invalid_argument);
}

TEST_CASE("the deleter runs once, when the last copy lets go") {
  foreign f;
  {
    jig::any_tensor copy;
    {
      const auto x = jig::from_dlpack(&f.managed);
      CHECK(x.data() == f.memory.data());
      CHECK(x.strides() == jig::shape{2, {12, 2}});
      CHECK(x.as<float>()(1, 2) == 16);
      CHECK(twice(x).as<float>()(1, 1) == 28);
      copy = x;
    }
    CHECK(f.deleted == 0);
    const auto moved = std::move(copy);
    CHECK(f.deleted == 0);
  }
  CHECK(f.deleted == 1);
  {
    // Copies are parted before one is written, and strided elements stay where they are when there is one owner.
    auto x = jig::from_dlpack(&f.managed);
    CHECK(x.mutable_data() == f.memory.data());
    auto y = x;
    CHECK(y.mutable_data() != f.memory.data());
  }
  CHECK(f.deleted == 2);
  f.managed.deleter = nullptr;
  CHECK(jig::from_dlpack(&f.managed).size() == 6);
}

TEST_CASE("strides and offsets") {
  foreign f;
  f.managed.dl_tensor.strides = nullptr;
  f.managed.dl_tensor.byte_offset = 8;
  {
    const auto x = jig::from_dlpack(&f.managed);
    CHECK(x.strides() == jig::shape{2, {3, 1}});
    CHECK(x.as<float>()(1, 0) == 5);
  }
  f.managed.dl_tensor.strides = f.strides.data();
  f.managed.dl_tensor.byte_offset = 23 * sizeof(float);
  f.strides = {-12, -2};
  f.managed.dl_tensor.strides = f.strides.data();
  CHECK(jig::from_dlpack(&f.managed).as<float>()(1, 2) == 7);
  f.managed.dl_tensor.ndim = 0;
  CHECK(jig::from_dlpack(&f.managed).as<float>()() == 23);
  // No elements need no memory.
  f.managed.dl_tensor.ndim = 2;
  f.shape = {0, 3};
  f.managed.dl_tensor.shape = f.shape.data();
  f.managed.dl_tensor.byte_offset = 0;
  f.managed.dl_tensor.data = nullptr;
  CHECK(jig::from_dlpack(&f.managed).size() == 0);
  CHECK(f.deleted == 4);
}

TEST_CASE("what is refused stays the caller's") {
  const auto refuses = [](auto change, const char* sentence) {
    foreign f;
    change(f.managed.dl_tensor, f);
    CHECK_THROWS_WITH_AS(jig::from_dlpack(&f.managed), doctest::Contains(sentence), jig::invalid_argument);
    CHECK(f.deleted == 0);
  };
  refuses([](DLTensor& t, foreign&) { t.device.device_type = kDLCUDA; }, "memory of the CPU, given device type 2");
  refuses([](DLTensor& t, foreign&) { t.dtype.lanes = 4; }, "one lane, given 4");
  refuses([](DLTensor& t, foreign&) { t.dtype.code = kDLComplex; }, "type code 5 with 32 bits");
  refuses([](DLTensor& t, foreign&) { t.dtype.bits = 8; }, "type code 2 with 8 bits");
  refuses([](DLTensor& t, foreign&) { t.ndim = 9; }, "at most 8 axes, given 9");
  refuses([](DLTensor& t, foreign&) { t.ndim = -1; }, "at most 8 axes, given -1");
  refuses([](DLTensor&, foreign& f) { f.shape[1] = -3; }, "an extent is negative: -3");
  refuses([](DLTensor&, foreign& f) { f.shape[0] = f.shape[1] = std::int64_t{1} << 40; }, "at most 2^56 bytes");
  refuses([](DLTensor& t, foreign&) { t.byte_offset = 2; }, "aligned to their size, in bytes: 4");
  refuses([](DLTensor& t, foreign&) { t.data = nullptr; }, "no memory");
  CHECK_THROWS_AS(jig::from_dlpack(nullptr), jig::invalid_argument);
}
