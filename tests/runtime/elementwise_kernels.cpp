// SPDX-License-Identifier: MIT
#include "../run_kernel.hpp"

#include <initializer_list>
#include <limits>
#include <string>

namespace ops = jig::ops;
using jig::dtype;

namespace {

jig::detail::block_function block_of(const jig::op& o, std::initializer_list<dtype> inputs, dtype result) {
  return kernel_of(o).block({inputs.begin(), inputs.size()}, result);
}

template <class T>
auto numbers(jig::index n, int seed) {
  auto x = jig::zeros<T, jig::dyn>(n);
  for (jig::index i = 0; i < n; ++i) x(i) = some_number<T>(i, seed);
  return x;
}

// What a compiled program gives, for all ways in which blocks end.
template <const jig::op& Op, class With, class... In>
void compare() {
  for (jig::index n : {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 300}) {
    int seed = 0;
    auto next = [&] { return ++seed; };
    std::tuple<decltype(numbers<In>(n, 0))...> x{numbers<In>(n, next())...};
    std::apply(
        [&](auto&... in) {
          const auto expected = jig::call<Op, With>(in...);
          auto result = expected;
          using T = typename decltype(result)::value_type;
          for (auto& e : result) e = T();
          auto block = block_of(Op, {jig::dtype_of<In>...}, jig::dtype_of<T>);
          REQUIRE((block != nullptr));
          const void* from[] = {in.data()...};
          block(from, result.data(), n);
          CAPTURE(n);
          CAPTURE(Op.name);
          CHECK(same_elements(result, expected));
          // On top of the first operand.
          if constexpr (std::is_same_v<T, std::tuple_element_t<0, std::tuple<In...>>>) {
            auto& first = std::get<0>(x);
            block(from, first.data(), n);
            CHECK(same_elements(first, expected));
          }
        },
        x);
  }
}

using none = jig::attributes<>;
template <class To>
using to = jig::attributes<jig::type_attribute<"DstT", jig::dtype_of<To>>>;

}  // namespace

// Every op with every dtype is in table.cpp: here are the ends of blocks, for each kind of dtype and for conversions between them.
TEST_CASE("blocks compute what compiled programs do") {
  compare<ops::add, none, float, float>();
  compare<ops::add, none, jig::half, jig::half>();
  compare<ops::add, none, std::string, std::string>();
  compare<ops::multiply, none, std::int64_t, std::int64_t>();
  compare<ops::tanh, none, jig::bfloat16>();
  compare<ops::abs, none, std::int16_t>();
  compare<ops::truncate_divide, none, std::int32_t, std::int32_t>();
  compare<ops::zeros_like, none, bool>();
  compare<ops::add_n, none, float, float, float>();
  compare<ops::fma, none, double, double, double>();
}

TEST_CASE("blocks of truth values and conversions") {
  compare<ops::less, none, float, float>();
  compare<ops::equal, none, std::string, std::string>();
  compare<ops::less_equal, none, jig::half, jig::half>();
  compare<ops::logical_and, none, bool, bool>();
  compare<ops::select, none, bool, float, float>();
  compare<ops::select, none, bool, std::uint8_t, std::uint8_t>();
  compare<ops::cast, to<float>, std::int32_t>();
  compare<ops::cast, to<std::int8_t>, double>();
  compare<ops::cast, to<jig::half>, double>();
  compare<ops::cast, to<jig::bfloat16>, float>();
  compare<ops::cast, to<bool>, std::int64_t>();
}

// One function serves several pairs of dtypes: integers that lose bits or keep them lose their sign, results have none.
TEST_CASE("every integer becomes every other") {
  constexpr jig::index n = 131;
  const auto check = [&]<class From, class To>(From, To) {
    From x[n];
    To y[n];
    for (jig::index i = 0; i < n; ++i) {
      const auto u = static_cast<std::uint64_t>(i);
      x[i] = static_cast<From>(i % 3 == 0   ? static_cast<std::uint64_t>(std::numeric_limits<From>::min()) + u
                               : i % 3 == 1 ? static_cast<std::uint64_t>(std::numeric_limits<From>::max()) - u
                                            : static_cast<std::uint64_t>(40000 * (i - 60)));
    }
    const void* from[] = {x};
    block_of(ops::cast, {jig::dtype_of<From>}, jig::dtype_of<To>)(from, y, n);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) wrong += y[i] != static_cast<To>(x[i]);
    CAPTURE(sizeof(From));
    CAPTURE(sizeof(To));
    CHECK(wrong == 0);
  };
  const auto to_all = [&]<class From>(From x) {
    check(x, std::int8_t());
    check(x, std::uint8_t());
    check(x, std::int16_t());
    check(x, std::uint16_t());
    check(x, std::int32_t());
    check(x, std::uint32_t());
    check(x, std::int64_t());
    check(x, std::uint64_t());
  };
  to_all(std::int8_t());
  to_all(std::uint8_t());
  to_all(std::int16_t());
  to_all(std::uint16_t());
  to_all(std::int32_t());
  to_all(std::uint32_t());
  to_all(std::int64_t());
  to_all(std::uint64_t());
}

TEST_CASE("what a rule refuses has no block") {
  CHECK((block_of(ops::add, {dtype::float32, dtype::float64}, dtype::float32) == nullptr));
  CHECK((block_of(ops::add, {dtype::float32}, dtype::float32) == nullptr));
  CHECK((block_of(ops::add, {dtype::boolean, dtype::boolean}, dtype::boolean) == nullptr));
  CHECK((block_of(ops::tanh, {dtype::int32}, dtype::int32) == nullptr));
  CHECK((block_of(ops::tanh, {dtype::float32, dtype::float32}, dtype::float32) == nullptr));
  CHECK((block_of(ops::select, {dtype::int32, dtype::float32, dtype::float32}, dtype::float32) == nullptr));
  CHECK((block_of(ops::less, {dtype::float32, dtype::float32}, dtype::float32) == nullptr));
  CHECK((block_of(ops::cast, {dtype::string}, dtype::float32) == nullptr));
}

TEST_CASE("an error in a block reaches the caller") {
  const int x[] = {1, 2}, y[] = {1, 0};
  const void* in[] = {x, y};
  int out[2];
  CHECK_THROWS_AS(block_of(ops::truncate_divide, {dtype::int32, dtype::int32}, dtype::int32)(in, out, 2), jig::invalid_argument);
}
