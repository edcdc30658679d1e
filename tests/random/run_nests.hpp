// SPDX-License-Identifier: MIT
#pragma once
// What is done with random loop nests: compiled, on dense or strided memory, with results of their own and on top of arguments, whole
// and in the blocks that threads share, they give what the loops of nests_reference.hpp and others give; or, with RANDOM_TRACED, traced at
// run time; or, with RANDOM_SAVED, written to files and loaded.

#include <jig/eval/parallel_runner.hpp>
#include <jig/nn/cross_entropy.hpp>

#include <random/functions_reference.hpp>
#include <random/layers_reference.hpp>
#include <random/run.hpp>

#ifdef RANDOM_SAVED
#include <jig/io.hpp>

#include <unistd.h>

#include <filesystem>
#include <string>
#endif

#include <array>
#include <memory>
#include <ostream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace random_programs {

template <class T>
constexpr nests::dtype dtype_in_nests = std::is_same_v<T, bool>           ? nests::dtype::boolean
                                        : std::is_same_v<T, std::uint8_t> ? nests::dtype::byte
                                        : std::is_same_v<T, std::int32_t> ? nests::dtype::integer
                                        : std::is_same_v<T, float>        ? nests::dtype::single
                                                                          : nests::dtype::twice;

template <class Tensor>
struct spec_of_tensor;
template <class T, jig::index... E>
struct spec_of_tensor<jig::tensor<T, E...>> {
  using type = jig::spec<T, E...>;
};

/// An argument: the type of its tensor, and its extents.
template <class Tensor, jig::index... E>
struct nest_argument {
  using tensor = Tensor;
  using element = typename Tensor::value_type;

  // Floating ones are eighths up to 2, so that sums and products of a few are exact.
  static Tensor make(std::uint64_t seed) {
    Tensor out(jig::uninitialized, jig::shape{static_cast<int>(sizeof...(E)), {E...}});
    std::uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);
    for (auto& x : out) {
      state = state * 6364136223846793005 + 1442695040888963407;
      const auto n = static_cast<std::int64_t>(state >> 33);
      if constexpr (std::is_same_v<element, bool>) x = n % 3 == 0;
      else if constexpr (std::is_same_v<element, std::uint8_t>) x = static_cast<std::uint8_t>(n % 256);
      else if constexpr (std::is_same_v<element, std::int32_t>) x = static_cast<std::int32_t>(n % 201 - 100);
      else x = static_cast<element>(n % 33 - 16) / 8;
    }
    return out;
  }
};

template <class T>
nests::value value_of(const jig::any_tensor& x) {
  nests::value out{dtype_in_nests<T>, {}, {x.as<T>().begin(), x.as<T>().end()}};
  for (int a = 0; a < x.rank(); ++a) out.shape.push_back(x.shape()[a]);
  return out;
}
inline nests::value value_of(const jig::any_tensor& x) {
  switch (x.dtype()) {
    case jig::dtype::boolean: return value_of<bool>(x);
    case jig::dtype::uint8: return value_of<std::uint8_t>(x);
    case jig::dtype::int32: return value_of<std::int32_t>(x);
    case jig::dtype::float32: return value_of<float>(x);
    default: return value_of<double>(x);
  }
}
template <class T, jig::index... E>
nests::value value_of(const jig::tensor<T, E...>& x) {
  nests::value out{dtype_in_nests<T>, {}, {x.begin(), x.end()}};
  for (int a = 0; a < x.rank(); ++a) out.shape.push_back(x.extent(a));
  return out;
}

