// SPDX-License-Identifier: MIT
#include <jig/runtime/kernel.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

using jig::dtype;
using jig::index;
namespace detail = jig::detail;

void doubled(const void* const* in, void* out, index n) {
  for (index i = 0; i < n; ++i) static_cast<int*>(out)[i] = 2 * static_cast<const int*>(in[0])[i];
}
void less_one(const void* const* in, void* out, index n) {
  for (index i = 0; i < n; ++i) static_cast<int*>(out)[i] = static_cast<const int*>(in[0])[i] - 1;
}
void both(const void* const* in, void* out, index n) {
  for (index i = 0; i < n; ++i) static_cast<int*>(out)[i] = 2 * static_cast<const int*>(in[0])[i] - 1;
}

constexpr jig::op nobodys{
    .name = "Nobodys", .label = "Nobodys", .facts = jig::fact::elementwise, .rule = jig::elementwise_rule<jig::floats>};

TEST_CASE("kernels are found by the op, which its address tells and not its name") {
  const detail::runtime_kernel* found = detail::find_runtime_kernel(jig::ops::exp);
  REQUIRE(found != nullptr);
  CHECK(found->kind == &jig::ops::exp);
  CHECK((found->run == nullptr));
  const dtype floats[] = {dtype::float32}, integers[] = {dtype::int32};
  const detail::block_function f = found->block({floats, 1}, dtype::float32);
  REQUIRE((f != nullptr));
  CHECK((found->block({integers, 1}, dtype::int32) == nullptr));  // its rule refuses integers
  const float in[] = {0, 1};
  float out[2];
  const void* operands[] = {in};
  f(operands, out, 2);
  CHECK((out[0] == 1 && out[1] == doctest::Approx(2.718281828)));

  CHECK(detail::find_runtime_kernel(nobodys) == nullptr);
  const jig::op namesake = jig::ops::exp;
  CHECK(detail::find_runtime_kernel(namesake) == nullptr);
}

TEST_CASE("one function for two is found by both and by the operand that joins them") {
  detail::paired_kernel pair{&doubled, &less_one, 0, &both, detail::first_paired_kernel};
  detail::first_paired_kernel = &pair;
  CHECK((detail::find_paired_kernel(&doubled, &less_one, 0) == &both));
  CHECK((detail::find_paired_kernel(&doubled, &less_one, 1) == nullptr));
  CHECK((detail::find_paired_kernel(&less_one, &doubled, 0) == nullptr));
  detail::first_paired_kernel = pair.next;
  CHECK((detail::find_paired_kernel(&doubled, &less_one, 0) == nullptr));
}

}  // namespace
