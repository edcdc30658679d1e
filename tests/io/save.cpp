// SPDX-License-Identifier: MIT
#include <jig/io/save.hpp>

#include "models.hpp"

#include <jig/io.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

// A folder that is empty, and goes with the test.
struct folder {
  fs::path at = fs::temp_directory_path() / ("jig_save_" + std::to_string(::getpid()));
  folder() {
    fs::remove_all(at);
    fs::create_directories(at);
  }
  ~folder() { fs::remove_all(at); }
};

// What any_tensors are compared with lies in models.hpp.
std::string bytes_of(const fs::path& p) { return jig::detail::read_file(p, {}); }

}  // namespace

TEST_CASE("what is saved and loaded computes the same, in every format") {
  const folder here;
  for (const auto& m : models()) {
    CAPTURE(m.graph.name);
    const jig::loaded_function original(m.graph);
    const auto expected = results_of(original, m.arguments);
    for (const char* name : {"model.pb", "model.pbtxt", "saved_model", "tfjs"}) {
#if !__has_include(<nlohmann/json.hpp>)
      if (std::string(name) == "tfjs") continue;
#endif
      CAPTURE(std::string(name));
      if (std::string(name) == "tfjs" && m.graph.name == "integers") {
        CHECK_THROWS_WITH_AS(jig::save(original, here.at / name), doctest::Contains("TensorFlow.js has no LeftShift"), jig::error);
        continue;
      }
      jig::save(original, here.at / name);
      const jig::loaded_function loaded = jig::load(here.at / name);
      REQUIRE(loaded.input_names() == m.graph.inputs);
      const auto given = results_of(loaded, m.arguments);
      REQUIRE(given.size() == expected.size());
      for (std::size_t k = 0; k < given.size(); ++k) {
        CAPTURE(k);
        // TensorFlow.js has no int64: argmax.
        if (std::string(name) != "tfjs" || given[k].dtype() == expected[k].dtype()) CHECK(differing(given[k], expected[k]) == 0);
      }
      // What was loaded is saved again.
      jig::save(loaded, here.at / "again.pbtxt");
      CHECK(differing(results_of(jig::load(here.at / "again.pbtxt"), m.arguments)[0], given[0]) == 0);
    }
    jig::save(original, here.at / "model.dot");
    CHECK(bytes_of(here.at / "model.dot") == jig::to_dot(original.graph()));
  }
}

TEST_CASE("what cannot be written says so by name, and the old file stays") {
  const folder here;
  const auto host =
      traced_model("f(x)", [](auto x) { return jig::host_call<jig::spec<float>>([](auto v) { return v; }, x); }, jig::spec<float>());
  const jig::loaded_function good(models()[0].graph);
  jig::save(good, here.at / "model.pb");
  const std::string before = bytes_of(here.at / "model.pb");
  CHECK_THROWS_WITH_AS(jig::save(host, here.at / "model.pb"), doctest::Contains("HostCall"), jig::error);
  CHECK(bytes_of(here.at / "model.pb") == before);
  using images = jig::spec<float, 1, 4, 4, 2>;
  const auto pooled = traced_model("f(x)", [](auto x) { return jig::avg_pool2d<2>(x, jig::explicit_padding<1, 1, 0, 0>); }, images());
  CHECK_THROWS_WITH_AS(jig::save(pooled, here.at / "model.pb"), doctest::Contains("no AvgPool: its padding is explicit"), jig::error);
  CHECK_THROWS_WITH_AS(jig::save(good, here.at / "model.xyz"), doctest::Contains("knows no format of this extension"), jig::error);
  CHECK_THROWS_WITH_AS(jig::save(good, here.at / "none" / "model.pb"), doctest::Contains("No such file"), jig::error);
  CHECK_THROWS_WITH_AS(jig::save(good, here.at / "model.pb", "Word"), doctest::Contains("named Word"), jig::error);
  jig::save(good, here.at / "model", "GraphDef");
  CHECK(bytes_of(here.at / "model") == before);
  CHECK_THROWS_AS(jig::load(here.at / "missing.pb"), jig::load_error);
  CHECK_THROWS_AS(jig::load(here.at / "model.xyz"), jig::load_error);
  CHECK_THROWS_AS(jig::load(here.at), jig::load_error);
  // Nothing is left beside the files.
  for (const auto& entry : fs::directory_iterator(here.at)) CHECK(entry.path().filename().string().substr(0, 5) == "model");
}
