// SPDX-License-Identifier: MIT
#pragma once
// Files of the safetensors format: arrays by name, in memory as they are in the file. Needs nlohmann's JSON (Debian's nlohmann-json3-dev).
// Source: the format's description and the checks of its reference reader (github.com/huggingface/safetensors).

#include <jig/io/array_bytes.hpp>
#include <jig/io/files.hpp>
#include <jig/io/input_file.hpp>
#include <jig/io/named_arrays.hpp>
#include <jig/io/safetensors_header.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>

namespace jig {

namespace detail {

class safetensors_reader {
 public:
  safetensors_reader(const std::filesystem::path& path, const load_limits& limits) : file_(path) {
    if (file_.size() < 8) file_.refuse(file_.size(), "the file ends here");
    const std::string digits = file_.read(0, 8);
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) length |= std::uint64_t{static_cast<unsigned char>(digits[i])} << (8 * i);
    // The bound of the format.
    if (length > 100000000) file_.refuse(0, "a header of " + std::to_string(length) + " bytes is too long");
    if (length > file_.size() - 8) file_.refuse(file_.size(), "the file ends here");
    const std::string text = file_.read(8, static_cast<std::size_t>(length));
    tensors_ = read_safetensors_header(text, file_.name());
    data_ = 8 + text.size();
    check(limits);
  }

  named_arrays read() const {
    named_arrays out;
    for (const auto& t : tensors_) {
      any_tensor x = any_tensor::empty(t.dtype, t.extents);
      file_.read(data_ + t.begin, x.mutable_data(), t.end - t.begin);
      out.add(t.name, checked(t, std::move(x)));
    }
    return out;
  }
  named_arrays map() const {
    if (std::endian::native != std::endian::little) return read();
    auto bytes = std::make_shared<mapped_bytes>(file_.map());
    named_arrays out;
    for (const auto& t : tensors_) {
      char* const first = bytes->data() + data_ + t.begin;
      const any_view v{t.dtype, first, t.extents, row_major_strides(t.extents)};
      const bool aligned = t.begin == t.end || reinterpret_cast<std::uintptr_t>(first) % size_of(t.dtype) == 0;
      any_tensor x = aligned ? any_tensor::keeping(v, std::shared_ptr<mapped_bytes>(bytes)) : any_tensor::empty(t.dtype, t.extents);
      if (!aligned) std::memcpy(x.mutable_data(), first, t.end - t.begin);
      out.add(t.name, checked(t, std::move(x)));
    }
    return out;
  }

 private:
  // Arrays have the size of their shapes, and one begins where another ends.
  void check(const load_limits& limits) {
    std::vector<const safetensors_entry*> in_order;
    for (const auto& t : tensors_) {
      const auto named = "'" + t.name + "' ";
      if (!is_possible(t.dtype, t.extents)) file_.refuse(t.offset, named + "has more elements than there can be");
      if (t.begin > t.end || t.end > file_.size() - data_) file_.refuse(t.offset, named + "is not inside of the file");
      const std::size_t needed = byte_count(t.dtype, t.extents);
      if (needed != t.end - t.begin)
        file_.refuse(t.offset, named + "has " + std::to_string(t.end - t.begin) + " bytes, expected " + std::to_string(needed));
      require_limits(t.dtype, t.extents, limits, file_.name(), t.offset);
      in_order.push_back(&t);
    }
    std::sort(in_order.begin(), in_order.end(), [](auto* a, auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
    std::size_t at = 0;
    for (const auto* t : in_order) {
      if (t->begin != at)
        file_.refuse(t->offset,
                     "'" + t->name + "' begins at " + std::to_string(t->begin) + (t->begin < at ? ", within another" : ", behind a gap"));
      at = t->end;
    }
    if (at != file_.size() - data_) file_.refuse(data_ + at, "bytes follow that belong to no array");
  }
  any_tensor checked(const safetensors_entry& t, any_tensor x) const {
    const std::size_t count = t.end - t.begin;
    const char* const bytes = static_cast<const char*>(x.data());
    const std::size_t bad = t.dtype == dtype::boolean ? first_bad_bool(bytes, count) : count;
    if (bad < count) file_.refuse(data_ + t.begin + bad, "a bool is neither 0 nor 1");
    if (std::endian::native != std::endian::little) swap_bytes(static_cast<char*>(x.mutable_data()), count, size_of(t.dtype));
    return x;
  }

  input_file file_;
  std::vector<safetensors_entry> tensors_;
  std::size_t data_ = 0;
};

}  // namespace detail

/// The arrays of a safetensors file by name.
/// Errors: damaged files, arrays that overlap, leave gaps or have another size than their shape, names that are there twice, dtypes that
/// jig has not and sizes beyond the limits throw load_error with the place in the file; nothing is allocated before that.
inline named_arrays load_safetensors(const std::filesystem::path& path, const load_limits& limits = {}) {
  return detail::safetensors_reader(path, limits).read();
}

/// The same where they are: in memory that the system reads from the file when it is looked at, and that lives as long as the arrays and
/// their copies. What is written to it stays in the program. Those that do not lie as the machine reads them are copies.
/// Errors: as of load_safetensors. A file that another program makes shorter meanwhile ends this one.
/// Cost: that of the header; of bools all elements are looked at.
inline named_arrays mapped_safetensors(const std::filesystem::path& path, const load_limits& limits = {}) {
  return detail::safetensors_reader(path, limits).map();
}

/// Writes arrays by name as a safetensors file: wide elements first, so that all lie as machines read them. Whoever reads the file
/// meanwhile sees the old one or the new one.
/// Errors: no permission, no room and the like throw jig::error with the system's reason; the old file is still there. Strings, and names
/// that are no UTF-8, throw invalid_argument.
inline void save_safetensors(const std::filesystem::path& path, const named_arrays& arrays) {
  std::vector<const std::pair<std::string, any_tensor>*> in_order;
  for (const auto& entry : arrays) in_order.push_back(&entry);
  // Those of one width in the order that they are given in.
  std::sort(in_order.begin(), in_order.end(), [](auto* a, auto* b) {
    const std::size_t first = size_of(a->second.dtype()), second = size_of(b->second.dtype());
    return first != second ? first > second : std::less<>()(a, b);
  });
  std::vector<detail::safetensors_entry> entries;
  std::size_t at = 0;
  for (const auto* a : in_order) {
    const std::size_t end = at + detail::byte_count(a->second.dtype(), a->second.shape());
    entries.push_back({a->first, a->second.dtype(), a->second.shape(), at, end, 0});
    at = end;
  }
  const std::string header = detail::safetensors_header_bytes(entries);
  detail::replacement to(path);
  to.write(header);
  for (const auto* a : in_order) {
    const any_tensor dense = a->second.is_dense() ? a->second : any_tensor(a->second.view());
    if constexpr (std::endian::native == std::endian::little) {
      to.write(detail::dense_bytes(dense.view()));
    } else {
      std::string turned(detail::dense_bytes(dense.view()));
      detail::swap_bytes(turned.data(), turned.size(), size_of(dense.dtype()));
      to.write(turned);
    }
  }
  to.commit();
}

namespace detail {

inline constinit array_file_format safetensors_format{
    ".safetensors", [](const std::filesystem::path& path, const load_limits& limits) { return load_safetensors(path, limits); },
    [](const std::filesystem::path& path, const named_arrays& arrays) { save_safetensors(path, arrays); }};
inline const bool safetensors_format_entered = enter_array_file_format(safetensors_format);

}  // namespace detail

}  // namespace jig
