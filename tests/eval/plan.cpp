// SPDX-License-Identifier: MIT
#include <jig/eval/plan.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace {

template <class... Key>
constexpr jig::plan plan_of(auto lambda, Key... key) {
  const auto& traced = jig::graph_of(lambda, key...);
  return jig::make_plan(jig::lower(traced), jig::detail::all_dense(traced));
}

// The plan of a trace as text.
template <jig::text Parameters, class F, class... Key>
std::string text_of(F, Key...) {
  const jig::graph lowered = jig::lower(jig::trace<F, Parameters, Key...>::graph);
  return jig::to_text(jig::view_of(lowered, jig::make_plan(lowered, jig::detail::all_dense(lowered))));
}

constexpr std::size_t steps_of(const jig::plan& p) { return p.steps.size(); }

using row = jig::spec<float, 100>;
using matrix = jig::spec<float, 20, 100>;
using any = jig::spec<float, jig::dyn>;

constexpr auto put(const auto& array, const auto& i, const auto& x) { return jig::call<jig::ops::array_write>(array, i, x); }

}  // namespace

TEST_CASE("an elementwise expression is one loop, whatever its size") {
  static_assert(steps_of(plan_of([](auto a, auto b, auto c) { return jig::tanh(a * b + c) * b; }, row(), row(), row())) == 1);
  static_assert(steps_of(plan_of([](auto a, auto b, auto c) { return jig::tanh(a * b + c) * b; }, any(), any(), any())) == 1);
  static_assert(steps_of(plan_of([](auto x, auto b) { return jig::relu(x + b) * 2; }, matrix(), row())) == 1);
}

TEST_CASE("results of one shape share a loop") {
  static_assert(steps_of(plan_of([](auto a, auto b) { return std::tuple(a + b, a - b, a * b); }, row(), row())) == 1);
}

TEST_CASE("a reduction computes its operand in its own loop, and shares it with others over the same axes") {
  static_assert(steps_of(plan_of([](auto a, auto b) { return jig::reduce_sum(jig::square(a - b)); }, row(), row())) == 1);
  static_assert(
      steps_of(plan_of([](auto x) { return std::tuple(jig::reduce_sum<1>(x), jig::reduce_max<1>(x), jig::reduce_mean<1>(x * x)); },
                       matrix())) == 1);
  static_assert(steps_of(plan_of([](auto x) { return std::tuple(jig::reduce_sum<1>(x), jig::reduce_sum<0>(x)); }, matrix())) == 2);
}

TEST_CASE("scalar expressions are computed where they are used") {
  constexpr auto p = [](auto x, auto rate) { return x * (rate * 0.5 + 1); };
  static_assert(steps_of(plan_of(p, row(), jig::spec<float>())) == 1);
}

TEST_CASE("an element that a loop computes is put into an array by that loop") {
  using array = jig::spec<float, 20, 100>;
  using position = jig::spec<int>;
  constexpr auto both = [](auto a, auto i, auto x, auto y) {
    auto z = x * y;
    return std::tuple(z, put(a, i, z));
  };
  static_assert(steps_of(plan_of(both, array(), position(), row(), row())) == 1);
  static_assert(steps_of(plan_of(both, jig::spec<float, jig::dyn, jig::dyn>(), position(), any(), any())) == 1);
  static constexpr auto two = [](auto a, auto b, auto i, auto x) { return std::tuple(put(a, i, x + 1), put(b, i, x + 2)); };
  static_assert(steps_of(plan_of(two, array(), array(), position(), row())) == 1);
  // Positions and arrays have to be there first.
  constexpr auto later = [](auto a, auto i, auto x) { return put(a, i + 1, x + 1); };
  constexpr auto doubled = [](auto a, auto i, auto x) { return put(a * 2, i, x + 1); };
  constexpr auto numbers = [](auto a, auto i) { return put(a, i + 1, i + 1); };
  static_assert(steps_of(plan_of(later, array(), position(), row())) == 2);
  static_assert(steps_of(plan_of(doubled, array(), position(), row())) == 2);
  static_assert(steps_of(plan_of(numbers, jig::spec<int, 4>(), position())) == 2);
  // What is in memory is copied, and so is what has no rows in the array.
  constexpr auto copied = [](auto a, auto i, auto x) { return put(a, i, x); };
  static_assert(plan_of(copied, array(), position(), row()).steps[0].kind == jig::step_kind::kernel);
  constexpr auto columns = [](auto a, auto i, auto x) {
    return jig::call<jig::ops::array_write, jig::attributes<jig::integer<"element_axis", 1>>>(a, i, x + 1);
  };
  static_assert(steps_of(plan_of(columns, jig::spec<float, 100, 20>(), position(), row())) == 2);
}

