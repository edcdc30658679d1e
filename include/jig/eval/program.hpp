// SPDX-License-Identifier: MIT
#pragma once
// A program is a prepared graph with its plan, as constants of one type; a frame is what one call of it knows: pointers,
// extents and strides.

#include <jig/eval/planner.hpp>
#include <jig/eval/tape.hpp>
#include <jig/graph/verify.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/passes/axis_order.hpp>
#include <jig/passes/lower_in_steps.hpp>
#include <jig/trace/builder.hpp>

#include <array>
#include <utility>

namespace jig {

/// The graph of `Trace` made ready for arguments that are dense (1) or strided (0). The trace of a body also tells the
/// extents of its arguments in the program around it, `input_shapes`; a trace may tell what is known of its arguments',
/// `argument_extents`.
template <class Trace, char... Dense>
class program {
 public:
  using trace = Trace;
  /// Whether this is the body of a node of another program.
  static constexpr bool is_body = requires { Trace::input_shapes; };
  /// Whether regions that need not wait for one another may run at the same time.
  static constexpr bool is_concurrent = [] {
    if constexpr (requires { Trace::is_concurrent; }) return Trace::is_concurrent;
    else return false;
  }();

 private:
  static constexpr char dense_[sizeof...(Dense) + 1] = {Dense..., 0};
  static constexpr stretch<char> dense() { return {dense_, sizeof...(Dense)}; }
  static constexpr given_extents given() {
    if constexpr (is_body) return stretch<shape>(Trace::input_shapes);
    else if constexpr (requires { Trace::argument_extents; }) return Trace::argument_extents;
    else return {};
  }
  template <int K>
  static constexpr bool knows_layout() {
    if constexpr (requires { Trace::template input_layout<K>(); }) return Trace::template input_layout<K>().known;
    else return false;
  }
  // Bodies have gone through the passes with the graph around them.
  static constexpr const graph_view& source = std::conditional_t<is_body, Trace, detail::running_graph_of<Trace>>::graph;
  static constexpr bool ready = detail::is_lowered(source, dense());
  // The graph itself serves when nothing has to be added or left out.
  struct itself {
    static constexpr const graph_view& graph = source;
  };
  struct known_arguments {
    static constexpr detail::arguments_of_lowering arguments() { return {dense(), given()}; }
  };
  struct copy {
    static constexpr const graph_view& graph = detail::lowered_from<itself, known_arguments>::type::graph;
  };

 public:
  static constexpr graph_view graph = std::conditional_t<ready, itself, copy>::graph;
#ifdef JIG_VERIFY_GRAPHS
  static_assert(verify(Trace::graph) == nullptr && verify(graph) == nullptr, "jig: a malformed graph");
#endif

 private:
  // Planning is most of the compile time of a large graph: it is done once when the usual room suffices.
  struct usual {
    static constexpr static_plan<usual_sizes(graph)> plan{make_plan(graph, dense(), given(), planned_for::compiler, is_concurrent)};
  };
  struct exact {
    static constexpr static_plan<usual::plan.size> plan{make_plan(graph, dense(), given(), planned_for::compiler, is_concurrent)};
  };

 public:
  static constexpr const auto& plan = std::conditional_t<usual::plan.fits, usual, exact>::plan;
  /// What an extent is known to be a multiple of.
  static constexpr index divisor_of(index extent) {
    for (int s = 0; s < plan.size.sources; ++s)
      if (const extent_source& from = plan.sources.items[s]; from.symbol == extent) return given().fact_of(from.input, from.axis).multiple;
    return 1;
  }
#ifdef JIG_VERIFY_GRAPHS
  static_assert(runs_in_order(graph, plan.steps.view().first(static_cast<std::size_t>(plan.size.steps)), plan.values.view(),
                              plan.leaves.view()),
                "jig: a step reads what is not stored yet");
  static_assert(reshapes_dense_memory(graph, plan.values.view()), "jig: a reshaped value is not dense");
#endif

  /// Whether it has values that are kept in the tape of the call.
  static constexpr bool remembers = has_tape(graph);
  static constexpr int arguments = static_cast<int>(graph.inputs().size());
  /// Whether only a call knows how some argument lies.
  static constexpr bool has_strided_arguments = []<int... K>(std::integer_sequence<int, K...>) {
    return ((Dense == 0 && !knows_layout<K>()) || ...);
  }(std::make_integer_sequence<int, sizeof...(Dense)>());
  static constexpr int results = static_cast<int>(graph.outputs().size());

