// SPDX-License-Identifier: MIT
#include "../printed.hpp"

#include <jig/runtime/any_tensor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using jig::any_tensor;

constexpr jig::index huge = jig::index{1} << 62;

template <class T>
std::vector<T> elements(const any_tensor& x) {
  const auto v = x.as<T>();
  std::vector<T> out;
  for (const T& e : v) out.push_back(e);
  return out;
}

bool aligned(const any_tensor& x) { return reinterpret_cast<std::uintptr_t>(x.data()) % jig::alignment == 0; }

template <class T>
T number(int i) {
  if constexpr (std::is_same_v<T, std::string>) return std::string(static_cast<std::size_t>(10 * i), 'x');
  else if constexpr (std::is_same_v<T, bool>) return i % 2 == 1;
  else return T(i);
}

template <class T>
void check_dtype() {
  const jig::tensor<T, 2, 3> from{{number<T>(1), number<T>(2), number<T>(3)}, {number<T>(4), number<T>(5), number<T>(6)}};
  const any_tensor x = from;
  CHECK(x.dtype() == jig::dtype_of<T>);
  CHECK(x.shape() == jig::shape{2, {2, 3}});
  CHECK(x.strides() == jig::shape{2, {3, 1}});
  CHECK(x.data() != from.data());
  CHECK(aligned(x));
  const auto v = x.as<T>();
  int wanted = 1;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(v(i, j) == number<T>(wanted++));

  const auto back = x.as<T, 2, jig::dyn>();
  static_assert(std::is_same_v<decltype(back), const jig::tensor<T, 2, jig::dyn>>);
  CHECK(back(1, 2) == number<T>(6));
  CHECK(jig::tensor<T, 2, 3>(x)(1, 0) == number<T>(4));

  // A transposed view.
  const any_tensor t = jig::view<const T, 3, 2>(from.data(), {3, 2}, {1, 3});
  CHECK(t.strides() == jig::shape{2, {2, 1}});
  CHECK(t.as<T>()(2, 0) == number<T>(3));
  CHECK(t.as<T>()(0, 1) == number<T>(4));

  any_tensor e = any_tensor::empty(jig::dtype_of<T>, {1, {5}});
  CHECK(aligned(e));
  auto* data = static_cast<jig::canonical<T>*>(e.mutable_data());
  for (int i = 0; i < 5; ++i) data[i] = number<jig::canonical<T>>(i);
  CHECK(e.as<T>()(4) == number<T>(4));
  CHECK(any_tensor(number<T>(1)).as<T>()() == number<T>(1));
}

}  // namespace

TEST_CASE("a new one has no elements") {
  const any_tensor x;
  CHECK(x.dtype() == jig::dtype::float32);
  CHECK(x.rank() == 1);
  CHECK(x.shape() == jig::shape{1, {0}});
  CHECK(x.strides() == jig::shape{1, {1}});
  CHECK(x.size() == 0);
  CHECK(x.is_dense());
  CHECK(x.data() == nullptr);
  CHECK(elements<float>(x).empty());
  any_tensor y;
  CHECK(y.mutable_data() == nullptr);
  CHECK(y.shape() == jig::shape{1, {0}});
}

TEST_CASE_TEMPLATE("every dtype", T, float, double, jig::half, jig::bfloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t, long,
                   long long, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, unsigned long long, bool, std::string) {
  check_dtype<T>();
}

