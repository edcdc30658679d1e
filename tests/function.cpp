// SPDX-License-Identifier: MIT
#include <jig/function.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

// Test cases are named after the rows of the mission's first table.

namespace hana = boost::hana;

namespace {

std::string text_of(const auto& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

constexpr auto twice = jig::function<"double(a)">([](auto a) { return a + a; });

}  // namespace

TEST_CASE("fn-call") {
  constexpr auto f = jig::function<"f(x, y, b)">([](auto x, auto y, auto b) { return jig::matmul(x, y) + b; });
  jig::tensor<float, 1, 2> x{{1, 2}};
  jig::tensor<float, 2, 1> y{{2}, {3}};
  auto z = f(x, y, 4.0f);
  static_assert(std::is_same_v<decltype(z), jig::tensor<float, 1, 1>>);
  CHECK(z(0, 0) == 12);
  CHECK(jig::to_text(z) == "tf.Tensor([[12.]], shape=(1, 1), dtype=float32)");
  auto eager = jig::matmul(x, y) + 4.0f;
  CHECK(eager(0, 0) == z(0, 0));
  // Thirds have no short binary form: both worlds round alike.
  jig::tensor<float, 3, 5> a;
  jig::tensor<float, 5, 2> b;
  for (int i = 0; i < 15; ++i) a.data()[i] = static_cast<float>(i) / 3;
  for (int i = 0; i < 10; ++i) b.data()[i] = 1 / static_cast<float>(i + 3);
  auto traced = f(a, b, 0.1f), at_once = jig::matmul(a, b) + 0.1f;
  for (int i = 0; i < 6; ++i) CHECK(traced.data()[i] == at_once.data()[i]);
  // Without a name.
  constexpr auto unnamed = jig::function([](auto v) { return v * 2; });
  CHECK(unnamed(std::vector<float>{1, 2})(1) == 4);
}

TEST_CASE("fn-nested") {
  static constexpr auto add = jig::function<"add(a, b)">([](auto a, auto b) { return a + b; });
  constexpr auto dense_layer = jig::function<"dense_layer(x, w, b)">([](auto x, auto w, auto b) { return add(jig::matmul(x, w), b); });
  auto r = dense_layer(jig::ones<float, 3, 2>(), jig::ones<float, 2, 2>(), jig::ones<float, 2>());
  static_assert(std::is_same_v<decltype(r), jig::tensor<float, 3, 2>>);
  for (float v : r) CHECK(v == 3);
  constexpr auto traced = dense_layer.get_concrete_function(jig::spec<float, 3, 2>{}, jig::spec<float, 2, 2>{}, jig::spec<float, 2>{});
  static_assert(traced.graph().size() == 5);
  static_assert(traced.graph().count("MatMul") == 1);
  static_assert(traced.graph().count("AddV2") == 1);
  // What is inlined is not a signature of its own.
  CHECK(add.experimental_get_tracing_count() == 0);
  CHECK(dense_layer.experimental_get_tracing_count() == 1);
}

TEST_CASE("terms") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x * x; });
  auto a = f.get_concrete_function(jig::spec<float, 3>{});
  auto b = f.get_concrete_function(jig::tensor<float, 3>{1, 2, 3});
  auto c = f.get_concrete_function(std::array<float, 3>{});
  auto d = f.get_concrete_function(jig::spec<float, 4>{});
  auto e = f.get_concrete_function(jig::spec<double, 3>{});
  static_assert(std::is_same_v<decltype(a), decltype(b)>);
  static_assert(std::is_same_v<decltype(a), decltype(c)>);
  static_assert(!std::is_same_v<decltype(a), decltype(d)>);
  static_assert(!std::is_same_v<decltype(a), decltype(e)>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(a.graph())>, jig::graph_view>);
  static_assert(std::is_empty_v<decltype(f)> && std::is_empty_v<decltype(a)>);
}

