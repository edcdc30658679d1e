// SPDX-License-Identifier: MIT
#include <jig/io/onnx.hpp>
#include <jig/io/traced_function.hpp>

#include "../../data/written_file.hpp"
#include "written.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace written_onnx;
using jig::any_tensor, jig::dtype, jig::dyn, jig::spec;

jig::loaded_function loaded(const std::string& bytes, const jig::load_limits& limits = {}) {
  const written_file file(bytes);
  return jig::loaded_function(jig::detail::read_onnx(file.path(), limits));
}
// What is said of a model that cannot be loaded, without the file's name.
std::string refusal_of(const std::string& bytes, const jig::load_limits& limits = {}) {
  const written_file file(bytes);
  try {
    (void)jig::detail::read_onnx(file.path(), limits);
  } catch (const jig::load_error& e) {
    return e.reason();
  }
  return "";
}
// A lambda that was written and read.
template <class F, class... Key>
jig::loaded_function again(F f, const Key&... key) {
  return loaded(jig::onnx::model_bytes(jig::traced_function("f(x)", f, key...).model()));
}

std::vector<float> elements(const any_tensor& t) {
  const auto* x = static_cast<const float*>(t.data());
  return {x, x + t.size()};
}
std::vector<float> run(const std::string& bytes, const std::vector<any_tensor>& x) {
  jig::onnx_model model(bytes, "file.onnx");
  return elements(model({x.begin(), x.end()})[0].tensor);
}

const any_tensor up(jig::tensor<float, 3>{1, 2, 3}), down(jig::tensor<float, 3>{-1, -2, 2});

}  // namespace

TEST_CASE("a branch comes back as one, and takes what it sees around it") {
  const auto f = again(
      [](auto x) {
        auto h = x * 3.0f;
        auto other = x - 1.0f;
        if (jig::reduce_sum(x) > 0) return h + other;
        return 2.0f * h - x;
      },
      spec<float, dyn>());
  CHECK(f.graph().count("If") == 1);
  for (const auto& x : {up, down}) {
    const auto a = elements(x), y = elements(f(x));
    for (std::size_t i = 0; i < 3; ++i) CHECK(y[i] == (a[0] > 0 ? 3 * a[i] + (a[i] - 1) : 6 * a[i] - a[i]));
  }
}

TEST_CASE("of a branch whose condition is known the graph has one") {
  written g;
  g.value(11, "x", dtype::float32, {3});
  g.constant<std::uint8_t>("byte", {0}, true);
  g.node("Cast", {"byte"}, {"no"}, {attribute::of("to", jig::onnx::number_of_dtype(dtype::boolean))});
  const auto one = [](const char* kind) { return [kind](written& b) { b.node(kind, {"x"}, {"r"}); }; };
  g.node("If", {"no"}, {"y"}, {branch("then_branch", {"r"}, one("Frobnicate")), branch("else_branch", {"r"}, one("Neg"))});
  g.outputs({"y"});
  const auto f = loaded(g.model());
  CHECK(f.graph().count("If") == 0);
  CHECK(elements(f(up)) == std::vector<float>{-1, -2, -3});
}

TEST_CASE("branches in branches and in loops come back") {
  const auto nested = again(
      [](auto x) {
        auto s = jig::reduce_sum(x);
        auto w = x * 2.0f;
        if (s > 0) {
          if (s > 5) return w + s;
          return x + s;
        }
        return w - 1.0f;
      },
      spec<float, 3>());
  CHECK(nested.graph().count("If") == 2);
  for (const auto& x : {up, down, any_tensor(jig::tensor<float, 3>{1, 1, 1})}) {
    const auto a = elements(x), y = elements(nested(x));
    const float s = a[0] + a[1] + a[2];
    for (std::size_t i = 0; i < 3; ++i) CHECK(y[i] == (s > 5 ? 2 * a[i] + s : s > 0 ? a[i] + s : 2 * a[i] - 1));
  }

  const auto collatz = again(
      [](auto n) {
        auto trips = n * 0;
        JIG_WHILE(n > 1) {
          if (n % 2 == 0) n = jig::floordiv(n, 2);
          else n = 3 * n + 1;
          trips = trips + 1;
        }
        return trips;
      },
      spec<int>());
  CHECK(collatz.graph().count("While") == 1);
  CHECK(collatz.graph().count("If") == 1);
  for (const int start : {0, 1, 2, 7, 27}) {
    int trips = 0;
    for (int n = start; n > 1; ++trips) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    CHECK(collatz(any_tensor(start)).as<int>()() == trips);
  }
}

