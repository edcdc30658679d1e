// SPDX-License-Identifier: MIT
#include <jig/core/repr.hpp>

#include <doctest/doctest.h>

// As NumPy 1.26 and TensorFlow 2.15 print them.
TEST_CASE("a tensor as Python shows it") {
  CHECK(jig::repr(jig::tensor<float, 2>{1, 2}) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>");
  CHECK(jig::repr(jig::tensor<float>(1.5f)) == "<tf.Tensor: shape=(), dtype=float32, numpy=1.5>");
  CHECK(jig::repr(jig::tensor<int, 2, 2>{{1, 20}, {3, 4}}) ==
        "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[ 1, 20],\n       [ 3,  4]], dtype=int32)>");
  // Python's own dtypes go without saying.
  CHECK(jig::repr(jig::tensor<double, 1>{0.5}) == "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([0.5])>");
  CHECK(jig::repr(jig::tensor<std::int64_t, 1>{7}) == "<tf.Tensor: shape=(1,), dtype=int64, numpy=array([7])>");
  CHECK(jig::repr(jig::tensor<bool, 2>{true, false}) == "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>");
  CHECK(jig::repr(jig::tensor<std::string, 1>{"a"}) == "<tf.Tensor: shape=(1,), dtype=string, numpy=array([b'a'], dtype=object)>");
}

TEST_CASE("axes without elements, and strides") {
  CHECK(jig::repr(jig::tensor<float, jig::dyn>(0)) == "<tf.Tensor: shape=(0,), dtype=float32, numpy=array([], dtype=float32)>");
  CHECK(jig::repr(jig::tensor<double, jig::dyn, 3>(0)) ==
        "<tf.Tensor: shape=(0, 3), dtype=float64, numpy=array([], shape=(0, 3), dtype=float64)>");
  const int data[] = {1, 2, 3, 4};
  const jig::view<const int, 2> odd(data, {2}, {2});
  CHECK(jig::repr(odd) == "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 3], dtype=int32)>");
}

TEST_CASE("lines break before 75 characters") {
  jig::tensor<std::int64_t, 25> x;
  for (int i = 0; i < 25; ++i) x(i) = i;
  CHECK(jig::repr(x) ==
        "<tf.Tensor: shape=(25,), dtype=int64, numpy=\n"
        "array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16,\n"
        "       17, 18, 19, 20, 21, 22, 23, 24])>");
  // The dtype has a line of its own where there is no room.
  jig::tensor<int, 16> y;
  for (int i = 0; i < 16; ++i) y(i) = 10 + i;
  CHECK(jig::repr(y) ==
        "<tf.Tensor: shape=(16,), dtype=int32, numpy=\n"
        "array([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],\n"
        "      dtype=int32)>");
  jig::tensor<std::int64_t, jig::dyn> many(2000);
  CHECK(jig::repr(many) == "<tf.Tensor: shape=(2000,), dtype=int64, numpy=array([0, 0, 0, ..., 0, 0, 0])>");
}