TEST_CASE("poly") {
  constexpr auto my_relu = jig::function<"my_relu(x)">([](auto x) { return jig::maximum(0., x); });
  CHECK(my_relu(5.5f)() == 5.5f);
  CHECK(jig::to_text(my_relu(std::vector<float>{1, -1})) == "tf.Tensor([1. 0.], shape=(2,), dtype=float32)");
  CHECK(jig::to_text(my_relu(jig::tensor<float, 2>{3, -3})) == "tf.Tensor([3. 0.], shape=(2,), dtype=float32)");
  CHECK(my_relu(-2.5f)() == 0);                          // as the first
  CHECK(my_relu(jig::tensor<float, 2>{-1, 1})(1) == 1);  // as the third
  CHECK(my_relu.experimental_get_tracing_count() == 3);
  static_assert(std::is_same_v<decltype(my_relu.get_concrete_function(5.5f)), decltype(my_relu.get_concrete_function(-2.5f))>);
}

TEST_CASE("pretty") {
  CHECK(twice(1)() == 2);
  CHECK(twice(1.5f)() == 3);
  CHECK(twice("a")() == "aa");
  // Signatures are listed in the order in which the program instantiated them, which is not always that of the calls.
  const std::string all = twice.pretty_printed_concrete_signatures();
  for (const char* d : {"int32", "float32", "string"}) {
    std::string one = std::string("double(a)\n  Args:\n    a: ") + d + " Tensor, shape=()\n  Returns:\n    " + d + " Tensor, shape=()\n";
    CHECK(all.find(one) != std::string::npos);
  }
  CHECK(all.find("shape=()\n\ndouble(a)\n") != std::string::npos);

  constexpr auto my_relu = jig::function<"my_relu(x)">([](auto x) { return jig::maximum(0, x); });
  auto scalar = my_relu.get_concrete_function(jig::spec<float>{});
  CHECK(scalar.pretty_printed_signature(true) ==
        "Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)\n"
        "Output Type:\n"
        "  TensorSpec(shape=(), dtype=tf.float32, name=None)\n"
        "Captures:\n"
        "  None\n");
  CHECK(my_relu.pretty_printed_concrete_signatures(true).starts_with(scalar.pretty_printed_signature(true) + "\nInput Parameters:\n"));
  CHECK(my_relu.get_concrete_function(jig::spec<float, jig::dyn, 2>{}).pretty_printed_signature() ==
        "my_relu(x)\n  Args:\n    x: float32 Tensor, shape=(None, 2)\n  Returns:\n    float32 Tensor, shape=(None, 2)\n");
  constexpr auto unnamed = jig::function([](auto x, auto y) { return x + y; });
  CHECK(unnamed.get_concrete_function(jig::spec<int>{}, jig::spec<int>{})
            .pretty_printed_signature()
            .starts_with("function(args_0, args_1)\n"));
}

TEST_CASE("key") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(x); });
  auto same = [](const auto& a, const auto& b) {
    return std::is_same_v<decltype(f.get_concrete_function(a)), decltype(f.get_concrete_function(b))>;
  };
  // tensors: dtype and shape, whatever holds the elements
  CHECK(same(jig::tensor<float, 2>(), jig::tensor<float, 2>()));
  CHECK(same(jig::tensor<float, 2>(), std::array<float, 2>()));
  CHECK(!same(jig::tensor<float, 2>(), jig::tensor<float, 3>()));
  CHECK(!same(jig::tensor<float, 2>(), jig::tensor<double, 2>()));
  CHECK(!same(jig::tensor<float, 2>(), jig::tensor<float, jig::dyn>()));
  CHECK(!same(jig::tensor<float, 2>(), jig::tensor<float, 1, 2>()));
  CHECK(same(std::vector<float>(2), std::vector<float>(3)));
  CHECK(same(std::vector<long>(), std::vector<long long>()));
  CHECK(!same(std::vector<int>(), std::vector<unsigned>()));
  // run-time scalars: a spec of rank 0
  CHECK(same(10, 20));
  CHECK(same(10, jig::tensor<int>{20}));
  CHECK(!same(10, 10.0));
  // literals: their value
  CHECK(same(jig::lit<10>, jig::lit<10>));
  CHECK(!same(jig::lit<10>, jig::lit<20>));
  CHECK(!same(jig::lit<10>, 10));
  CHECK(same(hana::int_c<3>, hana::int_c<3>));
  CHECK(!same(hana::int_c<3>, hana::int_c<4>));
  // structures: nesting and leaves
  CHECK(same(std::tuple(1, 2.0f), std::tuple(3, 4.0f)));
  CHECK(!same(std::tuple(1, 2.0f), std::tuple(1, 2)));
  CHECK(!same(std::tuple(1, std::tuple(2)), std::tuple(std::tuple(1), 2)));
  CHECK(!same(std::tuple(1, 2), hana::make_tuple(1, 2)));
  CHECK(!same(std::tuple(1, jig::lit<2>), std::tuple(1, jig::lit<3>)));
}