TEST_CASE("ranks 0 to 8") {
  const std::vector<int> from{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  for (int rank = 0; rank <= jig::max_rank; ++rank) {
    jig::shape extents;
    for (int a = 0; a < rank; ++a) extents.push_back(a == 1 ? 3 : a == 5 ? 2 : a == 7 ? 2 : 1);
    const any_tensor x(jig::any_view{jig::dtype::int32, from.data(), extents, jig::detail::row_major_strides(extents)});
    CHECK(x.rank() == rank);
    CHECK(x.shape() == extents);
    CHECK(elements<int>(x) == std::vector<int>(from.begin(), from.begin() + (rank < 2 ? 1 : rank < 6 ? 3 : rank < 8 ? 6 : 12)));
  }
  CHECK(any_tensor(jig::tensor<int, 1, 1, 1, 1, 1, 1, 1, 2>{{{{{{{{7, 8}}}}}}}}).as<int>()(0, 0, 0, 0, 0, 0, 0, 1) == 8);
}

TEST_CASE("no elements and one element") {
  const any_tensor none = jig::tensor<int, jig::dyn, 3>();
  CHECK(none.shape() == jig::shape{2, {0, 3}});
  CHECK(elements<int>(none).empty());
  CHECK(none.as<int, jig::dyn, jig::dyn>().shape() == jig::shape{2, {0, 3}});
  const any_tensor words = std::vector<std::string>();
  CHECK(words.dtype() == jig::dtype::string);
  CHECK(words.size() == 0);
  const any_tensor one = jig::tensor<double, 1, 1>{{2.5}};
  CHECK(one.as<double>()(0, 0) == 2.5);
}

TEST_CASE("numbers, containers, arrays and strings") {
  CHECK(any_tensor(1.5).as<double>()() == 1.5);
  CHECK(any_tensor(7).as<int>()() == 7);
  CHECK(any_tensor(true).as<bool>()());
  CHECK(any_tensor("text").as<std::string>()() == "text");
  CHECK(any_tensor(std::string("a\0b", 3)).as<std::string>()().size() == 3);
  CHECK(any_tensor(jig::half(0.5)).as<jig::half>()() == 0.5f);
  CHECK(elements<long>(std::vector<long long>{3, 1, 2}) == std::vector<long>{3, 1, 2});
  CHECK(elements<float>(std::array<float, 2>{1, 2}) == std::vector<float>{1, 2});
  CHECK(elements<std::string>(std::vector<std::string>{"a", "b"}) == std::vector<std::string>{"a", "b"});
  int square[2][2] = {{1, 2}, {3, 4}};
  const any_tensor s = square;
  CHECK(s.shape() == jig::shape{2, {2, 2}});
  CHECK(s.as<int>()(1, 0) == 3);
  CHECK(elements<int>(std::span<int>(square[1])) == std::vector<int>{3, 4});
  any_tensor x = 1;
  x = std::vector<float>{1, 2, 3};
  CHECK(x.size() == 3);
  x = "w";
  CHECK(x.dtype() == jig::dtype::string);
}

TEST_CASE("strided views are copied in row-major order") {
  const int data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(elements<int>(jig::view<const int, 2, 2>(data + 7, {2, 2}, {-4, -2})) == std::vector{7, 5, 3, 1});
  CHECK(elements<int>(jig::view<const int, 3, 2>(data, {3, 2}, {0, 1})) == std::vector{0, 1, 0, 1, 0, 1});
  const jig::any_view v{jig::dtype::int32, data, {3, {2, 2, 2}}, {3, {1, 4, 2}}};
  const any_tensor x(v);
  CHECK(x.is_dense());
  CHECK(elements<int>(x) == std::vector{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(x.view().strides == jig::shape{3, {4, 2, 1}});
}

TEST_CASE("a tensor that is moved in hands over its elements") {
  jig::tensor<float, jig::dyn> from(jig::uninitialized, {1, {1000}});
  for (float& e : from) e = 2;
  const void* data = from.data();
  const any_tensor x = std::move(from);
  CHECK(x.data() == data);
  CHECK(x.as<float>()(999) == 2);
  jig::tensor<std::string, jig::dyn> words{"a", "b"};
  const any_tensor w = std::move(words);
  CHECK(elements<std::string>(w) == std::vector<std::string>{"a", "b"});
  // Small static ones have their elements inside, where they may be aligned to less.
  const any_tensor small = jig::tensor<float, 3>{1, 2, 3};
  CHECK(aligned(small));
  jig::tensor<long long, jig::dyn> wide{1, 2};
  CHECK(elements<long long>(any_tensor(std::move(wide))) == std::vector<long long>{1, 2});
}

TEST_CASE("copies share until one is written") {
  any_tensor x = jig::tensor<int, 3>{1, 2, 3};
  any_tensor y = x;
  const any_tensor z = y;
  CHECK(y.data() == x.data());
  static_cast<int*>(y.mutable_data())[0] = 9;
  CHECK(y.data() != x.data());
  CHECK(aligned(y));
  CHECK(elements<int>(x) == std::vector{1, 2, 3});
  CHECK(elements<int>(y) == std::vector{9, 2, 3});
  CHECK(z.data() == x.data());

  const void* own = y.data();
  CHECK(y.mutable_data() == own);

  any_tensor words = std::vector<std::string>{"a", "b"};
  {
    any_tensor copy = words;
    *static_cast<std::string*>(copy.mutable_data()) = "c";
    CHECK(elements<std::string>(copy) == std::vector<std::string>{"c", "b"});
  }
  CHECK(elements<std::string>(words) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("moves leave a new one; assignment to itself changes nothing") {
  any_tensor x = jig::tensor<int, 2>{1, 2};
  const void* data = x.data();
  any_tensor y = std::move(x);
  CHECK(y.data() == data);
  CHECK(x.size() == 0);
  CHECK(x.dtype() == jig::dtype::float32);
  x = std::move(y);
  CHECK(elements<int>(x) == std::vector{1, 2});
  const any_tensor& same = x;
  x = same;
  CHECK(x.data() == data);
  CHECK(x.mutable_data() == data);
  static_assert(std::is_nothrow_move_constructible_v<any_tensor>);
}

TEST_CASE("copies in several threads") {
  const any_tensor x = std::vector<int>(100, 1);
  bool right[4] = {};
  std::vector<std::thread> threads;
  for (bool& r : right)
    threads.emplace_back([x, &r] {
      r = true;
      for (int i = 0; i < 1000; ++i) {
        any_tensor y = x;
        static_cast<int*>(y.mutable_data())[0] = i + 2;
        r = r && y.as<int>()(0) == i + 2 && x.as<int>()(0) == 1;
      }
    });
  for (std::thread& t : threads) t.join();
  for (bool r : right) CHECK(r);
}

TEST_CASE("whoever writes last owns alone") {
  for (int i = 0; i < 200; ++i) {
    any_tensor x = std::vector<int>(10, 1);
    std::thread other([y = x]() mutable { static_cast<int*>(y.mutable_data())[0] = 2; });
    static_cast<int*>(x.mutable_data())[0] = 3;
    other.join();
    CHECK(x.as<int>()(0) == 3);
  }
}

TEST_CASE("viewing sees changes and writes to the object") {
  std::vector<float> v{1, 2, 3};
  any_tensor x = any_tensor::viewing(v);
  CHECK(x.data() == v.data());
  v[1] = 5;
  CHECK(x.as<float>()(1) == 5);
  static_cast<float*>(x.mutable_data())[2] = 7;
  CHECK(v[2] == 7);

  const std::vector<float>& constant = v;
  any_tensor y = any_tensor::viewing(constant);
  CHECK(y.data() == v.data());
  static_cast<float*>(y.mutable_data())[0] = 9;
  CHECK(v[0] == 1);
  CHECK(elements<float>(y) == std::vector<float>{9, 5, 7});
  v[1] = 0;
  CHECK(y.as<float>()(1) == 5);
}

TEST_CASE("viewing strided memory") {
  int data[] = {0, 1, 2, 3, 4, 5};
  any_tensor x = any_tensor::viewing(jig::view<int, 3, 2>(data, {3, 2}, {1, 3}));
  CHECK_FALSE(x.is_dense());
  CHECK(x.strides() == jig::shape{2, {1, 3}});
  CHECK(elements<int>(x) == std::vector{0, 3, 1, 4, 2, 5});
  CHECK(x.as<int, 3, 2>()(2, 0) == 2);
  static_cast<int*>(x.mutable_data())[3] = 9;
  CHECK(data[3] == 9);

  any_tensor y = any_tensor::viewing(jig::view<const int, 3, 2>(data, {3, 2}, {1, 3}));
  y.mutable_data();
  CHECK(y.is_dense());
  CHECK(y.strides() == jig::shape{2, {2, 1}});
  CHECK(elements<int>(y) == std::vector{0, 9, 1, 4, 2, 5});

  any_tensor z = any_tensor::viewing(jig::any_view{jig::dtype::int32, data, {1, {2}}, {1, {3}}});
  CHECK(elements<int>(z) == std::vector{0, 9});
  static_cast<int*>(z.mutable_data())[0] = 1;
  CHECK(data[0] == 0);
}

TEST_CASE("an object that is gone cannot be viewed") {
  const auto views = []<class X>(X&& x) { return requires { any_tensor::viewing(std::forward<X>(x)); }; };
  std::vector<float> v;
  CHECK(views(v));
  CHECK_FALSE(views(std::vector<float>()));
  CHECK_FALSE(views(jig::tensor<int, 2>()));
  CHECK_FALSE(views(1));
}

TEST_CASE("which memory is dense") {
  const int data[12] = {};
  const auto dense = [&](jig::shape extents, jig::shape strides) {
    return any_tensor::viewing(jig::any_view{jig::dtype::int32, data, extents, strides}).is_dense();
  };
  CHECK(dense({}, {}));
  CHECK(dense({2, {3, 4}}, {2, {4, 1}}));
  CHECK(dense({3, {3, 1, 4}}, {3, {4, 77, 1}}));
  CHECK(dense({2, {0, 4}}, {2, {5, 7}}));
  CHECK_FALSE(dense({2, {3, 4}}, {2, {1, 3}}));
  CHECK_FALSE(dense({2, {2, 4}}, {2, {5, 1}}));
  CHECK_FALSE(dense({1, {2}}, {1, {2}}));
  CHECK_FALSE(dense({2, {2, 2}}, {2, {0, 1}}));
  CHECK_FALSE(dense({2, {2, 2}}, {2, {0, 0}}));
}

TEST_CASE("another dtype or shape is refused with the facts") {
  const any_tensor x = jig::tensor<float, 4, 3>();
  CHECK(complaint([&] { x.as<int>(); }) == "as: this tensor is float32 shape=(4, 3), not int32");
  CHECK(complaint([&] { x.as<std::string>(); }) == "as: this tensor is float32 shape=(4, 3), not string");
  CHECK(complaint([&] { x.as<double, 4, 3>(); }) == "as: this tensor is float32 shape=(4, 3), not float64 shape=(4, 3)");
  CHECK(complaint([&] { x.as<float, 4, 2>(); }) == "as: this tensor is float32 shape=(4, 3), not float32 shape=(4, 2)");
  CHECK(complaint([&] { x.as<float, jig::dyn>(); }) == "as: this tensor is float32 shape=(4, 3), not float32 shape=(None,)");
  CHECK(complaint([&] { x.as<float, jig::dim<"n">, 4>(); }) == "as: this tensor is float32 shape=(4, 3), not float32 shape=(n, 4)");
  CHECK(complaint([&] { static_cast<void>(static_cast<jig::tensor<float>>(x)); }) ==
        "as: this tensor is float32 shape=(4, 3), not float32 shape=()");
  CHECK(complaint([&] { x.as<float>()(1); }) == "1 index for a tensor of rank 2");
  CHECK(complaint([&] { x.as<float>()(4, 0); }) == "index 4 is out of range for axis 0 with 4 elements");
}

TEST_CASE("to tensors, views and containers") {
  const any_tensor x = jig::tensor<int, 2, 2>{{1, 2}, {3, 4}};
  const auto t = x.as<int, jig::dim<"n">, 2>();
  CHECK(t(1, 0) == 3);
  const jig::tensor<int, 2, 2> u(x);
  CHECK(u(0, 1) == 2);
  CHECK(jig::tensor<int>(any_tensor(5))() == 5);
  CHECK(jig::view<const int, 2, jig::dyn>(x.as<int>())(1, 1) == 4);
  static_assert(!std::is_convertible_v<any_tensor, jig::tensor<int>>);

  int data[4] = {};
  x.copy_to(jig::view<int, 2, 2>(data, {2, 2}, {1, 2}));
  CHECK(std::vector<int>(data, data + 4) == std::vector{1, 3, 2, 4});
  std::vector<long long> v(3);
  any_tensor(std::array<long, 3>{4, 5, 6}).copy_to(v);
  CHECK(v == std::vector<long long>{4, 5, 6});
  std::string s;
  any_tensor("w").copy_to(s);
  CHECK(s == "w");
  CHECK(complaint([&] { x.copy_to(v); }) == "copy_to: this tensor is int32 shape=(2, 2), not int64 shape=(3,)");
}

TEST_CASE("memory for elements that are to be written") {
  any_tensor x = any_tensor::empty(jig::dtype::bfloat16, {2, {3, 5}});
  CHECK(x.shape() == jig::shape{2, {3, 5}});
  CHECK(x.strides() == jig::shape{2, {5, 1}});
  const any_tensor words = any_tensor::empty(jig::dtype::string, {2, {2, 1}});
  CHECK(elements<std::string>(words) == std::vector<std::string>{"", ""});
  CHECK(any_tensor::empty(jig::dtype::int8, {}).size() == 1);
  CHECK(any_tensor::empty(jig::dtype::int8, {2, {0, 1000}}).size() == 0);
  CHECK(complaint([] { any_tensor::empty(jig::dtype::float32, {2, {3, -1}}); }) == "empty: an extent is negative: float32 extents [3, -1]");
  CHECK(complaint([] { any_tensor::empty(jig::dtype::int8, {2, {huge, 2}}); }) ==
        "empty: too many elements: int8 extents [4611686018427387904, 2]");
  CHECK(complaint([] { any_tensor::empty(jig::dtype::float64, {1, {huge}}); }) ==
        "empty: too many elements: float64 extents [4611686018427387904]");
  CHECK(complaint([] { any_tensor::empty(jig::dtype::int8, {3, {0, huge, huge}}); }).starts_with("empty: too many elements"));
}

TEST_CASE("printed as tensors are") {
  const auto text = [](const any_tensor& x) {
    std::ostringstream out;
    out << x;
    CHECK(out.str() == jig::to_text(x));
    return out.str();
  };
  CHECK(text({}) == "tf.Tensor([], shape=(0,), dtype=float32)");
  CHECK(text(jig::tensor<int, 2>{4, 1}) == "tf.Tensor([4 1], shape=(2,), dtype=int32)");
  CHECK(text(2.5) == "tf.Tensor(2.5, shape=(), dtype=float64)");
  CHECK(text(true) == "tf.Tensor(True, shape=(), dtype=bool)");
  CHECK(text("a") == "tf.Tensor(b'a', shape=(), dtype=string)");
  CHECK(text(jig::half(0.1f)) == "tf.Tensor(0.1, shape=(), dtype=float16)");
  CHECK(text(jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}) == "tf.Tensor(\n[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=float32)");
  const std::uint8_t data[] = {0, 1, 2, 255};
  CHECK(text(any_tensor::viewing(jig::view<const std::uint8_t, 2, 2>(data, {2, 2}, {1, 2}))) ==
        "tf.Tensor(\n[[  0   2]\n [  1 255]], shape=(2, 2), dtype=uint8)");
  CHECK(jig::to_text(any_tensor(jig::tensor<int, 2>{4, 1}).as<int>()) == "tf.Tensor([4 1], shape=(2,), dtype=int32)");
}

TEST_CASE("it is no argument by itself") {
  static_assert(!jig::Argument<any_tensor>);
  static_assert(jig::is_any_tensor<any_tensor> && !jig::is_any_tensor<jig::tensor<int>>);
  static_assert(std::is_convertible_v<jig::tensor<int, 2>, any_tensor>);
  static_assert(std::is_convertible_v<std::vector<float>, any_tensor>);
  static_assert(!std::is_convertible_v<std::vector<std::vector<float>>, any_tensor>);
  static_assert(!std::is_convertible_v<jig::any_view, any_tensor>);
}
