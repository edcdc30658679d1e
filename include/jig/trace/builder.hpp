// SPDX-License-Identifier: MIT
#pragma once
// The builder of a trace: the growing graph, and for every traced object what it stands for at the moment.

#include <jig/core/any_view.hpp>
#include <jig/core/error.hpp>
#include <jig/graph/constexpr_limits.hpp>
#include <jig/graph/graph.hpp>
#include <jig/ops/source.hpp>

#include <bit>
#include <concepts>
#include <string>
#include <utility>

namespace jig {

namespace detail {

/// The bits of an element as they are stored in a graph.
template <class T>
constexpr std::uint64_t to_word(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else if constexpr (is_storage_float<T>) return x.bits;
  else return static_cast<std::uint64_t>(x);
}

template <class T>
constexpr T from_word(std::uint64_t w) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(w));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(w);
  else if constexpr (is_storage_float<T>) return std::bit_cast<T>(static_cast<std::uint16_t>(w));
  else return static_cast<T>(w);
}

}  // namespace detail

/// What control flow leaves in a trace, besides ops.
enum class event_kind : unsigned char {
  decision,    // a branch was taken by the C++ program itself
  loop,        // a loop over a range begins
  while_loop,  // a loop with a condition begins
  condition,   // the condition of a loop is known
  next_trip,   // the body of a loop has reached its end
  leave,       // a loop was left before the end of its body
  branch,      // two blocks follow of which one is to run
  otherwise,   // the second of them begins
  join         // it ends
};

/// Why there is no graph.
enum class trace_failure : unsigned char {
  none,
  too_many_paths,
  endless_loop,
  left_branch,
  branching_condition,
  unknown_exit_shape,
  no_gradient,
  native_change,   // of a C++ variable, inside a block that is recorded once
  outlived_block,  // a traced value, the block that made it
  large_gradient,
  unfit_literal,
  refused  // where the compiler has said why
};

/// A literal that cannot have the dtype of the tensor it joins; its value, if that is a 64-bit integer.
struct unfit_literal {
  dtype to = dtype::float32;
  bool is_integer = false;
  index value = 0;
};

/// One event. The edges are stretches of the builder's pool, one for each object that was alive when the loop or branch began.
struct trace_event {
  event_kind kind;
  int at = 0;            // how many nodes were recorded before it
  int until = 0;         // the same behind the parameters that it recorded itself
  bool outcome = false;  // of a decision
  edge condition{};
  range_of_pool before{};      // what the objects stood for
  range_of_pool parameters{};  // what they stand for in the body
  range_of_pool after{};       // what they stand for behind the loop or branch
  range_of_pool values{};      // of an end: what they stood for there
  // Of a loop over a range. The step is 1 or -1 in sign if that is known, else 0.
  edge first{}, last{}, step{}, counter{};
  int step_sign = 1;
  bool varies = false;  // of a loop: wildcard extents of what it carries may change
};

/// One axis of a part of a traced value: a whole axis, a position that is a value of the graph, one that is a number, or a range.
struct part_position {
  enum class kind : unsigned char { whole, place, number, range } is = kind::whole;
  edge place{};
  index number = 0;
  index begin = 0, end = 0, step = 1;  // of a range, as jig::range_of takes them
  bool told = false;                   // whether types tell how much the range takes
};

/// The part that `x[i]` and `x(i, j)` are of an object: where an assignment to them goes.
struct traced_part {
  int whole;               // the serial number of the object
  bool lost = false;       // whether nobody looks at the object later
  list<part_position> at;  // for each of its first axes
};

/// What computes the nodes of an eager run, where the lambda runs as it stands and recorded values are there at once.
class computed_values {
 public:
  /// Computes all nodes that have been recorded.
  virtual void compute() = 0;
  /// Whether a condition holds.
  virtual bool holds(edge condition) = 0;
  /// The elements of a value, until the next is computed.
  virtual any_view value(edge of) = 0;

 protected:
  ~computed_values() = default;
};

namespace detail {
class rerun;
}

/// Records a trace. A traced object holds a serial number; assignment changes the entry of the table `value`, not the
/// object, so that loops and branches can see what was assigned.
class builder {
 public:
  jig::graph graph;
  list<edge> value;
  list<char> alive;         // how many objects there are with a number: of arguments in traces at run time may be several
  list<traced_part> parts;  // that objects are of others
  list<int> variables;      // the serial numbers of those that are arguments, in their order
  list<trace_event> events;
  list<edge> pool;       // of the events' edges
  list<char> decisions;  // which way to take, in the order they are asked for
  int decided = 0;
  bool has_arguments = false;  // whether those of the lambda are in place: what moves from then on is the lambda's doing
  trace_failure failure = trace_failure::none;
  unfit_literal unfit{};
  bool differentiates = false;          // whether it asks for gradients
  bool has_custom_gradient = false;     // whether it says what some are
  computed_values* computed = nullptr;  // of an eager run
  detail::rerun* again = nullptr;       // of a run that is to record what is known

  constexpr int track(edge e) {
    value.push_back(e);
    alive.push_back(1);
    return static_cast<int>(value.size()) - 1;
  }
  /// One more object with this number, in a trace at run time.
  constexpr void share(int serial) { ++alive[static_cast<std::size_t>(serial)]; }
  /// The end of one of the objects with this number.
  constexpr void release(int serial) { --alive[static_cast<std::size_t>(serial)]; }