TEST_CASE("double") {
  CHECK(jig::to_text(twice(1)) == "tf.Tensor(2, shape=(), dtype=int32)");
  CHECK(jig::to_text(twice(1.1f)) == "tf.Tensor(2.2, shape=(), dtype=float32)");
  CHECK(jig::to_text(twice(std::string("a"))) == "tf.Tensor(b'aa', shape=(), dtype=string)");
  CHECK(jig::to_text(twice("a")) == "tf.Tensor(b'aa', shape=(), dtype=string)");
  CHECK(twice(std::vector<std::string>{"a", "bc"})(1) == "bcbc");
}

TEST_CASE("wildcard") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::reduce_sum(x) + x; });
  CHECK(f(std::vector<int>{1, 2, 3})(0) == 7);
  CHECK(f(std::vector<int>{1, 2, 3, 4, 5}).size() == 5);
  CHECK(f.experimental_get_tracing_count() == 1);
  constexpr auto add = jig::function<"add(a, b)">([](auto a, auto b) { return a + b; });
  constexpr auto rows = add.get_concrete_function(jig::spec<float, jig::dim<"batch">, 2>{}, jig::spec<float, jig::dim<"batch">, 2>{});
  static_assert(std::is_same_v<decltype(rows)::output_spec, jig::spec<float, jig::dim<"batch">, 2>>);
  CHECK(rows(jig::ones<float, 3, 2>(), jig::ones<float, jig::dyn, 2>(3))(2, 1) == 2);
  CHECK_THROWS_WITH_AS(rows(jig::ones<float, 3, 2>(), jig::ones<float, jig::dyn, 2>(4)),
                       "add: argument b: expected float32 shape=(batch, 2), given float32 shape=(4, 2) with batch = 3",
                       jig::invalid_argument);
  // Named extents do not broadcast: an extent of 1 is another batch.
  CHECK_THROWS_AS(rows(jig::ones<float, 3, 2>(), jig::ones<float, 1, 2>()), jig::invalid_argument);
}

TEST_CASE("literal-arg") {
  constexpr auto train = jig::function<"train(x, num_steps)">([](auto x, auto num_steps) {
    if constexpr (jig::Constant<decltype(num_steps)>) {
      for (int i = 0; i < num_steps; ++i) x = x + 1;
      return x;
    } else {
      return x + num_steps;
    }
  });
  CHECK(train(0, jig::lit<10>)() == 10);
  CHECK(train(0, jig::lit<20>)() == 20);
  CHECK(train(0, hana::int_c<5>)() == 5);
  CHECK(train(0, 10)() == 10);
  CHECK(train(0, 20)() == 20);
  CHECK(train.experimental_get_tracing_count() == 4);  // three literals, and one for all run-time numbers
  static_assert(train.get_concrete_function(jig::spec<int>{}, jig::lit<10>).graph().count("AddV2") == 10);
  static_assert(train.get_concrete_function(jig::spec<int>{}, jig::spec<int>{}).graph().count("AddV2") == 1);
}