  static constexpr const planned_value& value(int node) { return plan.values.items[node]; }
  /// The node in whose memory a value lies.
  static constexpr int base(int node) { return detail::base_of(plan.values.view(), node); }
  static constexpr const op& kind(int node) { return *graph.data(node).kind; }
  static constexpr dtype dtype_at(int node) { return graph.data(node).spec.dtype; }
  static constexpr const shape& extents(int node) { return plan.shapes.items[value(node).shape]; }
  static constexpr const planned_region& region(int number) { return plan.regions.items[number]; }
  /// Where in the memory of a chunk of a region a value begins, in bytes; -1 where it is not there.
  static constexpr index local_offset(int number, int node) {
    const range_of_pool locals = region(number).locals;
    for (int i = 0; i < locals.count; ++i)
      if (plan.locals.items[locals.first + i].node == base(node)) return plan.locals.items[locals.first + i].offset;
    return -1;
  }
  /// Whether only the run tells an extent of the node.
  static constexpr bool late(int node) {
    for (int a = 0; plan.any_late && a < extents(node).rank; ++a)
      for (int k = 0; k < plan.size.expressions; ++k)
        if (plan.expressions.items[k].symbol == extents(node)[a] && plan.expressions.items[k].after >= 0) return true;
    return false;
  }
  static constexpr int operand(int node, int i) { return graph.inputs_of(node)[static_cast<std::size_t>(i)].node; }
  static constexpr int operand_count(int node) { return static_cast<int>(graph.inputs_of(node).size()); }
};

namespace detail {

template <class Trace, class Inputs = std::make_index_sequence<Trace::graph.inputs().size()>>
struct dense_program;
template <class Trace, std::size_t... K>
struct dense_program<Trace, std::index_sequence<K...>> {
  using type = program<Trace, static_cast<char>(K + 1 > 0)...>;
};

/// A trace whose arguments and first results are column-major where they are marked: there the graph has them with reversed axes.
template <class Trace, class Arguments, class Results>
struct column_major_trace;
template <class Trace, char... A, char... R>
struct column_major_trace<Trace, std::integer_sequence<char, A...>, std::integer_sequence<char, R...>> : Trace {
  struct ordering {
    static constexpr jig::graph run(const graph_view& g, optimizing_progress&) {
      constexpr char arguments[] = {A..., 0}, results[] = {R..., 0};
      return with_column_major(g, {arguments, sizeof...(A)}, {results, sizeof...(R)});
    }
  };
  using passes = as_traced;
  static constexpr const graph_view& graph = graph_behind<running_graph_of<Trace>, ordering>::graph;
  static constexpr bool is_column_major(int argument) {
    constexpr char arguments[] = {A..., 0};
    return arguments[argument] != 0;
  }
};

/// The program of a trace for arguments and results that lie like this. `ColumnMajor`: whether any of them is column-major.
template <class Trace, bool ColumnMajor, class Arguments, class Results, char... Dense>
struct program_of_layouts {
  using type = program<std::conditional_t<ColumnMajor, column_major_trace<Trace, Arguments, Results>, Trace>, Dense...>;
};

}  // namespace detail

/// The program of a trace for arguments that are all dense.
template <class Trace>
using dense_program_of = typename detail::dense_program<Trace>::type;

/// Whether a program has so many steps that calls of functions do not count. In one function, GCC would optimise each of them again on
/// every level of its callers.
template <class P>
inline constexpr bool has_many_steps = P::plan.size.steps > 4;

/// The C++ type of the elements of a node.
template <class P, int Node>
using element_at = type_of<P::dtype_at(Node)>;

/// What one call knows.
template <class P>
struct frame {
  static constexpr int symbols = P::plan.symbols;
  const void* arguments[P::arguments == 0 ? 1 : P::arguments];
  std::array<shape, P::has_strided_arguments ? P::arguments : 0> strides;
  void* results[P::results == 0 ? 1 : P::results];
  void* buffers[P::plan.size.buffers == 0 ? 1 : P::plan.size.buffers];
  index extents[detail::array_bound(symbols)] = {};  // 0 until they are known: cold paths copy whole frames
  struct nothing {};
  [[no_unique_address]] std::conditional_t<P::remembers, detail::call_tape*, nothing> tape{};
  detail::memory_source* memory;  // where its workspaces come from

  /// The number that an extent of the plan has in this call.
  [[gnu::always_inline]] index operator()(index extent) const {
    if constexpr (symbols == 0) return extent;
    else return extent >= 0 ? extent : extents[detail::symbol_number(extent)];
  }
  template <int Node>
  [[gnu::always_inline]] shape shape_of() const {
    return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      return shape{static_cast<int>(sizeof...(A)), {(*this)(P::extents(Node)[A])...}};
    }(std::make_integer_sequence<int, P::extents(Node).rank>());
  }
  template <int Node>
  [[gnu::always_inline]] index size_of() const {
    constexpr index known = P::extents(Node).size();
    if constexpr (known >= 0) return known;
    return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      return (index{1} * ... * (*this)(P::extents(Node)[A]));
    }(std::make_integer_sequence<int, P::extents(Node).rank>());
  }
};

/// Whether what region R was planned for is true in this call.
template <class P, int R>
[[gnu::always_inline]] inline bool guards_hold(const frame<P>& fr) {
  return [&]<int... G>(std::integer_sequence<int, G...>) {
    constexpr const planned_guard* guards = P::plan.guards.items + P::region(R).guards.first;
    return ((fr(guards[G].a) == fr(guards[G].b)) && ...);
  }(std::make_integer_sequence<int, P::region(R).guards.count>());
}

