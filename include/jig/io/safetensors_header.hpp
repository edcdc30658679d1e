// SPDX-License-Identifier: MIT
#pragma once
// The header of a safetensors file: JSON that says what arrays there are and where.

#include <jig/core/shape.hpp>
#include <jig/io/load_error.hpp>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#else
#error "jig: io/safetensors_header.hpp needs nlohmann's JSON: apt-get install nlohmann-json3-dev"
#endif

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jig::detail {

/// One array of a file.
struct safetensors_entry {
  std::string name;
  jig::dtype dtype;
  jig::shape extents;
  std::size_t begin, end;  // behind the header
  std::size_t offset;      // of what says so in the file
};

inline constexpr std::pair<std::string_view, dtype> safetensors_dtypes[] = {
    {"F32", dtype::float32}, {"F64", dtype::float64}, {"F16", dtype::float16}, {"BF16", dtype::bfloat16}, {"I8", dtype::int8},
    {"I16", dtype::int16},   {"I32", dtype::int32},   {"I64", dtype::int64},   {"U8", dtype::uint8},      {"U16", dtype::uint16},
    {"U32", dtype::uint32},  {"U64", dtype::uint64},  {"BOOL", dtype::boolean}};

// Tells how far a parser has read.
class counted_chars {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  counted_chars(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  const char& operator*() const { return *at_; }
  counted_chars& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  counted_chars operator++(int) {
    const counted_chars before = *this;
    ++*this;
    return before;
  }
  bool operator==(const counted_chars& o) const { return at_ == o.at_; }
  bool operator!=(const counted_chars& o) const { return at_ != o.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// Takes the parts of the header as they are read, and nothing that has no place in it: no tree is built of what a file may say.
class safetensors_events {
 public:
  safetensors_events(std::string_view text, const std::string& file) : text_(text), file_(file), furthest_(text.data()) {}
  std::vector<safetensors_entry> read() {
    if (text_.empty() || text_.front() != '{') refuse("the header is no JSON object");
    nlohmann::json::sax_parse(counted_chars(text_.data(), &furthest_), counted_chars(text_.data() + text_.size(), &furthest_), this);
    return std::move(found_);
  }

  bool null() { return misplaced("null"); }
  bool boolean(bool) { return misplaced("a bool"); }
  bool number_integer(std::int64_t) { return misplaced("a negative number"); }
  bool number_float(double, const std::string&) { return misplaced("a number that is no integer"); }
  template <class Bytes>
  bool binary(Bytes&) {
    return misplaced("binary data");
  }
  bool number_unsigned(std::uint64_t x) {
    if (place_ == in_shape) {
      if (now_.extents.rank == max_rank) refuse("'" + now_.name + "' has more than 8 axes");
      if (x > static_cast<std::uint64_t>(most_bytes)) refuse("an extent of '" + now_.name + "' is too large");
      now_.extents.push_back(static_cast<index>(x));
    } else if (place_ == in_offsets && offsets_ < 2) {
      if (x > static_cast<std::uint64_t>(most_bytes)) refuse("an offset of '" + now_.name + "' is too large");
      (offsets_++ == 0 ? now_.begin : now_.end) = static_cast<std::size_t>(x);
    } else {
      misplaced("a number");
    }
    return true;
  }
  bool string(const std::string& x) {
    if (place_ == in_metadata) return true;
    if (place_ != in_tensor || key_ != 0) return misplaced("a text");
    for (const auto& [name, d] : safetensors_dtypes)
      if (name == x) {
        now_.dtype = d;
        return true;
      }
    refuse("'" + now_.name + "': jig has no dtype '" + x.substr(0, 40) + "' of safetensors");
  }
  bool start_object(std::size_t) {
    if (place_ == outside) place_ = in_header;
    else if (place_ == in_header) place_ = now_.name == "__metadata__" ? in_metadata : in_tensor;
    else misplaced("an object");
    return true;
  }
  bool key(const std::string& name) {
    if (place_ == in_header) {
      if (!names_.insert(name).second) refuse("two arrays are named '" + name + "'");
      now_ = {name, dtype::float32, {}, 0, 0, place()};
      given_ = 0;
      offsets_ = 0;
    } else if (place_ == in_metadata) {
      if (!metadata_.insert(name).second) refuse("two texts of the metadata are named '" + name + "'");
    } else {
      key_ = name == "dtype" ? 0 : name == "shape" ? 1 : name == "data_offsets" ? 2 : 3;
      if (key_ == 3 || (given_ >> key_ & 1) != 0)
        refuse("'" + now_.name + "': the key '" + name + (key_ == 3 ? "' is not known" : "' is there twice"));
      given_ |= 1 << key_;
    }
    return true;
  }
  bool end_object() {
    if (place_ == in_tensor) {
      if (given_ != 7 || offsets_ != 2) refuse("'" + now_.name + "' has not dtype, shape and two data_offsets");
      found_.push_back(now_);
    }
    place_ = place_ == in_header ? outside : in_header;
    return true;
  }
  bool start_array(std::size_t) {
    if (place_ != in_tensor || key_ == 0) return misplaced("a list");
    place_ = key_ == 1 ? in_shape : in_offsets;
    return true;
  }
  bool end_array() {
    place_ = in_tensor;
    return true;
  }
  template <class Error>
  bool parse_error(std::size_t, const std::string&, const Error&) {
    refuse("the header is no JSON");
  }

 private:
  enum where { outside, in_header, in_metadata, in_tensor, in_shape, in_offsets };
  std::size_t place() const { return 8 + static_cast<std::size_t>(furthest_ - text_.data()); }
  [[noreturn]] void refuse(const std::string& reason) const { throw_load_error(file_, place(), reason); }
  [[noreturn]] bool misplaced(const char* what) const { refuse(std::string("the header has ") + what + " where none belongs"); }

  std::string_view text_;
  const std::string& file_;
  const char* furthest_;
  std::vector<safetensors_entry> found_;
  std::set<std::string> names_, metadata_;
  safetensors_entry now_{};
  where place_ = outside;
  int key_ = 3, given_ = 0, offsets_ = 0;
};

/// What the text of a header says, as load_safetensors checks it.
inline std::vector<safetensors_entry> read_safetensors_header(std::string_view text, const std::string& file) {
  return safetensors_events(text, file).read();
}

/// The length of a header and the header, with blanks up to a multiple of 8.
inline std::string safetensors_header_bytes(const std::vector<safetensors_entry>& entries) {
  auto header = nlohmann::ordered_json::object();
  for (const auto& e : entries) {
    const auto* known = safetensors_dtypes;
    while (known != std::end(safetensors_dtypes) && known->second != e.dtype) ++known;
    if (known == std::end(safetensors_dtypes)) throw_invalid_argument("safetensors have no dtype string: '" + e.name + "' has it");
    if (e.name == "__metadata__") throw_invalid_argument("no array of safetensors can be named '__metadata__'");
    auto extents = nlohmann::ordered_json::array();
    for (int a = 0; a < e.extents.rank; ++a) extents.push_back(e.extents[a]);
    header[e.name] = {{"dtype", known->first}, {"shape", std::move(extents)}, {"data_offsets", {e.begin, e.end}}};
  }
  std::string text;
  if (!attempt<nlohmann::json::exception>([&] { text = header.dump(); }, [] { return true; }))
    throw_invalid_argument("a name of an array is no UTF-8");
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string out;
  for (std::size_t i = 0, n = text.size(); i < 8; ++i) out += static_cast<char>(n >> (8 * i) & 255);
  return out + text;
}

}  // namespace jig::detail