TEST_CASE("what is cheap is computed twice rather than stored") {
  // The difference from the mean is wanted by the variance and by the quotient.
  constexpr auto standardize = [](auto x) {
    auto d = x - jig::reduce_mean<1>(x, jig::keepdims);
    return d / jig::sqrt(jig::reduce_mean<1>(d * d, jig::keepdims));
  };
  static constexpr auto buffers = [](const jig::plan& p) {
    jig::index bytes = 0;
    for (const auto& s : p.buffers) bytes += s.bytes;
    return bytes;
  };
  static_assert(buffers(plan_of(standardize, matrix())) <= 3 * 20 * 4);
}

TEST_CASE("what is dear is stored once") {
  constexpr auto softmax = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    return e / jig::reduce_sum<1>(e, jig::keepdims);
  };
  CHECK(text_of<"softmax(x)">(softmax, matrix()) ==
        "rows of (20,), 128 bytes for Max at 0, Sum at 64:\n"
        "  reduction (20, 100) over [1]: x [argument 0] -> Max [local]\n"
        "  reduction (20, 100) over [1]: x [argument 0], Max [local] -> sub -> Sum [local], Exp [result 0]\n"
        "  loop (20, 100): Exp [result 0], Sum [local] -> truediv [result 0]\n");
}

TEST_CASE("a reduction of rows and what follows from it run row by row") {
  // How many steps each region has.
  static constexpr auto together = [](const jig::plan& p) {
    std::array<int, 8> out{};
    for (std::size_t r = 0; r < p.regions.size(); ++r) out[r] = p.regions[r].count;
    return out;
  };
  static constexpr auto standardize = [](auto x) {
    auto d = x - jig::reduce_mean<1>(x, jig::keepdims);
    return d / jig::sqrt(jig::reduce_mean<1>(d * d, jig::keepdims));
  };
  static_assert(together(plan_of(standardize, matrix())) == std::array<int, 8>{3});
  static_assert(together(plan_of([](auto x) { return jig::log_softmax(x); }, jig::spec<float, jig::dyn, jig::dyn>()))[0] > 2);
  // Of short rows many at a time, if there are many; columns and whole tensors do not.
  CHECK(text_of<"standardize(x)">(standardize, jig::spec<float, 100, 8>()) ==
        "rows of (100,), 64 at a time, at least 64, 1536 bytes for Mean at 0, Mean_1 at 512, Sqrt at 1024:\n"
        "  reduction (100, 8) over [1]: x [argument 0] -> Mean [local]\n"
        "  reduction (100, 8) over [1]: x [argument 0], Mean [local] -> sub, mul -> Mean_1 [local]\n"
        "  loop (100, 1): Mean_1 [local] -> Sqrt [local]\n"
        "  loop (100, 8): x [argument 0], Mean [local], Sqrt [local] -> sub -> truediv [result 0]\n");
  static_assert(together(plan_of(standardize, jig::spec<float, 63, 8>())) == std::array<int, 8>{1, 1, 1, 1});
  static_assert(together(plan_of([](auto x) { return jig::softmax<0>(x); }, matrix()))[0] == 1);
  static_assert(together(plan_of([](auto x) { return jig::softmax(x); }, row()))[0] == 1);
  // What needs all rows comes behind them, and what it stands between is moved.
  static_assert(together(plan_of(
                    [](auto x) {
                      auto m = jig::reduce_max<1>(x, jig::keepdims);
                      return std::tuple(jig::reduce_sum(m), jig::exp(x - m));
                    },
                    matrix()))[0] == 2);
  static_assert(together(plan_of(
                    [](auto x) {
                      auto m = jig::reduce_max<1>(x);
                      return jig::exp(x - jig::reduce_max(m));
                    },
                    matrix()))[0] == 1);
}