// The elements of a tensor with gaps between them, from the last to the first along the first axis.
template <class Tensor>
class spaced_out;
template <class T, jig::index... E>
class spaced_out<jig::tensor<T, E...>> {
 public:
  explicit spaced_out(const jig::shape& extents) : memory_(static_cast<std::size_t>(2 * extents.size() + 1)), extents_(extents) {}
  explicit spaced_out(const jig::tensor<T, E...>& from) : spaced_out(from.shape()) {
    for (jig::index i = 0; i < from.size(); ++i) memory_[place(i)].value = from.data()[i];
  }
  jig::view<T, E...> view() {
    jig::shape strides = jig::detail::row_major_strides(extents_);
    for (int a = 0; a < strides.rank; ++a) strides[a] *= 2;
    const jig::index first = sizeof...(E) == 0 ? 0 : strides[0] * (extents_[0] - 1);
    if constexpr (sizeof...(E) > 0) strides[0] = -strides[0];
    return {&memory_[0].value + first, extents_, strides};
  }
  jig::tensor<T, E...> dense() const {
    jig::tensor<T, E...> out(jig::uninitialized, extents_);
    for (jig::index i = 0; i < out.size(); ++i) out.data()[i] = memory_[place(i)].value;
    return out;
  }

 private:
  // std::vector<bool> has no elements to point to.
  struct cell {
    T value{};
  };
  std::size_t place(jig::index i) const {
    if (sizeof...(E) == 0) return 0;
    const jig::index rows = extents_[0], row = extents_.size() / rows;
    return static_cast<std::size_t>(2 * ((rows - 1 - i / row) * row + i % row));
  }
  std::vector<cell> memory_;
  jig::shape extents_;
};

// The elements of a tensor side by side, with others around them that nobody may write.
template <class Tensor>
class guarded;
template <class T, jig::index... E>
class guarded<jig::tensor<T, E...>> {
 public:
  explicit guarded(const jig::shape& extents)
      : memory_(std::make_unique<T[]>(static_cast<std::size_t>(extents.size() + 2 * guards))), extents_(extents) {
    for (jig::index i = 0; i < guards; ++i) before(i) = behind(i) = T(1);
  }
  jig::view<T, E...> view() { return {&before(guards), extents_, jig::detail::row_major_strides(extents_)}; }
  jig::tensor<T, E...> dense() const {
    jig::tensor<T, E...> out(jig::uninitialized, extents_);
    for (jig::index i = 0; i < out.size(); ++i) out.data()[i] = before(guards + i);
    return out;
  }
  bool is_intact() const {
    for (jig::index i = 0; i < guards; ++i)
      if (before(i) != T(1) || behind(i) != T(1)) return false;
    return true;
  }

 private:
  static constexpr jig::index guards = 1024;
  T& before(jig::index i) const { return memory_[static_cast<std::size_t>(i)]; }
  T& behind(jig::index i) const { return before(guards + extents_.size() + i); }
  std::unique_ptr<T[]> memory_;
  jig::shape extents_;
};

inline bool agrees_with_nest(std::ostream& out, const char* how, int number, const nests::value& given, const nests::value& expected,
                             double tolerance) {
  if (given.shape != expected.shape || given.type != expected.type) {
    out << how << ": result " << number << " has another shape or dtype";
    return false;
  }
  for (std::size_t i = 0; i < given.data.size(); ++i) {
    const double x = given.data[i], y = expected.data[i];
    if (std::abs(x - y) <= tolerance || x == y || (std::isnan(x) && std::isnan(y))) continue;
    out << how << (jig::detail::current_parallel_runner == nullptr ? "" : ", in blocks") << ": element " << i << " of result " << number
        << " is " << x << ", not " << y << ", tolerance " << tolerance;
    return false;
  }
  return true;
}

// How arguments and results lie in memory.
enum class layout { dense, strided_arguments, strided_results };

// One thread that runs blocks in the wrong order.
inline void last_block_first(jig::index blocks, jig::detail::parallel_work run, void* work) {
  while (blocks-- > 0) run(work, blocks);
}
inline constexpr jig::detail::parallel_runner backwards{&last_block_first};

using loops = std::vector<nests::value> (*)(const std::vector<nests::value>&);

#ifdef RANDOM_SAVED

