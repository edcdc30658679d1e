// SPDX-License-Identifier: MIT
#include "../printed.hpp"
#include "../run_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ops = jig::ops;
using jig::attributes;
using jig::dyn;
using jig::integer;
using jig::integers;

namespace {

template <jig::index Axis>
using along = attributes<integer<"axis", Axis>>;

template <jig::index Axis, jig::index Batch>
using batched = attributes<integer<"axis", Axis>, integer<"batch_dims", Batch>>;

template <class T = int, jig::index... E>
auto positions(std::initializer_list<int> at) {
  auto x = jig::zeros<T, E...>();
  auto* to = x.data();
  for (int i : at) *to++ = static_cast<T>(i);
  return x;
}

// 4 x 5 x 6 elements that lie in another order.
template <class T>
struct scattered {
  jig::tensor<T, 400> memory = some_numbers<T, 400>();
  jig::view<const T, 4, 5, 6> view{memory.data() + 399, {4, 5, 6}, {-2, -60, -8}};
};

}  // namespace

// Ops that functions of the library give are in table.cpp too, with every dtype: here are layouts and edges, and what only gradients call.
TEST_CASE("joined, repeated and padded") {
  const auto x = some_numbers<float, 3, 4>();
  same_as_static<ops::concat, along<0>>(some_numbers<std::string, 2>(), some_numbers<std::string, 0>(), some_numbers<std::string, 3>());
  same_as_static<ops::concat, along<-1>>(scattered<double>().view, some_numbers<double, 4, 5, 1>());
  same_as_static<ops::pack, along<-1>>(x, x);
  same_as_static<ops::tile, attributes<integers<"multiples", 2, 1, 3>>>(scattered<std::int16_t>().view);
  same_as_static<ops::tile, attributes<integers<"multiples", 2>>>(some_numbers<float, dyn>(0));
  same_as_static<ops::pad, attributes<integers<"paddings", 1, 2, 0, 0, 1, 0>>>(scattered<std::uint8_t>().view,
                                                                               some_numbers<std::uint8_t>());
  same_as_static<ops::concat_part, along<1>>(some_numbers<float, 3, 11>(), x, some_numbers<float, 3, 7>());
  same_as_static<ops::product_of_others>(some_numbers<float, 2, 3>());
  same_as_static<ops::product_of_others>(some_numbers<std::int8_t, 5>());
}

