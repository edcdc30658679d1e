// SPDX-License-Identifier: MIT
#pragma once
// NumPy's .npz files: arrays by name, each an .npy file in a zip archive. Needs libzip, which the program links (-lzip).

#include <jig/io/named_arrays.hpp>
#include <jig/io/npy.hpp>

#if __has_include(<zip.h>)
#include <zip.h>
#else
#error "jig: io/npz.hpp needs libzip: apt-get install libzip-dev"
#endif

#include <memory>

namespace jig {

struct npz_options {
  /// Deflated, as by numpy.savez_compressed.
  bool compressed = false;
};

namespace detail {

struct discards_zip {
  void operator()(zip_t* z) const { zip_discard(z); }
};
using zip_archive = std::unique_ptr<zip_t, discards_zip>;

inline std::string zip_reason(int code) {
  zip_error_t e;
  zip_error_init_with_code(&e, code);
  std::string out = zip_error_strerror(&e);
  zip_error_fini(&e);
  return out;
}

// The bytes of one array in an archive, in their order.
class npz_member {
  struct closes {
    void operator()(zip_file_t* f) const { zip_fclose(f); }
  };

 public:
  npz_member(zip_t* z, zip_uint64_t number, const std::string& name)
      : name_(name), file_(zip_fopen_index(z, number, 0)), reason_(file_ == nullptr ? zip_strerror(z) : "") {
    if (file_ == nullptr) throw_load_error(name_, load_error::nowhere, "cannot be read: " + reason_);
  }
  /// Errors: damaged bytes, and fewer than these, throw load_error.
  void read(void* to, std::size_t count) {
    const zip_int64_t have = count == 0 ? 0 : zip_fread(file_.get(), to, count);
    if (have < 0) throw_load_error(name_, at_, std::string("cannot be read: ") + zip_file_strerror(file_.get()));
    at_ += static_cast<std::size_t>(have);
    if (static_cast<std::size_t>(have) < count) throw_load_error(name_, at_, "the array ends here");
  }
  std::string read(std::size_t count) {
    std::string out(count, '\0');
    read(out.data(), count);
    return out;
  }
  /// Behind the last byte the checksum is compared.
  void finish() {
    char more;
    const zip_int64_t n = zip_fread(file_.get(), &more, 1);
    if (n < 0) throw_load_error(name_, at_, std::string("cannot be read: ") + zip_file_strerror(file_.get()));
    if (n > 0) throw_load_error(name_, at_, "the archive has more of it than it says");
  }

 private:
  std::string name_;
  std::unique_ptr<zip_file_t, closes> file_;
  std::string reason_;
  std::size_t at_ = 0;
};

class npz_reader {
 public:
  npz_reader(const std::filesystem::path& path, const load_limits& limits) : file_(path), bytes_(file_.map()), limits_(limits) {
    zip_error_t e;
    zip_error_init(&e);
    // Of an empty file libzip says that it does not exist.
    if (file_.size() == 0) refuse("this is no .npz file: it is empty");
    zip_source_t* const source = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, &e);
    if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &e));
    const std::string reason = zip_error_strerror(&e);
    if (source != nullptr && archive_ == nullptr) zip_source_free(source);
    zip_error_fini(&e);
    if (archive_ == nullptr) refuse("this is no .npz file: " + reason);
  }

  named_arrays read() {
    const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive_.get(), 0));
    // All of them before the first is read, since small archives may ask for much in many pieces.
    std::vector<std::size_t> sizes(count);
    for (zip_uint64_t i = 0; i < count; ++i) sizes[i] = checked_size(i);
    named_arrays out;
    for (zip_uint64_t i = 0; i < count; ++i) {
      std::string name = name_of_member(i);
      if (out.contains(name)) refuse("two arrays are named '" + name + '\'');
      any_tensor x = array(i, sizes[i]);
      out.add(std::move(name), std::move(x));
    }
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const { file_.refuse(load_error::nowhere, reason); }
  // A name is one, whatever it looks like: nothing is written anywhere.
  std::string name_of_member(zip_uint64_t i) const {
    const char* const raw = zip_get_name(archive_.get(), i, ZIP_FL_ENC_RAW);
    std::string name = raw == nullptr ? "" : raw;
    if (name.size() < 4 || name.substr(name.size() - 4) != ".npy") refuse("'" + name + "' in it is no .npy file");
    return name.substr(0, name.size() - 4);
  }
  std::size_t checked_size(zip_uint64_t i) {
    zip_stat_t about;
    const std::string name = name_of_member(i);
    constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive_.get(), i, 0, &about) != 0 || (about.valid & needed) != needed)
      refuse("'" + name + "': the archive does not say its size");
    if (about.encryption_method != ZIP_EM_NONE) refuse("'" + name + "' is encrypted");
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) refuse("'" + name + "' is neither stored nor deflated");
    // No byte of a deflated stream stands for more than 1032.
    const bool stored = about.comp_method == ZIP_CM_STORE;
    if (about.comp_size > file_.size() || (stored ? about.size != about.comp_size : about.size / 1032 > about.comp_size))
      refuse("'" + name + "' cannot have the " + std::to_string(about.size) + " bytes that the archive says");
    const auto left = static_cast<zip_uint64_t>(limits_.bytes) - total_;
    if (about.size > left) refuse("its arrays have more than the " + std::to_string(limits_.bytes) + " bytes that load_limits allow");
    total_ += about.size;
    return static_cast<std::size_t>(about.size);
  }
  any_tensor array(zip_uint64_t i, std::size_t size) {
    const std::string name = file_.name() + ": '" + name_of_member(i) + ".npy' in it";
    npz_member from(archive_.get(), i, name);
    std::string begin = from.read((std::min)(size, std::size_t{10}));
    // Newer versions have two bytes more.
    if (size >= npz_prefix_of(begin)) begin += from.read(npz_prefix_of(begin) - begin.size());
    const npy_prefix prefix = read_npy_prefix(begin, name);
    if (prefix.length > size - prefix.text) throw_load_error(name, size, "the array ends here");
    const std::string text = from.read(prefix.length);
    const npy_header h = npy_header_reader(text, prefix.text, name).read();
    const std::size_t needed = byte_count(h.dtype, h.extents);
    if (needed != size - h.data)
      throw_load_error(name, h.data, "the elements have " + std::to_string(size - h.data) + " bytes, expected " + std::to_string(needed));
    require_limits(h.dtype, h.extents, limits_, name, h.data);
    any_tensor out = any_tensor::empty(h.dtype, h.extents);
    read_npy_elements(h, out.mutable_data(), name, [&](std::size_t, void* to, std::size_t count) { from.read(to, count); });
    from.finish();
    return out;
  }
  static std::size_t npz_prefix_of(const std::string& begin) {
    return begin.size() < 10 ? begin.size() : begin[6] == 1 ? std::size_t{10} : npy_prefix::most;
  }

  input_file file_;
  mapped_bytes bytes_;
  load_limits limits_;
  zip_archive archive_;
  zip_uint64_t total_ = 0;
};

}  // namespace detail

