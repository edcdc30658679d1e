// SPDX-License-Identifier: MIT
// A program that includes all the world beside jig, for other_headers.sh, which makes <others.hpp> (all standard headers and more) and
// <greedy_names.hpp> (for every function of jig's one in namespace foreign that takes anything).

#ifdef JIG_FIRST
#include <jig.hpp>
#include <jig/data.hpp>
#include <jig/nn.hpp>
#endif
#include <others.hpp>

#include "careless_macros.hpp"
#ifndef JIG_FIRST
#include <jig.hpp>
#include <jig/data.hpp>
#include <jig/nn.hpp>
#endif
#include <greedy_names.hpp>

using namespace std;
using namespace jig;

// What has a part in namespace foreign: the lambdas, the containers' allocators, the structs of variables.
namespace foreign {

template <class T>
struct memory : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = memory<U>;
  };
  using std::allocator<T>::allocator;
};

struct model {
  BOOST_HANA_DEFINE_STRUCT(model, (jig::variable<float, 3>, w), (jig::variable<float>, b));
};

constexpr auto squashed = jig::function<"squashed(x, w)">([](auto x, auto w) { return jig::tanh(jig::matmul(x, w)) + 1; });
constexpr auto largest = jig::function<"largest(x)">([](auto x) {
  auto y = x;
  for (auto i : jig::range(jig::extent<0>(x))) y = jig::maximum(y, x[i]);
  if (jig::reduce_max(y) > 3) return y * 2;
  JIG_WHILE(jig::reduce_sum(y) < 3) { y = y + 1; }
  JIG_IF(y[0] > 1) {
    y = y - 1;
  }
  return y;
});
constexpr auto step = jig::function<"step(model, x)">([](auto& m, auto x) {
  auto loss = jig::reduce_mean(jig::square(jig::reduce_sum<1>(x * m.w) + m.b));
  auto g = jig::gradient(loss, m);
  m.b.assign_sub(boost::hana::at_key(g, BOOST_HANA_STRING("b")));
  return loss;
});
constexpr auto doubled = [](auto e) { return e + e; };
constexpr auto is_small = [](auto e) { return e < 5; };
constexpr auto square_of = jig::custom_gradient([](auto x) { return x * x; }, [](auto g, auto x) { return 2 * g * x; });

}  // namespace foreign

int main() {
  jig::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  std::vector<float, foreign::memory<float>> v{1, 2, 3};
  for (const auto& batch :
       jig::data::from_tensor_slices(v).map(foreign::doubled).filter(foreign::is_small).shuffle(3).cache().batch(2).prefetch(1))
    std::cout << batch(0);
  cout << foreign::squashed(x, jig::tensor<float, 3, 2>{}) << foreign::largest(v) << setw(8) << setprecision(3) << '\n';
  cout << jig::tensor<std::string, 2>{"a", "b"} << quoted("text")
       << jig::to_text(foreign::squashed.get_concrete_function(jig::spec<float, dyn, 3>(), jig::spec<float, 3, 2>()).graph());
  foreign::model m{};
  cout << foreign::step(m, x);
  auto [value, gradients] = value_and_grad<0, 1>([](auto a, auto b) { return reduce_sum(foreign::square_of(a) * b); })(x, x);
  cout << value << get<0>(gradients) << reduce_mean(x) << relu(x) << gather<0>(x, 1) << tanh(x) << exp(x);
  tuple<float, array<float, 2>> nested{1, {2, 3}};
  cout << get<0>(jig::function<"f(x)">([](auto p) { return tuple(get<0>(p) + get<1>(p), get<1>(p)); })(nested));
  jig::function<"f(x)">([](auto p) {
    print("x = {}", p);
    return p;
  })(x);
  cout << foreign::largest(any_tensor(v)) << any_tensor(std::vector<std::string>{"a"});
#if __has_include(<Eigen/Dense>)
  Eigen::MatrixXf e(2, 2);
  cout << e.rows();
#endif
}
