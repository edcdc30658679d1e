// SPDX-License-Identifier: MIT
#include <jig/io/wire.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace std::string_view_literals;

struct seen {
  std::uint32_t field = 0;
  jig::wire_type type{};
  std::uint64_t number = 0;
  std::size_t offset = 0;
};

// Everything is read, in depth, as any reader might; whether the bytes were a message.
bool reads(std::string_view bytes, std::size_t* where = nullptr) {
  jig::wire_problem problem;
  auto walk = [&](auto& self, jig::wire_reader r) -> void {
    while (r.next()) {
      if (r.type() == jig::wire_type::varint) (void)r.number();
      if (r.field() == 15) self(self, r.message());
      if (r.field() == 14) r.each_number([](std::uint64_t) {});
      if (r.field() == 13) r.each_fixed32([](std::uint32_t) {});
      if (r.field() == 12) r.each_fixed64([](std::uint64_t) {});
    }
  };
  walk(walk, jig::wire_reader(bytes, problem));
  if (where) *where = problem.offset;
  return !problem.found;
}

constexpr bool read_in_constant_evaluation() {
  jig::wire_writer w;
  w.integer(1, -2);
  w.bytes(2, "text");
  w.real(3, 1.5f);
  w.message(4, [](jig::wire_writer& inside) { inside.packed(1, jig::list<int>{1, 300}); });
  jig::wire_problem problem;
  jig::wire_reader r(w.bytes(), problem);
  bool right = r.next() && r.field() == 1 && r.integer() == -2;
  right = right && r.next() && r.field() == 2 && r.bytes() == "text";
  right = right && r.next() && r.field() == 3 && r.real() == 1.5f;
  right = right && r.next() && r.field() == 4;
  jig::wire_reader inside = r.message();
  std::uint64_t sum = 0;
  while (inside.next()) inside.each_number([&](std::uint64_t x) { sum += x; });
  return right && sum == 301 && !r.next() && !problem.found;
}
static_assert(read_in_constant_evaluation());

}  // namespace