TEST_CASE("elements and parts by their positions") {
  const auto x = some_numbers<float, 6, 5>();
  same_as_static<ops::gather, along<-1>>(x, positions<std::uint8_t>({4}));
  same_as_static<ops::gather, along<1>>(scattered<std::string>().view, positions<std::int64_t, 2, 2>({4, 1, 0, 2}));
  same_as_static<ops::gather, along<0>>(x, some_numbers<int, dyn>(0));
  same_as_static<ops::gather, batched<2, 1>>(scattered<float>().view, positions<int, 4, 2>({4, 1, 0, 2, 5, 5, 3, 1}));
  same_as_static<ops::gather_add, batched<1, 1>>(some_numbers<float, 3, 2>(), some_numbers<float, 3, 2>(),
                                                 positions<int, 3, 2>({1, 1, 0, 1, 0, 0}));
  same_as_static<ops::gather_nd>(x, positions<int, 3, 1>({1, 1, 2}));
  same_as_static<ops::slice, attributes<integers<"size", 2, -1>>>(x, positions<int, 2>({3, 0}));
  same_as_static<ops::scatter_nd, attributes<integers<"shape", 7>>>(positions<int, 3, 1>({1, 6, 1}), some_numbers<float, 3>());
  same_as_static<ops::roll, along<1>>(scattered<std::string>().view, positions<std::int64_t>({-7}));
  same_as_static<ops::roll, along<0>>(some_numbers<jig::half, dyn>(0), positions<std::int8_t>({3}));
  same_as_static<ops::lower_bound>(positions<std::int8_t, 5>({-3, 0, 0, 2, 9}), some_numbers<std::int8_t, 3, 40>());
  same_as_static<ops::lower_bound>(scattered<jig::bfloat16>().view, some_numbers<jig::bfloat16, 4, 5, 3>());
  same_as_static<ops::upper_bound>(some_numbers<double, 4, 5, 2>(), scattered<double>().view);
  using three = attributes<integer<"num_segments", 3>>;
  same_as_static<ops::unsorted_segment_sum, three>(x, positions<std::int8_t, 6>({2, 0, -1, 1, 2, 2}));
  same_as_static<ops::unsorted_segment_sum, three>(scattered<double>().view, positions<std::uint8_t, 4>({2, 0, 2, 1}));
  same_as_static<ops::unsorted_segment_sum, three>(scattered<std::int16_t>().view, positions<std::int64_t, 4, 5>({2, 0, 2, 1, 0}));
  same_as_static<ops::unsorted_segment_max, three>(scattered<jig::half>().view, positions<std::uint64_t, 4>({2, 0, 2, 0}));
  same_as_static<ops::unsorted_segment_min, three>(x, positions<int, 6>({2, 0, -1, -9, 2, 2}));
  same_as_static<ops::bincount, attributes<integer<"size", 5>, jig::type_attribute<"T", jig::dtype::float32>>>(
      positions<std::uint64_t, 6>({2, 0, 9, 1, 2, -1}));
  same_as_static<ops::bincount, attributes<integer<"size", 3>>>(positions<int, 4, 5, 6>({2, 0, 3, 1, 0}), scattered<float>().view);
  same_as_static<ops::gather_add, along<1>>(x, some_numbers<float, 6, 2>(), positions<int, 2>({3, 3}));
  same_as_static<ops::slice_add, attributes<integers<"size", 2, 3>>>(x, some_numbers<float, 2, 3>(), positions<int, 2>({4, 2}));
  same_as_static<ops::slice_update, attributes<integers<"size", 2, 3>>>(x, positions<int, 2>({4, 2}), some_numbers<float, 2, 3>());
  same_as_static<ops::one_hot, attributes<integer<"depth", 4>, jig::type_attribute<"T", jig::dtype::float32>>>(
      positions<std::int8_t, 4>({3, -1, 0, 4}));
  same_as_static<ops::array_write, attributes<>>(x, positions<int>({2}), some_numbers<float, 5>());
  same_as_static<ops::array_write, attributes<integer<"element_axis", 1>>>(x, positions<int>({2}), some_numbers<float, 6>());
  same_as_static<ops::along_axis_place, along<1>>(some_numbers<float, 2, 2>(), positions<int, 2, 2>({3, 0, 1, 1}),
                                                  some_numbers<float, 2, 4>());
  auto out = jig::zeros<float, 1, 5>();
  CHECK_THROWS_AS((run_kernel<ops::gather, along<0>>(std::tie(out), x, positions<int, 1>({6}))), jig::invalid_argument);
}

TEST_CASE("an update in the place of its input") {
  auto x = some_numbers<float, 6, 5>();
  const auto more = some_numbers<float, 2, 5>();
  const auto at = positions<int, 2, 1>({5, 0});
  auto expected = x;
  for (jig::index k = 0; k < 5; ++k) {
    expected(5, k) += more(0, k);
    expected(0, k) += more(1, k);
  }
  run_kernel<ops::tensor_scatter_add, attributes<>>(std::tie(x), x, at, more);
  CHECK(same_elements(x, expected));
}

TEST_CASE("convolutions that ask for fewer products") {
  using tiles = jig::detail::convolution_attributes<2, 2, jig::winograd_t, jig::same_padding_t>;
  // Enough tiles, too few, and taps that are no tiles' at all.
  same_as_static<ops::conv2d, tiles>(some_numbers<float, 1, 32, 32, 3>(), some_numbers<float, 3, 3, 3, 5>());
  same_as_static<ops::conv2d, tiles>(some_numbers<double, dyn, 33, 29, 2>(2), some_numbers<double, 3, 3, 2, 17>());
  same_as_static<ops::conv2d, tiles>(some_numbers<float, 1, 9, 9, 3>(), some_numbers<float, 3, 3, 3, 5>());
  same_as_static<ops::conv2d, tiles>(some_numbers<float, 1, 40, 40, 3>(), some_numbers<float, dyn, dyn, 3, 5>(2, 3));
}