TEST_CASE("steps that run row by row take up the loops between them") {
  static constexpr auto roots = [](const jig::plan& p, std::size_t s) { return p.steps[s].roots.count; };
  // The exponentials are stored while they are added up.
  static constexpr auto softmax = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    return std::tuple(e, jig::reduce_sum<1>(e), e / jig::reduce_sum<1>(e, jig::keepdims));
  };
  constexpr auto of_softmax = plan_of(softmax, matrix()).steps.size();
  static_assert(of_softmax == 3 && roots(plan_of(softmax, matrix()), 1) == 3);
  // What has one element in each row is computed in registers, unless it is a result or others want it.
  static constexpr auto scale = [](auto x) { return x * jig::rsqrt(jig::reduce_mean<1>(x * x, jig::keepdims) + 1); };
  static_assert(steps_of(plan_of(scale, matrix())) == 2 && plan_of(scale, matrix()).buffers.size() == 0 &&
                plan_of(scale, matrix()).locals.size() == 1);
  static constexpr auto scale_and_tell = [](auto x) {
    auto r = jig::rsqrt(jig::reduce_mean<1>(x * x, jig::keepdims) + 1);
    return std::tuple(x * r, r);
  };
  static_assert(steps_of(plan_of(scale_and_tell, matrix())) == 3);
  static constexpr auto twice = [](auto x) {
    auto r = jig::rsqrt(jig::reduce_mean<1>(x * x, jig::keepdims) + 1);
    return std::tuple(x * r, jig::reduce_max<1>(jig::abs(x) * r));
  };
  static_assert(steps_of(plan_of(twice, matrix())) == 4);
  // No list keeps what merged steps left behind.
  constexpr auto listed = [](const jig::plan& p) {
    int n = 0;
    for (const auto& s : p.steps) n += s.body.count + s.leaves.count + s.roots.count;
    return static_cast<std::size_t>(n) == p.body.size() + p.leaves.size() + p.roots.size();
  };
  static_assert(listed(plan_of(softmax, matrix())) && listed(plan_of(scale, matrix())));
}

TEST_CASE("what only the rows of a region need exists row by row") {
  static constexpr auto sums = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    return jig::reduce_sum<1>(e * e * jig::reduce_sum<1>(e, jig::keepdims));
  };
  CHECK(text_of<"sums(x)">(sums, matrix()) ==
        "rows of (20,), 576 bytes for Max at 0, Sum at 64, Exp at 128:\n"
        "  reduction (20, 100) over [1]: x [argument 0] -> Max [local]\n"
        "  reduction (20, 100) over [1]: x [argument 0], Max [local] -> sub -> Sum [local], Exp [local]\n"
        "  reduction (20, 100) over [1]: Exp [local], Sum [local] -> mul, mul_1 -> Sum_1 [result 0]\n");
  // Only a call knows how long rows are, or they are too long: then the exponentials have memory.
  static_assert(plan_of(sums, jig::spec<float, 20, jig::dyn>()).buffers.size() == 1);
  static_assert(plan_of(sums, jig::spec<float, 20, 4064>()).buffers.size() == 0 &&
                plan_of(sums, jig::spec<float, 20, 4080>()).buffers.size() == 1);
  // So they have when others read them, as a whole or other rows of them.
  static constexpr auto outside = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    return std::tuple(jig::reduce_sum<1>(e), jig::reduce_sum(e));
  };
  static_assert(plan_of(outside, matrix()).buffers.size() == 1);
}

