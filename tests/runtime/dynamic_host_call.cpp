// SPDX-License-Identifier: MIT
#include <jig/runtime/dynamic_host_call.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using jig::any_tensor;

std::vector<double> seen;

}  // namespace

TEST_CASE("host calls of run-time tensors: an effect of every call, in the branch that is taken") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    if (jig::reduce_sum(x) > 0) jig::host_call([](const any_tensor& y) { seen.push_back(y.as<double>()(0)); }, x * 2);
    return x + 1;
  });
  seen.clear();
  CHECK(f(any_tensor(jig::tensor<double, 2>{1, 2})).as<double>()(1) == 3);
  f(any_tensor(jig::tensor<double, 2>{-1, -2}));
  f(any_tensor(jig::tensor<double, 2>{5, 2}));
  CHECK(seen == std::vector<double>{2, 10});
  CHECK(f.experimental_get_tracing_count() == 1);
}

TEST_CASE("host calls of run-time tensors: results by a spec, or like an argument") {
  // One function for every dtype and shape.
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    return jig::host_call<jig::like<1>>(
               [](const any_tensor& n, const any_tensor& of) {
                 any_tensor out = any_tensor::empty(of.dtype(), of.shape());
                 for (jig::index i = 0; i < of.size(); ++i)
                   static_cast<float*>(out.mutable_data())[i] = static_cast<float>(n.as<int>()()) + static_cast<const float*>(of.data())[i];
                 return out;
               },
               x, y) *
           2.0f;
  });
  const any_tensor r = f(any_tensor(3), any_tensor(jig::tensor<float, 3>{1, 2, 3}));
  CHECK(r.as<float>()(2) == 12);
  CHECK(f(any_tensor(1), any_tensor(jig::zeros<float, 0>())).size() == 0);
  constexpr auto text = jig::function<"text(x)">([](auto x) {
    return jig::host_call<jig::spec<std::string>>(
        [](const any_tensor& y) { return jig::tensor<std::string>(std::string(name_of(y.dtype()))); }, x);
  });
  CHECK(text(any_tensor(true)).as<std::string>()() == "bool");
  CHECK(text(any_tensor(1.0)).as<std::string>()() == "float64");
}

TEST_CASE("host calls of run-time tensors: what the function returns is checked") {
  constexpr auto f = jig::function<"f(x)">(
      [](auto x) { return jig::host_call<jig::like<0>>([](const any_tensor&) { return any_tensor(jig::tensor<float, 2>{1, 2}); }, x); });
  CHECK(f(any_tensor(jig::zeros<float, 2>())).as<float>()(1) == 2);
  CHECK_THROWS_WITH_AS(f(any_tensor(jig::zeros<float, 3>())), "HostCall: the function returned float32 (2,), expected float32 (3,)",
                       jig::invalid_argument);
  CHECK_THROWS_AS(f(any_tensor(jig::zeros<int, 2>())), jig::invalid_argument);
  constexpr auto throwing = jig::function<"throwing(v, x)">([](auto& v, auto x) {
    v.assign(x);
    jig::host_call([](const any_tensor&) { throw std::runtime_error("from the host"); }, x);
  });
  jig::variable<int> v{1};
  CHECK_THROWS_WITH_AS(throwing(v, any_tensor(2)), "from the host", std::runtime_error);
  CHECK(v.value()() == 1);
}
