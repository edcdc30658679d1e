// SPDX-License-Identifier: MIT
#pragma once
// One call: arguments become pointers and extents of a frame, results are made or checked, the program runs.

#include <jig/eval/call_layouts.hpp>
#include <jig/eval/write_beside.hpp>
#include <jig/graph/failing_line.hpp>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_misfit(std::string_view declaration, std::string_view role,
                                                                const tensor_spec& expected, const tensor_spec& given, const shape& known,
                                                                std::string_view more = "") {
  message m;
  m << function_name(declaration) << ": " << role << ": expected ";
  describe_key(m, expected);
  m << ", given ";
  describe_key(m, given);
  for (int a = 0; a < known.rank; ++a) {
    if (!is_named_extent(expected.shape[a])) continue;
    append_extent(m << " with ", expected.shape[a]) << " = " << known[a];
  }
  m << more;
  throw_invalid_argument(m.view());
}

// Whether source K is the first with its symbol, which it then sets; the others are compared with it.
template <class P, int K>
constexpr bool is_first_source() {
  for (int i = 0; i < K; ++i)
    if (P::plan.sources.items[i].symbol == P::plan.sources.items[K].symbol) return false;
  return true;
}

template <class P, std::size_t K>
inline constexpr int result_node = P::graph.outputs()[K].node;

template <class P, std::size_t K>
using result_tensor = typed<tensor, node_spec<P, result_node<P, K>>>;

// The lines of a program's ops that may throw because of their values. Nothing else of the graph: a program that referred to it would
// contain the ops, and with them their gradients.
template <class P>
inline constexpr auto lines_of_program = [] {
  constexpr auto count = static_cast<std::size_t>(checked_lines(P::graph).size());
  std::array<op_line, count> out{};
  const list<op_line> lines = checked_lines(P::graph);
  for (std::size_t k = 0; k < count; ++k) out[k] = lines[static_cast<int>(k)];
  return out;
}();