TEST_CASE("matrices that go through several steps together have memory for a few of them") {
  constexpr auto chain = [](auto a, auto b, auto c, auto v) { return jig::matmul(jig::matmul(a, b) + c, v); };
  using named = jig::spec<float, jig::dim<"n">, 5, 5>;
  CHECK(text_of<"chain(a, b, c, v)">(chain, named(), named(), named(), jig::spec<float, jig::dim<"n">, 5, 1>()) ==
        "n0 = extent 0 of a\n"
        "n0 = extent 0 of b\n"
        "n0 = extent 0 of c\n"
        "n0 = extent 0 of v\n"
        "batch of (n0,), 48 at a time, 9600 bytes for BatchMatMulV2 at 0, add at 4800:\n"
        "  kernel (n0, 5, 5): a [argument 0], b [argument 1] -> BatchMatMulV2 [local]\n"
        "  loop (n0, 5, 5): BatchMatMulV2 [local], c [argument 2] -> add [local]\n"
        "  kernel (n0, 5, 1): add [local], v [argument 3] -> BatchMatMulV2_1 [result 0]\n");
  // Batches that may be as long as each other are compared in the call; where they are not, whole values need memory.
  using any_batch = jig::spec<float, jig::dyn, 5, 5>;
  CHECK(text_of<"f(a, b)">([](auto a, auto b) { return jig::matmul(a, b) * 2; }, any_batch(), any_batch()) ==
        "n0 = extent 0 of a\n"
        "n1 = extent 0 of b\n"
        "n2 = broadcast(n0, n1)\n"
        "batch of (n2,), 112 at a time, 11200 bytes for BatchMatMulV2 at 0, if n0 == n2 and n1 == n2:\n"
        "  kernel (n2, 5, 5): a [argument 0], b [argument 1] -> BatchMatMulV2 [result 0]\n"
        "  loop (n2, 5, 5): BatchMatMulV2 [result 0], mul/y [2.0] -> mul [result 0]\n");
}

TEST_CASE("what lies where its copy would be is not copied") {
  using x = jig::spec<float, 2, 3>;
  using w = jig::spec<float, 3, 10>;
  CHECK(text_of<"f(x, w)">([](auto a, auto b) { return jig::reshape<4, 5>(jig::matmul(a, b)); }, x(), w()) ==
        "kernel (2, 10): x [argument 0], w [argument 1] -> MatMul [result 0]\n"
        "loop (4, 5): Reshape [as MatMul [result 0]] -> Identity [result 0], which is there\n");
  // An argument is.
  CHECK(text_of<"f(x)">([](auto a) { return jig::reshape<3, 2>(a); }, x()) ==
        "loop (3, 2): Reshape [as x [argument 0]] -> Identity [result 0]\n");
  // So is a value that is seen in another order.
  CHECK(text_of<"f(x, w)">([](auto a, auto b) { return jig::reverse<0>(jig::matmul(a, b)); }, x(), w()) ==
        "kernel (2, 10): x [argument 0], w [argument 1] -> MatMul [slot 0]\n"
        "loop (2, 10): ReverseV2 [view of MatMul [slot 0]] -> Identity [result 0]\n"
        "slot 0: 80 bytes for MatMul\n");
}

TEST_CASE("a loop behind a product runs as its epilogue, whose operands stay until the last one") {
  static constexpr auto layer = [](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); };
  static constexpr auto two = [](auto x, auto w, auto b) { return jig::reduce_sum(layer(layer(x, w, b), w, b)); };
  using batch = jig::spec<float, jig::dyn, 64>;
  CHECK(text_of<"two(x, w, b)">(two, batch(), jig::spec<float, 64, 64>(), jig::spec<float, 64>()) ==
        "n0 = extent 0 of x\n"
        "epilogue of (n0, 64):\n"
        "  kernel (n0, 64): x [argument 0], w [argument 1] -> MatMul [slot 0]\n"
        "  loop (n0, 64): MatMul [slot 0], b [argument 2] -> add -> Relu [slot 0]\n"
        "kernel (n0, 64): Relu [slot 0], w [argument 1] -> MatMul_1 [slot 1]\n"
        "reduction (n0, 64): MatMul_1 [slot 1], b [argument 2] -> add_1, Relu_1 -> Sum [result 0]\n"
        "slot 0: as large as MatMul for MatMul, Relu\n"
        "slot 1: as large as MatMul_1 for MatMul_1\n");
  // The second loop may not write where its product still reads.
  static constexpr auto three = [](auto x, auto w, auto b) { return jig::reduce_sum(jig::matmul(layer(layer(x, w, b), w, b), w)); };
  constexpr auto p = plan_of(three, batch(), jig::spec<float, 64, 64>(), jig::spec<float, 64>()).regions.size();
  static_assert(p == 4);
  static_assert(plan_of(three, batch(), jig::spec<float, 64, 64>(), jig::spec<float, 64>()).buffers.size() == 2);
}

