// SPDX-License-Identifier: MIT
#include <jig/core/print.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace {

// The text of a matrix from its first row on.
std::string rows_of(const auto& x) {
  auto text = jig::to_text(x);
  CHECK(text.starts_with("tf.Tensor("));
  return text.substr(text.find("[["));
}

}  // namespace

TEST_CASE("tensors print as TensorFlow prints them") {
  CHECK(jig::to_text(jig::tensor<int, 2>{4, 1}) == "tf.Tensor([4 1], shape=(2,), dtype=int32)");
  CHECK(jig::to_text(jig::tensor<int>(7)) == "tf.Tensor(7, shape=(), dtype=int32)");
  CHECK(jig::to_text(jig::tensor<double>(0.5)) == "tf.Tensor(0.5, shape=(), dtype=float64)");
  CHECK(rows_of(jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}) == "[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=float32)");
  CHECK(jig::to_text(jig::tensor<long long, 1>{-9}) == "tf.Tensor([-9], shape=(1,), dtype=int64)");
  CHECK(jig::to_text(jig::tensor<std::uint8_t, 2>{0, 255}) == "tf.Tensor([  0 255], shape=(2,), dtype=uint8)");
}

TEST_CASE("no elements") {
  CHECK(jig::to_text(jig::tensor<float, 0>()) == "tf.Tensor([], shape=(0,), dtype=float32)");
  CHECK(jig::to_text(jig::tensor<int, jig::dyn, 3>()) == "tf.Tensor([], shape=(0, 3), dtype=int32)");
}

TEST_CASE("extents are printed as they are now, not as they are declared") {
  CHECK(jig::to_text(jig::tensor<int, jig::dyn>{1, 2, 3}) == "tf.Tensor([1 2 3], shape=(3,), dtype=int32)");
  CHECK(rows_of(jig::tensor<int, jig::dim<"n">, 1>{{1}, {2}}) == "[[1]\n [2]], shape=(2, 1), dtype=int32)");
}

TEST_CASE("truth values and strings") {
  CHECK(jig::to_text(jig::tensor<bool, 2>{true, false}) == "tf.Tensor([ True False], shape=(2,), dtype=bool)");
  CHECK(jig::to_text(jig::tensor<std::string, 2>{"ab", "c"}) == "tf.Tensor([b'ab' b'c'], shape=(2,), dtype=string)");
  CHECK(jig::to_text(jig::tensor<std::string>("x")) == "tf.Tensor(b'x', shape=(), dtype=string)");
}

TEST_CASE("views print the elements they show") {
  int memory[] = {0, 1, 2, 3, 4, 5};
  CHECK(jig::to_text(jig::view<const int, 6>(memory + 5, {6}, {-1})) == "tf.Tensor([5 4 3 2 1 0], shape=(6,), dtype=int32)");
  CHECK(jig::to_text(jig::view<int, jig::dyn>(memory, {3}, {2})) == "tf.Tensor([0 2 4], shape=(3,), dtype=int32)");
  CHECK(rows_of(jig::view<int, 3, 2>(memory, {3, 2}, {1, 3})) == "[[0 3]\n [1 4]\n [2 5]], shape=(3, 2), dtype=int32)");
  CHECK(jig::to_text(jig::view<int, 4>(memory + 2, {4}, {0})) == "tf.Tensor([2 2 2 2], shape=(4,), dtype=int32)");
}

TEST_CASE("tensors and views are written to streams") {
  jig::tensor<int, 2> x{4, 1};
  const auto& constant = x;
  std::ostringstream out;
  out << x << '\n' << constant.view() << '\n' << x.view();
  const std::string line = "tf.Tensor([4 1], shape=(2,), dtype=int32)";
  CHECK(out.str() == line + '\n' + line + '\n' + line);
}

TEST_CASE("views whose rank is known at run time only") {
  const short data[] = {1, 20, 3, 4};
  const jig::any_rank_view<const short> v(data, {2, {2, 2}}, {2, {1, 2}});
  CHECK(rows_of(v) == "[[ 1  3]\n [20  4]], shape=(2, 2), dtype=int16)");
  std::ostringstream out;
  out << jig::any_rank_view<const short>(data + 1, {});
  CHECK(out.str() == "tf.Tensor(20, shape=(), dtype=int16)");
}

TEST_CASE("dtypes, shapes and specs are written to streams") {
  std::ostringstream out;
  out << jig::dtype::float32 << ' ' << jig::dtype::boolean << ' ' << jig::shape{2, {3, jig::dyn}} << ' ' << jig::shape{} << ' '
      << jig::tensor_spec{jig::dtype::int64, {1, {7}}};
  CHECK(out.str() == "float32 bool (3, None) () int64 (7,)");
}
