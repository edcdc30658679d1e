// SPDX-License-Identifier: MIT
#pragma once
// DLPack: tensors handed to other libraries and taken from them, elements and all, without a copy.

#include <jig/adapt/argument.hpp>

#include <dlpack/dlpack.h>

#include <memory>

namespace jig {

class any_tensor;

namespace detail {

// DLPack's code for bool, which older headers do not have.
inline constexpr unsigned dlpack_bool = 6;

constexpr DLDataType dlpack_type(dtype d) {
  const unsigned code = d == dtype::boolean    ? dlpack_bool
                        : d == dtype::bfloat16 ? static_cast<unsigned>(kDLBfloat)
                        : is_floating(d)       ? static_cast<unsigned>(kDLFloat)
                        : is_signed(d)         ? static_cast<unsigned>(kDLInt)
                                               : static_cast<unsigned>(kDLUInt);
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * size_of(d)), 1};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_dlpack(const char* problem, index number) {
  message m;
  m << "from_dlpack: " << problem << number;
  throw_invalid_argument(m.view());
}

inline dtype dtype_of_dlpack(DLDataType t) {
  if (t.lanes != 1) throw_dlpack("elements have one lane, given ", t.lanes);
  for (int d = 0; d < dtype_count; ++d) {
    const DLDataType is = dlpack_type(static_cast<dtype>(d));
    if (static_cast<dtype>(d) != dtype::string && is.code == t.code && is.bits == t.bits) return static_cast<dtype>(d);
  }
  message m;
  m << "from_dlpack: no dtype has type code " << static_cast<int>(t.code) << " with " << static_cast<int>(t.bits) << " bits";
  throw_invalid_argument(m.view());
}

inline any_view seen_dlpack(const DLTensor& x) {
  if (x.device.device_type != kDLCPU)
    throw_dlpack("elements have to be in the memory of the CPU, given device type ", x.device.device_type);
  any_view v{dtype_of_dlpack(x.dtype), static_cast<const char*>(x.data) + x.byte_offset, {}, {}};
  if (x.ndim < 0 || x.ndim > max_rank) throw_dlpack("a tensor has at most 8 axes, given ", x.ndim);
  for (int a = 0; a < x.ndim; ++a) {
    if (x.shape[a] < 0) throw_dlpack("an extent is negative: ", static_cast<index>(x.shape[a]));
    v.extents.push_back(static_cast<index>(x.shape[a]));
  }
  if (!is_possible(v.dtype, v.extents)) throw_dlpack("a tensor has at most 2^56 bytes, given more along axes: ", x.ndim);
  v.strides = row_major_strides(v.extents);
  for (int a = 0; a < x.ndim && x.strides; ++a) v.strides[a] = static_cast<index>(x.strides[a]);
  if (v.extents.size() > 0) {
    if (!x.data) throw_invalid_argument("from_dlpack: there are elements, but no memory");
    if (reinterpret_cast<std::uintptr_t>(v.data) % size_of(v.dtype) != 0)
      throw_dlpack("elements have to be aligned to their size, in bytes: ", static_cast<index>(size_of(v.dtype)));
  }
  return v;
}

struct dlpack_owner {
  DLManagedTensor* managed;
  explicit dlpack_owner(DLManagedTensor* m) : managed(m) {}
  dlpack_owner(dlpack_owner&& o) noexcept : managed(std::exchange(o.managed, nullptr)) {}
  ~dlpack_owner() {
    if (managed && managed->deleter) managed->deleter(managed);
  }
};

// What a consumer gets, with what it points to.
template <class Tensor>
struct dlpack_export {
  Tensor elements;
  std::int64_t extents[max_rank], strides[max_rank];
  DLManagedTensor managed;

  explicit dlpack_export(Tensor&& x) : elements(std::move(x)), extents(), strides(), managed() {}
  void fill(void* data, dtype d, const shape& s, const shape& steps) {
    for (int a = 0; a < s.rank; ++a) {
      extents[a] = s[a];
      strides[a] = steps[a];
    }
    DLTensor& t = managed.dl_tensor;
    t.data = data;
    t.device.device_type = kDLCPU;
    t.ndim = s.rank;
    t.dtype = dlpack_type(d);
    t.shape = extents;
    t.strides = strides;
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* m) { delete static_cast<dlpack_export*>(m->manager_ctx); };
  }
};

}  // namespace detail

/// A tensor with its elements, in place, for a library that takes DLPack: whoever takes it calls its deleter once, which frees all.
/// Errors: strings have no dtype there (compile time).
template <class T, index... E>
DLManagedTensor* to_dlpack(tensor<T, E...>&& x) {
  static_assert(!std::is_same_v<T, std::string>, "jig: DLPack has no strings");
  auto out = std::make_unique<detail::dlpack_export<tensor<T, E...>>>(std::move(x));
  auto& elements = out->elements;
  out->fill(elements.data(), dtype_of<T>, elements.shape(), elements.strides());
  return &out.release()->managed;
}

/// The same of a run-time tensor. Elements that it shares with copies, or views and may not write, are copied first; those of
/// an object that it views stay that object's.
/// Errors: strings throw invalid_argument; the tensor keeps its elements then.
template <class Tensor>
  requires std::is_same_v<Tensor, any_tensor>
DLManagedTensor* to_dlpack(Tensor&& x) {
  if (x.dtype() == dtype::string) detail::throw_invalid_argument("to_dlpack: DLPack has no strings");
  void* data = x.mutable_data();
  const any_view v = x.view();
  auto out = std::make_unique<detail::dlpack_export<any_tensor>>(std::move(x));
  out->fill(data, v.dtype, v.extents, v.strides);
  return &out.release()->managed;
}

/// The elements of somebody's tensor where they are, which may be written there. The deleter runs once, when the last copy has let
/// go of them. Without strides elements are row-major.
/// Errors: another device than the CPU, more than one lane, a dtype that jig does not have, more than 8 axes, and memory that is not
/// aligned to an element throw invalid_argument. Whatever throws, the tensor stays the caller's, who still has to call its deleter.
template <class Tensor = any_tensor>
Tensor from_dlpack(DLManagedTensor* managed) {
  if (!managed) detail::throw_invalid_argument("from_dlpack: there is no tensor");
  const any_view v = detail::seen_dlpack(managed->dl_tensor);
  detail::dlpack_owner owner(managed);
  // Without the memory to take it, it is given back.
  struct guard {
    detail::dlpack_owner& owner;
    ~guard() { owner.managed = nullptr; }
  } give_back{owner};
  return Tensor::keeping(v, std::move(owner));
}

}  // namespace jig
