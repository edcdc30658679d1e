// SPDX-License-Identifier: MIT
// expect-error: this model has no weights: name the members of its struct with BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT
#include <jig.hpp>
#include <jig/nn.hpp>

#include <boost/hana.hpp>

struct net {
#ifdef JIG_CONTROL
  BOOST_HANA_DEFINE_STRUCT(net, (jig::nn::dense<float, 4, 2>, layer));
#else
  jig::nn::dense<float, 4, 2> layer;
#endif
};

int main() {
  const jig::nn::adam<net> optimizer(0.1);
  (void)optimizer;
}
