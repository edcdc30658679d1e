// SPDX-License-Identifier: MIT
#include <jig/io/loaded_function.hpp>
#include <jig/io/onnx.hpp>

#include "../../data/written_file.hpp"
#include "written.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace written_onnx;
using jig::any_tensor, jig::dtype, jig::shape;

// state = 0.5 state + row of x - row of z, of three numbers; all = twice the state behind each trip, `axis` the axis of trips in x and all.
struct scan {
  jig::index trips = 1;
  int axis = 0;
  bool backward = false, out_backward = false, wildcard = false;

  std::string model() const {
    written g;
    const jig::index extent = wildcard ? -1 : trips;
    const std::vector<jig::index> extents = axis == 0 ? std::vector<jig::index>{extent, 3} : std::vector<jig::index>{3, extent};
    g.value(11, "start", dtype::float32, {3});
    g.value(11, "x", dtype::float32, extents);
    g.value(11, "z", dtype::float32, {extent, 3});
    g.constant<float>("half", {0.5f}, true);
    const std::string body = graph_of({"state", "row", "other"}, {"next", "twice"}, [&](written& b) {
      b.node("Mul", {"state", "half"}, {"less"});
      b.node("Add", {"less", "row"}, {"more"});
      b.node("Sub", {"more", "other"}, {"next"});

      b.node("Add", {"next", "next"}, {"twice"});
    });
    g.node("Scan", {"start", "x", "z"}, {"last", "all"},
           {attribute::of_graph("body", body), attribute::of("num_scan_inputs", 2),
            attribute::of("scan_input_axes", std::vector<jig::index>{axis, 0}),
            attribute::of("scan_input_directions", std::vector<jig::index>{backward, 0}),
            attribute::of("scan_output_axes", std::vector<jig::index>{axis}),
            attribute::of("scan_output_directions", std::vector<jig::index>{out_backward})});
    g.outputs({"last", "all"});
    return g.model();
  }
  jig::loaded_function loaded() const {
    const written_file file(model());
    return jig::loaded_function(jig::detail::read_onnx(file.path(), {}));
  }
  static float number(jig::index i) { return static_cast<float>(i * 7 % 11) - 4; }
  static any_tensor numbers(const shape& s) {
    any_tensor t = any_tensor::empty(dtype::float32, s);
    for (jig::index i = 0; i < t.size(); ++i) static_cast<float*>(t.mutable_data())[i] = number(i);
    return t;
  }
  // How many elements are wrong.
  int wrong(const jig::loaded_function& f) const {
    const auto y = f(numbers({1, {3}}), numbers(axis == 0 ? shape{2, {trips, 3}} : shape{2, {3, trips}}), numbers({2, {trips, 3}}));
    if (!(y[1].shape() == (axis == 0 ? shape{2, {trips, 3}} : shape{2, {3, trips}}))) return 1000000;
    const auto *last = static_cast<const float*>(y[0].data()), *all = static_cast<const float*>(y[1].data());
    const auto place = [&](jig::index t, jig::index k) { return axis == 0 ? t * 3 + k : k * trips + t; };
    float state[3] = {number(0), number(1), number(2)};
    int count = 0;
    for (jig::index i = 0; i < trips; ++i)
      for (jig::index k = 0; k < 3; ++k) {
        state[k] = state[k] * 0.5f + number(place(backward ? trips - 1 - i : i, k)) - number(i * 3 + k);
        count += all[place(out_backward ? trips - 1 - i : i, k)] != 2 * state[k];
      }
    for (int k = 0; k < 3; ++k) count += last[k] != state[k];
    return count;
  }
};

}  // namespace

TEST_CASE("a scan goes along any axis in any direction, a few trips written out and many as a loop") {
  for (const jig::index trips : {1, 5, 256, 257, 700})
    for (int which = 0; which < 8; ++which) {
      const scan s{trips, which & 1, (which & 2) != 0, (which & 4) != 0};
      CAPTURE(trips);
      CAPTURE(which);
      const auto f = s.loaded();
      CHECK(f.graph().count("While") == (trips > 256 ? 1 : 0));
      CHECK(s.wrong(f) == 0);
    }
}

TEST_CASE("trips that only a call tells are a loop") {
  for (int which = 0; which < 8; ++which) {
    scan s{2, which & 1, (which & 2) != 0, (which & 4) != 0, true};
    const auto f = s.loaded();
    CHECK(f.graph().count("While") == 1);
    for (const jig::index trips : {1, 2, 9}) {
      s.trips = trips;
      CHECK(s.wrong(f) == 0);
    }
  }
}

TEST_CASE("what is scanned has as many parts as the first of it") {
  const scan s{2, 0, false, false, true};
  const auto f = s.loaded();
  for (const jig::index others : {0, 1, 4, 5, 6, 300}) {
    CAPTURE(others);
    const auto call = [&] { (void)f(scan::numbers({1, {3}}), scan::numbers({2, {5, 3}}), scan::numbers({2, {others, 3}})); };
    if (others == 5) CHECK_NOTHROW(call());
    else CHECK_THROWS_AS(call(), jig::invalid_argument);
  }
}

TEST_CASE("a scan of batches, as opset 8 has it, needs trips that are known") {
  const auto file_of = [](jig::index trips) {
    written g;
    g.value(11, "start", dtype::float32, {2, 3});
    g.value(11, "x", dtype::float32, {2, trips, 3});
    const std::string body = graph_of({"state", "row"}, {"next"}, [](written& b) { b.node("Add", {"state", "row"}, {"next"}); });
    g.node("Scan", {"", "start", "x"}, {"last"}, {attribute::of_graph("body", body), attribute::of("num_scan_inputs", 1)});
    g.outputs({"last"});
    return g.model(8);
  };
  const written_file known(file_of(4)), unknown(file_of(-1));
  const jig::loaded_function f(jig::detail::read_onnx(known.path(), {}));
  const auto y = f(any_tensor(jig::zeros<float, 2, 3>()), any_tensor(jig::ones<float, 2, 4, 3>()));
  CHECK(static_cast<const float*>(y[0].data())[5] == 4);
  CHECK_THROWS_AS((void)jig::detail::read_onnx(unknown.path(), {}), jig::load_error);
}
