// SPDX-License-Identifier: MIT
#pragma once
// Changes messages of protocol buffers so that they stay messages: a field anywhere in them, with the lengths around it as they must be
// then. libFuzzer's own changes rarely get past lengths.

#include <jig/io/wire.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t most);

class wire_mutator {
 public:
  explicit wire_mutator(unsigned seed) : random_(seed) {}

  /// The bytes with one change.
  std::string changed(std::string_view bytes) {
    auto fields = fields_of(bytes);
    if (!fields || fields->empty() || one_of(16)) return changed_bytes(bytes);
    auto& all = *fields;
    const std::size_t k = below(all.size());
    field& f = all[k];
    switch (below(12)) {
      case 0: all.erase(all.begin() + static_cast<std::ptrdiff_t>(k)); break;
      case 1: all.insert(all.begin() + static_cast<std::ptrdiff_t>(below(all.size() + 1)), field(f)); break;
      case 2: std::swap(f, all[below(all.size())]); break;
      case 3: f.content = all[below(all.size())].content; break;
      default:
        if (f.type == jig::wire_type::bytes) f.content = one_of(4) ? changed_bytes(f.content) : changed(f.content);
        else f.number = number();
    }
    return bytes_of(all);
  }

 private:
  struct field {
    std::uint32_t number_of;
    jig::wire_type type;
    std::uint64_t number;
    std::string content;
  };

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  bool one_of(std::size_t n) { return below(n) == 0; }
  // Small ones, the ends of integers and what lies beside powers of two.
  std::uint64_t number() {
    const std::uint64_t power = std::uint64_t{1} << below(64), beside = power + below(3) - 1;
    return one_of(2) ? below(10) : one_of(2) ? beside : 0 - beside;
  }

  static std::optional<std::vector<field>> fields_of(std::string_view bytes) {
    jig::wire_problem problem;
    std::vector<field> out;
    for (jig::wire_reader r(bytes, problem); r.next();) {
      field f{r.field(), r.type(), 0, {}};
      if (r.type() == jig::wire_type::varint) r.each_number([&](std::uint64_t x) { f.number = x; });
      if (r.type() == jig::wire_type::fixed32) r.each_fixed32([&](std::uint32_t x) { f.number = x; });
      if (r.type() == jig::wire_type::fixed64) r.each_fixed64([&](std::uint64_t x) { f.number = x; });
      if (r.type() == jig::wire_type::bytes) f.content = std::string(r.bytes());
      out.push_back(std::move(f));
    }
    if (problem.found) return std::nullopt;
    return out;
  }
  static std::string bytes_of(const std::vector<field>& fields) {
    jig::wire_writer w;
    for (const auto& f : fields) switch (f.type) {
        case jig::wire_type::varint: w.number(f.number_of, f.number); break;
        case jig::wire_type::fixed32: w.fixed32(f.number_of, static_cast<std::uint32_t>(f.number)); break;
        case jig::wire_type::fixed64: w.real(f.number_of, std::bit_cast<double>(f.number)); break;
        default: w.bytes(f.number_of, f.content);
      }
    return std::string(w.bytes());
  }
  // As numbers of a packed list or of elements, or as text.
  std::string changed_bytes(std::string_view bytes) {
    std::string out(bytes);
    if (one_of(4) && out.size() % 8 == 0 && !out.empty()) {
      std::uint64_t x = number();
      for (std::size_t i = 8 * below(out.size() / 8), end = i + 8; i < end; ++i, x >>= 8) out[i] = static_cast<char>(x & 255);
      return out;
    }
    if (one_of(4)) {
      jig::wire_writer w;
      std::vector<std::uint64_t> numbers(below(10));
      for (auto& x : numbers) x = number();
      w.packed(1, numbers);
      return std::string(w.bytes().substr(2));
    }
    const std::size_t size = out.size();
    out.resize(size + 16);
    out.resize(LLVMFuzzerMutate(reinterpret_cast<unsigned char*>(out.data()), size, out.size()));
    return out;
  }

  std::minstd_rand random_;
};