TEST_CASE("concrete") {
  constexpr auto f = jig::function<"scale(x, by)">([](auto x, auto by) { return std::tuple(x * by, by); });
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, jig::dyn>{}, jig::spec<float>{});
  static_assert(std::is_same_v<decltype(concrete.structured_input_signature()), std::tuple<jig::spec<float, jig::dyn>, jig::spec<float>>>);
  static_assert(std::is_same_v<decltype(concrete.structured_outputs()), std::tuple<jig::spec<float, jig::dyn>, jig::spec<float>>>);
  static_assert(concrete.graph().inputs().size() == 2 && concrete.graph().outputs().size() == 2);
  CHECK(text_of(concrete) ==
        "ConcreteFunction scale(x, by)\n  Args:\n    x: float32 Tensor, shape=(None,)\n    by: float32 Tensor, shape=()\n"
        "  Returns:\n    (<1>, <2>)\n      <1>: float32 Tensor, shape=(None,)\n      <2>: float32 Tensor, shape=()\n");
  auto [scaled, by] = concrete(std::vector<float>{1, 2}, 3.0f);
  CHECK(scaled(1) == 6);
  CHECK(by() == 3);
  CHECK(std::get<0>(concrete(jig::tensor<float, 4>{1, 2, 3, 4}, 2.0f))(3) == 8);
  // What a graph knows, a call checks.
  constexpr auto three = f.get_concrete_function(jig::tensor<float, 3>(), 2.0f);
  std::vector<float> two{1, 2, 3};  // GCC warns of what would be read beyond a vector that was made too short
  two.pop_back();
  CHECK_THROWS_WITH_AS(three(two, 3.0f), "scale: argument x: expected float32 shape=(3,), given float32 shape=(2,)", jig::invalid_argument);
}

TEST_CASE("concrete-literal") {
  constexpr auto power = jig::function<"pow(a, b)">([](auto a, auto b) {
    auto result = a;
    for (int i = 1; i < b; ++i) result = result * a;
    return result;
  });
  auto square = power.get_concrete_function(jig::spec<float>{}, jig::lit<2>);
  CHECK(text_of(square) ==
        "ConcreteFunction pow(a, b=2)\n  Args:\n    a: float32 Tensor, shape=()\n  Returns:\n    float32 Tensor, shape=()\n");
  CHECK(square(10.0f)() == 100);
  CHECK(square(10.0f, jig::lit<2>)() == 100);
  CHECK(square(10.0f, hana::int_c<2>)() == 100);
  // tests/fail/eval/literal_of_another_value.cpp: with jig::lit<3> it does not compile.
}

TEST_CASE("graph-nodes") {
  constexpr auto graph = twice.get_concrete_function(jig::spec<float>{}).graph();
  static_assert(graph.as_graph_def().size() == 3);
  static_assert(graph.size() == 2 && graph.node(0).op() == "Placeholder" && graph.node(1).op() == "AddV2");
  std::string lines;
  for (const auto& node : graph.as_graph_def().nodes()) {
    lines += '[';
    for (std::size_t i = 0; i < node.inputs().size(); ++i) lines += (i == 0 ? "'" : ", '") + node.inputs()[i] + '\'';
    lines += "] -> " + node.name() + '\n';
  }
  CHECK(lines == "[] -> a\n['a', 'a'] -> add\n['add'] -> Identity\n");
}

namespace {

template <int... N>
constexpr auto dataset_of(std::integer_sequence<int, N...>) {
  return std::tuple(std::tuple(jig::lit<N * 0 + 1>, jig::lit<1>)...);
}

}  // namespace

TEST_CASE("graph-size") {
  // The loss starts as an argument: a trace without one has nothing to make a constant beside.
  constexpr auto train = jig::function<"train(loss, dataset)">([](auto loss, auto dataset) {
    std::apply([&](auto... pair) { ((loss = loss + jig::abs(jig::constant_like(loss, std::get<1>(pair) - std::get<0>(pair)))), ...); },
               dataset);
    return loss;
  });
  constexpr auto small = dataset_of(std::make_integer_sequence<int, 3>());
  constexpr auto big = dataset_of(std::make_integer_sequence<int, 10>());
  static_assert(train.get_concrete_function(jig::spec<int>{}, small).graph().as_graph_def().size() == 11);
  static_assert(train.get_concrete_function(jig::spec<int>{}, big).graph().as_graph_def().size() == 32);
  CHECK(train(0, small)() == 0);
  // A tensor of the pairs has one graph for every length.
  constexpr auto train_all = jig::function<"train(x, y)">([](auto x, auto y) { return jig::reduce_sum(jig::abs(y - x)); });
  CHECK(train_all(std::vector<int>(3, 1), std::vector<int>(3, 2))() == 3);
  CHECK(train_all(std::vector<int>(10, 1), std::vector<int>(10, 2))() == 10);
  CHECK(train_all.experimental_get_tracing_count() == 1);
}