TEST_CASE("along an axis") {
  const scattered<float> x;
  same_as_static<ops::argmin, attributes<integer<"dimension", -1>>>(some_numbers<bool, 7>());
  same_as_static<ops::cumsum, along<0>>(some_numbers<jig::half, 9, 2>());
  same_as_static<ops::sort, attributes<integer<"axis", -1>, jig::boolean<"descending", false>>>(some_numbers<std::string, 9>());
  same_as_static<ops::argsort, attributes<integer<"axis", 0>, jig::boolean<"descending", false>>>(x.view);
  same_as_static<ops::top_k, attributes<integer<"k", 3>>>(x.view);
}

TEST_CASE("results whose extent only the run tells") {
  const scattered<std::int32_t> x;
  jig::tensor<bool, 4, 5, 6> mask;
  std::vector<std::int64_t> places;
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 5; ++j)
      for (jig::index k = 0; k < 6; ++k)
        if ((mask(i, j, k) = x.view(i, j, k) > 0)) places.insert(places.end(), {i, j, k});
  auto at = jig::zeros<std::int64_t, 120, 3>();
  CHECK(run_kernel<ops::where, attributes<>>(std::tie(at), mask) == static_cast<jig::index>(places.size()) / 3);
  CHECK(std::equal(places.begin(), places.end(), at.data()));

  const auto numbers = some_numbers<float, 50>();
  std::vector<float> different;
  jig::tensor<int, 50> where;
  for (jig::index i = 0; i < 50; ++i) {
    const auto found = std::find(different.begin(), different.end(), numbers(i));
    where(i) = static_cast<int>(found - different.begin());
    if (found == different.end()) different.push_back(numbers(i));
  }
  auto values = numbers;
  auto which = where;
  spoil(which);
  CHECK(run_kernel<ops::unique, attributes<>>(std::tie(values, which), numbers) == static_cast<jig::index>(different.size()));
  CHECK(same_elements(which, where));
  CHECK(std::equal(different.begin(), different.end(), values.data()));
}

TEST_CASE("what gradients add") {
  const auto x = some_numbers<float, 4, 6>();
  using part = attributes<integers<"begin", 1, 0>, integers<"end", 3, 6>, integers<"strides", 1, 2>, integer<"begin_mask", 0>,
                          integer<"end_mask", 0>, integer<"shrink_axis_mask", 0>>;
  same_as_static<ops::strided_slice_add, part>(x, some_numbers<float, 2, 3>());
  same_as_static<ops::strided_slice_update, part>(x, some_numbers<float, 2, 3>());
  same_as_static<ops::strided_slice_update, part>(some_numbers<bool, 4, 6>(), some_numbers<bool, 2, 3>());
  same_as_static<ops::diag_part_add, attributes<integers<"axes", 0, 1>>>(some_numbers<double, 3, 3>(), some_numbers<double, 3>());
  same_as_static<ops::set_diag, attributes<integers<"axes", 0, 1>>>(some_numbers<bool, 3, 4>(), some_numbers<bool, 3>());
  same_as_static<ops::triangle, attributes<jig::boolean<"lower", true>>>(some_numbers<double, 2, 3, 4>());
  same_as_static<ops::triangle, attributes<jig::boolean<"lower", false>>>(scattered<jig::half>().view);
  same_as_static<ops::tile_sum>(x, some_numbers<float, 2, 3>());
  same_as_static<ops::pad_like, attributes<integers<"paddings", 1, 1, 0, 3>>>(some_numbers<float, 2, 3>(), some_numbers<float>(), x);
  same_as_static<ops::pad_like, attributes<integers<"paddings", 1, 1, 0, 3>>>(some_numbers<bool>(), some_numbers<bool>(), x);
  same_as_static<ops::sum_like>(x, some_numbers<float, 1, 6>());
  same_as_static<ops::sum_like>(x, some_numbers<float>());
  same_as_static<ops::shrinkage>(some_numbers<float, 5>(), x);
}

TEST_CASE("values that depend on extents, and random ones") {
  same_as_static<ops::shape_of>(some_numbers<std::string, 3, 0, 2>());
  same_as_static<ops::eye>(some_numbers<bool, 2, 3, 4>());
  same_as_static<ops::new_array, attributes<integer<"axis", 1>>>(some_numbers<bool, 2, 3>(), some_numbers<double, 4>());
  const auto seed = positions<std::int32_t, 2>({-3, 7});
  same_as_static<ops::random_uniform>(some_numbers<double, 7, 5>(), positions<std::uint64_t>({-5}));
  same_as_static<ops::random_bits>(some_numbers<std::int16_t, 9>(), seed);
}