/// The arrays of an .npz file, row-major, by name.
/// Errors: an archive that is damaged, encrypted or compressed in another way than by deflate, arrays as load_npy refuses them, names that
/// are there twice and sizes beyond the limits throw load_error; sizes are checked before anything is unpacked. Names are taken as they
/// are: nothing is unpacked into files.
inline named_arrays load_npz(const std::filesystem::path& path, const load_limits& limits = {}) {
  return detail::npz_reader(path, limits).read();
}

/// Writes arrays by name, as numpy.savez and numpy.savez_compressed do: `save_npz("data.npz", {{"x", x}, {"y", y}})`. Whoever reads the
/// file meanwhile sees the old one or the new one.
/// Errors: as of save_npy.
inline void save_npz(const std::filesystem::path& path, const named_arrays& arrays, const npz_options& options = {}) {
  detail::replacement to(path);
  int code = 0;
  detail::zip_archive archive(zip_open(to.name().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  const auto require = [&](bool works, const std::string& otherwise = "") {
    if (!works)
      detail::raise<error>(path.string() + ": cannot be written: " + (otherwise.empty() ? zip_strerror(archive.get()) : otherwise));
  };
  require(archive != nullptr, detail::zip_reason(code));
  // Whole until the archive is closed, which is when libzip reads them.
  std::vector<std::string> headers;
  std::vector<any_tensor> kept;
  headers.reserve(arrays.size());
  kept.reserve(arrays.size());
  for (const auto& [name, x] : arrays) {
    require(name.size() < 65000 && name.find('\0') == name.npos, "'" + name + "' is no name of an array");
    headers.push_back(detail::npy_header_bytes(x.dtype(), x.shape(), false));
    kept.push_back(x.is_dense() ? x : any_tensor(x.view()));
    const auto bytes = detail::dense_bytes(kept.back().view());
    const zip_buffer_fragment_t parts[] = {{reinterpret_cast<zip_uint8_t*>(headers.back().data()), headers.back().size()},
                                           {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data())), bytes.size()}};
    zip_source_t* const source = zip_source_buffer_fragment(archive.get(), parts, bytes.empty() ? 1 : 2, 0);
    const zip_int64_t i = source == nullptr ? -1 : zip_file_add(archive.get(), (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (i < 0 && source != nullptr) zip_source_free(source);
    require(i >= 0);
    const auto number = static_cast<zip_uint64_t>(i);
    require(zip_set_file_compression(archive.get(), number, options.compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) == 0 &&
            // The first day that there is, as NumPy has it: equal arrays are equal files.
            zip_file_set_dostime(archive.get(), number, 0, (1 << 5) | 1, 0) == 0);
  }
  if (arrays.size() == 0) {
    // libzip removes archives of nothing.
    zip_discard(archive.release());
    to.write(std::string_view("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22));
  } else {
    require(zip_close(archive.get()) == 0);
    (void)archive.release();
    // libzip has put another file in its place.
    const int written = ::open(to.name().c_str(), O_RDONLY | O_CLOEXEC);
    const bool on_disk = written >= 0 && ::fsync(written) == 0;
    const std::string why = on_disk ? "" : std::strerror(errno);
    if (written >= 0) ::close(written);
    require(on_disk, why);
  }
  to.commit();
}

namespace detail {

inline constinit array_file_format npz_format{
    ".npz", [](const std::filesystem::path& path, const load_limits& limits) { return load_npz(path, limits); },
    [](const std::filesystem::path& path, const named_arrays& arrays) { save_npz(path, arrays); }};
inline const bool npz_format_entered = enter_array_file_format(npz_format);

}  // namespace detail

}  // namespace jig
