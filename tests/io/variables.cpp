// SPDX-License-Identifier: MIT
#include <jig/io/variables.hpp>

#include <jig/io/npz.hpp>
#include <jig/io/safetensors.hpp>

#include "io/damaged.hpp"

#include <boost/hana.hpp>

#include <chrono>
#include <random>
#include <set>

#include <sys/wait.h>

namespace {

using jig::dyn;
using jig::tensor;
using jig::variable;

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (variable<float, 2, 3>, w), (variable<double, dyn>, b));
};
struct net {
  BOOST_HANA_DEFINE_STRUCT(net, (layer, first), (variable<std::int64_t>, steps));
};
net some_net() {
  net n;
  n.first.w.assign(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  n.first.b.assign(tensor<double, dyn>{7, 8});
  n.steps.assign(std::int64_t{9});
  return n;
}
bool is_some_net(const net& n) {
  const auto w = n.first.w.value();
  return w(0, 0) == 1 && w(1, 2) == 6 && n.first.b.size() == 2 && n.first.b.value()(1) == 8 && n.steps.value()() == 9;
}
std::string complaint_of(auto f) {
  try {
    f();
  } catch (const jig::error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("The variables of a structure by name, in every format") {
  const test_folder folder("variables");
  for (const auto& path : {folder / "net.npz", folder / "net.safetensors"}) {
    jig::save_variables(some_net(), path);
    const auto arrays = path.extension() == ".npz" ? jig::load_npz(path) : jig::load_safetensors(path);
    CHECK(arrays.size() == 3);
    for (const auto& v : jig::variables(some_net())) CHECK(arrays[v.name()].shape() == v.shape());
    net other;
    other.first.b.assign(tensor<double, dyn>{1, 2, 3, 4});
    jig::load_variables(other, path);
    CHECK(is_some_net(other));
    // Once more, where extents are what they were.
    other.first.b.assign(tensor<double, dyn>{0, 0});
    jig::load_variables(other, path);
    CHECK(is_some_net(other));
  }
  variable<int, 2> alone(tensor<int, 2>{3, 4}), loaded;
  jig::save_variables(alone, folder / "alone.npz");
  jig::load_variables(loaded, folder / "alone.npz");
  CHECK(loaded.value()(1) == 4);
  std::tuple<variable<float>, std::array<variable<float>, 2>> parts;
  std::get<1>(parts)[1].assign(5.0f);
  jig::save_variables(parts, folder / "parts.safetensors");
  CHECK(jig::load_safetensors(folder / "parts.safetensors")["1/1"].as<float>()() == 5);
}

TEST_CASE("All or nothing: what does not fit is listed in a sentence") {
  const test_folder folder("variables");
  const auto path = folder / "net.npz";
  const auto after = [&](const jig::named_arrays& arrays) {
    jig::save_npz(path, arrays);
    net n = some_net();
    const std::string said = complaint_of([&] { jig::load_variables(n, path); });
    CHECK(is_some_net(n) == !said.empty());
    return said;
  };
  const tensor<float, 2, 3> w;
  const tensor<double, 5> b;
  CHECK(after({{"first/w", w}, {"first/b", b}, {"steps", std::int64_t{1}}}) == "");
  CHECK(after({{"first/w", b}, {"first/b", w}, {"step", std::int64_t{1}}}) ==
        path.string() +
            ": does not fit the model: 'first/w' is float32 (2, 3), in the file float64 (5,); 'first/b' is float64 (None,), in the "
            "file float32 (2, 3); 'steps' is not in the file; 'step' is only in the file");
  CHECK(after({{"first/w", w}, {"first/b", b}, {"steps", std::int64_t{1}}, {"more", 1}}) ==
        path.string() + ": does not fit the model: 'more' is only in the file");
  jig::named_arrays many;
  for (int i = 0; i < 40; ++i) many.add("x" + std::to_string(i), i);
  CHECK(after(many).find("; and 23 more") != std::string::npos);
  net n = some_net();
  const std::string said = complaint_of([&] { jig::save_variables(n, "net.bin"); });
  CHECK(said.find("net.bin: files of variables end in .npz or .safetensors, for which the program includes ") == 0);
  CHECK(said.find(".safetensors, .npz") != std::string::npos);
  CHECK_THROWS_AS(jig::load_variables(n, folder / "none.npz"), jig::load_error);
  variable<std::string, 1> text;
  CHECK_THROWS_AS(jig::save_variables(text, path), jig::invalid_argument);
}

TEST_CASE("A disk that is full leaves the old file") {
  const test_folder folder("variables");
  for (const auto& path : {folder / "net.npz", folder / "net.safetensors"}) {
    variable<float, 3000> x, y;
    jig::save_variables(x, path);
    x.assign(tensor<float, 3000>());
    {
      const short_files full(4096);
      CHECK_THROWS_AS(jig::save_variables(x, path), jig::error);
    }
    jig::load_variables(y, path);
  }
  CHECK(folder.files() == 2);
}

TEST_CASE("A program that is killed while it saves leaves a whole file, 200 times") {
  const test_folder folder("variables");
  struct model {
    BOOST_HANA_DEFINE_STRUCT(model, (variable<float, 100, 100>, w), (variable<std::int32_t, 5000>, n));
  };
  const auto fill = [](model& m, int version) {
    tensor<float, 100, 100> w;
    tensor<std::int32_t, 5000> n;
    for (auto& x : w) x = static_cast<float>(version);
    for (auto& x : n) x = version;
    m.w.assign(w);
    m.n.assign(n);
  };
  // Killed within the time that some saves take, whatever the disk is.
  model first;
  fill(first, 0);
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) jig::save_variables(first, folder / (i % 2 == 0 ? "model.npz" : "model.safetensors"));
  const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - before).count() / 4 + 1000;
  std::mt19937 random(1);
  std::set<int> versions;
  int torn = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto path = folder / (trial % 2 == 0 ? "model.npz" : "model.safetensors");
    model m;
    int saved[2];
    REQUIRE(::pipe(saved) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      for (int version = 1000 * trial + 1;; ++version) {
        fill(m, version);
        jig::save_variables(m, path);
        if (::write(saved[1], "x", 1) != 1) ::_exit(1);
      }
    }
    REQUIRE(child > 0);
    // Its first file is whole; then it is killed while it writes the next ones.
    char one;
    CHECK(::read(saved[0], &one, 1) == 1);
    ::usleep(static_cast<useconds_t>(random() % static_cast<std::uint64_t>(longest)));
    ::kill(child, SIGKILL);
    int status = 0;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    for (const int end : saved) ::close(end);
    const std::string said = complaint_of([&] { jig::load_variables(m, path); });
    CHECK(said == "");
    const int version = m.n.value()(0);
    CHECK(version > 1000 * trial);
    versions.insert(version);
    for (const float x : m.w.value()) torn += x != static_cast<float>(version);
    for (const auto x : m.n.value()) torn += x != version;
  }
  CHECK(torn == 0);
  CHECK(versions.size() == 200);
}

}  // namespace
