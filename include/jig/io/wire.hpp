// SPDX-License-Identifier: MIT
#pragma once
// The wire format of protocol buffers, for constant evaluation as for files. Bytes are chars, so that text fields can be looked at where
// they lie in constant evaluation too.

#include <jig/core/error.hpp>
#include <jig/core/list.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

namespace jig {

/// How the value of a field is written.
enum class wire_type : unsigned char { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// The first thing that was wrong with bytes that were read, and where. All readers of one file share it.
struct wire_problem {
  bool found = false;
  std::size_t offset = 0;
  const char* reason = "";
  constexpr void note(std::size_t at, const char* why) {
    if (found) return;
    found = true;
    offset = at;
    reason = why;
  }
};

/// Reads a message field by field: `while (r.next()) switch (r.field()) …`. Lengths are compared with what is left, and nothing is
/// allocated. After a problem all readers that share it are at their end, and values are empty.
class wire_reader {
 public:
  /// How deep messages may lie in each other.
  static constexpr int most_nested = 100;

  /// `offset` is where the bytes are in the file.
  constexpr wire_reader(std::string_view bytes, wire_problem& problem, std::size_t offset = 0, int depth = most_nested)
      : bytes_(bytes), offset_(offset), problem_(&problem), depth_(depth) {}

  /// Goes to the next field and reads its value.
  constexpr bool next() {
    if (problem_->found || at_ == bytes_.size()) return false;
    start_ = at_;
    const std::uint64_t key = varint();
    number_ = 0;
    content_ = {};
    if (key >> 3 == 0 || key >> 32 != 0) problem_->note(offset_ + start_, "a field has no valid number");
    if (problem_->found) return false;
    field_ = static_cast<std::uint32_t>(key >> 3);
    type_ = static_cast<wire_type>(key & 7);
    switch (type_) {
      case wire_type::varint: number_ = varint(); break;
      case wire_type::fixed32: number_ = fixed(4); break;
      case wire_type::fixed64: number_ = fixed(8); break;
      case wire_type::bytes: {
        const std::uint64_t length = varint();
        if (!problem_->found && length > bytes_.size() - at_)
          problem_->note(offset_ + start_, "a field is longer than the bytes around it");
        if (problem_->found) return false;
        inside_ = offset_ + at_;
        content_ = bytes_.substr(at_, static_cast<std::size_t>(length));
        at_ += static_cast<std::size_t>(length);
        break;
      }
      default: problem_->note(offset_ + start_, "a field is of an unknown type");
    }
    return !problem_->found;
  }

  constexpr std::uint32_t field() const { return field_; }
  constexpr wire_type type() const { return type_; }
  /// Where the field is in the file.
  constexpr std::size_t offset() const { return offset_ + start_; }
  /// Where the value of a field of bytes is in the file.
  constexpr std::size_t inside() const { return inside_; }
  constexpr wire_problem& problem() const { return *problem_; }

  /// The value as a number.
  constexpr std::uint64_t number() const {
    require(wire_type::varint);
    return type_ == wire_type::varint ? number_ : 0;
  }
  constexpr std::int64_t integer() const { return static_cast<std::int64_t>(number()); }
  constexpr float real() const {
    require(wire_type::fixed32);
    return type_ == wire_type::fixed32 ? std::bit_cast<float>(static_cast<std::uint32_t>(number_)) : 0.0f;
  }
  /// The value as text or bytes, where they lie.
  constexpr std::string_view bytes() const {
    require(wire_type::bytes);
    return content_;
  }
  /// The value as a message.
  constexpr wire_reader message() const {
    require(wire_type::bytes);
    if (depth_ == 0) problem_->note(offset(), "messages lie too deep in each other");
    return {content_, *problem_, inside_, depth_ - 1};
  }
  /// The values of a repeated field, packed or one of them: f(std::uint64_t).
  template <class F>
  constexpr void each_number(F f) const {
    each(wire_type::varint, f, [](wire_reader& r) { return r.varint(); });
  }
  /// The same of values of four bytes: f(std::uint32_t).
  template <class F>
  constexpr void each_fixed32(F f) const {
    each(wire_type::fixed32, [&](std::uint64_t x) { f(static_cast<std::uint32_t>(x)); }, [](wire_reader& r) { return r.fixed(4); });
  }
  /// The same of values of eight bytes: f(std::uint64_t).
  template <class F>
  constexpr void each_fixed64(F f) const {
    each(wire_type::fixed64, f, [](wire_reader& r) { return r.fixed(8); });
  }

