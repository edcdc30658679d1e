// SPDX-License-Identifier: MIT
// expect-error: a struct of variables cannot
// expect-error: pass its variables, or
#include <jig.hpp>

#include <boost/hana.hpp>

struct state {
  BOOST_HANA_DEFINE_STRUCT(state, (jig::variable<float>, w));
};
constexpr auto scaled = jig::function<"scaled(x, w)">([](auto x, const auto& w) { return x * w; });

int main() {
  state s;
  s.w.assign(3.0f);
  const jig::any_tensor x = 2.0f;
#ifdef JIG_CONTROL
  return scaled(x, s.w).as<float>()() == 6 ? 0 : 1;
#else
  (void)scaled(x, s);
#endif
}