TEST_CASE("loops come back, with as many trips as the data say, and with named extents") {
  const auto f = again(
      [](auto x) {
        auto scale = jig::reduce_max(x) * 0.25f;
        auto n = jig::constant_like(jig::cast<int>(jig::reduce_sum(x)), 0);
        JIG_WHILE(jig::reduce_sum(x) > 1) {
          x = x * scale;
          n = n + 1;
        }
        return std::make_tuple(x, n);
      },
      spec<float, jig::dim<"rows">>());
  CHECK(f.graph().count("While") == 1);
  CHECK(f.output_spec(0).shape == jig::shape{1, {jig::dim<"rows">}});
  for (const auto& x : {up, down, any_tensor(jig::tensor<float, 2>{3.5f, 3.5f})}) {
    auto a = elements(x);
    const auto sum = [&] {
      float s = 0;
      for (const float e : a) s += e;
      return s;
    };
    int trips = 0;
    const float scale = *std::max_element(a.begin(), a.end()) * 0.25f;
    for (; sum() > 1; ++trips)
      for (auto& e : a) e *= scale;
    const auto y = f(x);
    CHECK(y[1].as<int>()() == trips);
    const auto found = elements(y[0]);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(found[i] == doctest::Approx(a[i]));
  }

  const auto rows = again(
      [](auto x) {
        auto state = jig::reduce_sum<0>(x) * 0;
        for (auto row : jig::rows(x)) state = state * 0.5f + row;
        return state;
      },
      spec<float, dyn, 2>());
  CHECK(rows.graph().count("While") == 1);
  for (const int n : {0, 1, 4}) {
    jig::tensor<float, dyn, 2> x(n);
    float state[2] = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 2; ++j) {
        x(i, j) = static_cast<float>(i - 2 * j);
        state[j] = state[j] * 0.5f + x(i, j);
      }
    CHECK(elements(rows(x)) == std::vector<float>{state[0], state[1]});
  }
}

namespace {

// y, k = a loop that doubles x, at most m times and as long as its largest element is below a bound, which it sees around it.
std::string doubling(bool counted, bool conditional, jig::index known_trips = -1, bool collects = false) {
  written g;
  g.value(11, "x", dtype::float32, {3});
  if (counted && known_trips < 0) g.value(11, "m", dtype::int64);
  if (known_trips >= 0) g.constant<std::int64_t>("m", {known_trips}, true);
  g.constant<float>("bound", {100}, true);
  g.constant<std::int64_t>("none", {0}, true);
  names returned{"on", "twice", "count"}, results{"y", "k"};
  if (collects) returned.push_back("twice"), results.push_back("all");
  const std::string body = graph_of({"trip", "go", "v", "c"}, returned, [&](written& b) {
    b.constant<std::int64_t>("one", {1}, true);
    b.node("Add", {"v", "v"}, {"twice"});
    b.node("Add", {"trip", "one"}, {"count"});
    if (conditional) {
      b.node("ReduceMax", {"twice"}, {"largest"}, {attribute::of("keepdims", 0)});
      b.node("Less", {"largest", "bound"}, {"on"});
    } else {
      b.node("Identity", {"go"}, {"on"});
    }
  });
  g.node("Loop", {counted ? "m" : "", "", "x", "none"}, results, {attribute::of_graph("body", body)}, "doubling");
  g.outputs(results);
  return g.model();
}
void check_doubling(const std::vector<any_tensor>& y, const any_tensor& x, int most, bool conditional) {
  auto a = elements(x);
  int trips = 0;
  for (bool on = true; on && trips < most; ++trips) {
    for (auto& e : a) e *= 2;
    on = !conditional || *std::max_element(a.begin(), a.end()) < 100;
  }
  CHECK(elements(y[0]) == a);
  CHECK(y[1].as<std::int64_t>()() == trips);
}

}  // namespace