TEST_CASE("bytes are those of protocol buffers") {
  // The examples of protobuf.dev/programming-guides/encoding.
  jig::wire_writer w;
  w.number(1, 150);
  CHECK(w.bytes() == "\x08\x96\x01"sv);
  w.bytes(2, "testing");
  CHECK(w.bytes() == "\x08\x96\x01\x12\x07testing"sv);
  jig::wire_writer packed;
  packed.packed(6, std::vector<int>{3, 270, 86942});
  CHECK(packed.bytes() == "\x32\x06\x03\x8e\x02\x9e\xa7\x05"sv);
  jig::wire_writer minus;
  minus.integer(1, -2);
  CHECK(minus.bytes() == "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv);
  jig::wire_writer reals;
  reals.real(1, 1.0f);
  reals.real(2, 1.0);
  CHECK(reals.bytes() == "\x0d\x00\x00\x80\x3f\x11\x00\x00\x00\x00\x00\x00\xf0\x3f"sv);
}

TEST_CASE("repeated numbers are read packed or one by one") {
  for (const std::string_view bytes : {"\x08\x01\x08\x02\x08\xac\x02"sv, "\x0a\x04\x01\x02\xac\x02"sv, "\x08\x01\x0a\x03\x02\xac\x02"sv}) {
    jig::wire_problem problem;
    jig::wire_reader r(bytes, problem);
    std::vector<std::uint64_t> all;
    while (r.next()) r.each_number([&](std::uint64_t x) { all.push_back(x); });
    CHECK(!problem.found);
    CHECK(all == std::vector<std::uint64_t>{1, 2, 300});
  }
  for (const std::string_view bytes : {"\x0d\x01\x00\x00\x00\x0d\x02\x00\x00\x00"sv, "\x0a\x08\x01\x00\x00\x00\x02\x00\x00\x00"sv}) {
    jig::wire_problem problem;
    jig::wire_reader r(bytes, problem);
    std::vector<std::uint32_t> all;
    while (r.next()) r.each_fixed32([&](std::uint32_t x) { all.push_back(x); });
    CHECK(!problem.found);
    CHECK(all == std::vector<std::uint32_t>{1, 2});
  }
}

TEST_CASE("wrong bytes are refused where they are") {
  const struct {
    std::string_view bytes;
    std::size_t offset;
  } wrong[] = {
      {"\x08"sv, 1},                                                  // no value
      {"\x08\x80"sv, 2},                                              // a number without end
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv, 11},         // 65 bits
      {"\x0a\x02x"sv, 0},                                             // longer than what is left
      {"\x08\x01\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv, 2},  // as long as can be
      {"\x0d\x01\x02\x03"sv, 1},                                      // three bytes of four
      {"\x09\x01\x02\x03\x04\x05\x06\x07"sv, 1},                      // seven of eight
      {"\x00\x01"sv, 0},                                              // field 0
      {"\x0b\x0c"sv, 0},                                              // a group
      {"\x0f"sv, 0},                                                  // no such type
      {"\x7a\x02\x0a\x05"sv, 2},                                      // longer than the message around it
      {"\x72\x01\x80"sv, 3},                                          // within packed numbers
      {"\x6a\x03\x01\x02\x03"sv, 2},                                  // packed fours
      {"\x62\x09\x01\x02\x03\x04\x05\x06\x07\x08\x09"sv, 10},         // packed eights
      {"\x78\x01"sv, 0},                                              // a number where a message is expected
  };
  for (const auto& w : wrong) {
    std::size_t where = 99;
    CAPTURE(w.bytes.size());
    CHECK(!reads(w.bytes, &where));
    CHECK(where == w.offset);
  }
  CHECK(reads(""sv));
  CHECK(reads("\x7a\x00"sv));
  CHECK(reads("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv));  // 64 bits
}

TEST_CASE("values of another type than asked for are refused") {
  auto refused = [](std::string_view bytes, auto ask) {
    jig::wire_problem problem;
    jig::wire_reader r(bytes, problem);
    CHECK(r.next());
    ask(r);
    return problem.found;
  };
  CHECK(refused("\x0a\x01x"sv, [](jig::wire_reader& r) { CHECK(r.number() == 0); }));
  CHECK(refused("\x08\x01"sv, [](jig::wire_reader& r) { CHECK(r.bytes().empty()); }));
  CHECK(refused("\x08\x01"sv, [](jig::wire_reader& r) { CHECK(r.real() == 0.0f); }));
  CHECK(refused("\x08\x01"sv, [](jig::wire_reader& r) { CHECK(!r.message().next()); }));
  CHECK(refused("\x0d\x00\x00\x80\x3f"sv, [](jig::wire_reader& r) { r.each_number([](std::uint64_t) {}); }));
  CHECK(!refused("\x0d\x00\x00\x80\x3f"sv, [](jig::wire_reader& r) { CHECK(r.real() == 1.0f); }));
}

TEST_CASE("messages lie as deep as they may, not deeper") {
  for (const int levels : {jig::wire_reader::most_nested, jig::wire_reader::most_nested + 1}) {
    std::string bytes = std::string("\x08\x01", 2);
    for (int i = 0; i < levels; ++i) {
      jig::wire_writer w;
      w.bytes(15, bytes);
      bytes = w.bytes();
    }
    CHECK(reads(bytes) == (levels == jig::wire_reader::most_nested));
  }
}

TEST_CASE("a message that is cut off is refused or ends behind a field") {
  jig::wire_writer w;
  w.number(1, 300);
  w.message(15, [](jig::wire_writer& inside) {
    inside.bytes(2, "abc");
    inside.packed(14, std::vector<int>{1, 2, 300});
  });
  w.real(3, 2.0);
  const std::string whole(w.bytes());
  int good = 0;
  for (std::size_t n = 0; n <= whole.size(); ++n) good += reads(std::string_view(whole).substr(0, n));
  CHECK(good == 4);
}
