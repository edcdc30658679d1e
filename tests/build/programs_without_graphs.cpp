// SPDX-License-Identifier: MIT
// Functions of all kinds of programs, for programs_without_graphs.sh: each may refuse a call, or fail because of values, and tells then
// what its graph knows (names of ops, dtypes, lines).
#include <jig.hpp>

namespace {

template <class T>
using matrix = jig::view<T, jig::dyn, jig::dyn>;

constexpr auto broadcast = jig::function([](auto x, auto y) { return x * y + 1; });
constexpr auto rest = jig::function([](auto x, auto y) { return x % y; });
constexpr auto gathered = jig::function([](auto x, auto i) { return jig::tanh(jig::gather(x, i)) + x[i]; });
constexpr auto branches =
    jig::function([](auto x) { return jig::cond(jig::reduce_sum(x) > 1, [&] { return jig::ones_like(x); }, [&] { return -x; }); });
constexpr auto running_sums = jig::function([](auto input, auto state) {
  auto steps = jig::transpose<1, 0>(input);
  auto states = jig::tensor_array(jig::extent<0>(steps), state);
  for (auto i : jig::range(jig::extent<0>(steps))) {
    state = jig::gather(steps, i) + state;
    states = states.write(i, state);
  }
  return jig::transpose<1, 0>(states.stack());
});
constexpr auto slope = jig::grad<0>(jig::function([](auto w, auto x) { return jig::reduce_mean(jig::softmax<-1>(jig::matmul(x, w))); }));
constexpr auto joined = jig::function([](auto x, auto y) { return jig::concat<0>(x, jig::exp(y)); });

}  // namespace

void run(matrix<float> out, matrix<const float> x, matrix<const float> y, jig::view<const float, jig::dyn> v) {
  broadcast.into(out, x, y);
  branches.into(out, x);
  running_sums.into(out, x, v);
  slope.into(out, x, y);
  joined.into(out, x, y);
}
auto run(matrix<const int> x, matrix<const int> y) { return rest(x, y); }
auto run(matrix<const float> x, int i) { return gathered(x, i); }
