// SPDX-License-Identifier: MIT
#include <jig/eval/kernel_traits.hpp>

#include <jig/eval/matmul.hpp>

#include <doctest/doctest.h>

namespace {

using jig::dense_view;

struct nothing_given {};
struct plain_kernel {
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out&, const In&) {}
};
struct part_kernel : plain_kernel {
  template <class Attributes>
  static void run_part(Attributes, const dense_view<float, 3>&, const dense_view<const float, 3>&) {}
};
struct first_kernel : part_kernel {
  template <class Attributes, class Out, class In>
  static constexpr bool reads_first(Attributes, std::type_identity<Out>, std::type_identity<In>) {
    return true;
  }
};
struct idle_kernel : plain_kernel {
  template <class Attributes>
  static constexpr bool does_nothing = true;
};

template <class K, jig::index N = 3>
using traits_of = jig::kernel_traits<K, nothing_given, dense_view<float, N>, dense_view<const float, N>>;

}  // namespace

TEST_CASE("members that a kernel may have") {
  static_assert(!traits_of<plain_kernel>::has_part && !traits_of<plain_kernel>::reads_first && !traits_of<plain_kernel>::gives_registers);
  static_assert(traits_of<part_kernel>::has_part && !traits_of<part_kernel>::reads_first);
  static_assert(traits_of<first_kernel>::has_part && traits_of<first_kernel>::reads_first);
  // What reads first says is about run_part, which there is for other types only.
  static_assert(!traits_of<first_kernel, 4>::has_part && !traits_of<first_kernel, 4>::reads_first);
  static_assert(jig::kernel_does_nothing<idle_kernel, nothing_given> && !jig::kernel_does_nothing<plain_kernel, nothing_given>);
}

TEST_CASE("members of the kernels of matrix products") {
  using flags = jig::attributes<jig::boolean<"transpose_a", false>, jig::boolean<"transpose_b", false>>;
  using one = jig::kernel_traits<jig::kernel<jig::ops::matmul>, flags, dense_view<float, 3, 3>, dense_view<const float, 3, 3>,
                                 dense_view<const float, 3, 3>>;
  using large = jig::kernel_traits<jig::kernel<jig::ops::matmul>, flags, dense_view<float, 64, 64>, dense_view<const float, 64, 64>,
                                   dense_view<const float, 64, 64>>;
  static_assert(one::has_part && one::reads_first && !one::gives_registers);
  static_assert(large::has_part && !large::reads_first);
  using strided = jig::kernel_traits<jig::kernel<jig::ops::matmul>, flags, dense_view<float, 3, 3>, jig::view<const float, 3, 3>,
                                     dense_view<const float, 3, 3>>;
  static_assert(!strided::has_part);
}

TEST_CASE("a kernel may say that it completes its result row by row") {
  static_assert(!jig::kernel_goes_row_by_row<plain_kernel> && !jig::kernel_goes_row_by_row<jig::kernel<jig::ops::batch_matmul>>);
  static_assert(jig::kernel_goes_row_by_row<jig::kernel<jig::ops::arranged_batch_matmul>>);
}
