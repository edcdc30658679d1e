// SPDX-License-Identifier: MIT
#pragma once
// What an op declares about itself: name, facts and shape rule. Its functor on elements and its kernel are
// specialisations that are keyed by the op, in the op's file.

#include <jig/core/any_view.hpp>
#include <jig/core/error.hpp>
#include <jig/graph/attribute.hpp>
#include <jig/graph/axis_slice.hpp>
#include <jig/graph/kernel_operands.hpp>
#include <jig/graph/known_elements.hpp>
#include <jig/graph/value_range.hpp>

namespace jig {

/// What passes and the evaluator may rely on. Passes ask for facts, never for a list of ops.
enum class fact : unsigned {
  none = 0,
  elementwise = 1,          // one result element from the input elements at the same place; inputs broadcast
  commutative = 2,          // the first two inputs may change places
  reduction = 4,            // combines elements along the axes of its attribute `axes`
  view = 8,                 // the result is the input's memory, seen with other extents and strides
  stateful = 16,            // runs in program order, also when nobody uses its result
  input = 32,               // an argument of the function
  constant = 64,            // its attribute `value` holds its elements
  scalar_only = 128,        // elementwise, but its functor takes single elements only, never batches
  float_lanes = 256,        // elementwise, batches of floating dtypes only; other dtypes go element by element
  wraps = 512,              // signed integers are computed as unsigned ones, so that overflow wraps
  checked = 1024,           // may throw at run time because of its values
  keeps_order = 4096,       // a view with the elements in the same row-major order
  lanes_only = 2048,        // single elements are computed as batches, so that results do not depend on the position
  control = 8192,           // runs bodies, which are among its attributes; its inputs are theirs
  output = 16384,           // is an output of its input, which has several
  updates = 32768,          // the result is the first input but for some elements, and may be written in its place
  host = 65536,             // its kernel is a C++ function of the program, its member `host`
  batched = 131072,         // treats all along the axes before the last two apart, an item at a time
  epilogue = 262144,        // computes its result tile by tile, so that a loop can run on each tile when it is complete
  dynamic_slice = 524288,   // with a scalar as second input, the result is the part of the first one's memory there, along attribute `axis`
  computes = 1048576,       // its kernel does arithmetic, which storage dtypes do in float
  tape = 2097152,           // its kernel takes the tape of the call as its first argument
  moves = 8388608,          // elementwise, and each element of the result is that of an input or does not depend on them
  pairs = 16777216,         // elementwise, and so frequent that run-time programs have loops for it and another such op in one pass
  involution = 33554432,    // of one input: twice gives the input
  idempotent = 67108864,    // of one input: twice gives the same as once; of two: of twice the same input it is that
  rounds = 134217728,       // the result is a whole number, and that of a whole number is itself
  associative = 268435456,  // of exact numbers
  takes_slices = 1073741824,  // a view that takes a slice of each axis, which its member `takes` tells
  composite = 536870912,      // a call stands for nodes of other ops, which its member `expand` lists: no graph has a node of it
  reads_dense = 2147483648,   // its kernel is fast where its first input is dense; what is not is copied before
  dynamic_update =
      4194304,  // the result is the first input with the third one as its part at the scalar second, along attribute `element_axis`
};
constexpr fact operator|(fact a, fact b) { return static_cast<fact>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr bool operator&(fact a, fact b) { return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0; }

/// How shape rules compute with extents that are not numbers. The base knows nothing about them; the planner records
/// expressions, the runtime evaluates them.
struct extent_algebra {
  enum class relation : unsigned char { broadcast, sum, difference, excess, product, quotient, steps, equal, at_most };
  /// The extent that results from a and b, of which at least one is not static.
  constexpr virtual index combine(relation, index, index) { return dyn; }
};

namespace detail {

// Reasons are constants.
constexpr const char* no_axis(index a) {
  constexpr index most = 9;
  constexpr const char* reasons[] = {"there is no axis -9", "there is no axis -8", "there is no axis -7", "there is no axis -6",
                                     "there is no axis -5", "there is no axis -4", "there is no axis -3", "there is no axis -2",
                                     "there is no axis -1", "there is no axis 0",  "there is no axis 1",  "there is no axis 2",
                                     "there is no axis 3",  "there is no axis 4",  "there is no axis 5",  "there is no axis 6",
                                     "there is no axis 7",  "there is no axis 8",  "there is no axis 9"};
  return a < -most || a > most ? "there is no such axis" : reasons[a + most];
}

}  // namespace detail

/// What a shape rule sees and where it leaves its result. Rules are written once for static, wildcard, named and
/// run-time extents.
class rule_context {
 public:
  using relation = extent_algebra::relation;

  stretch<tensor_spec> inputs;
  stretch<attribute_view> attributes;
  int port = 0;
  extent_algebra* algebra = nullptr;
  tensor_spec result{};
  /// Whether the op refuses its inputs, and why. Pointers to functions and texts are never compared with null: GCC with
  /// -fsanitize=undefined does not take that for a constant.
  bool failed = false;
  const char* failure = "";
  static constexpr const char* too_large = "the result would have more than 2^56 bytes";

  constexpr void fail(const char* reason) {
    if (!failed) failure = reason;
    failed = true;
  }
  constexpr stretch<index> integers(std::string_view key) const { return find_attribute(attributes, key).values; }
  constexpr bool has(std::string_view key) const { return !find_attribute(attributes, key).key.empty(); }
  constexpr index integer(std::string_view key, index otherwise = 0) const {
    auto v = integers(key);
    return v.empty() ? otherwise : v[0];
  }

  /// NumPy's rule: equal, or one of them is 1.
  constexpr index broadcast(index a, index b) {
    if (a == b && a != dyn) return a;
    if (a == 1) return b;
    if (b == 1) return a;
    if (is_static_extent(a) && is_static_extent(b)) {
      fail("shapes do not broadcast");
      return a;
    }
    index c = algebra->combine(relation::broadcast, a, b);
    return is_static_extent(a) ? a : is_static_extent(b) ? b : c;
  }
  /// The extent that a and b share, or a failure with this reason.
  constexpr index equal(index a, index b, const char* reason) {
    if (a == b && a != dyn) return a;
    if (is_static_extent(a) && is_static_extent(b)) {
      fail(reason);
      return a;
    }
    algebra->combine(relation::equal, a, b);
    return is_static_extent(a) ? a : is_static_extent(b) ? b : a != dyn ? a : b;
  }
  constexpr index sum(index a, index b) {
    if (is_static_extent(a) && is_static_extent(b)) {
      index c = 0;
      if (!detail::add_extents(a, b, c)) fail(too_large);
      return c < 0 ? 0 : c;
    }
    if (a == 0) return b;
    if (b == 0) return a;
    return algebra->combine(relation::sum, a, b);
  }
  constexpr index difference(index a, index b) {
    if (is_static_extent(a) && is_static_extent(b)) return a - b;
    if (b == 0) return a;
    return algebra->combine(relation::difference, a, b);
  }
  /// What a has more than b, or 0.
  constexpr index excess(index a, index b) {
    if (is_static_extent(a) && is_static_extent(b)) return a > b ? a - b : 0;
    if (a == b && a != dyn) return 0;
    if (a == 0 || b == 0) return a;
    return algebra->combine(relation::excess, a, b);
  }
  /// The smaller one.
  constexpr index least(index a, index b) {
    if (is_static_extent(a) && is_static_extent(b)) return a < b ? a : b;
    return difference(b, excess(b, a));
  }
  /// How many steps of b lead through a: a / b, rounded up.
  constexpr index steps(index a, index b) {
    if (is_static_extent(a)) return a / b + (a % b != 0);
    return b == 1 ? a : algebra->combine(relation::steps, a, b);
  }
  constexpr index product(index a, index b) {
    if (is_static_extent(a) && is_static_extent(b)) {
      index c = 0;
      if (!detail::multiply_extents(a, b, c)) fail(too_large);
      return c < 0 ? 0 : c;
    }
    if (a == 1) return b;
    if (b == 1) return a;
    if (a == 0 || b == 0) return 0;
    return algebra->combine(relation::product, a, b);
  }
  /// a / b, which must divide without a rest.
  constexpr index quotient(index a, index b, const char* reason) {
    if (b == 1) return a;
    if (is_static_extent(a) && is_static_extent(b)) {
      if (b == 0 ? a != 0 : a % b != 0) fail(reason);
      return b == 0 ? 0 : a / b;
    }
    return algebra->combine(relation::quotient, a, b);
  }
  /// An extent that only the run of the op tells, from 0 up to this one. The kernel returns it; it is that of the first axis.
  constexpr index up_to(index most) { return algebra->combine(relation::at_most, most, 0); }
  /// An axis counted from the end becomes one counted from the start.
  constexpr int axis(index a, int rank) {
    if (a < -rank || a >= rank) {
      fail(detail::no_axis(a));
      return 0;
    }
    return static_cast<int>(a < 0 ? a + rank : a);
  }
};

/// What a view's op sees when it finds its elements in the memory of its input. Extents are those of a call.
struct restride_context {
  stretch<attribute_view> attributes;
  const shape& input;
  const shape& input_strides;
  const shape& result;
};

class gradient_context;
class simplification;
class expansion;
struct op;

namespace detail {
constexpr void no_gradient(gradient_context&) {}
constexpr void no_rule(rule_context& c) { c.fail("this op has no inputs to check"); }
constexpr index one_for_each_element(const rule_context& c) { return c.result.shape.size(); }
inline void no_host(stretch<any_view>, const any_view&) {}
constexpr stretch<const op*> makes_nothing();
// Where an op is declared, besides its name: ops of the same name are different ones. Addresses will not do, since GCC with
// -fsanitize=undefined does not take their comparison for a constant.
constexpr std::uint64_t identity_of(std::string_view name, std::string_view file, unsigned line) {
  if (const std::size_t folder = file.find_last_of("/\\"); folder != file.npos) file.remove_prefix(folder + 1);
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string_view part : {name, file})
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return (hash ^ line) * 1099511628211u;
}
constexpr void no_simplification(simplification&) {}
constexpr void no_expansion(expansion&) {}
constexpr known_bits unknown_value(const known_operands&) { return {}; }
}  // namespace detail

/// An op. Ops are `inline constexpr` objects; a reference to one is the key of `functor` and `kernel`.
struct op {
  /// TensorFlow's node type.
  std::string_view name;
  /// The default name of a node, as TensorFlow chooses it: operators are lower-case (`add`), others as the type.
  std::string_view label;
  fact facts = fact::none;
  /// Checks dtypes and extents and sets the result.
  void (*rule)(rule_context&) = detail::no_rule;
  /// Bit i: the dtype of input i is not tied to that of the others (a condition, an index), so that a literal there
  /// keeps its own.
  unsigned free_inputs = 0;
  /// Of a view that changes the order of elements: the place of its first element and its strides in the memory of the
  /// input, in elements.
  void (*restride)(const restride_context&, index& offset, shape& strides) = nullptr;
  /// Of such a view with fact::takes_slices: what it takes of axis `a` of `rank`, as `restride` has it. What of that only extents decide
  /// is left to calls then.
  taken_axis (*takes)(stretch<attribute_view>, int a, int rank) = nullptr;
  /// Floating-point operations of one run, from the specs of inputs and result, all static.
  index (*flops)(const rule_context&) = detail::one_for_each_element;
  /// Of a host function: computes the result, which is row-major, from the inputs.
  void (*host)(stretch<any_view> inputs, const any_view& result) = detail::no_host;
  /// How many results it has. The rule is asked for each of them, by its `port`; calls return them as a std::tuple.
  int outputs = 1;
  /// Gives its inputs their share of the gradient, see graph/gradient.hpp. Without one, nothing that depends on what it computes
  /// can be differentiated.
  void (*gradient)(gradient_context&) = detail::no_gradient;
  /// The ops that its gradient or expansion makes, and what simplify_arithmetic puts in its place, besides itself and what gradients of all
  /// ops are made of: `made_ops<ops::cos>`. A program that calls the op with run-time tensors gets their kernels too.
  stretch<const op*> (*makes)() = detail::makes_nothing;
  /// Of an elementwise op: an element of the result from those of the operands that are known before a call, bit for bit as its functor
  /// computes it; unknown where that throws, is not finite or not exact.
  known_bits (*value)(const known_operands&) = detail::unknown_value;
  /// Names a simpler value than a node of the op, see graph/simplification.hpp. What facts tell (involution, idempotent, associative)
  /// needs no rule.
  void (*simplify)(simplification&) = detail::no_simplification;
  /// Of an op of integers that computes the same in a narrower dtype wherever its inputs and results fit that: where its results are,
  /// from where its inputs are.
  value_range (*range)(const known_ranges&) = nullptr;
  /// Of a composite op: lists the nodes that a call stands for, see ops/composite.hpp. They are of the ops that it `makes`, or of
  /// others that are composite themselves.
  void (*expand)(expansion&) = detail::no_expansion;
  /// What its kernel takes and returns, for which run-time tensors' programs make it.
  kernel_operands operands = {};
  /// Which op it is.
  std::uint64_t identity = detail::identity_of(name, __builtin_FILE(), __builtin_LINE());

