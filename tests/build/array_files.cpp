// SPDX-License-Identifier: MIT
// Reads what NumPy has written into a folder and writes it again, for tests/build/array_files.py to compare.

#include <jig/io/event_writer.hpp>
#include <jig/io/npz.hpp>
#include <jig/io/safetensors.hpp>

#include <iostream>

int main(int, char** arguments) try {
  const std::filesystem::path folder = arguments[1];
  for (const auto& entry : std::filesystem::directory_iterator(folder / "given")) {
    const auto name = entry.path().filename();
    if (name.extension() == ".npy") {
      // Columns stay columns where they are mapped.
      jig::save_npy(folder / "mapped" / name, jig::mapped_npy(entry.path()));
      jig::save_npy(folder / "loaded" / name, jig::load_npy(entry.path()));
    } else if (name.extension() == ".npz") {
      const auto arrays = jig::load_npz(entry.path());
      jig::save_npz(folder / "loaded" / name, arrays, {.compressed = true});
      jig::save_npz(folder / "mapped" / name, arrays);
      jig::save_safetensors(folder / "loaded" / (name.string() + ".safetensors"), arrays);
    } else {
      jig::save_safetensors(folder / "loaded" / name, jig::load_safetensors(entry.path()));
      jig::save_safetensors(folder / "mapped" / name, jig::mapped_safetensors(entry.path()));
    }
  }
  jig::event_writer writer(folder / "events");
  writer.scalar("loss", 0.5, 3);
  writer.graph_def(std::string_view("\x0a\x03\x0a\x01x", 5));
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
