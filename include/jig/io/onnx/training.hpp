// SPDX-License-Identifier: MIT
#pragma once
// ONNX's steps of optimisers.

#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

// The inputs behind the rate and the number of steps come in groups: parameters, gradients, then states.
inline std::size_t group_size(node_context& c, std::size_t groups) {
  const std::size_t n = c.n.inputs.size();
  if (n < 2 + groups || (n - 2) % groups != 0) c.fail("every parameter needs a gradient and its states");
  return (n - 2) / groups;
}
inline edge regular_gradient(node_context& c, edge x, edge g) { return c.m.add(g, c.m.scaled(x, c.real("norm_coefficient", 0))); }
inline edge steps_as(node_context& c, edge x) { return c.m.cast(c.x(1), c.m.type(x)); }

inline void import_adagrad(node_context& c) {
  const std::size_t n = group_size(c, 3);
  for (std::size_t k = 0; k < n; ++k) {
    const edge x = c.x(2 + k), h = c.x(2 + 2 * n + k), g = regular_gradient(c, x, c.x(2 + n + k));
    const edge rate = c.m.div(c.x(0), c.m.add(c.m.scaled(steps_as(c, x), c.real("decay_factor", 0)), c.m.number_like(x, 1)));
    const edge next = c.m.add(h, c.m.unary(ops::square, g));
    const edge root = c.m.add(c.m.unary(ops::sqrt, next), c.m.number_like(x, c.real("epsilon", 1e-6)));
    c.out(c.m.sub(x, c.m.div(c.m.mul(rate, g), root)), k);
    c.out(next, n + k);
  }
}
inline void import_adam(node_context& c) {
  const std::size_t n = group_size(c, 4);
  const double alpha = c.real("alpha", 0.9), beta = c.real("beta", 0.999);
  for (std::size_t k = 0; k < n; ++k) {
    const edge x = c.x(2 + k), g = regular_gradient(c, x, c.x(2 + n + k));
    const edge v = c.m.add(c.m.scaled(c.x(2 + 2 * n + k), alpha), c.m.scaled(g, 1 - alpha));
    const edge h = c.m.add(c.m.scaled(c.x(2 + 3 * n + k), beta), c.m.scaled(c.m.unary(ops::square, g), 1 - beta));
    const edge root = c.m.add(c.m.unary(ops::sqrt, h), c.m.number_like(x, c.real("epsilon", 1e-6)));
    const edge t = steps_as(c, x), one = c.m.number_like(x, 1);
    const auto rest = [&](double decay) { return c.m.sub(one, c.m.binary(ops::power, c.m.number_like(x, decay), t)); };
    const edge began = c.m.binary(ops::greater, t, c.m.number_like(x, 0));
    const edge adjusted = c.m.div(c.m.mul(c.x(0), c.m.unary(ops::sqrt, rest(beta))), c.m.select(began, rest(alpha), one));
    const edge rate = c.m.select(began, adjusted, c.x(0));
    c.out(c.m.scaled(c.m.sub(x, c.m.div(c.m.mul(rate, v), root)), 1 - c.real("norm_coefficient_post", 0)), k);
    c.out(v, n + k);
    c.out(h, 2 * n + k);
  }
}
inline void import_momentum(node_context& c) {
  const std::size_t n = group_size(c, 3);
  const double alpha = c.real("alpha", 0), beta = c.real("beta", 1);
  for (std::size_t k = 0; k < n; ++k) {
    const edge x = c.x(2 + k), g = regular_gradient(c, x, c.x(2 + n + k));
    const edge began = c.m.binary(ops::greater, steps_as(c, x), c.m.number_like(x, 0));
    const edge share = c.m.select(began, c.m.number_like(x, beta), c.m.number_like(x, 1));
    const edge v = c.m.add(c.m.scaled(c.x(2 + 2 * n + k), alpha), c.m.mul(share, g));
    const edge step = c.text("mode") == "nesterov" ? c.m.add(g, c.m.scaled(v, alpha)) : v;
    c.out(c.m.sub(x, c.m.mul(c.x(0), step)), k);
    c.out(v, n + k);
  }
}

// Defined in importer.hpp: what a name stands for; that the graph asks for gradients.
edge value_named(node_context& c, std::string_view name);
void ask_for_gradients(node_context& c);

inline void import_gradient(node_context& c) {
  if (!c.given("xs") || !c.given("y")) c.fail("xs and y name what is differentiated");
  if (c.m.depth() > 0) c.fail("gradients are not taken inside of branches and loops whose course is not known before a call");
  const edge y = value_named(c, c.text("y"));
  list<edge> inputs{y};
  std::vector<tensor_spec> specs;
  for (std::size_t k = 0; k < c.find("xs")->texts.size(); ++k) {
    inputs.push_back(value_named(c, c.find("xs")->texts[k]));
    specs.push_back(c.m.spec(inputs.back()));
  }
  for (const auto& e : inputs)
    if (!is_floating(c.m.type(e))) c.fail("gradients are taken of floating dtypes");
  if (specs.empty()) c.fail("there is nothing to differentiate by");
  const edge made = c.m.made.add(ops::gradient, specs[0], inputs);
  for (std::size_t k = 1; k < specs.size(); ++k) c.m.made.add_output(specs[k]);
  for (std::size_t k = 0; k < specs.size(); ++k) c.out(edge{made.node, static_cast<int>(k)}, k);
  ask_for_gradients(c);
}

inline constexpr std::string_view training = "ai.onnx.preview.training";
inline constexpr op_entry training_ops[] = {{"Adagrad", import_adagrad, training},
                                            {"Adam", import_adam, training},
                                            {"Gradient", import_gradient, training},
                                            {"Momentum", import_momentum, training}};

}  // namespace jig::onnx