 private:
  constexpr void require(wire_type expected) const {
    if (type_ != expected) problem_->note(offset(), "a field is of another type than its number says");
  }
  constexpr std::uint64_t varint() {
    std::uint64_t x = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) break;
      x |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return x;
    }
    problem_->note(offset_ + at_, at_ == bytes_.size() ? "the bytes end within a number" : "a number has more than 64 bits");
    return 0;
  }
  constexpr std::uint64_t fixed(std::size_t size) {
    if (bytes_.size() - at_ < size) {
      problem_->note(offset_ + at_, "the bytes end within a number");
      return 0;
    }
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < size; ++i) x |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i);
    at_ += size;
    return x;
  }
  template <class F, class Read>
  constexpr void each(wire_type single, F f, Read read) const {
    if (type_ == single) return f(number_);
    require(wire_type::bytes);
    wire_reader inside(content_, *problem_, inside_);
    while (!problem_->found && inside.at_ < inside.bytes_.size()) {
      const std::uint64_t x = read(inside);
      if (!problem_->found) f(x);
    }
  }

  std::string_view bytes_;
  std::size_t offset_ = 0, at_ = 0, start_ = 0, inside_ = 0;
  wire_problem* problem_;
  int depth_;
  std::uint32_t field_ = 0;
  wire_type type_ = wire_type::varint;
  std::uint64_t number_ = 0;
  std::string_view content_;
};

/// Writes a message field by field.
class wire_writer {
 public:
  constexpr std::string_view bytes() const { return {out_.data(), out_.size()}; }

  constexpr void number(std::uint32_t field, std::uint64_t x) {
    key(field, wire_type::varint);
    varint(x);
  }
  constexpr void integer(std::uint32_t field, std::int64_t x) { number(field, static_cast<std::uint64_t>(x)); }
  constexpr void real(std::uint32_t field, float x) {
    key(field, wire_type::fixed32);
    fixed(std::bit_cast<std::uint32_t>(x), 4);
  }
  constexpr void real(std::uint32_t field, double x) {
    key(field, wire_type::fixed64);
    fixed(std::bit_cast<std::uint64_t>(x), 8);
  }
  constexpr void fixed32(std::uint32_t field, std::uint32_t x) {
    key(field, wire_type::fixed32);
    fixed(x, 4);
  }
  /// Text, bytes or a message that is written already.
  /// Errors: what a message cannot hold, 2 GB or more, throws invalid_argument.
  constexpr void bytes(std::uint32_t field, std::string_view x) {
    key(field, wire_type::bytes);
    varint(x.size());
    append(x);
  }
  /// A message, which f(wire_writer&) writes.
  template <class F>
  constexpr void message(std::uint32_t field, F f) {
    wire_writer inside;
    f(inside);
    bytes(field, inside.bytes());
  }
  /// A repeated field of numbers, packed.
  template <class Numbers>
  constexpr void packed(std::uint32_t field, const Numbers& numbers) {
    wire_writer inside;
    for (const auto& x : numbers) inside.varint(static_cast<std::uint64_t>(x));
    bytes(field, inside.bytes());
  }

 private:
  constexpr void key(std::uint32_t field, wire_type type) { varint(static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(type)); }
  constexpr void varint(std::uint64_t x) {
    for (; x >= 128; x >>= 7) out_.push_back(static_cast<char>((x & 127) | 128));
    out_.push_back(static_cast<char>(x));
  }
  constexpr void fixed(std::uint64_t x, int size) {
    for (int i = 0; i < size; ++i) out_.push_back(static_cast<char>((x >> (8 * i)) & 255));
  }
  constexpr void append(std::string_view x) {
    constexpr std::size_t most = (std::numeric_limits<int>::max)() / 2;
    if (x.size() > most - out_.size()) detail::throw_invalid_argument("a message of protocol buffers cannot be as large as this one");
    const std::size_t needed = out_.size() + x.size();
    if (needed > 2 * out_.size()) out_.reserve(static_cast<int>(needed));
    for (const char c : x) out_.push_back(c);
  }
  list<char> out_;
};

}  // namespace jig