TEST_CASE("a loop overwrites the slot of what it reads last, place by place") {
  // What comes between two kernels, which are no loops.
  constexpr auto slots = [](auto f) { return plan_of(f, jig::spec<float, 8, 8>(), jig::spec<float, 8, 8>()).buffers.size(); };
  static constexpr auto product = [](auto x, auto w) { return jig::matmul(x, w); };
  static_assert(slots([](auto x, auto w) { return product(jig::tanh(product(x, w)), w); }) == 1);
  static_assert(slots([](auto x, auto w) { return product(jig::cast<float>(jig::cast<int>(product(x, w)) << 2), w); }) == 1);
  // Seen with other extents it lies in the same order.
  static_assert(slots([](auto x, auto w) { return jig::cumsum<0>(jig::tanh(jig::reshape<64>(product(x, w)))); }) == 1);
  // Not so where it lies otherwise, where another one reads it later, where it is read in two ways, or of another size.
  static_assert(slots([](auto x, auto w) { return jig::cumsum<0>(jig::tanh(jig::reverse<0>(product(x, w)))); }) == 2);
  static_assert(slots([](auto x, auto w) {
                  auto p = product(x, w);
                  return product(product(jig::tanh(p), w), p);
                }) == 3);
  static_assert(slots([](auto x, auto w) {
                  auto p = product(x, w);
                  return product(p - jig::reverse<1>(p), w);
                }) == 2);
  static_assert(slots([](auto x, auto w) { return jig::cumsum<0>(jig::cast<double>(product(x, w))); }) == 2);
  // Nor where only the call knows how long a row is.
  static constexpr auto layer = [](auto x, auto w) { return product(jig::tanh(product(x, w)), w); };
  static_assert(plan_of(layer, jig::spec<float, jig::dyn, 8>(), jig::spec<float, 8, 8>()).buffers.size() == 1);
  static_assert(plan_of(layer, jig::spec<float, 8, jig::dyn>(), jig::spec<float, jig::dyn, jig::dyn>()).buffers.size() == 2);
  // Of two values that are stored one takes it.
  static_assert(slots([](auto x, auto w) {
                  auto p = product(x, w);
                  return product(product(jig::tanh(p), w), jig::exp(p));
                }) == 3);
}

TEST_CASE("an intermediate lives in the result that overwrites it") {
  static_assert(plan_of([](auto x, auto w) { return jig::tanh(jig::matmul(x, w)); }, matrix(), jig::spec<float, 100, 7>()).buffers.size() ==
                0);
  // Here the product is read as a whole after the result was begun.
  static_assert(plan_of(
                    [](auto x, auto w) {
                      auto y = jig::matmul(x, w);
                      return y / jig::reduce_max(y);
                    },
                    matrix(), jig::spec<float, 100, 7>())
                    .buffers.size() == 1);
}

TEST_CASE("slots are used again") {
  constexpr auto chain = [](auto x, auto w) {
    auto y = x;
    for (int i = 0; i < 6; ++i) y = jig::matmul(y, w);
    return y;
  };
  static_assert(plan_of(chain, jig::spec<float, 8, 8>(), jig::spec<float, 8, 8>()).buffers.size() == 2);
}

TEST_CASE("dead nodes cost nothing, results that are arguments are copied") {
  static_assert(steps_of(plan_of(
                    [](auto x) {
                      (void)jig::exp(x);
                      return x + 1;
                    },
                    row())) == 1);
  static_assert(steps_of(plan_of([](auto x) { return std::tuple(x, x); }, row())) == 1);
}

TEST_CASE("peak_workspace counts what a call needs") {
  static_assert(jig::peak_workspace(jig::graph_of([](auto x) { return x + 1; }, row())) == 0);
  constexpr auto sum_of_product = [](auto x, auto w) {
    auto y = jig::matmul(x, w);
    return jig::reduce_sum(y);
  };
  static_assert(jig::peak_workspace(jig::graph_of(sum_of_product, jig::spec<float, 20, 50>(), jig::spec<float, 50, 8>())) == 20 * 8 * 4);
  // The kernel packs operands whose columns do not fill registers.
  static_assert(jig::peak_workspace(jig::graph_of(sum_of_product, matrix(), jig::spec<float, 100, 33>())) > 20 * 33 * 4);
  static_assert(jig::peak_workspace(jig::graph_of([](auto x, auto w) { return jig::reduce_sum(jig::matmul(x, w)); },
                                                  jig::spec<float, jig::dyn, 4>(), jig::spec<float, 4, 4>())) == -1);
}

