// SPDX-License-Identifier: MIT
#pragma once
// Rows of CSV files. Not part of jig/data.hpp: it needs the Fast C++ CSV Parser (Debian's libfccp-dev).

#include <jig/data/dataset.hpp>

#if __has_include(<libfccp/csv.h>)
#include <libfccp/csv.h>
#elif __has_include(<csv.h>)
#include <csv.h>
#else
#error "jig: data/csv.hpp needs the Fast C++ CSV Parser: apt-get install libfccp-dev"
#endif

#include <charconv>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <vector>

namespace jig::data {

struct csv_options {
  bool header = false;                           ///< The first line names columns.
  std::vector<std::string> select_columns = {};  ///< The names of those to read, in this order; none: all. They need a header.
};

namespace detail {

// The fields of a row that a component is made of.
template <class C>
inline constexpr index fields_of = 1;
template <class T, index... E>
inline constexpr index fields_of<tensor<T, E...>> = (index{1} * ... * E);

// The bytes of a file up to the first that is no text. The parser may be done with it before a row is known to be the last.
class text_bytes final : public io::ByteSourceBase {
  std::FILE* file_;
  index read_ = 0;
  std::shared_ptr<std::atomic<index>> zero_at_;

 public:
  /// Writes to zero_at where the first byte is 0, as texts have none.
  text_bytes(const std::string& path, std::shared_ptr<std::atomic<index>> zero_at)
      : file_(std::fopen(path.c_str(), "rb")), zero_at_(std::move(zero_at)) {
    if (file_ == nullptr) jig::detail::raise<error>("csv: " + path + " cannot be opened");
  }
  text_bytes(const text_bytes&) = delete;
  text_bytes& operator=(const text_bytes&) = delete;
  ~text_bytes() override { std::fclose(file_); }
  int read(char* buffer, int size) override {
    if (*zero_at_ >= 0) return 0;
    auto count = std::fread(buffer, 1, static_cast<std::size_t>(size), file_);
    if (const void* zero = std::memchr(buffer, 0, count)) {
      count = static_cast<std::size_t>(static_cast<const char*>(zero) - buffer);
      *zero_at_ = read_ + static_cast<index>(count);
    }
    read_ += static_cast<index>(count);
    return static_cast<int>(count);
  }
};

template <char Delimiter, class... C>
class csv_cursor {
  static constexpr index count = (index{0} + ... + fields_of<C>);
  using reader = io::CSVReader<static_cast<unsigned>(count), io::trim_chars<' ', '\t'>, io::double_quote_escape<Delimiter, '"'>,
                               io::throw_on_overflow, io::empty_line_comment>;
  using indices = std::make_index_sequence<static_cast<std::size_t>(count)>;

  std::string path_;
  std::shared_ptr<std::atomic<index>> zero_at_ = std::make_shared<std::atomic<index>>(-1);
  std::unique_ptr<reader> reader_;
  std::array<char*, static_cast<std::size_t>(count)> fields_{};
  std::tuple<C...> row_;

 public:
  csv_cursor(const std::string& path, const csv_options& options) : path_(path) {
    said([&] {
      reader_ = std::make_unique<reader>(path, std::make_unique<text_bytes>(path, zero_at_));
      if (options.header) read_header(options.select_columns, indices());
    });
  }
  bool next() {
    bool more = false;
    said([&] { more = read_row(indices()); });
    if (more) {
      index at = 0;
      std::apply([&](auto&... component) { (read(component, at), ...); }, row_);
    } else if (*zero_at_ >= 0) {
      refuse_zero();
    }
    return more;
  }
  const auto& element() const {
    if constexpr (sizeof...(C) == 1) return std::get<0>(row_);
    else return row_;
  }

 private:
  template <std::size_t... I>
  void read_header(const std::vector<std::string>& names, std::index_sequence<I...>) {
    if (names.empty()) (void)reader_->next_line();
    else reader_->read_header(io::ignore_extra_column, names[I]...);
  }
  template <std::size_t... I>
  bool read_row(std::index_sequence<I...>) {
    return reader_->read_row(fields_[I]...);
  }

  // With the file and the line, as the parser says it.
  template <class F>
  void said(F f) {
    try {
      f();
    } catch (const io::error::base& e) {
      if (*zero_at_ >= 0) refuse_zero();
      jig::detail::throw_invalid_argument(std::string("csv: ") + e.what());
    }
  }
  [[noreturn]] void refuse_zero() const {
    jig::detail::throw_invalid_argument("csv: " + path_ + ": byte " + std::to_string(zero_at_->load()) + " is 0, which texts do not have");
  }

  template <class T>
  void read(T& out, index& at) {
    const char* field = fields_[static_cast<std::size_t>(at++)];
    if constexpr (std::is_same_v<T, std::string>) {
      out = field;
    } else {
      static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                    "jig: csv: columns are numbers, std::string and tensors of them with known extents");
      const char* end = field + std::strlen(field);
      const auto [read_to, problem] = std::from_chars(field, end, out);
      if (problem == std::errc() && read_to == end && end != field) return;
      jig::detail::throw_invalid_argument("csv: " + path_ + ", line " + std::to_string(reader_->get_file_line()) + ", column " +
                                          std::to_string(at) + ": \"" + std::string(field).substr(0, 40) + "\" is no " +
                                          std::string(name_of(dtype_of<T>)));
    }
  }
  template <class T, index... E>
  void read(tensor<T, E...>& out, index& at) {
    for (T& x : out) read(x, at);
  }
};

template <char Delimiter, class... C>
class csv_rows {
  std::string path_;
  csv_options options_;

 public:
  using element_type = decltype(detail::element_of(std::declval<C>()...));
  csv_rows(std::string path, csv_options options) : path_(std::move(path)), options_(std::move(options)) {
    constexpr auto count = static_cast<std::size_t>((index{0} + ... + fields_of<C>));
    if (const auto names = options_.select_columns.size(); names > 0 && names != count)
      jig::detail::throw_invalid_argument("csv: " + std::to_string(names) + " names in select_columns, but a row has " +
                                          std::to_string(count) + " fields");
    if (!options_.select_columns.empty()) options_.header = true;
  }
  index cardinality() const { return unknown_cardinality; }
  auto open() const { return csv_cursor<Delimiter, C...>(path_, options_); }
};

}  // namespace detail

/// The rows of a text file whose fields stand between delimiters: `delimited<';', float, float, std::string>(path)`. See csv.
template <char Delimiter, class... Column>
  requires(sizeof...(Column) > 0)
auto delimited(std::string path, csv_options options = {}) {
  return dataset<detail::csv_rows<Delimiter, Column...>>({std::move(path), std::move(options)});
}
/// The rows of a CSV file, of columns with these types: `csv<float, float, std::string>(path)`, or, with neighbouring columns in one
/// tensor, `csv<jig::tensor<float, 34>, std::string>(path)`. The elements are tuples, of one type its values. Fields may be quoted, a
/// quote in them is doubled; they have no line breaks. Blanks around fields and empty lines mean nothing.
/// Errors: in the loop, a file that cannot be opened throws jig::error; one number of fields too many or too few, text where a
/// number is expected, numbers beyond what their type holds, bytes that are 0 and lines of more than 16 MB throw invalid_argument with the
/// file and the line.
/// Cost: another thread reads the file, a block ahead; memory does not grow with it.
template <class... Column>
  requires(sizeof...(Column) > 0)
auto csv(std::string path, csv_options options = {}) {
  return delimited<',', Column...>(std::move(path), std::move(options));
}

}  // namespace jig::data
