// SPDX-License-Identifier: MIT
// A libFuzzer target: bytes are a file of arrays, whose format the first of them selects, or load_error says why they are none; nothing
// else happens. What is read is the same where it is mapped, and can be written and read again.
#include <jig/io/npy.hpp>
#include <jig/io/npz.hpp>
#include <jig/io/safetensors.hpp>

#include "fuzzed_files.hpp"

#include <cstdlib>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_same(const jig::any_tensor& a, const jig::any_tensor& b) {
  require(a.dtype() == b.dtype() && a.shape() == b.shape());
  const jig::any_tensor x(a.view()), y(b.view());
  require(jig::detail::dense_bytes(x.view()) == jig::detail::dense_bytes(y.view()));
}

void require_same(const jig::named_arrays& a, const jig::named_arrays& b) {
  require(a.size() == b.size());
  for (const auto& [name, x] : a) require_same(x, b[name]);
}

// `save` may refuse names that the format has no room for.
template <class Arrays, class Save, class Load>
void require_round_trip(const Arrays& read, const std::filesystem::path& again, Save save, Load load) {
  try {
    save(again, read);
  } catch (const jig::error&) {
    return;
  }
  require_same(read, load(again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  static const folder_of_files folder("jig_fuzz_arrays");
  static const auto given = folder.path() / "given", again = folder.path() / "again";
  folder.write("given", {reinterpret_cast<const char*>(data) + 1, size - 1});
  jig::load_limits few;
  few.elements = 1 << 16;
  few.bytes = 1 << 18;
  try {
    if (data[0] % 3 == 0) {
      const auto load = [&](const auto& path) { return jig::load_npy(path, few); };
      const jig::any_tensor x = load(given);
      require_same(x, jig::mapped_npy(given, few));
      require_round_trip(x, again, [](const auto& path, const auto& a) { jig::save_npy(path, a); }, load);
    } else if (data[0] % 3 == 1) {
      const auto load = [&](const auto& path) { return jig::load_npz(path, few); };
      const jig::named_arrays x = load(given);
      for (const bool compressed : {false, true})
        require_round_trip(x, again, [&](const auto& path, const auto& a) { jig::save_npz(path, a, {compressed}); }, load);
    } else {
      const auto load = [&](const auto& path) { return jig::load_safetensors(path, few); };
      const jig::named_arrays x = load(given);
      require_same(x, jig::mapped_safetensors(given, few));
      require_round_trip(x, again, [](const auto& path, const auto& a) { jig::save_safetensors(path, a); }, load);
    }
  } catch (const jig::load_error&) {
  }
  return 0;
}
