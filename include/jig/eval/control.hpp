// SPDX-License-Identifier: MIT
#pragma once
// Branches and loops. Their bodies are programs of their own, which find their arguments in the memory of the program
// around them and write their results there; all of it is one function.

#include <jig/eval/execute.hpp>
#include <jig/eval/peak_workspace.hpp>
#include <jig/ops/copy.hpp>

namespace jig {

namespace detail {

/// A body of a node, as what a program is made of.
template <class P, int Node, text Key>
struct body_trace {
  static constexpr graph_view graph = P::graph.body(P::graph.node(Node), Key.view());
  static constexpr int inputs = static_cast<int>(graph.inputs().size());
  static constexpr bool is_watched = detail::is_watched<P>;
  /// The node of P that is argument k. A condition in front of the arguments is none.
  static constexpr int operand(int k) { return P::operand(Node, P::operand_count(Node) - inputs + k); }
  static constexpr auto input_shapes = [] {
    std::array<shape, static_cast<std::size_t>(inputs)> out{};
    for (int k = 0; k < inputs; ++k) out[static_cast<std::size_t>(k)] = P::extents(operand(k));
    return out;
  }();
  template <int K>
  static constexpr known_layout input_layout() {
    constexpr known_layout there = layout_of<P, operand(K)>();
    return {there.known, 0, there.strides};
  }
};

/// The program of a body whose first `Carried` arguments are the loop's own, which are dense.
template <class Body, class P, int Carried, class Inputs = std::make_integer_sequence<int, Body::inputs>>
struct body_program;
template <class Body, class P, int Carried, int... K>
struct body_program<Body, P, Carried, std::integer_sequence<int, K...>> {
  using type = program<Body, static_cast<char>(K < Carried || P::value(Body::operand(K)).dense)...>;
};

/// One run, or many, of a body: arguments are bound to what node `Node` reads, from number `Carried` on.
template <class P, int Node, text Key, int Carried>
class bound_body {
  using trace = body_trace<P, Node, Key>;

 public:
  using B = typename body_program<trace, P, Carried>::type;
  frame<B> inner;

  [[gnu::always_inline]] explicit bound_body(const frame<P>& fr) {
    bind(fr, std::make_integer_sequence<int, trace::inputs - Carried>());
    inner.memory = fr.memory;
    if constexpr (B::remembers) inner.tape = fr.tape;
    set_symbols(fr, std::make_integer_sequence<int, B::plan.size.sources>());
  }
  [[gnu::always_inline]] void run() { execute<B>(inner); }

 private:
  template <int... K>
  [[gnu::always_inline]] void bind(const frame<P>& fr, std::integer_sequence<int, K...>) {
    (bind_one<Carried + K>(fr), ...);
  }
  template <int K>
  [[gnu::always_inline]] void bind_one(const frame<P>& fr) {
    constexpr int v = trace::operand(K);
    if constexpr (layout_of<P, v>().known || P::value(v).dense) {
      inner.arguments[K] = first_element<P, v>(fr);
    } else {
      located where = locate<P, v>(fr);
      inner.arguments[K] = static_cast<const element_at<P, v>*>(where.data) + where.offset;
      inner.strides[K] = where.strides;
    }
  }
  template <int... S>
  [[gnu::always_inline]] void set_symbols(const frame<P>& fr, std::integer_sequence<int, S...>) {
    (
        [&] {
          constexpr extent_source s = B::plan.sources.items[S];
          constexpr index outside = P::extents(trace::operand(s.input))[s.axis];
          inner.extents[symbol_number(s.symbol)] = fr(outside);
        }(),
        ...);
  }
};

template <class P, int Node, text Key>
[[gnu::always_inline]] inline void run_branch(const frame<P>& fr) {
  bound_body<P, Node, Key, 0> branch(fr);
  evaluate_extents(branch.inner);
  [&]<int... K>(std::integer_sequence<int, K...>) {
    using B = typename bound_body<P, Node, Key, 0>::B;
    static_assert(!(B::late(B::graph.outputs()[K].node) || ...),
                  "jig: If: a value whose extent only the run of a branch tells cannot leave it");
    ((branch.inner.results[K] = const_cast<void*>(data_of<P, Node + K>(fr))), ...);
  }(std::make_integer_sequence<int, results_of_bodies(P::graph, Node)>());
  branch.run();
}

template <class P, int Node>
[[gnu::always_inline]] inline bool single_bool(const frame<P>& fr) {
  return *first_element<P, Node>(fr);
}

template <class P, int Node>
[[gnu::always_inline]] inline void run_if(const frame<P>& fr) {
  if (single_bool<P, P::operand(Node, 0)>(fr)) run_branch<P, Node, "then_branch">(fr);
  else run_branch<P, Node, "else_branch">(fr);
}

template <class B>
inline constexpr plan_view program_plan = B::plan.view(B::graph);

/// A carried value as a local: node `To` begins as node `From`.
template <class P, int From, int To, bool InPlace>
class local_carried {
  using T = element_at<P, To>;
  static constexpr index n = P::extents(To).size();
  T current_[array_bound(n)], next_[array_bound(InPlace || n == 0 ? 1 : n)];