  constexpr bool is(fact f) const { return facts & f; }
  /// This op with a gradient, or simplifications, that make others.
  constexpr op making(stretch<const op*> (*others)()) const {
    op o = *this;
    o.makes = others;
    return o;
  }
  /// This op with more facts.
  constexpr op with(fact more) const {
    op o = *this;
    o.facts = facts | more;
    return o;
  }
  /// This op with an algebra.
  constexpr op simplified_by(void (*rule_of)(simplification&)) const {
    op o = *this;
    o.simplify = rule_of;
    return o;
  }
  /// This op with results that are there.
  constexpr op within(value_range (*where)(const known_ranges&)) const {
    op o = *this;
    o.range = where;
    return o;
  }
  /// This op with a kernel that takes and returns these.
  constexpr op taking(const kernel_operands& those) const {
    op o = *this;
    o.operands = those;
    return o;
  }
};

template <const op&... Made>
inline constexpr const op* list_of_ops[] = {&Made...};

/// These ops.
template <const op&... Made>
constexpr stretch<const op*> made_ops() {
  return list_of_ops<Made...>;
}

namespace detail {

constexpr stretch<const op*> makes_nothing() { return {}; }

inline bool is_among(const op& o, stretch<const op*> list) {
  for (const op* other : list)
    if (other->identity == o.identity) return true;
  return false;
}
[[noreturn]] inline void throw_undeclared(const op& maker, const op& made) {
  message m;
  m << maker.name << ": its gradient or a simplification makes " << made.name << ", which is not among the ops that it declares to make";
  raise<error>(m.view());
}
/// Errors: an op that makes another one than it says throws error. In constant evaluation, where all kernels are at hand, nothing is
/// checked.
constexpr void require_declared(const op& maker, const op& made, stretch<const op*> made_by_all = {}) {
  if (std::is_constant_evaluated() || made.identity == maker.identity || made.is(fact::constant)) return;
  if (!is_among(made, made_by_all) && !is_among(made, maker.makes())) throw_undeclared(maker, made);
}

}  // namespace detail

/// The functor of an elementwise op on elements: `static auto apply(auto... x)`, written for single elements and
/// batches alike unless the op is `scalar_only`; functions of numbers in it are those of jig::maths. For reductions: `combine`
/// and `neutral`.
template <const op& Op>
struct functor;

/// How an op is executed that is neither elementwise nor a reduction nor a view.
template <const op& Op>
struct kernel;

namespace detail {

constexpr bool is_op(const op& a, const op& b) { return a.identity == b.identity; }

// What the rule of an op says about inputs of these specs, for one of its results.
struct inference {
  tensor_spec result;
  const char* failure;
  bool failed;
};

// Runs the rule of an op. What it gives can be: no rule looks at the number of elements.
constexpr void apply_rule(void (*rule)(rule_context&), rule_context& c) {
  rule(c);
  if (!c.failed && !is_possible(c.result.dtype, c.result.shape)) c.fail(rule_context::too_large);
}
constexpr void apply_rule(const op& o, rule_context& c) { apply_rule(o.rule, c); }

constexpr inference infer(const op& o, stretch<tensor_spec> inputs, stretch<attribute_view> with, int port = 0) {
  extent_algebra unknown;
  rule_context c;
  c.inputs = inputs;
  c.attributes = with;
  c.algebra = &unknown;
  c.port = port;
  apply_rule(o, c);
  return {c.result, c.failure, c.failed};
}

}  // namespace detail

/// The sentence that says why an op refuses its inputs: `MatMul: inner extents differ: float32 (2, 3) and float32 (4, 5)`.
constexpr message refusal(std::string_view name, const char* reason, stretch<tensor_spec> inputs) {
  message out;
  out << name << ": " << reason;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    out << (i == 0 ? ": " : i + 1 == inputs.size() ? " and " : ", ");
    out << inputs[i];
  }
  return out;
}
constexpr message refusal(const op& o, const char* reason, stretch<tensor_spec> inputs) { return refusal(o.name, reason, inputs); }

}  // namespace jig
