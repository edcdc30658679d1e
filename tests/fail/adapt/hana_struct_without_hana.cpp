// SPDX-License-Identifier: MIT
// expect-error: Hana-adapted structs need // at most: 36
// at most with clang: 60
#include <boost/hana.hpp>
#include <jig.hpp>

#ifdef JIG_CONTROL
#include <boost/hana.hpp>
#endif
#include <boost/hana/define_struct.hpp>

struct point {
  BOOST_HANA_DEFINE_STRUCT(point, (float, x), (float, y));
};

constexpr auto f = jig::function<"f(p)">([](auto p) { return p[BOOST_HANA_STRING("x")]; });

int main() { return static_cast<int>(f(point{1, 2})()); }
