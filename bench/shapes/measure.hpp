// SPDX-License-Identifier: MIT
#pragma once
// The side of a row that calls jig, and the list of all rows.

#include <array>
#include <initializer_list>
#include <jig.hpp>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "loop.hpp"

namespace bench {

/// Sets elements to numbers, the same in every run: floating ones from -1 to 1, integers from -100 to 100 as far as their type goes.
template <class T, jig::index... E>
void fill(jig::tensor<T, E...>& to) {
  static std::mt19937 generator(42);
  std::uniform_real_distribution<double> number(std::is_unsigned_v<T> ? 0 : -1, 1);
  for (T& x : to) {
    if constexpr (std::is_same_v<T, bool>) x = number(generator) > 0.5;
    else if constexpr (std::is_integral_v<T>) x = static_cast<T>(number(generator) * (sizeof(T) == 1 ? 255 : 100));
    else x = static_cast<T>(number(generator));
  }
}

/// A result: zeros. Its wildcard extents are given.
template <class T, jig::index... E>
jig::tensor<T, E...> out(std::initializer_list<jig::index> wildcards = {}) {
  auto next = wildcards.begin();
  jig::shape extents;
  for (jig::index e : std::initializer_list<jig::index>{E...}) extents.push_back(e == jig::dyn ? *next++ : e);
  jig::tensor<T, E...> made(jig::uninitialized, extents);
  for (T& x : made) x = T();
  return made;
}
/// An operand, filled.
template <class T, jig::index... E>
jig::tensor<T, E...> in(std::initializer_list<jig::index> wildcards = {}) {
  auto made = out<T, E...>(wildcards);
  fill(made);
  return made;
}
/// Integers from 0 to below a limit.
template <class T, jig::index... E>
jig::tensor<T, E...> positions(int limit, std::initializer_list<jig::index> wildcards = {}) {
  auto made = out<T, E...>(wildcards);
  std::mt19937 generator(7);
  for (T& x : made) x = static_cast<T>(generator() % static_cast<unsigned>(limit));
  return made;
}

/// The memory of a row and its call.
class measured {
 public:
  measured() = default;
  measured(const measured&) = delete;
  measured& operator=(const measured&) = delete;
  virtual ~measured() = default;
  virtual void run() = 0;
  virtual std::vector<double> result() const = 0;
  virtual void clear() = 0;

  std::string shapes;         // of operands and result, for people
  std::vector<void*> memory;  // of the operands and the result
  long n = 0;                 // first extent of the first operand
  bool exact = false;         // the result is one of integers
};

template <class T, jig::index... E>
std::string shape_text(const jig::tensor<T, E...>& x) {
  std::string text = std::is_same_v<T, float>    ? "f32"
                     : std::is_same_v<T, double> ? "f64"
                     : std::is_same_v<T, u8>     ? "u8"
                     : std::is_same_v<T, bool>   ? "bool"
                                                 : "i" + std::to_string(8 * sizeof(T));
  int axis = 0;
  ((text += (axis == 0 ? " " : "x") + std::string(E == jig::dyn ? "dyn:" : "") + std::to_string(x.extent(axis)), ++axis), ...);
  return text;
}

template <int Calls, class F, class Out, class... In>
class measured_call final : public measured {
 public:
  measured_call(Out&& result, In&&... operands) : out_(std::move(result)), in_(std::move(operands)...) {
    std::apply([&](auto&... x) { ((memory.push_back(x.data()), shapes += shape_text(x) + ", "), ...); }, in_);
    memory.push_back(out_.data());
    shapes.resize(shapes.size() - 2);
    shapes += " to " + shape_text(out_);
    if (Calls > 1) shapes += ", " + std::to_string(Calls) + " times";
    const jig::shape first = std::get<0>(in_).shape();
    n = first.rank == 0 ? 1 : first[0];
    exact = std::is_integral_v<typename Out::value_type>;
  }
  void run() override {
    std::apply(
        [&](auto&... x) {
          for (int i = 0; i < Calls; ++i) {
            F().into(out_, x...);
            if constexpr (Calls > 1) barrier();
          }
        },
        in_);
  }
  std::vector<double> result() const override { return std::vector<double>(out_.begin(), out_.end()); }
  void clear() override {
    for (auto& x : out_) x = typename Out::value_type(1);
  }

 private:
  Out out_;
  std::tuple<In...> in_;
};

template <int Calls, class F, class Out, class... In>
std::unique_ptr<measured> make(F, Out result, In... operands) {
  return std::make_unique<measured_call<Calls, F, Out, In...>>(std::move(result), std::move(operands)...);
}

struct row {
  const char* op;
  std::unique_ptr<measured> (*make)();
};
struct contender {
  const char* name;
  const plain_loop* loops;
};
using contenders = std::vector<contender>;

/// All rows, with the loop of each contender.
struct entry {
  row of;
  std::vector<std::pair<std::string, plain_loop>> loops;
};
inline std::vector<entry> entries;

template <class Loops>
struct family {
  family(std::initializer_list<row> list) {
    const contenders others = Loops::list();
    std::size_t i = 0;
    for (const row& r : list) {
      entry e{r, {}};
      for (const contender& c : others) e.loops.emplace_back(c.name, c.loops[i]);
      entries.push_back(std::move(e));
      ++i;
    }
  }
};

}  // namespace bench