 public:
  [[gnu::always_inline]] explicit local_carried(const frame<P>& fr) { copy_value<P, From>(fr, current_); }
  [[gnu::always_inline]] const void* current() const { return current_; }
  [[gnu::always_inline]] void* next() { return InPlace ? current_ : next_; }
  [[gnu::always_inline]] void advance() {
    if constexpr (!InPlace)
      for (index i = 0; i < n; ++i) current_[i] = next_[i];
  }
  [[gnu::always_inline]] void finish(const frame<P>& fr) {
    auto* to = static_cast<T*>(const_cast<void*>(data_of<P, To>(fr)));
    for (index i = 0; i < n; ++i) to[i] = current_[i];
  }
};

/// Memory for n elements, which are objects from the start.
template <class T>
class spare_memory {
  index n_;
  workspace memory_;

 public:
  spare_memory(memory_source& source, index n) : n_(n), memory_(source, static_cast<std::size_t>(n) * sizeof(T)) {
    if constexpr (!std::is_trivial_v<T>) std::uninitialized_default_construct_n(data(), n_);
  }
  spare_memory(const spare_memory&) = delete;
  spare_memory& operator=(const spare_memory&) = delete;
  ~spare_memory() {
    if constexpr (!std::is_trivial_v<T>) std::destroy_n(data(), n_);
  }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }
};
struct no_memory {
  no_memory(memory_source&, index) {}
};

/// A carried value in memory: it is in the memory of node `To`, its home, and in spare memory by turns. A dense one is first
/// read where node `From` lies, unless it is small and written in place.
template <class P, int From, int To, bool InPlace>
class stored_carried {
  using T = element_at<P, To>;
  // Compilers keep what they can in registers from trip to trip if it is in one place all the time. Up to 2048 bytes, as much
  // as 32 registers of AVX-512 hold, that is worth a copy; with AVX2 it was too.
  static constexpr index bytes = bytes_of(P::dtype_at(To), P::extents(To));
  static constexpr bool begins_at_home = !P::value(From).dense || (InPlace && bytes >= 0 && bytes <= 2048);
  [[no_unique_address]] std::conditional_t<InPlace, no_memory, spare_memory<T>> spare_;
  T* home_;
  const T* current_;
  T* next_;