template <class F, layout, class... Argument>
struct nest_check {
  static bool run(std::ostream& out, loops reference, const std::vector<double>& tolerances) {
    const auto given = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::vector<jig::any_tensor>{jig::any_tensor(Argument::make(I))...};
    }(std::index_sequence_for<Argument...>());
    std::vector<nests::value> plain;
    for (const auto& x : given) plain.push_back(value_of(x));
    const auto expected = reference(plain);
    static constexpr auto function = jig::function(F{});
    constexpr auto traced = function.get_concrete_function(typename spec_of_tensor<typename Argument::tensor>::type()...);
    for (const char* ending : {"pb", "onnx"}) {
      const auto file = std::filesystem::temp_directory_path() / ("jig_nest_" + std::to_string(getpid()) + "." + ending);
      bool good = true;
      try {
        jig::save(traced, file);
      } catch (const jig::error& e) {
        // What a format has no word for.
        out << '(' << e.what() << ") ";
        continue;
      }
      try {
        const auto loaded = jig::load(file);
        const auto found = call(loaded, given, std::index_sequence_for<Argument...>());
        for (std::size_t r = 0; good && r < expected.size(); ++r)
          good = agrees_with_nest(out, ending, static_cast<int>(r), value_of(found[r]), expected[r], tolerances[r]);
      } catch (const std::exception& e) {
        out << ending << " throws " << e.what();
        good = false;
      }
      std::filesystem::remove(file);
      if (!good) return false;
    }
    return true;
  }
  template <std::size_t... I>
  static auto call(const jig::loaded_function& f, const std::vector<jig::any_tensor>& given, std::index_sequence<I...>) {
    return f(given[I]...);
  }
};

#elif defined RANDOM_TRACED

template <class F, layout, class... Argument>
struct nest_check {
  static bool run(std::ostream& out, loops reference, const std::vector<double>& tolerances) {
    static const auto traced = jig::dynamic_function(F{});
    for (std::uint64_t round = 0; round < 2; ++round) {
      jig::detail::current_parallel_runner = round == 1 ? &backwards : nullptr;
      std::uint64_t seed = 100 * round;
      const std::array<jig::any_tensor, sizeof...(Argument)> given{jig::any_tensor(Argument::make(seed++))...};
      const auto expected = std::apply([&](const auto&... x) { return reference({value_of(x)...}); }, given);
      std::size_t result = 0;
      const auto same = [&](const auto& found) {
        const std::size_t r = result++;
        return agrees_with_nest(out, "traced", static_cast<int>(r), value_of(found), expected[r], tolerances[r]);
      };
      const auto found = std::apply(traced, given);
      bool good = true;
      if constexpr (jig::is_any_tensor<std::remove_const_t<decltype(found)>>) good = same(found);
      else std::apply([&](const auto&... r) { good = (same(r) && ...); }, found);
      if (!good) return false;
    }
    return true;
  }
};

#else

template <class F, layout Layout, class... Argument>
struct nest_check {
  static constexpr auto function = jig::function(F{});
  template <class X>
  struct listed {
    using type = std::tuple<X>;
  };
  template <class... X>
  struct listed<std::tuple<X...>> {
    using type = std::tuple<X...>;
  };
  using result = decltype(function(std::declval<const typename Argument::tensor&>()...));
  using results = typename listed<result>::type;
  static constexpr std::size_t count = std::tuple_size_v<results>;

