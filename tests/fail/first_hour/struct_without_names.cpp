// SPDX-License-Identifier: MIT
// expect-error: It is a line: name its members by BOOST_HANA_DEFINE_STRUCT
#include <jig.hpp>

#include <boost/hana.hpp>

struct line {
#ifdef JIG_CONTROL
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<float>, slope), (jig::variable<float>, offset));
#else
  jig::variable<float> slope, offset;
#endif
};

constexpr auto f = jig::function<"f(line, x)">([](auto& line, auto x) { return line.slope * x + line.offset; });

int main() {
  line fitted;
  (void)f(fitted, 2.0f);
}
