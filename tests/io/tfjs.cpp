// SPDX-License-Identifier: MIT
#include <jig/io/tfjs.hpp>

#include "models.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

namespace fs = std::filesystem;

// Why a model.json is refused; any_tensors are not made of it.
std::string why(const fs::path& folder, const std::string& json) {
  jig::detail::replace_file(folder / "model.json", json);
  try {
    (void)jig::detail::read_tfjs(folder, {});
  } catch (const jig::load_error& e) {
    return e.reason();
  }
  return "";
}
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a folder of TensorFlow.js: what is wrong with one is said, and no path leads out of it") {
  const fs::path folder = fs::temp_directory_path() / ("jig_tfjs_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const auto model = models()[0];
  jig::detail::write_tfjs(model.graph, folder);
  const std::string good = jig::detail::read_file(folder / "model.json", {});
  REQUIRE(why(folder, good) == "");
  // Other weights take the place of the old ones.
  jig::detail::write_tfjs(models()[3].graph, folder);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 2);
  jig::detail::write_tfjs(model.graph, folder);

  CHECK(why(folder, replaced(good, "weights-", "../weights-")).find("no file in the folder") != std::string::npos);
  CHECK(why(folder, replaced(good, "weights-", "/etc/")).find("no file in the folder") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"shape\":[3,2]", "\"shape\":[3,20]")).find("ends before it") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"shape\":[3,2]", "\"shape\":[3,-2]")).find("no such shape") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"shape\":[3,2]", "\"shape\":[99999999999,99999999999]")).find("no such shape") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"dtype\":\"float32\"", "\"dtype\":\"complex64\"")).find("complex64") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"op\":\"Tanh\"", "\"op\":\"Frob\"")).find("jig has no such op") != std::string::npos);
  CHECK(why(folder, replaced(good, "graph-model", "layers-model")).find("no graph-model") != std::string::npos);
  CHECK(why(folder, "{") == "this is no JSON");
  CHECK(why(folder, std::string(100000, '[')).find("too deep") != std::string::npos);
  CHECK(why(folder, "[]").find("no object") != std::string::npos);
  CHECK(why(folder, replaced(good, "\"shape\":[3,2]", "\"shape\":[3,1e999]")).find("larger than there can be") != std::string::npos);
  std::string many = "{";
  for (int k = 0; k < 2000; ++k) many += "\"" + std::to_string(k) + "\":0,";
  CHECK(why(folder, many + "\"format\":0}").find("more than 1024 members") != std::string::npos);

  std::mt19937 random(3);
  int refused = 0;
  for (int k = 0; k < 600; ++k) {
    std::string bytes = good;
    const std::size_t at = random() % bytes.size();
    if (k % 3 == 0) bytes.resize(at);
    else if (k % 3 == 1) bytes[at] = static_cast<char>(random() % 128);
    else bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 20));
    refused += !why(folder, bytes).empty();
  }
  CHECK(refused > 300);
  fs::remove_all(folder);
}

TEST_CASE("what TensorFlow.js has not is refused by name") {
  const fs::path folder = fs::temp_directory_path() / ("jig_tfjs_" + std::to_string(::getpid()));
  const auto bytes = traced_model("f(x)", [](auto x) { return x + x; }, jig::spec<std::uint8_t, 3>());
  CHECK_THROWS_WITH_AS(jig::detail::write_tfjs(bytes, folder), doctest::Contains("DT_UINT8"), jig::error);
  const auto digamma = traced_model("f(x)", [](auto x) { return jig::digamma(x); }, jig::spec<float, 3>());
  CHECK_THROWS_WITH_AS(jig::detail::write_tfjs(digamma, folder), doctest::Contains("TensorFlow.js has no Digamma"), jig::error);
  const auto large =
      traced_model("f(n)", [](auto n) { return n + jig::tensor<std::int64_t>{std::int64_t{1} << 40}; }, jig::spec<std::int64_t, 3>());
  CHECK_THROWS_WITH_AS(jig::detail::write_tfjs(large, folder), doctest::Contains("is no int32"), jig::error);
  CHECK(!fs::exists(folder));
}

TEST_CASE("base64") {
  using jig::detail::tensorflow::base64, jig::detail::tensorflow::from_base64;
  CHECK(base64("Many hands") == "TWFueSBoYW5kcw==");
  CHECK(base64("") == "");
  for (const std::string s : {"", "a", "ab", "abc", "abcd", "\xff\x80"}) CHECK(from_base64(base64(s)) == s);
}