namespace detail {

// Calls F with a copy of a frame that travels part by part: so the frame of a call that seldom comes here need not be in memory.
template <class P, auto F, class A, class R, class S, class E>
struct frame_in_parts;
template <class P, auto F, int... A, int... R, int... S, int... E>
struct frame_in_parts<P, F, std::integer_sequence<int, A...>, std::integer_sequence<int, R...>, std::integer_sequence<int, S...>,
                      std::integer_sequence<int, E...>> {
  template <int, class T>
  using part = T;
  template <class... More>
  [[gnu::noinline]] static void call(memory_source* memory, part<A, const void*>... arguments, part<R, void*>... results,
                                     part<S, void*>... buffers, part<E, index>... extents, More... more) {
    frame<P> fr;
    fr.memory = memory;
    ((fr.arguments[A] = arguments), ...);
    ((fr.results[R] = results), ...);
    ((fr.buffers[S] = buffers), ...);
    ((fr.extents[E] = extents), ...);
    F(fr, more...);
  }
  template <class... More>
  [[gnu::always_inline]] static void split(const frame<P>& fr, More... more) {
    call<More...>(fr.memory, fr.arguments[A]..., fr.results[R]..., fr.buffers[S]..., fr.extents[E]..., more...);
  }
};

template <int N>
using numbers_to = std::make_integer_sequence<int, N>;

// More parameters than this take longer to pass, and to compile, than the frame.
inline constexpr int most_parts = 24;

template <class P, auto F>
[[gnu::always_inline]] inline void call_in_parts(const frame<P>& fr) {
  if constexpr (P::has_strided_arguments || P::arguments + P::results + P::plan.size.buffers + frame<P>::symbols > most_parts)
    F(frame<P>(fr));
  else
    frame_in_parts<P, F, numbers_to<P::arguments>, numbers_to<P::results>, numbers_to<P::plan.size.buffers>,
                   numbers_to<frame<P>::symbols>>::split(fr);
}

// The same with its extents alone, before there is more in it, where F throws.
template <class P, auto F, class... More>
[[noreturn, gnu::always_inline]] inline void throw_with_extents(const frame<P>& fr, More... more) {
  using none = numbers_to<0>;
  frame_in_parts<P, F, none, none, none, numbers_to<frame<P>::symbols>>::split(fr, more...);
  __builtin_unreachable();
}

// The attributes of a node, for rules and kernels. Copies, since a program that refers to its graph contains it, with all its ops.
template <class P, int Node>
struct attributes_of {
  static constexpr int count = P::graph.node(Node).attribute_count();

 private:
  struct sizes {
    std::size_t numbers = 0, characters = 0, words = 0;
  };
  static constexpr sizes size = [] {
    sizes out;
    for (int i = 0; i < count; ++i) {
      const attribute_view a = P::graph.node(Node).attribute(i);
      out.numbers += a.values.size();
      out.characters += a.text.size();
      out.words += a.words.size();
    }
    return out;
  }();
  struct copies {
    index numbers[size.numbers + 1] = {};
    char characters[size.characters + 1] = {};
    std::uint64_t words[size.words + 1] = {};
  };
  static constexpr copies copy = [] {
    copies out;
    sizes at;
    for (int i = 0; i < count; ++i) {
      const attribute_view a = P::graph.node(Node).attribute(i);
      for (index x : a.values) out.numbers[at.numbers++] = x;
      for (char x : a.text) out.characters[at.characters++] = x;
      for (std::uint64_t x : a.words) out.words[at.words++] = x;
    }
    return out;
  }();

 public:
  static constexpr auto list = [] {
    std::array<attribute_view, static_cast<std::size_t>(count) + 1> out{};
    sizes at;
    for (int i = 0; i < count; ++i) {
      attribute_view a = P::graph.node(Node).attribute(i);
      a.values = {copy.numbers + at.numbers, a.values.size()};
      a.text = {copy.characters + at.characters, a.text.size()};
      a.words = {copy.words + at.words, a.words.size()};
      at.numbers += a.values.size();
      at.characters += a.text.size();
      at.words += a.words.size();
      out[static_cast<std::size_t>(i)] = a;
    }
    return out;
  }();
  static constexpr stretch<attribute_view> view() { return {list.data(), static_cast<std::size_t>(count)}; }
};

// Constants of the graph as elements in memory.
template <class P, int Node>
struct constant_memory {
  using T = element_at<P, Node>;
  static constexpr index size = P::extents(Node).size();
  static constexpr auto elements = [] {
    struct {
      alignas(alignment) T at[array_bound(size)]{};
    } out;
    auto words = P::graph.node(Node).attribute("value").words;
    for (index i = 0; i < size; ++i) out.at[i] = from_word<T>(words[static_cast<std::size_t>(i)]);
    return out;
  }();
  static const T* data() { return elements.at; }
};

template <class P, int Node>
  requires(P::dtype_at(Node) == dtype::string)
struct constant_memory<P, Node> {
  static const std::string* data() {
    static const std::vector<std::string> elements = [] {
      std::vector<std::string> out;
      std::string_view text = P::graph.node(Node).attribute("text").text;
      for (auto length : P::graph.node(Node).attribute("value").words) {
        out.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
      }
      return out;
    }();
    return elements.data();
  }
};

}  // namespace detail

}  // namespace jig
