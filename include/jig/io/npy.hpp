// SPDX-License-Identifier: MIT
#pragma once
// NumPy's .npy files: one array each.

#include <jig/io/array_bytes.hpp>
#include <jig/io/files.hpp>
#include <jig/io/input_file.hpp>
#include <jig/io/npy_header.hpp>

namespace jig {

namespace detail {

inline npy_header read_npy_header(const input_file& file, const load_limits& limits) {
  const auto prefix = read_npy_prefix(file.read(0, (std::min)(file.size(), npy_prefix::most)), file.name());
  if (prefix.length > file.size() - prefix.text) file.refuse(file.size(), "the file ends here");
  const std::string text = file.read(prefix.text, prefix.length);
  const npy_header out = npy_header_reader(text, prefix.text, file.name()).read();
  const std::size_t needed = byte_count(out.dtype, out.extents), there = file.size() - out.data;
  if (needed != there) file.refuse(out.data, "the elements have " + std::to_string(there) + " bytes, expected " + std::to_string(needed));
  require_limits(out.dtype, out.extents, limits, file.name(), out.data);
  return out;
}

/// Reads the elements row-major into memory for them: read(offset, to, count) gives the bytes of the file.
template <class Read>
void read_npy_elements(const npy_header& h, void* to, const std::string& file, Read read) {
  const std::size_t count = byte_count(h.dtype, h.extents);
  const shape columns = column_major_strides(h.extents);
  const bool moves = h.fortran_order && !lies_dense(h.extents, columns);
  any_tensor other;
  if (moves) other = any_tensor::empty(h.dtype, h.extents);
  char* const bytes = static_cast<char*>(moves ? other.mutable_data() : to);
  read(h.data, bytes, count);
  const std::size_t bad = h.dtype == dtype::boolean ? first_bad_bool(bytes, count) : count;
  if (bad < count) throw_load_error(file, h.data + bad, "a bool is neither 0 nor 1");
  if (h.swapped) swap_bytes(bytes, count, size_of(h.dtype));
  if (moves) copy_untyped(any_view{h.dtype, bytes, h.extents, columns}, to, row_major_strides(h.extents));
}

inline any_tensor npy_elements(const npy_header& h, const input_file& file) {
  any_tensor out = any_tensor::empty(h.dtype, h.extents);
  read_npy_elements(h, out.mutable_data(), file.name(), [&](auto... where) { file.read(where...); });
  return out;
}

}  // namespace detail

/// The array of an .npy file, row-major.
/// Errors: a file that is damaged, is longer or shorter than it says, has a dtype that jig has not or goes beyond the limits throws
/// load_error with the place in it; nothing is allocated before that.
inline any_tensor load_npy(const std::filesystem::path& path, const load_limits& limits = {}) {
  const detail::input_file file(path);
  return detail::npy_elements(detail::read_npy_header(file, limits), file);
}

/// The same with dtype and extents in the type: `load_npy<float, jig::dyn, 3>("points.npy")`. Wildcard extents take any number.
/// Errors: also another dtype, rank or extent than the type's throws load_error.
template <Element T, index... E>
tensor<T, E...> load_npy(const std::filesystem::path& path, const load_limits& limits = {}) {
  const detail::input_file file(path);
  const detail::npy_header h = detail::read_npy_header(file, limits);
  const tensor_spec asked{dtype_of<T>, spec<T, E...>::value().shape};
  if (!may_be_equal({h.dtype, h.extents}, asked)) {
    message m;
    m << "the array is " << tensor_spec{h.dtype, h.extents} << ", expected " << asked;
    file.refuse(load_error::nowhere, std::string(m.view()));
  }
  tensor<T, E...> out(uninitialized, h.extents);
  detail::read_npy_elements(h, out.data(), file.name(), [&](auto... where) { file.read(where...); });
  return out;
}

/// The array of an .npy file where it is: in memory that the system reads from the file when it is looked at, and that lives as long as the
/// tensor and its copies. Columns stay columns (`strides()`). What is written to it stays in the program. Where bytes are in another order,
/// elements do not lie as the machine reads them, or the system has no mmap, it is a copy.
/// Errors: as of load_npy. A file that another program makes shorter meanwhile ends this one.
/// Cost: that of the header; of bools all elements are looked at.
inline any_tensor mapped_npy(const std::filesystem::path& path, const load_limits& limits = {}) {
  const detail::input_file file(path);
  const detail::npy_header h = detail::read_npy_header(file, limits);
  const std::size_t count = detail::byte_count(h.dtype, h.extents);
  if (h.swapped || h.data % size_of(h.dtype) != 0 || count == 0) return detail::npy_elements(h, file);
  detail::mapped_bytes bytes = file.map();
  char* const data = bytes.data() + h.data;
  const std::size_t bad = h.dtype == dtype::boolean ? detail::first_bad_bool(data, count) : count;
  if (bad < count) file.refuse(h.data + bad, "a bool is neither 0 nor 1");
  const shape strides = h.fortran_order ? detail::column_major_strides(h.extents) : detail::row_major_strides(h.extents);
  return any_tensor::keeping({h.dtype, data, h.extents, strides}, std::move(bytes));
}

/// Writes a tensor, container, variable or number as NumPy does, byte for byte: column-major elements so, all others row-major. Whoever
/// reads the file meanwhile sees the old one or the new one.
/// Errors: no permission, no room and the like throw jig::error with the system's reason; the old file is still there. Strings and
/// bfloat16, which NumPy does not have, throw invalid_argument.
template <class X>
void save_npy(const std::filesystem::path& path, const X& x) {
  const any_view v = detail::view_to_write(x);
  const bool rows = detail::lies_dense(v.extents, v.strides), columns = !rows && detail::lies_column_major(v);
  const std::string header = detail::npy_header_bytes(v.dtype, v.extents, columns);
  detail::replacement to(path);
  to.write(header);
  if (rows || columns) to.write(detail::dense_bytes(v));
  else to.write(detail::dense_bytes(any_tensor(v).view()));
  to.commit();
}

}  // namespace jig