TEST_CASE("a slice that is a block of memory is dense, where it begins") {
  constexpr auto slice_of = [](auto lambda, auto... key) {
    const jig::plan p = plan_of(lambda, key...);
    for (const auto& v : p.values)
      if (v.place == jig::place::alias) return std::pair(v.dense, v.offset);
    return std::pair(false, jig::index{-1});
  };
  static_assert(slice_of([](auto x) { return jig::strided_slice<jig::range_of(3, 7)>(x) + 1; }, matrix()) ==
                std::pair(true, jig::index{300}));
  static_assert(slice_of([](auto x) { return jig::strided_slice<jig::range_of(3, 4), jig::range_of(5, 9)>(x) + 1; }, matrix()) ==
                std::pair(true, jig::index{305}));
  static_assert(!slice_of([](auto x) { return jig::strided_slice<jig::all, jig::range_of(5, 9)>(x) + 1; }, matrix()).first);
  static_assert(!slice_of([](auto x) { return jig::strided_slice<jig::range_of(9, 3, -1)>(x) + 1; }, row()).first);
  // Also along an axis that only the call knows, from a known place on.
  static_assert(slice_of([](auto x) { return jig::strided_slice<jig::range_of(3, 7)>(x) + 1; }, jig::spec<float, jig::dyn, 3>()) ==
                std::pair(true, jig::index{9}));
  static_assert(
      !slice_of([](auto x) { return jig::strided_slice<jig::range_of(-3, jig::unbounded)>(x) + 1; }, jig::spec<float, jig::dyn, 3>())
           .first);
}

namespace {

constexpr jig::place place_of(const jig::plan& p, jig::graph_view g, std::string_view op) {
  for (int v = 0; v < g.size(); ++v)
    if (g.data(v).kind->name == op) return p.values[v].place;
  return jig::place::argument;
}
// Where the plan finds what a gather picks.
template <class F, class... Key>
constexpr jig::place place_of_gathered(F f, Key... key) {
  const auto& traced = jig::graph_of(f, key...);
  const jig::graph ready = jig::lower(traced);
  const jig::plan p = jig::make_plan(ready, jig::detail::all_dense(traced));
  return jig::reshapes_dense_memory(ready, p.values) ? place_of(p, ready, "GatherV2") : jig::place::registers;
}

}  // namespace

TEST_CASE("what is picked is read in place, unless it is scattered and reshaped") {
  using cube = jig::spec<float, 2, 4, 3>;
  using wild = jig::spec<float, jig::dyn, 4, 3>;
  using position = jig::spec<int>;
  constexpr auto sum = [](auto x, auto i) { return jig::gather<1>(x, i) + 1; };
  constexpr auto turned = [](auto x, auto i) { return jig::transpose(jig::gather<1>(x, i)) + 1; };
  constexpr auto rows = [](auto x, auto i) { return jig::flatten(x[i]) + 1; };
  constexpr auto rows_of_rows = [](auto x, auto i) { return jig::reshape<3, 1>(x[i][i]) + 1; };
  static_assert(place_of_gathered(sum, cube(), position()) == jig::place::part);
  static_assert(place_of_gathered(turned, wild(), position()) == jig::place::part);
  static_assert(place_of_gathered(rows, cube(), position()) == jig::place::part);
  static_assert(place_of_gathered(rows, wild(), position()) == jig::place::part);
  static_assert(place_of_gathered(rows_of_rows, cube(), position()) == jig::place::part);
  // A copy, where the result of the loop behind it lies.
  constexpr auto flat = [](auto x, auto i) { return jig::flatten(jig::gather<1>(x, i)) + 1; };
  constexpr auto turned_rows = [](auto x, auto i) { return jig::flatten(jig::transpose(x)[i]) + 1; };
  constexpr auto longer = [](auto x, auto i) { return jig::expand_dims<0>(jig::gather<-1>(x, i)) + 1; };
  static_assert(place_of_gathered(flat, cube(), position()) == jig::place::result);
  static_assert(place_of_gathered(flat, wild(), position()) == jig::place::result);
  static_assert(place_of_gathered(turned_rows, cube(), position()) == jig::place::result);
  static_assert(place_of_gathered(longer, wild(), position()) == jig::place::result);
}
