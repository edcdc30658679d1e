// SPDX-License-Identifier: MIT
#include <jig/io/event_writer.hpp>

#include "io/damaged.hpp"

#include <bit>
#include <thread>
#include <vector>

namespace {

// A reader of its own, from the descriptions of both formats: what a number, a length and a text are to it.
struct event {
  double time = 0;
  std::int64_t step = 0;
  std::string version, graph, tag;
  float value = 0;
};
std::uint64_t number(const std::string& bytes, std::size_t at, std::size_t count) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < count; ++i) n |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes.at(at + i))) << (8 * i);
  return n;
}
std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}
std::uint64_t varint(const std::string& bytes, std::size_t& at) {
  std::uint64_t n = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(at++));
    n |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return n;
  }
}
// Calls f(field, number, text) for each field of a message.
template <class F>
void each_field(const std::string& bytes, F f) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t key = varint(bytes, at);
    std::uint64_t n = 0;
    std::string text;
    const std::size_t width = (key & 7) == 1 ? 8 : (key & 7) == 5 ? 4 : 0;
    if (width > 0) n = number(bytes, at, width);
    else n = varint(bytes, at);
    if ((key & 7) == 2) text = bytes.substr(at, n);
    at += (key & 7) == 2 ? n : width;
    f(key >> 3, n, text);
  }
}
std::vector<event> events_in(const std::string& path) {
  const std::string bytes = bytes_of_file(path);
  std::vector<event> out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t length = number(bytes, at, 8);
    CHECK(number(bytes, at + 8, 4) == checksum(bytes.substr(at, 8)));
    const std::string data = bytes.substr(at + 12, length);
    CHECK(number(bytes, at + 12 + length, 4) == checksum(data));
    at += length + 16;
    event e;
    each_field(data, [&](std::uint64_t field, std::uint64_t n, const std::string& text) {
      if (field == 1) e.time = std::bit_cast<double>(n);
      if (field == 2) e.step = static_cast<std::int64_t>(n);
      if (field == 3) e.version = text;
      if (field == 4) e.graph = text;
      if (field == 5)
        each_field(text, [&](std::uint64_t, std::uint64_t, const std::string& value) {
          each_field(value, [&](std::uint64_t f, std::uint64_t x, const std::string& t) {
            if (f == 1) e.tag = t;
            if (f == 2) e.value = std::bit_cast<float>(static_cast<std::uint32_t>(x));
          });
        });
    });
    out.push_back(e);
  }
  return out;
}

TEST_CASE("Events as TensorBoard reads them") {
  const test_folder folder("events");
  std::string path;
  {
    jig::event_writer writer(folder / "a/b", {.suffix = ".v2"});
    path = writer.path();
    CHECK(path.find((folder / "a/b/events.out.tfevents.").string()) == 0);
    CHECK(path.substr(path.size() - 3) == ".v2");
    // The first record is in the file at once.
    CHECK(events_in(path).size() == 1);
    writer.scalar("loss", 0.1, 0);
    writer.scalar("loss", -2.5, std::int64_t{1} << 40);
    writer.scalar("", std::numeric_limits<double>::infinity(), -1);
    writer.graph_def("the bytes of a graph");
    CHECK(events_in(path).size() == 5);
    const jig::event_writer second(folder / "a/b");
    CHECK(second.path() != path);
  }
  const auto all = events_in(path);
  REQUIRE(all.size() == 5);
  CHECK(all[0].version == "brain.Event:2");
  CHECK(all[0].time > 1.6e9);
  CHECK(all[1].tag == "loss");
  CHECK(all[1].value == 0.1f);
  CHECK(all[1].step == 0);
  CHECK(all[2].value == -2.5f);
  CHECK(all[2].step == std::int64_t{1} << 40);
  CHECK(all[3].step == -1);
  CHECK(all[4].graph == "the bytes of a graph");
  CHECK(all[4].time >= all[0].time);
}

TEST_CASE("What is written reaches the file when it is asked for, or behind some seconds") {
  const test_folder folder("events");
  jig::event_writer late(folder.path(), {.flush_seconds = 1000}), early(folder.path(), {.flush_seconds = 0});
  late.scalar("x", 1, 1);
  early.scalar("x", 1, 1);
  CHECK(events_in(late.path()).size() == 1);
  CHECK(events_in(early.path()).size() == 2);
  late.flush();
  CHECK(events_in(late.path()).size() == 2);
}

TEST_CASE("The writer of jig::summary_scalar is the innermost one that is named") {
  const test_folder folder("events");
  auto& now = jig::detail::summary_writer::of_program();
  jig::event_writer a(folder / "a"), b(folder / "b");
  const auto write = [&](double x) {
    if (now.write != nullptr) now.write(now.to, "x", x, 1);
  };
  write(0);
  {
    const auto outer = a.as_default();
    write(1);
    {
      const auto inner = b.as_default();
      write(2);
    }
    write(3);
  }
  write(4);
  a.flush();
  b.flush();
  const auto of_a = events_in(a.path()), of_b = events_in(b.path());
  REQUIRE(of_a.size() == 3);
  REQUIRE(of_b.size() == 2);
  CHECK(of_a[1].value == 1);
  CHECK(of_a[2].value == 3);
  CHECK(of_b[1].value == 2);
}

TEST_CASE("Threads write whole events") {
  const test_folder folder("events");
  jig::event_writer writer(folder.path());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) writer.scalar("thread " + std::to_string(t), i, i);
    });
  for (auto& t : threads) t.join();
  writer.flush();
  std::vector<int> next(4);
  int wrong = 0;
  const auto all = events_in(writer.path());
  CHECK(all.size() == 2001);
  for (std::size_t k = 1; k < all.size(); ++k)
    wrong += next[static_cast<std::size_t>(all[k].tag.back() - '0')]++ != static_cast<int>(all[k].value);
  CHECK(wrong == 0);
}

TEST_CASE("What cannot be written is told") {
  const test_folder folder("events");
  const written_file file("text");
  CHECK_THROWS_AS(jig::event_writer(file.path() + "/x"), jig::error);
  jig::event_writer writer(folder.path(), {.flush_seconds = 0});
  const short_files full(std::filesystem::file_size(writer.path()));
  CHECK_THROWS_WITH_AS(writer.scalar("x", 1, 1), (writer.path() + ": cannot be written: File too large").c_str(), jig::error);
}

}  // namespace
