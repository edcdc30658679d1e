// SPDX-License-Identifier: MIT
#pragma once
// What stands before the elements of NumPy's .npy files. Source: numpy/lib/format.py, versions 1.0 to 3.0 of the format.

#include <jig/core/shape.hpp>
#include <jig/io/load_error.hpp>

#include <bit>
#include <string>
#include <string_view>

namespace jig::detail {

/// What an .npy file says of its elements, and where they begin.
struct npy_header {
  jig::dtype dtype = dtype::float32;
  bool swapped = false;  // the other order of bytes than this machine's
  bool fortran_order = false;
  jig::shape extents;
  std::size_t data = 0;
};

/// Where the text of a header is.
struct npy_prefix {
  /// Bytes that have to be read to know.
  static constexpr std::size_t most = 12;
  std::size_t text = 0, length = 0;
};

/// Of the first bytes of a file, as many as it has up to npy_prefix::most.
inline npy_prefix read_npy_prefix(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, 6) != std::string_view("\x93NUMPY", 6)) throw_load_error(file, 0, "this is no .npy file");
  const int version = bytes.size() < 8 ? 0 : static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    throw_load_error(file, 6, bytes.size() < 8 ? "the file ends here" : "version " + std::to_string(version) + " of .npy is not known");
  const std::size_t digits = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + digits) throw_load_error(file, bytes.size(), "the file ends here");
  npy_prefix out{8 + digits, 0};
  for (std::size_t i = 0; i < digits; ++i) out.length |= std::size_t{static_cast<unsigned char>(bytes[8 + i])} << (8 * i);
  // Of 8 extents and a dtype; NumPy refuses more than 10 000 itself.
  if (out.length > 65535) throw_load_error(file, 8, "a header of " + std::to_string(out.length) + " bytes is too long");
  return out;
}

// A dictionary as Python writes it.
class npy_header_reader {
 public:
  npy_header_reader(std::string_view text, std::size_t offset, const std::string& file) : text_(text), offset_(offset), file_(file) {}

  npy_header read() {
    npy_header out;
    bool given[3] = {};
    expect('{', "the header is no dictionary");
    while (!skip('}')) {
      const std::size_t at = at_;
      const std::string_view key = string("a key is no string");
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (which == 3 || given[which]) refuse(at, "the key '" + std::string(key) + (which == 3 ? "' is not known" : "' is there twice"));
      given[which] = true;
      expect(':', "a ':' is missing");
      if (which == 0) read_dtype(out);
      else if (which == 1) out.fortran_order = boolean();
      else read_shape(out);
      if (!skip(',')) {
        expect('}', "a '}' is missing");
        break;
      }
    }
    blanks();
    if (at_ != text_.size()) refuse(at_, "something stands behind the header's dictionary");
    for (const char* key : {"shape", "fortran_order", "descr"})
      if (!given[key[0] == 'd' ? 0 : key[0] == 'f' ? 1 : 2]) refuse(0, std::string("'") + key + "' is missing");
    if (!is_possible(out.dtype, out.extents)) refuse(0, "the array has more elements than there can be");
    out.data = offset_ + text_.size();
    return out;
  }

 private:
  [[noreturn]] void refuse(std::size_t at, const std::string& reason) const { throw_load_error(file_, offset_ + at, reason); }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool skip(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* otherwise) {
    if (!skip(c)) refuse(at_, otherwise);
  }
  std::string_view string(const char* otherwise) {
    blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos) refuse(at_, otherwise);
    const std::string_view out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return out;
  }
  bool boolean() {
    blanks();
    for (const std::string_view word : {"True", "False"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    refuse(at_, "'fortran_order' is neither True nor False");
  }
  void read_dtype(npy_header& out) {
    blanks();
    const std::size_t at = at_;
    const std::string_view all = string("jig has no dtypes of fields");
    std::string_view kind = all;
    const char order = kind.empty() ? '\0' : kind[0];
    if (order == '<' || order == '>' || order == '|' || order == '=') kind.remove_prefix(1);
    constexpr std::string_view kinds[] = {"f4", "f8", "f2", "", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    std::size_t d = 0;
    while (d < std::size(kinds) && (kinds[d].empty() || kinds[d] != kind)) ++d;
    if (kind == "?") d = static_cast<std::size_t>(dtype::boolean);
    if (d == std::size(kinds)) refuse(at, "jig has no dtype '" + std::string(all.substr(0, 40)) + "' of NumPy");
    out.dtype = static_cast<jig::dtype>(d);
    out.swapped = size_of(out.dtype) > 1 && order == (std::endian::native == std::endian::little ? '>' : '<');
  }
  void read_shape(npy_header& out) {
    blanks();
    const std::size_t at = at_;
    expect('(', "'shape' is no tuple");
    while (!skip(')')) {
      if (out.extents.rank == max_rank) refuse(at, "the array has more than 8 axes");
      blanks();
      index extent = 0;
      const std::size_t first = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        if (!multiply_extents(extent, 10, extent) || !add_extents(extent, text_[at_] - '0', extent))
          refuse(first, "an extent is too large");
      if (at_ == first) refuse(first, "an extent is no number");
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote them
      out.extents.push_back(extent);
      if (!skip(',')) {
        expect(')', "a ')' is missing");
        break;
      }
    }
  }

  std::string_view text_;
  std::size_t offset_, at_ = 0;
  const std::string& file_;
};

/// What stands before elements that lie row-major or column-major, byte for byte as NumPy writes it.
/// Errors: a dtype that NumPy does not have throws invalid_argument.
inline std::string npy_header_bytes(jig::dtype d, const shape& extents, bool fortran_order) {
  if (d == dtype::bfloat16 || d == dtype::string)
    throw_invalid_argument("an .npy file has no dtype " + std::string(name_of(d)) + ": NumPy has none" +
                           (d == dtype::string ? " without a bound on its length" : ""));
  const char order = size_of(d) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  const char kind = d == dtype::boolean ? 'b' : is_floating(d) ? 'f' : is_signed(d) ? 'i' : 'u';
  std::string text = std::string("{'descr': '") + order + kind + std::to_string(size_of(d)) +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (";
  for (int a = 0; a < extents.rank; ++a) text += (a > 0 ? ", " : "") + std::to_string(extents[a]);
  text += extents.rank == 1 ? ",), }" : "), }";
  // NumPy leaves room for the extent along which one appends to grow to 21 digits, and lets the elements begin at a multiple of 64.
  if (extents.rank > 0) text.append(21 - std::to_string(extents[fortran_order ? extents.rank - 1 : 0]).size(), ' ');
  constexpr std::size_t before = 10;
  text.append(64 - (before + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(text.size() & 255);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

}  // namespace jig::detail