 public:
  [[gnu::always_inline]] explicit stored_carried(const frame<P>& fr)
      : spare_(*fr.memory, fr.template size_of<To>()),
        home_(static_cast<T*>(const_cast<void*>(data_of<P, To>(fr)))),
        current_(home_),
        next_(home_) {
    if constexpr (begins_at_home) {
      if (first_element<P, From>(fr) != home_) copy_value<P, From>(fr, home_);
      advance();
    } else {
      current_ = static_cast<const T*>(data_of<P, From>(fr));
      if (current_ == home_) advance();
    }
  }
  [[gnu::always_inline]] const void* current() const { return current_; }
  [[gnu::always_inline]] void* next() { return next_; }
  [[gnu::always_inline]] void advance() {
    current_ = next_;
    if constexpr (!InPlace) next_ = current_ == home_ ? spare_.data() : home_;
  }
  void finish(const frame<P>& fr) {
    if (current_ == home_) return;
    const index n = fr.template size_of<To>();
    for (index i = 0; i < n; ++i) home_[i] = current_[i];
  }
};

template <class P, int From, int To, bool InPlace>
using carried_value = std::conditional_t<is_local_to_loop(P::dtype_at(To), P::extents(To)), local_carried<P, From, To, InPlace>,
                                         stored_carried<P, From, To, InPlace>>;

[[gnu::cold, gnu::noinline]] inline message carried_extents_changed(const shape& before, const shape& after) {
  message m;
  m << "While: the extents of a carried value changed: " << before << " and " << after
    << "; jig::while_loop can change those that jig::shape_invariants leave open";
  return m;
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_carried_extents(const shape& before, const shape& after) {
  throw_invalid_argument(carried_extents_changed(before, after).view());
}

/// A loop in a call: its two bodies and the values that it carries.
template <class P, int Node, class Carried = std::make_integer_sequence<int, results_of_bodies(P::graph, Node)>>
class bound_loop;
template <class P, int Node, int... K>
class bound_loop<P, Node, std::integer_sequence<int, K...>> {
  static constexpr int carried = sizeof...(K);
  using condition_type = bound_body<P, Node, "cond", carried>;
  using body_type = bound_body<P, Node, "body", carried>;
  using B = typename body_type::B;
  template <int I>
  using value = carried_value<P, P::operand(Node, I), Node + I, writes_in_place(program_plan<B>, I, I)>;
  struct all_values : value<K>... {
    [[gnu::always_inline]] explicit all_values(const frame<P>& fr) : value<K>(fr)... {}
    template <int I>
    [[gnu::always_inline]] auto& get() {
      return static_cast<value<I>&>(*this);
    }
  };

  static constexpr const shape& before(int k) { return B::extents(B::graph.inputs()[at(k)]); }
  static constexpr const shape& after(int k) { return B::extents(B::graph.outputs()[at(k)].node); }
  static constexpr bool keeps_extents = ((before(K) == after(K)) && ...);
  static constexpr bool may_keep_extents = [] {
    bool may = true;
    for (int k = 0; k < carried; ++k)
      for (int a = 0; a < before(k).rank; ++a)
        may = may && (before(k)[a] == after(k)[a] || !is_static_extent(before(k)[a]) || !is_static_extent(after(k)[a]));
    return may;
  }();
  static_assert(
      may_keep_extents,
      "jig: While: the extents of a carried value changed; jig::while_loop can change those that jig::shape_invariants leave open");
  static_assert(!(B::late(B::graph.outputs()[at(K)].node) || ...), "jig: While: a value whose extent only a trip tells cannot leave it");

  // What follows from the extents of the arguments is the same in every trip, but must hold only if there is one.
  [[gnu::always_inline]] static void begin_trips(frame<B>& inner) {
    evaluate_extents(inner);
    if constexpr (!keeps_extents) (check_extents<K>(inner), ...);
  }
  template <int I>
  static void check_extents(const frame<B>& inner) {
    constexpr shape before_trip = before(I), after_trip = after(I);
    shape from = before_trip, to = after_trip;
    for (int a = 0; a < from.rank; ++a) {
      from[a] = inner(from[a]);
      to[a] = inner(to[a]);
    }
    if (!(from == to)) [[unlikely]]
      throw_carried_extents(from, to);
  }

 public:
  // Frames and values are objects of their own: in one object, what is stored through the pointers that it has to its own
  // parts would keep all of it in memory.
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    condition_type condition(fr);
    body_type body(fr);
    all_values values(fr);
    bool again = false;
    condition.inner.results[0] = &again;
    evaluate_extents(condition.inner);
    bool begun = false;
    while (true) {
      ((condition.inner.arguments[K] = values.template get<K>().current()), ...);
      condition.run();
      if (!again) break;
      if (!begun) begin_trips(body.inner);
      begun = true;
      ((body.inner.arguments[K] = values.template get<K>().current()), ...);
      ((body.inner.results[K] = values.template get<K>().next()), ...);
      body.run();
      (values.template get<K>().advance(), ...);
    }
    (values.template get<K>().finish(fr), ...);
  }
};

template <class P, int Node>
[[gnu::always_inline]] inline void run_control(const frame<P>& fr) {
  if constexpr (P::graph.node(Node).attribute("cond").key.empty()) run_if<P, Node>(fr);
  else bound_loop<P, Node>::run(fr);
}

}  // namespace detail

}  // namespace jig