TEST_CASE("loops with a number of trips, with a condition and with both") {
  const auto bytes = doubling(true, false), whole = doubling(true, true);
  const auto counted = loaded(bytes), both = loaded(whole), endless = loaded(doubling(false, true));
  CHECK(counted.graph().count("While") == 1);
  CHECK(both.graph().count("While") == 1);
  CHECK(endless.graph().count("While") == 1);
  for (const auto& x : {up, down}) {
    for (const int m : {-1, 0, 1, 2, 20}) {
      const std::vector<any_tensor> given{x, any_tensor(std::int64_t{m})};
      check_doubling(counted(given[0], given[1]).values(), x, m, false);
      check_doubling(both(given[0], given[1]).values(), x, m, true);
      CHECK(run(whole, given) == elements(both(given[0], given[1])[0]));
    }
    check_doubling(endless(x).values(), x, 1000, true);
  }
}

TEST_CASE("few trips that are known are written out, many are not") {
  const auto few = loaded(doubling(true, false, 5)), many = loaded(doubling(true, false, 100000));
  CHECK(few.graph().count("While") == 0);
  check_doubling(few(up).values(), up, 5, false);
  CHECK(many.graph().count("While") == 1);
  CHECK(many.graph().size() < 20);
  CHECK(many(up)[1].as<std::int64_t>()() == 100000);
  // A loop that decides by its data does not have its first trip before it.
  const auto deciding = loaded(doubling(true, true, 5));
  CHECK(deciding.graph().count("While") == 1);
  CHECK(deciding.graph().count("AddV2") == 3);
  check_doubling(deciding(up).values(), up, 5, true);
}

