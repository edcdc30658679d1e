// SPDX-License-Identifier: MIT
#include <jig/eval/host_call.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

namespace {

using jig::any_view;

// What a host function is given: how many operands, and the first elements of the outer ones.
int operands = 0;
any_view seen[2], result;
constexpr jig::op watcher = [] {
  jig::op o{.name = "Watcher", .label = "Watcher", .facts = jig::fact::host};
  o.host = [](jig::stretch<any_view> in, const any_view& out) {
    operands = static_cast<int>(in.size());
    for (std::size_t k = 0; k < in.size() && k < 2; ++k) seen[k] = in[k];
    result = out;
  };
  return o;
}();

}  // namespace

TEST_CASE("the host function is given operands and result where and as they lie") {
  double memory[6] = {1, 2, 3, 4, 5, 6}, out[2];
  const jig::view<const double, 3> every_other(memory, jig::shape{1, {3}}, jig::shape{1, {2}});
  const std::string text = "text";
  const jig::view<const std::string> single(&text, jig::shape{});
  const jig::view<double, 2> to(out, jig::shape{1, {2}}, jig::shape{1, {-1}});
  jig::kernel<watcher>::run(0, to, every_other, single);
  CHECK(operands == 2);
  CHECK((seen[0].data == memory && seen[0].dtype == jig::dtype::float64 && seen[0].extents == jig::shape{1, {3}} &&
         seen[0].strides == jig::shape{1, {2}}));
  CHECK((seen[1].data == &text && seen[1].dtype == jig::dtype::string && seen[1].extents.rank == 0));
  CHECK((result.data == out && result.strides == jig::shape{1, {-1}}));
  jig::kernel<watcher>::run(0, to);
  CHECK(operands == 0);
}