TEST_CASE("type-level") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return jig::tanh(x * y + x); });
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, 8>{}, jig::spec<float, 8>{});
  using graph_type = decltype(concrete)::graph_type;
  static_assert(graph_type::size == 5);
  static_assert(decltype(hana::size(concrete.nodes))::value == 5);
  constexpr auto is_sum = [](auto n) { return hana::bool_c < decltype(n)::type::name() == "AddV2" > ; };
  static_assert(decltype(hana::count_if(concrete.nodes, is_sum))::value == 1);
  using last = std::remove_cvref_t<decltype(hana::back(concrete.nodes))>::type;
  static_assert(std::is_same_v<last, jig::node<jig::ops::tanh, jig::spec<float, 8>, 3>>);
  static_assert(concrete.graph().count("Mul") == 1);
  static_assert(concrete.graph().depth() == 4);
  static_assert(concrete.graph().bytes() == 3 * 8 * 4);
  static_assert(concrete.graph().flops() == 3 * 8);
  static_assert(concrete.peak_workspace() == 0);
  constexpr auto wild = f.get_concrete_function(jig::spec<float, jig::dyn>{}, jig::spec<float, 8>{});
  static_assert(wild.graph().flops() == -1 && wild.graph().bytes() == -1);
  CHECK(concrete(jig::ones<float, 8>(), jig::ones<float, 8>())(7) == doctest::Approx(std::tanh(2.0)));
}

TEST_CASE("several results come in the structure that the lambda returned") {
  constexpr auto std_results = jig::function<"f(x)">([](auto x) { return std::tuple(x, std::pair(x + 1, hana::make_tuple(x * 2))); });
  auto [same, rest] = std_results(std::vector<int>{1, 2});
  CHECK(same(1) == 2);
  CHECK(rest.first(1) == 3);
  CHECK(hana::at_c<0>(rest.second)(1) == 4);
  constexpr auto mapped = jig::function<"f(x)">([](auto x) {
    return hana::make_map(hana::make_pair(BOOST_HANA_STRING("sum"), jig::reduce_sum(x)),
                          hana::make_pair(BOOST_HANA_STRING("most"), jig::reduce_max(x)));
  });
  auto m = mapped(std::vector<float>{1, 5, 2});
  CHECK(m[BOOST_HANA_STRING("sum")]() == 8);
  CHECK(m[BOOST_HANA_STRING("most")]() == 5);
  constexpr auto arrays = jig::function<"f(x)">([](auto x) { return std::array{x, x + 1}; });
  auto two = arrays(jig::tensor<int, 2>{1, 2});
  static_assert(std::is_same_v<decltype(two), std::array<jig::tensor<int, 2>, 2>>);
  CHECK(two[1](0) == 2);
}

TEST_CASE("structures as arguments") {
  constexpr auto f = jig::function<"f(p)">([](auto p) {
    auto [first, second] = p;
    auto [a, b] = second;
    return first * a + b;
  });
  CHECK(f(std::tuple(std::vector<float>{1, 2}, std::tuple(3.0f, std::array<float, 2>{1, 2})))(1) == 8);
  std::vector<float> x{1, 2};
  CHECK(f(std::tuple<std::vector<float>&, std::tuple<float, float>>(x, {3.0f, 1.0f}))(0) == 4);
}

TEST_CASE("into writes several results into a structure") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return hana::make_tuple(x * 2, jig::reduce_sum(x)); });
  std::vector<double> x{1, 2, 3}, out(3);
  double total = 0;
  f.into(std::tie(out, total), x);
  CHECK(out == std::vector<double>{2, 4, 6});
  CHECK(total == 6);
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, jig::dyn>{});
  concrete.into(std::tie(x, total), x);
  CHECK(x == std::vector<double>{2, 4, 6});
  CHECK(total == 6);
}

TEST_CASE("graph_of makes a graph without a function") {
  constexpr auto square = [](auto x) { return x * x; };
  static_assert(jig::graph_of(square, jig::spec<float, 3>{}).count("Mul") == 1);
  // Nodes that nothing needs are traced, but do not run.
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto unused = jig::exp(x);
    (void)unused;
    return x + 1;
  });
  constexpr auto concrete = f.get_concrete_function(jig::spec<float>{});
  static_assert(concrete.graph().count("Exp") == 1 && concrete.optimized_graph().count("Exp") == 0);
  CHECK(concrete(1.0f)() == 2);
}