/// The frame of one call: arguments are bound and checked, all extents are known. `Outs` are what it writes into, if anything. `Assumed`
/// tells how the arguments lie whose types do not say it.
template <class Trace, text Name, class Specs, class Leaves, class Outs = objects<>, memory_layout Assumed = memory_layout::strided>
class bound_call;
template <class Trace, text Name, class... Spec, class... X, class... Result, memory_layout Assumed>
class bound_call<Trace, Name, std::tuple<Spec...>, objects<X...>, objects<Result...>, Assumed>
    : public call_layouts<Trace, objects<X...>, objects<Result...>, Assumed> {
  using layouts = call_layouts<Trace, objects<X...>, objects<Result...>, Assumed>;
  template <std::size_t K>
  static constexpr bool is_column_major = layouts::template is_column_major<K>;
  template <std::size_t K>
  static constexpr bool is_column_major_out = layouts::template is_column_major_result<K>;

 public:
  using layouts::updates, layouts::varies;
  using P = typename layouts::program;

  [[gnu::always_inline]] explicit bound_call(objects<X...>& leaves, memory_source& memory) {
    frame_.memory = &memory;
    bind(leaves, std::index_sequence_for<X...>());
  }

  /// Whether two of the variables may be one, of which at least one is assigned: two graph values cannot be one object.
  static constexpr bool may_alias = [] {
    if constexpr (updates > 0) return Trace::may_alias();
    else return false;
  }();
  static bool aliased(objects<X...>& leaves) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      const void* variables[sizeof...(X)];
      const void** end = variables;
      ((is_variable<std::remove_cvref_t<X>> ? void(*end++ = static_cast<const void*>(&detail::object_at<K>(leaves))) : void()), ...);
      return any_twice(variables, end);
    }(std::index_sequence_for<X...>());
  }
  /// Graph values that may be one object are told apart by running op by op, which gradients rule out.
  static void refuse_aliases(objects<X...>& leaves) {
    if (!aliased(leaves)) return;
    message m;
    m << function_name(Name.view()) << ": a variable is passed twice to a function that takes gradients and assigns it";
    throw_invalid_argument(m.view());
  }
  /// What the lambda returns when it runs op by op, as the results of the program.
  template <class... A>
  [[gnu::cold, gnu::noinline]] static auto run_eagerly(A&... arguments) {
    if constexpr (Trace::results == 0) {
      eager_run<typename Trace::lambda>(arguments...);
      return std::tuple<>();
    } else {
      auto returned = eager_run<typename Trace::lambda>(arguments...);
      auto parts = all_leaves_of(returned);
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple<result_tensor<P, K>...>{stored_as<result_tensor<P, K>>(std::get<K>(parts))...};
      }(result_numbers());
    }
  }

  [[gnu::always_inline]] auto run(objects<X...>& leaves) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      std::tuple<result_tensor<P, K>...> results{result_tensor<P, K>(uninitialized, frame_.template shape_of<result_node<P, K>>())...};
      ((frame_.results[K] = std::get<K>(results).data()), ...);
      run_program(leaves, update_numbers());
      if constexpr ((is_renamed<std::remove_cvref_t<X>> || ...)) memory_changes_type();
      (shrink<K>(std::get<K>(results)), ...);
      return results;
    }(result_numbers());
  }

  template <class... Out>
  [[gnu::always_inline]] void run_into(objects<X...>& leaves, objects<Out...>& outs) {
    constexpr bool counted = sizeof...(Out) == Trace::results;
    constexpr bool known = (Argument<Out> && ...);
    static_assert(counted, "jig: into needs one object for each result");
    static_assert(known, "jig: into writes into tensors, views, containers, numbers and structures of these");
    if constexpr (counted && known) into(leaves, outs, result_numbers());
  }

  /// As run_into, with results that are there already.
  template <class Results, class... Out>
  void copy_into(Results& results, objects<Out...>& outs) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      std::tuple views{argument<std::remove_cvref_t<Out>>::bind(detail::object_at<K>(outs))...};
      ((std::get<K>(views).shape() == as_seen<K>(std::get<K>(results).shape())
            ? void()
            : result_misfit<K>(as_seen<K>(std::get<K>(results).shape()), std::get<K>(views).shape())),
       ...);
      ((frame_.results[K] = std::get<K>(results).data()), ...);
      (copy_result<K>(std::get<K>(views)), ...);
    }(std::index_sequence_for<Out...>());
  }

 private:
  // The axis of argument K that is this one in the program.
  template <std::size_t K, class V>
  static constexpr int axis_seen(int axis) {
    return is_column_major<K> ? V::rank() - 1 - axis : axis;
  }
  // The shape of result K as the caller sees it.
  template <std::size_t K>
  static constexpr shape as_seen(const shape& s) {
    if constexpr (is_column_major_out<K>) return reversed(s);
    else return s;
  }

  using result_numbers = std::make_index_sequence<static_cast<std::size_t>(Trace::results)>;
  using update_numbers = std::make_index_sequence<static_cast<std::size_t>(updates)>;

  // The argument whose new value is result number Trace::results + u.
  static constexpr std::size_t updated_argument(std::size_t u) {
    std::size_t i = 0;
    while (Trace::update_of(i) != Trace::results + static_cast<int>(u)) ++i;
    return i;
  }
  template <std::size_t U>
  using update_at = update<P, static_cast<int>(updated_argument(U)), Trace::results + static_cast<int>(U),
                           std::remove_reference_t<std::tuple_element_t<updated_argument(U), std::tuple<X...>>>>;

  [[gnu::always_inline]] void execute_at_lines() {
    if constexpr (lines_of_program<P>.empty()) execute<P>(frame_);
    else run_at_lines([]() -> const auto& { return lines_of_program<P>; }, [this]() __attribute__((always_inline)) { execute<P>(frame_); });
  }
  template <std::size_t... U>
  [[gnu::always_inline]] void run_program(objects<X...>& leaves, std::index_sequence<U...>) {
    if constexpr (sizeof...(U) == 0) {
      execute_at_lines();
    } else {
      objects<update_at<U>...> pending{{{update_at<U>(detail::object_at<updated_argument(U)>(leaves))}...}};
      const auto lying = ranges();
      const bool apart[] = {update_is_apart<U>(detail::object_at<updated_argument(U)>(leaves), lying)...};
      std::size_t offset[] = {(update_at<U>::in_place && apart[U] ? 0 : update_at<U>::bytes(frame_))...};
      std::size_t total = 0;
      for (auto& o : offset) total += std::exchange(o, total);
      auto run = [&](char* memory) {
        ((frame_.results[static_cast<std::size_t>(Trace::results) + U] =
              detail::object_at<U>(pending).begin(frame_, memory + offset[U], apart[U])),
         ...);
        execute_at_lines();
        (detail::object_at<U>(pending).prepare(), ...);
        (detail::object_at<U>(pending).commit(), ...);
      };
      // Most often there is none.
      alignas(alignment) char none[1];
      if (total == 0) {
        run(none);
      } else {
        workspace memory(*frame_.memory, total);
        run(memory.data());
      }
    }
  }
  // Where all arguments lie, if that is asked for tables of them.
  [[gnu::always_inline]] auto ranges() const {
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      if constexpr (has_many_pairs<P>) return std::array<memory_range, sizeof...(X)>{argument_range<P, J>(frame_)...};
      else return std::tuple<>();
    }(std::index_sequence_for<X...>());
  }
  // What result K asks of all arguments. An update may lie where its variable does.
  template <std::size_t K, std::size_t... J>
  static constexpr std::array<overlap_rule, sizeof...(X)> rules_of(std::index_sequence<J...>) {
    constexpr bool updated = K >= static_cast<std::size_t>(Trace::results);
    return {(updated && Trace::update_of(J) == static_cast<int>(K) ? overlap_rule::anywhere
                                                                   : overlap_rule_of<P, result_node<P, K>, J>(Trace::update_of(J) < 0))...};
  }
  template <std::size_t K>
  static constexpr auto rules = rules_of<K>(std::index_sequence_for<X...>());

  // Whether no other argument lies in the variable's memory.
  template <std::size_t U, class V, class Ranges>
  [[gnu::always_inline]] bool update_is_apart(V& variable, const Ranges& lying) {
    if constexpr (!update_at<U>::in_place) {
      return false;
    } else {
      auto& elements = variable_access::tensor_of(variable);
      auto* first = reinterpret_cast<const char*>(elements.data());
      auto* last = first + elements.size() * static_cast<index>(sizeof(*elements.data()));
      constexpr std::size_t result = static_cast<std::size_t>(Trace::results) + U;
      if constexpr (has_many_pairs<P>) return lies_beside(lying.data(), rules<result>.data(), sizeof...(X), {first, last});
      else
        return [&]<std::size_t... J>(std::index_sequence<J...>) {
          return ((J == updated_argument(U) || apart<result, J>(first, last)) && ...);
        }(std::index_sequence_for<X...>());
    }
  }

  template <std::size_t... K>
  [[gnu::always_inline]] void bind(objects<X...>& leaves, std::index_sequence<K...>) {
    (bind_one<K, Spec>(detail::object_at<K>(leaves)), ...);
    if constexpr (!varies) evaluate_extents(frame_);
  }
  template <std::size_t K, class S, class A>
  [[gnu::always_inline]] void bind_one(const A& x) {
    using kind = argument<std::remove_cvref_t<A>>;
    auto seen = kind::bind(x);
    constexpr tensor_spec expected = S::value(), given = kind::spec_type::value();
    // Types that tell all extents have been compared.
    if constexpr (!given.shape.is_static()) {
      const bool same = [&]<int... Axis>(std::integer_sequence<int, Axis...>) __attribute__((always_inline)) {
        return (
            (!is_static_extent(expected.shape[Axis]) || is_static_extent(given.shape[Axis]) || seen.extent(Axis) == expected.shape[Axis]) &&
            ...);
      }(std::make_integer_sequence<int, expected.shape.rank>());
      if (!same) [[unlikely]]
        throw_with_extents<P, &misfit<K, S>>(frame_, tensor_spec{given.dtype, seen.shape()});
    }
    frame_.arguments[K] = seen.data();
    if constexpr (!layouts::template is_dense<A>) frame_.strides[K] = seen.strides();
    if constexpr (!expected.shape.is_static()) set_symbols<K, S>(seen, std::make_integer_sequence<int, P::plan.size.sources>());
  }
  template <std::size_t K, class S, class V, int... Source>
  [[gnu::always_inline]] void set_symbols(const V& seen, std::integer_sequence<int, Source...>) {
    (
        [&] {
          constexpr extent_source s = P::plan.sources.items[Source];
          if constexpr (s.input == static_cast<int>(K)) {
            index& known = frame_.extents[symbol_number(s.symbol)];
            constexpr int axis = axis_seen<K, V>(s.axis);
            if constexpr (is_first_source<P, Source>()) known = seen.extent(axis);
            else if (known != seen.extent(axis)) [[unlikely]]
              throw_with_extents<P, &misfit<K, S>>(frame_, tensor_spec{S::value().dtype, seen.shape()});
          }
        }(),
        ...);
  }
  // A copy: what refers to the graph at run time keeps rules and gradients of all its ops in the program.
  template <int Node>
  static constexpr auto name_of_argument = [] {
    std::array<char, P::graph.node(Node).attribute("name").text.size() + 1> out{};
    std::size_t n = 0;
    for (char c : P::graph.node(Node).attribute("name").text) out[n++] = c;
    return out;
  }();
  template <std::size_t K, class S>
  [[gnu::cold]] static void misfit(const frame<P>& fr, tensor_spec given) {
    constexpr tensor_spec expected = S::value();
    constexpr int v = P::graph.inputs()[K];
    message role;
    role << "argument " << name_of_argument<v>.data();
    // What named extents are by now, as far as arguments before this one told.
    shape known = is_column_major<K> ? reversed(P::extents(v)) : P::extents(v);
    for (int a = 0; a < known.rank; ++a) {
      bool told = false;
      for (int i = 0; i < P::plan.size.sources; ++i)
        told = told || (P::plan.sources.items[i].symbol == known[a] && P::plan.sources.items[i].input < static_cast<int>(K));
      known[a] = told || is_static_extent(known[a]) ? fr(known[a]) : given.shape[a];
    }
    throw_misfit(Name.view(), role.view(), expected, given, known);
  }

  template <class... Out, std::size_t... K>
  [[gnu::always_inline]] void into(objects<X...>& leaves, objects<Out...>& outs, std::index_sequence<K...>) {
    static_assert((writable<Out> && ...), "jig: into cannot write const elements");
    constexpr bool fits = (writable<Out> && ...) && (check_fit<Name, -1, spec_at<K>, spec_of_argument<Out>>() && ...);
    if constexpr (fits && (P::late(result_node<P, K>) || ...)) {
      auto results = run(leaves);
      (take_extents<K>(detail::object_at<K>(outs)), ...);
      copy_into(results, outs);
    } else if constexpr (fits) {
      std::tuple views{argument<std::remove_cvref_t<Out>>::bind(detail::object_at<K>(outs))...};
      (check_result<K, Out>(std::get<K>(views)), ...);
      bool direct = (writes_directly<K>(std::get<K>(views), out_lies_dense<K, Out>(std::get<K>(views))) && ...);
      if (direct) [[likely]] {
        ((frame_.results[K] = std::get<K>(views).data()), ...);
        run_program(leaves, update_numbers());
      } else {
        into_aside<K...>(leaves, outs, frame_.memory);
      }
      if constexpr ((is_renamed<std::remove_cvref_t<X>> || ...) || (is_renamed<std::remove_cvref_t<Out>> || ...)) memory_changes_type();
    }
  }
  // Whether result K can be written while the arguments are still being read.
  template <std::size_t K, class V>
  [[gnu::always_inline]] bool writes_directly(const V& out, bool dense) {
    if (!dense) return false;
    if constexpr (updates == 0 && reads_all_first<P>) return true;
    auto* first = reinterpret_cast<const char*>(out.data());
    auto* last = first + out.size() * static_cast<index>(sizeof(typename V::value_type));
    if constexpr (has_many_pairs<P>) return lies_beside(ranges().data(), rules<K>.data(), sizeof...(X), {first, last});
    else
      return
          [&]<std::size_t... J>(std::index_sequence<J...>) { return (apart<K, J>(first, last) && ...); }(std::index_sequence_for<X...>());
  }
  template <std::size_t K, std::size_t J>
  [[gnu::always_inline]] bool apart(const char* first, const char* last) {
    return may_write_beside<P, result_node<P, K>, J, (Trace::update_of(J) < 0)>(frame_, first, last);
  }

  template <std::size_t K, class T>
  [[gnu::always_inline]] void shrink(T& result) {
    if constexpr (P::late(result_node<P, K>)) result.shrink(frame_.template shape_of<result_node<P, K>>());
  }
  // A tensor that has a wildcard takes the extents that only the run told.
  template <std::size_t K, class Out>
  void take_extents(Out& out) {
    if constexpr (P::late(result_node<P, K>) && is_tensor<Out>)
      if constexpr (!Out::spec_type::value().shape.is_static()) {
        const shape extents = frame_.template shape_of<result_node<P, K>>();
        if (!(out.shape() == extents)) out = Out(uninitialized, extents);
      }
  }
  template <class Out>
  static constexpr bool writable =
      !std::is_const_v<std::remove_pointer_t<decltype(argument<std::remove_cvref_t<Out>>::bind(std::declval<Out&>()).data())>>;
  template <std::size_t K>
  struct result_spec {
    static constexpr tensor_spec given = node_spec<P, result_node<P, K>>::value;
    static constexpr tensor_spec value = {given.dtype, as_seen<K>(given.shape)};
  };
  template <std::size_t K>
  using spec_at = typed<spec, result_spec<K>>;
  // Whether the elements of a result lie as the program writes them.
  template <std::size_t K, class Out, class V>
  [[gnu::always_inline]] static bool out_lies_dense(const V& out) {
    constexpr memory_layout known = argument_layout<Out>;
    if constexpr (known != memory_layout::strided) return (known == memory_layout::column_major) == is_column_major_out<K>;
    else if constexpr (is_column_major_out<K>) return lies_column_major(out);
    else return lies_dense(out);
  }

  template <std::size_t K, class Out, class V>
  [[gnu::always_inline]] void check_result(const V& out) {
    constexpr shape expected = as_seen<K>(P::extents(result_node<P, K>));
    if constexpr (expected.is_static() && spec_of_argument<Out>::value().shape.is_static()) return;
    const bool same = [&]<int... Axis>(std::integer_sequence<int, Axis...>) __attribute__((always_inline)) {
      return ((out.extent(Axis) == frame_(expected[Axis])) && ...);
    }(std::make_integer_sequence<int, expected.rank>());
    if (!same) [[unlikely]]
      result_misfit<K>(as_seen<K>(frame_.template shape_of<result_node<P, K>>()), out.shape());
  }
  template <std::size_t K>
  [[noreturn]] static void result_misfit(const shape& expected, const shape& given) {
    constexpr dtype element = P::dtype_at(result_node<P, K>);
    throw_misfit(Name.view(), "result", {element, expected}, {element, given}, {}, "; into resizes nothing");
  }

  // Binds again what the fast path has in registers.
  template <std::size_t... K, class... Out>
  [[gnu::noinline, gnu::cold]] static void into_aside(objects<X...> leaves, objects<Out...> outs, memory_source* memory) {
    bound_call again(leaves, *memory);
    std::tuple views{argument<std::remove_cvref_t<Out>>::bind(detail::object_at<K>(outs))...};
    again.template into_copies<K...>(leaves, views);
  }
  // The results go to memory of their own first. Strings are objects and need tensors for that.
  template <std::size_t... K, class... V>
  [[gnu::noinline]] void into_copies(objects<X...>& leaves, std::tuple<V...>& views) {
    if constexpr ((std::is_same_v<element_at<P, result_node<P, K>>, std::string> || ...)) {
      std::tuple results{result_tensor<P, K>(uninitialized, frame_.template shape_of<result_node<P, K>>())...};
      ((frame_.results[K] = std::get<K>(results).data()), ...);
      run_program(leaves, update_numbers());
      (copy_result<K>(std::get<K>(views)), ...);
    } else {
      std::size_t offset[] = {aligned_size(static_cast<std::size_t>(std::get<K>(views).size()) * sizeof(typename V::value_type))..., 0};
      std::size_t total = 0;
      for (auto& o : offset) total += std::exchange(o, total);
      workspace memory(*frame_.memory, total);
      ((frame_.results[K] = memory.data() + offset[K]), ...);
      run_program(leaves, update_numbers());
      (copy_result<K>(std::get<K>(views)), ...);
    }
  }
  template <std::size_t K, class To>
  void copy_result(const To& to) {
    using T = typename To::value_type;
    const shape extents = to.shape();
    const shape strides = is_column_major_out<K> ? column_major_strides(extents) : row_major_strides(extents);
    copy_strided(to.data(), to.strides(), static_cast<const T*>(frame_.results[K]), strides, extents);
  }

  frame<P> frame_;
};

}  // namespace detail

}  // namespace jig
