// SPDX-License-Identifier: MIT
// A libFuzzer target: bytes are the files of a TensorFlow.js model or of a SavedModel, which the first of them selects, or load_error says
// why they are none; nothing else happens. What is read is well formed.
#include <jig/io/saved_model.hpp>
#include <jig/io/tfjs.hpp>

#include "fuzzed_files.hpp"
#include "wire_mutator.hpp"

#include <algorithm>
#include <string>

namespace {

// What stands between files.
constexpr std::string_view between = "\n~\n";

std::string_view taken(std::string_view& bytes) {
  const std::size_t end = (std::min)(bytes.find(between), bytes.size());
  const std::string_view out = bytes.substr(0, end);
  bytes.remove_prefix((std::min)(end + between.size(), bytes.size()));
  return out;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t most, unsigned seed) {
  if (size == 0 || data[0] % 2 == 0 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string_view left(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string changed(1, static_cast<char>(data[0]));
  changed += wire_mutator(seed).changed(taken(left));
  if (!left.empty()) changed.append(between).append(left);
  if (changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  static const folder_of_files folder("jig_fuzz_models");
  std::string_view left(reinterpret_cast<const char*>(data) + 1, size - 1);
  jig::load_limits few;
  few.elements = 1 << 16;
  few.nodes = 1 << 10;
  few.bytes = 1 << 18;
  try {
    if (data[0] % 2 == 0) {
      folder.write("model.json", taken(left));
      folder.write("w.bin", left);
      for (const auto& f : jig::detail::read_tfjs(folder.path(), few).functions) jig::require_valid(f.graph.graph.view());
    } else {
      folder.write("saved_model.pb", taken(left));
      folder.write("variables/variables.index", taken(left));
      folder.write("variables/variables.data-00000-of-00001", left);
      const jig::model_graphs model = jig::detail::read_saved_model(folder.path(), few);
      for (const auto& f : model.functions) jig::require_valid(f.graph.graph.view());
    }
  } catch (const jig::load_error&) {
  }
  return 0;
}