  /// Computes what was recorded, in an eager run.
  constexpr void compute() const {
    if (computed != nullptr) computed->compute();
  }

  constexpr edge input(const tensor_spec& spec, std::string_view name) {
    attribute_view with[] = {{"name", attribute_kind::text, {}, name, {}}};
    edge e = graph.add(ops::placeholder, spec, {}, with);
    graph.input_nodes.push_back(e.node);
    return e;
  }

  template <class T>
  constexpr edge constant(const shape& extents, const T* elements) {
    list<std::uint64_t> words;
    index n = extents.size();
    tensor_spec spec{dtype_of<T>, extents};
    if constexpr (std::is_same_v<T, std::string>) {
      list<char> characters;
      for (index i = 0; i < n; ++i) {
        words.push_back(elements[i].size());
        for (char c : elements[i]) characters.push_back(c);
      }
      attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words},
                               {"text", attribute_kind::text, {}, {characters.data(), characters.size()}, {}}};
      return graph.add(ops::constant, spec, {}, with);
    } else {
      for (index i = 0; i < n; ++i) words.push_back(detail::to_word(elements[i]));
      attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words}};
      return graph.add(ops::constant, spec, {}, with);
    }
  }

  /// A literal as a constant of dtype T. A value that T cannot hold is a failure of the trace.
  template <class T, class L>
  constexpr edge literal(L x) {
    if (!detail::literal_fits<T>(x)) {
      if (!std::is_constant_evaluated()) detail::throw_invalid_argument("a literal does not fit the dtype of the tensor");
      failure = trace_failure::unfit_literal;
      unfit = {dtype_of<T>, std::is_integral_v<L>, static_cast<index>(std::is_integral_v<L> ? x : L())};
      x = L();
    }
    T element = static_cast<T>(x);
    return constant<T>(shape{}, &element);
  }

  /// The way the C++ program is to take where a traced value decides: as listed, behind the list the first one.
  constexpr bool decide(edge condition) {
    if (computed != nullptr) return computed->holds(condition);
    if (decided >= most_decisions) {
      // Now one, now the other, so that a recursion ends.
      if (decided++ == 2 * most_decisions) a_traced_value_decides_again_and_again();
      failure = trace_failure::too_many_paths;
      return decided % 2 == 0;
    }
    if (static_cast<std::size_t>(decided) == decisions.size()) decisions.push_back(1);
    trace_event e = begin_event(event_kind::decision);
    e.condition = condition;
    e.outcome = decisions[decided++] != 0;
    events.push_back(e);
    return e.outcome;
  }

  /// A value that the graph will know by another name.
  constexpr edge parameter(const tensor_spec& spec) { return graph.add(ops::placeholder, spec, {}); }

  /// Makes no graph, since the compiler has said what is wrong.
  constexpr void refuse() { failure = trace_failure::refused; }

  /// Ends a constant evaluation that would go on until the compiler's own limits, gigabytes later.
  constexpr void require_room() const {
    if (std::is_constant_evaluated() &&
        graph.size() + detail::nodes_for_an_event * static_cast<int>(events.size()) > detail::most_traced_nodes)
      a_trace_has_too_many_nodes__loops_of_numbers_are_one_node_with_jig_range_and_jig_beside__JIG_CONSTEXPR_LIMITS_allows_more();
  }

  constexpr trace_event begin_event(event_kind kind) const {
    require_room();
    trace_event e{.kind = kind};
    e.at = e.until = graph.size();
    return e;
  }

  /// What all living objects stand for.
  constexpr list<int> living() const {
    list<int> serials;
    for (std::size_t s = 0; s < value.size(); ++s)
      if (alive[s]) serials.push_back(static_cast<int>(s));
    return serials;
  }
  constexpr range_of_pool store_values(const list<int>& serials) {
    range_of_pool r{static_cast<int>(pool.size()), static_cast<int>(serials.size())};
    for (int s : serials) pool.push_back(value[s]);
    return r;
  }
  constexpr range_of_pool store_parameters(const range_of_pool& like) {
    range_of_pool r{static_cast<int>(pool.size()), like.count};
    for (int i = 0; i < like.count; ++i) pool.push_back(parameter(graph.view().spec(pool[like.first + i])));
    return r;
  }
  constexpr void set_values(const list<int>& serials, const range_of_pool& to) {
    for (int i = 0; i < to.count; ++i) value[serials[i]] = pool[to.first + i];
  }

  /// Forgets the nodes behind the first `size`.
  constexpr void forget_nodes(int size) { graph.nodes.cut(size); }

 private:
  // On one way. A recursion that a traced value is to end never ends in a trace.
  static constexpr int most_decisions = 32;
  static void a_trace_has_too_many_nodes__loops_of_numbers_are_one_node_with_jig_range_and_jig_beside__JIG_CONSTEXPR_LIMITS_allows_more() {
    detail::throw_invalid_argument("a trace has too many nodes");
  }
  static void a_traced_value_decides_again_and_again() { detail::throw_invalid_argument("a traced value decides again and again"); }
};

}  // namespace jig