  static bool run(std::ostream& out, loops reference, const std::vector<double>& tolerances) {
    for (std::uint64_t round = 0; round < 2; ++round) {
      const bool shared = round == 1;
      jig::detail::current_parallel_runner = shared ? &backwards : nullptr;
      auto given = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple(Argument::make(100 * round + I)...);
      }(std::index_sequence_for<Argument...>());
      const auto expected = std::apply([&](const auto&... x) { return reference({value_of(x)...}); }, given);
      const auto same = [&](const char* how, const auto& found) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
          return (agrees_with_nest(out, how, static_cast<int>(I), value_of(std::get<I>(found)), expected[I], tolerances[I]) && ...);
        }(std::make_index_sequence<count>());
      };
      if constexpr (Layout == layout::strided_arguments) {
        auto spaced = std::apply([](const auto&... x) { return std::tuple(spaced_out<typename Argument::tensor>(x)...); }, given);
        if (!std::apply([&](auto&... x) { return same("strided arguments", listed_results(function(x.view()...))); }, spaced)) return false;
      } else if constexpr (Layout == layout::strided_results) {
        if (!strided(same, given, expected)) return false;
      } else {
        if (!std::apply([&](const auto&... x) { return same("dense", listed_results(function(x...))); }, given)) return false;
        if (!on_top(same, given, expected) || !within_guards(out, same, given, expected)) return false;
      }
    }
    return true;
  }

 private:
  static results listed_results(result&& r) {
    if constexpr (std::is_same_v<result, results>) return std::move(r);
    else return results(std::move(r));
  }
  static jig::shape extents(const nests::value& of) {
    jig::shape out;
    for (jig::index e : of.shape) out.push_back(e);
    return out;
  }
  static void into(auto& targets, const auto& given) {
    std::apply(
        [&](const auto&... x) {
          if constexpr (std::is_same_v<result, results>) function.into(targets, x...);
          else function.into(std::get<0>(targets), x...);
        },
        given);
  }
  template <class Same>
  static bool strided(const Same& same, const auto& given, const std::vector<nests::value>& expected) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<spaced_out<std::tuple_element_t<I, results>>...> spaced{
          spaced_out<std::tuple_element_t<I, results>>(extents(expected[I]))...};
      std::tuple views{std::get<I>(spaced).view()...};
      into(views, given);
      return same("strided results", results(std::get<I>(spaced).dense()...));
    }(std::make_index_sequence<count>());
  }

  template <class Same>
  static bool within_guards(std::ostream& out, const Same& same, const auto& given, const std::vector<nests::value>& expected) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<guarded<std::tuple_element_t<I, results>>...> memory{guarded<std::tuple_element_t<I, results>>(extents(expected[I]))...};
      std::tuple views{std::get<I>(memory).view()...};
      into(views, given);
      if (!(std::get<I>(memory).is_intact() && ...)) {
        out << "writes beside its results";
        return false;
      }
      return same("results among others", results(std::get<I>(memory).dense()...));
    }(std::make_index_sequence<count>());
  }

  // For each result an argument of its type that no result before it took, or -1.
  template <class Result>
  static constexpr std::array<bool, sizeof...(Argument)> fits{std::is_same_v<Result, typename Argument::tensor>...};
  static constexpr auto arguments_for_results = []<std::size_t... I>(std::index_sequence<I...>) {
    const std::array<bool, sizeof...(Argument)> fit[] = {fits<std::tuple_element_t<I, results>>...};
    std::array<int, count> out{};
    std::array<bool, sizeof...(Argument)> taken{};
    for (std::size_t r = 0; r < count; ++r) {
      out[r] = -1;
      for (std::size_t a = 0; a < taken.size() && out[r] < 0; ++a)
        if (fit[r][a] && !taken[a]) out[r] = static_cast<int>(a), taken[a] = true;
    }
    return out;
  }(std::make_index_sequence<count>());
  // Results lie on arguments, where there are such of the same type and extents.
  template <class Same>
  static bool on_top(const Same& same, const auto& given, const std::vector<nests::value>& expected) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto copies = given;
      results own{std::tuple_element_t<I, results>(jig::uninitialized, extents(expected[I]))...};
      const auto target = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) -> auto& {
        if constexpr (arguments_for_results[K] >= 0) return std::get<static_cast<std::size_t>(arguments_for_results[K])>(copies);
        else return std::get<K>(own);
      };
      if (((arguments_for_results[I] >= 0 && target(std::integral_constant<std::size_t, I>()).shape() != extents(expected[I])) || ...))
        return true;
      auto targets = std::tie(target(std::integral_constant<std::size_t, I>())...);
      into(targets, copies);
      return same("on top of arguments", targets);
    }(std::make_index_sequence<count>());
  }
};

#endif

}  // namespace random_programs