TEST_CASE("tapes") {
  jig::detail::call_tape tape;
  auto count = positions<std::int64_t>({0});
  std::vector<jig::tensor<std::uint16_t, 3>> kept;
  using one = attributes<integer<"tape", 1>>;
  for (int i = 0; i < 4; ++i) {
    kept.push_back(jig::full<std::uint16_t, 3>(static_cast<std::uint16_t>(i + 7)));
    const jig::any_view in[] = {erased(count), erased(kept.back())}, out[] = {erased(count)};
    jig::detail::kernel_call call{one::view(), in, out, &tape};
    kernel_of(ops::tape_write).run(call);
  }
  CHECK(count() == 4);
  for (int i : {3, 0, 2}) {
    const auto at = positions<std::int32_t>({i});
    auto found = jig::zeros<std::uint16_t, 3>();
    const jig::any_view in[] = {erased(count), erased(at), erased(found)}, out[] = {erased(found)};
    jig::detail::kernel_call call{one::view(), in, out, &tape};
    kernel_of(ops::tape_read).run(call);
    CHECK(same_elements(found, kept[static_cast<std::size_t>(i)]));
  }
}

TEST_CASE("effects") {
  auto done = jig::zeros<bool>();
  using line = attributes<jig::text_attribute<"template", "a = {}, b = {}">, jig::text_attribute<"placeholder", "{}">>;
  CHECK(printed([&] { run_kernel<ops::print, line>(std::tie(done), some_numbers<float>(), some_numbers<std::string, 2>()); }) ==
        "a = -3.4375, b = [\"-11\" \"-4\"]\n");
  CHECK(done());
  const auto yes = jig::full<bool>(true), no = jig::full<bool>(false);
  run_kernel<ops::assert_that, line>(std::tie(done), yes, some_numbers<float>(), some_numbers<int>());
  CHECK_THROWS_WITH((run_kernel<ops::assert_that, line>(std::tie(done), no, positions<int>({1}), positions<int>({2}))), "a = 1, b = 2");
  using said = attributes<jig::text_attribute<"message", "x">>;
  run_kernel<ops::assert_equal, said>(std::tie(done), yes, some_numbers<float>(), some_numbers<float>());
  CHECK_THROWS_AS((run_kernel<ops::assert_equal, said>(std::tie(done), no, some_numbers<float, 2>(), some_numbers<float>())),
                  jig::invalid_argument);
  same_as_static<ops::check_numerics, said>(scattered<float>().view);
  auto out = jig::zeros<jig::half, 2>();
  const jig::tensor<jig::half, 2> bad{jig::half(1), jig::half(std::numeric_limits<float>::infinity())};
  CHECK_THROWS_WITH((run_kernel<ops::check_numerics, said>(std::tie(out), bad)), "x: infinity at (1,)");
}

TEST_CASE("functions of the program") {
  const auto twice = [](auto x) {
    auto y = jig::zeros<float, 2>();
    for (jig::index i = 0; i < 2; ++i) y(i) = 2 * x(i);
    return y;
  };
  using specs = jig::detail::types<jig::spec<float, 2>>;
  const jig::tensor<float, 2> x{3, 4};
  auto y = x;
  const jig::any_view in[] = {erased(x)}, out[] = {erased(y)};
  jig::detail::kernel_call call{attributes<>::view(), in, out};
  jig::detail::runtime_kernel_of<ops::host_call<decltype(twice), jig::spec<float, 2>, specs>>.run(call);
  CHECK(y(0) == 6);
  CHECK(y(1) == 8);
}

TEST_CASE("plain loops") {
  const auto x = some_numbers<std::int32_t, 3, 4>();
  auto y = jig::zeros<std::int32_t, 3, 4>();
  run_kernel<ops::cumsum, along<1>>(std::tie(y), x);
  for (jig::index i = 0; i < 3; ++i) {
    std::int32_t sum = 0;
    for (jig::index k = 0; k < 4; ++k) CHECK(y(i, k) == (sum += x(i, k)));
  }
  auto z = jig::zeros<std::int32_t, 6, 4>();
  run_kernel<ops::concat, along<0>>(std::tie(z), x, y);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index k = 0; k < 4; ++k) {
      CHECK(z(i, k) == x(i, k));
      CHECK(z(i + 3, k) == y(i, k));
    }
}