TEST_CASE("what a loop of unknown length cannot give is refused, and runs as a model") {
  const auto bytes = doubling(true, false, -1, true);
  CHECK(
      refusal_of(bytes) ==
      "node \"doubling\" (Loop, opset 13): results of every trip are collected, and the number of trips is not known before a call; it can "
      "be run as a jig::onnx_model");
  CHECK(run(bytes, {up, any_tensor(std::int64_t{2})}) == std::vector<float>{4, 8, 12});

  // The state grows by an element in every trip.
  const auto growing = [](bool steers) {
    written g;
    g.value(11, "x", dtype::float32, {3});
    g.value(11, "m", dtype::int64);
    const std::string body = graph_of({"trip", "go", "v"}, {"go", "next"}, [&](written& b) {
      b.constant<std::int64_t>("ones", {1});
      b.constant<float>("one", {1});
      if (steers) {
        b.node("Reshape", {"trip", "ones"}, {"extent"});
        b.node("Expand", {"one", "extent"}, {"added"});
      }
      b.node("Concat", {"v", steers ? "added" : "one"}, {"next"}, {attribute::of("axis", 0)});
    });
    g.node("Loop", {"m", "", "x"}, {"y"}, {attribute::of_graph("body", body)}, "growth");
    g.outputs({"y"});
    return g.model();
  };
  const auto grown = loaded(growing(false));
  CHECK(grown.graph().count("While") == 1);
  CHECK(grown.output_spec(0).shape == jig::shape{1, {dyn}});
  for (const int m : {0, 1, 3}) {
    std::vector<float> expected{1, 2, 3};
    for (int k = 0; k < m; ++k) expected.push_back(1);
    CHECK(elements(grown(up, any_tensor(std::int64_t{m}))[0]) == expected);
    CHECK(run(growing(false), {up, any_tensor(std::int64_t{m})}) == expected);
  }
  // What changes from trip to trip steers the graph of a trip.
  const auto steered = loaded(growing(true));
  CHECK(!steered.has_graph());
  for (const auto& y : {elements(steered(up, any_tensor(std::int64_t{4}))[0]), run(growing(true), {up, any_tensor(std::int64_t{4})})})
    CHECK(y == std::vector<float>{1, 2, 3, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("branches that cannot be one node are refused by their name, and run as a model") {
  const auto same = [](written& b) { b.node("Identity", {"x"}, {"r"}); };
  const auto sum = [](written& b) { b.node("Identity", {"sum"}, {"r"}); };
  const auto bytes = if_model(branch("then_branch", {"r"}, same), branch("else_branch", {"r"}, sum));
  CHECK(refusal_of(bytes) ==
        "node \"choice\" (If, opset 13): its branches have results of different specs: float32 (3,) and float32 (); it can be run as a "
        "jig::onnx_model");
  CHECK(run(bytes, {up}) == std::vector<float>{1, 2, 3});
  CHECK(run(bytes, {down}) == std::vector<float>{-1});

  CHECK(refusal_of(if_model(branch("then_branch", {"r", "r"}, same), branch("else_branch", {"r"}, same), {"y", "z"}))
            .find("node \"choice\" (If, opset 13): its branches have different numbers of results") == 0);
  CHECK(refusal_of(if_model(branch("then_branch", {"r"}, same), attribute::of("else_branch", 1)))
            .find("node \"choice\" (If, opset 13): attribute else_branch is missing") == 0);
  // Only one of them can be made, for the other one has an op that nobody knows.
  const auto half = if_model(branch("then_branch", {"r"}, same),
                             branch("else_branch", {"r"}, [](written& b) { b.node("Frobnicate", {"x"}, {"r"}, {}, "inner"); }));
  CHECK(refusal_of(half).find("node \"inner\" (Frobnicate, opset 13): jig has no such op; it can") == 0);
  CHECK(run(half, {up}) == std::vector<float>{1, 2, 3});
  CHECK_THROWS_AS(run(half, {down}), jig::load_error);
}

TEST_CASE("extents that branches know differently are open where they may be the same") {
  const auto part = [](std::int64_t end) {
    return [end](written& b) {
      b.constant<std::int64_t>("begin", {0});
      b.constant<std::int64_t>("end", {end});
      b.node("Slice", {"x", "begin", "end"}, {"r"});
    };
  };
  const auto never = if_model(branch("then_branch", {"r"}, part(2)), branch("else_branch", {"r"}, part(1)));
  CHECK(refusal_of(never).find("its branches have results of different specs: float32 (2,) and float32 (1,)") != std::string::npos);
  CHECK(run(never, {up}) == std::vector<float>{1, 2});
  CHECK(run(never, {down}) == std::vector<float>{-1});

  written g;
  g.value(11, "x", dtype::float32, {3});
  g.value(11, "y", dtype::float32, {-1});
  g.value(11, "choose", dtype::boolean);
  const auto pick = [](const char* of) { return [of](written& b) { b.node("Neg", {of}, {"r"}); }; };
  g.node("If", {"choose"}, {"z"}, {branch("then_branch", {"r"}, pick("x")), branch("else_branch", {"r"}, pick("y"))});
  g.outputs({"z"});
  const auto f = loaded(g.model());
  CHECK(f.output_spec(0).shape == jig::shape{1, {dyn}});
  CHECK(elements(f(up, down, true)[0]) == std::vector<float>{-1, -2, -3});
  CHECK(elements(f(up, down, false)[0]) == std::vector<float>{1, 2, -2});
}

TEST_CASE("values that steer the graph inside of a branch are asked for") {
  written g;
  g.value(11, "x", dtype::float32, {3});
  g.value(11, "to", dtype::int64, {2});
  g.value(11, "choose", dtype::boolean);
  const auto shaped = [](const char* kind) {
    return [kind](written& b) {
      b.node("Reshape", {"x", "to"}, {"t"});
      b.node(kind, {"t"}, {"r"});
    };
  };
  g.node("If", {"choose"}, {"y"}, {branch("then_branch", {"r"}, shaped("Neg")), branch("else_branch", {"r"}, shaped("Abs"))});
  g.outputs({"y"});
  CHECK(!loaded(g.model()).has_graph());
  jig::onnx_model model(g.model(), "file.onnx");
  for (const bool choose : {true, false})
    for (const std::int64_t rows : {1, 3}) {
      const auto y = model({down, any_tensor(jig::tensor<std::int64_t, 2>{rows, 3 / rows}), any_tensor(choose)})[0].tensor;
      CHECK(y.shape() == jig::shape{2, {rows, 3 / rows}});
      CHECK(elements(y) == (choose ? std::vector<float>{1, 2, -2} : std::vector<float>{1, 2, 2}));
    }
  // Those that are known around it are known in it.
  written known;
  known.value(11, "x", dtype::float32, {3});
  known.value(11, "choose", dtype::boolean);
  known.constant<std::int64_t>("a", {3});
  known.constant<std::int64_t>("b", {1});
  known.node("Concat", {"a", "b"}, {"to"}, {attribute::of("axis", 0)});
  const auto inner = [&](written& b) {
    b.node("If", {"choose"}, {"r"}, {branch("then_branch", {"r"}, shaped("Neg")), branch("else_branch", {"r"}, shaped("Abs"))});
  };
  known.node("If", {"choose"}, {"y"}, {branch("then_branch", {"r"}, inner), branch("else_branch", {"r"}, shaped("Exp"))});
  known.outputs({"y"});
  const auto f = loaded(known.model());
  CHECK(f.output_spec(0).shape == jig::shape{2, {3, 1}});
  CHECK(elements(f(down, true)) == std::vector<float>{1, 2, -2});
}

TEST_CASE("bodies lie in each other as deep as the limits allow, and in reasonable time") {
  const auto deep_if = [](int depth) {
    std::function<void(written&, int)> write = [&](written& b, int left) {
      if (left == 0) return b.node("Neg", {"x"}, {"r"});
      b.node("If", {"positive"}, {"r"},
             {branch("then_branch", {"r"}, [&](written& t) { write(t, left - 1); }),
              branch("else_branch", {"r"}, [](written& e) { e.node("Abs", {"x"}, {"r"}); })});
    };
    return if_model(branch("then_branch", {"r"}, [&](written& b) { write(b, depth); }),
                    branch("else_branch", {"r"}, [](written& b) { b.node("Identity", {"x"}, {"r"}); }));
  };
  const auto f = loaded(deep_if(30));
  CHECK(elements(f(up)) == std::vector<float>{-1, -2, -3});
  CHECK(elements(f(down)) == elements(down));
  CHECK(refusal_of(deep_if(200)).find("graphs lie too deep in each other") != std::string::npos);

  // Each loop tries a first trip before it is a loop: what is made in vain counts.
  std::function<std::string(int)> body = [&](int left) {
    return graph_of({"trip", "go", "v"}, {"on", "w"}, [&](written& b) {
      if (left > 0) b.node("Loop", {"", "", "v"}, {"w"}, {attribute::of_graph("body", body(left - 1))});
      else b.node("Neg", {"v"}, {"w"});
      b.node("Greater", {"w", "zero"}, {"on"});
    });
  };
  written g;
  g.value(11, "x");
  g.constant<float>("zero", {0}, true);
  g.node("Loop", {"", "", "x"}, {"y"}, {attribute::of_graph("body", body(60))});
  g.outputs({"y"});
  CHECK(refusal_of(g.model(), {.nodes = 5000}).find("the graph has more nodes than load_limits allow") != std::string::npos);
}
