// SPDX-License-Identifier: MIT
// The programs of TensorFlow's graph guides that show what is traced and when, with what they print there.
#include <doctest/doctest.h>

#include "../counted_allocations.hpp"
#include "../printed.hpp"

#include <jig.hpp>
#include <jig/profile.hpp>

#include <string>
#include <vector>

namespace {

constexpr auto twice = jig::function<"double(a)">([](auto a) {
  jig::trace_note("Tracing with", a);
  return a + a;
});

constexpr auto my_relu = jig::function<"my_relu(x)">([](auto x) { return jig::maximum(0.0f, x); });

constexpr auto train = jig::function<"train(num_steps)">([](auto num_steps) {
  jig::trace_note("Tracing with num_steps = ", num_steps);
  jig::print("Executing with num_steps = ", num_steps);
  for (auto step : jig::range(num_steps)) (void)step;
});

constexpr auto body = [](auto x) {
  jig::trace_note("Tracing!", jig::beside(x));
  jig::print("Executing!", jig::beside(x));
  return x;
};

constexpr auto hello = jig::function<"hello()">([] { jig::print("Executing"); });
constexpr auto six = jig::function<"six()">([] { return jig::constant(2) * 3; });

constexpr auto declared = jig::function<"next_collatz(x)">([](auto x) {
                            return jig::where(x % 2 == 0, x / 2, 3 * x + 1);
                          }).with_signature<jig::spec<int, jig::dyn>>();

}  // namespace

TEST_CASE("double, trace-print: what is traced says so once, whatever is called how often") {
  // A call whose signature is there already leaves the first line out.
  CHECK(twice.get_concrete_function(1).notes_text() + jig::to_text(twice(1)) ==
        "Tracing with Tensor(\"a:0\", shape=(), dtype=int32)\ntf.Tensor(2, shape=(), dtype=int32)");
  CHECK(twice.get_concrete_function(1.1f).notes_text() + jig::to_text(twice(1.1f)) ==
        "Tracing with Tensor(\"a:0\", shape=(), dtype=float32)\ntf.Tensor(2.2, shape=(), dtype=float32)");
  CHECK(twice.get_concrete_function("a").notes_text() + jig::to_text(twice("a")) ==
        "Tracing with Tensor(\"a:0\", shape=(), dtype=string)\ntf.Tensor(b'aa', shape=(), dtype=string)");
  CHECK(printed([] { twice(1); }).empty());
  CHECK(twice.experimental_get_tracing_count() == 3);
}

TEST_CASE("poly, pretty: a list of literals is a signature of its own") {
  CHECK(jig::to_text(my_relu(5.5f)) == "tf.Tensor(5.5, shape=(), dtype=float32)");
  CHECK(jig::to_text(my_relu(jig::lits<1, -1>)) == "tf.Tensor([1. 0.], shape=(2,), dtype=float32)");
  CHECK(jig::to_text(my_relu(jig::tensor<float, 2>{3, -3})) == "tf.Tensor([3. 0.], shape=(2,), dtype=float32)");
  CHECK(my_relu(-2.5f)() == 0);
  CHECK(my_relu(jig::tensor<float, 2>{-1, 1})(1) == 1);
  CHECK(my_relu.pretty_printed_concrete_signatures() ==
        "my_relu(x)\n  Args:\n    x: float32 Tensor, shape=()\n  Returns:\n    float32 Tensor, shape=()\n\n"
        "my_relu(x=[1, -1])\n  Returns:\n    float32 Tensor, shape=(2,)\n\n"
        "my_relu(x)\n  Args:\n    x: float32 Tensor, shape=(2,)\n  Returns:\n    float32 Tensor, shape=(2,)\n");
}

TEST_CASE("literal-arg: literals trace anew, tensors do not") {
  const std::string lines = "Executing with num_steps =  10\nExecuting with num_steps =  20\n";
  const int before = train.experimental_get_tracing_count();
  CHECK(printed([] {
          train(jig::lit<10>);
          train(jig::lit<20>);
        }) == lines);
  CHECK(printed([] {
          train(10);
          train(20);
        }) == lines);
  CHECK(before == 3);
  CHECK(train.pretty_printed_concrete_signatures() ==
        "train(num_steps=10)\n  Returns:\n    None\n\ntrain(num_steps=20)\n  Returns:\n    None\n\n"
        "train(num_steps)\n  Args:\n    num_steps: int32 Tensor, shape=()\n  Returns:\n    None\n");
  CHECK(train.get_concrete_function(10).notes_text() == "Tracing with num_steps =  Tensor(\"num_steps:0\", shape=(), dtype=int32)\n");
}

TEST_CASE("own-traces: functions of one lambda with other names share nothing") {
  static constexpr auto first = jig::function<"first(x)">(body);
  static constexpr auto second = jig::function<"second(x)">(body);
  CHECK(first.get_concrete_function(1).notes_text() + printed([] { first(1); }) == "Tracing!\nExecuting!\n");
  CHECK(second.get_concrete_function(1).notes_text() + printed([] { second(1); }) == "Tracing!\nExecuting!\n");
  CHECK(printed([] { first(1.5f); }) == "Executing!\n");
  CHECK(first.experimental_get_tracing_count() == 2);
  CHECK(second.experimental_get_tracing_count() == 1);
  CHECK(second.pretty_printed_concrete_signatures() ==
        "second(x)\n  Args:\n    x: int32 Tensor, shape=()\n  Returns:\n    int32 Tensor, shape=()\n");
}

TEST_CASE("nullary: effects of functions without arguments happen in every call") {
  CHECK(printed([] {
          hello();
          hello();
        }) == "Executing\nExecuting\n");
  CHECK(hello.experimental_get_tracing_count() == 1);
  CHECK(hello.pretty_printed_concrete_signatures() == "hello()\n  Returns:\n    None\n");
  // Without effects there is a graph. In the trace of another function its result is a constant.
  CHECK(six()() == 6);
  static_assert(six.get_concrete_function().graph().size() == 1);
  constexpr auto more = jig::function<"more(x)">([](auto x) { return x + six(); });
  CHECK(more(1)() == 7);
  // At run time there is one trace on a thread at a time, and texts belong to that.
  const auto again = jig::dynamic_function("again(x)", [](auto x) {
    jig::print("Executing", 2);
    if (x > 0) jig::print("positive");
    return x;
  });
  CHECK(printed([&] {
          for (int i : {0, 1, 2}) again(jig::any_tensor(i));
          jig::print("outside");
        }) == "Executing 2\nExecuting 2\npositive\nExecuting 2\npositive\noutside\n");
  CHECK(again.experimental_get_tracing_count() == 1);
  const auto nothing = jig::dynamic_function("nothing()", [] { jig::print("Executing"); });
  CHECK(printed([&] {
          nothing();
          nothing();
        }) == "Executing\nExecuting\n");
  CHECK(nothing.experimental_get_tracing_count() == 1);
}

TEST_CASE("two-phase: nothing is done before the first call") {
  static int runs = 0;
  static constexpr auto counted = jig::function<"counted(x)">([](auto x) {
    if (!std::is_constant_evaluated()) ++runs;
    return jig::tanh(x) + x;
  });
  static_assert(std::is_empty_v<decltype(counted)> && std::is_trivially_copyable_v<decltype(counted)>);
  const std::size_t before = allocations;
  constexpr auto concrete = counted.get_concrete_function(jig::spec<float, 1000>());
  static_assert(std::is_empty_v<decltype(concrete)> && concrete.graph().size() == 3 && concrete.optimized_graph().size() == 3);
  CHECK(allocations == before);
  static jig::tensor<float, 1000> x, y;
  const std::size_t with_arguments = allocations;
  concrete.into(y, x);
  concrete.into(y, x);
  // Nor does the first call make anything.
  CHECK(allocations == with_arguments);
  CHECK(runs == 0);
}

TEST_CASE("input-signature: one trace for all lengths, printed with None") {
  CHECK(jig::to_text(declared(jig::tensor<int, 2>{1, 2})) == "tf.Tensor([4 1], shape=(2,), dtype=int32)");
  CHECK(jig::to_text(declared(std::vector<int>{1, 2, 3})) == "tf.Tensor([ 4  1 10], shape=(3,), dtype=int32)");
  CHECK(declared.experimental_get_tracing_count() == 1);
  constexpr auto concrete = declared.get_concrete_function();
  CHECK(concrete.structured_input_signature_text() == "((TensorSpec(shape=(None,), dtype=tf.int32, name='x'),), {})");
  CHECK(concrete.pretty_printed_signature(true) ==
        "Input Parameters:\n  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(None,), dtype=tf.int32, name=None)\n"
        "Output Type:\n  TensorSpec(shape=(None,), dtype=tf.int32, name=None)\nCaptures:\n  None\n");
  CHECK(complaint([] { declared(jig::any_tensor(jig::tensor<float, 2>{1, 2})); }) ==
        "next_collatz: inputs incompatible with input_signature:\n  inputs: (\n    tf.Tensor([1. 2.], shape=(2,), dtype=float32))\n"
        "  input_signature: (\n    TensorSpec(shape=(None,), dtype=tf.int32, name=None)).");
}

namespace {

constexpr int line_of_g = __LINE__;
constexpr auto picks = jig::function<"g(x, i)">([](auto x, auto i) {
  auto y = jig::gather<0>(x, i);  // 2
  return jig::sqrt(y + x);        // 3
});

}  // namespace

TEST_CASE("source-line: errors, texts, pictures and profiles name the line that wrote a node") {
  const auto line = [](int k) { return "traces.cpp:" + std::to_string(line_of_g + k); };
  const jig::tensor<float, 3> x{1, 2, 3};
  CHECK_THROWS_WITH_AS(picks(x, jig::tensor<int, 3>{0, 3, 1}),
                       ("GatherV2: index 3 is out of range for axis 0 with 3 elements (at " + line(2) + ")").c_str(),
                       jig::invalid_argument);
  const jig::tensor<float, 3> below{1, -2, 3};
  CHECK_THROWS_WITH_AS(picks.check_numerics()(below, jig::tensor<int, 3>{0, 1, 2}),
                       ("check_numerics: Sqrt = Sqrt(add) made NaN at (1,) (at " + line(3) + ")").c_str(), jig::invalid_argument);
  constexpr auto concrete = picks.get_concrete_function(jig::spec<float, 3>(), jig::spec<int, 3>());
  CHECK(jig::to_text(concrete.graph(), jig::with_lines) ==
        "x = Placeholder() : float32 (3,)\ni = Placeholder() : int32 (3,)\nGatherV2 = GatherV2(x, i) {axis: 0} : float32 (3,)  # " +
            line(2) + "\nadd = AddV2(GatherV2, x) : float32 (3,)  # " + line(3) + "\nSqrt = Sqrt(add) : float32 (3,)  # " + line(3) +
            "\nreturn Sqrt\n");
  CHECK(jig::to_dot(concrete.graph()).find("tooltip=\"" + line(2) + "\"") != std::string::npos);
  CHECK(jig::to_text(jig::profile(picks)(x, jig::tensor<int, 3>{2, 1, 0}).report).find("# " + line(2)) != std::string::npos);
}
