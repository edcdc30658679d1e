// SPDX-License-Identifier: MIT
#pragma once
// Loops over ranges and rows. With traced bounds a body runs once and becomes part of the graph; otherwise these are ordinary
// loops.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/effect.hpp>
#include <jig/ops/gather.hpp>
#include <jig/trace/region.hpp>
#include <jig/trace/variable.hpp>
#include <jig/trace/weak_value.hpp>

namespace jig {

namespace detail {

struct loop_end {};

/// A range whose bounds are traced: its body is recorded once, with a counter of type Counter.
template <class Counter>
class traced_range {
 public:
  constexpr traced_range(builder* b, edge first, edge last, edge step, int step_sign)
      : b_(b), first_(first), last_(last), step_(step), step_sign_(step_sign) {}

  class iterator {
   public:
    constexpr explicit iterator(const traced_range& r) : range_(r) {}
    constexpr ~iterator() {
      if (region_.is_open()) region_.end(event_kind::leave);
    }
    constexpr bool operator!=(loop_end) {
      if (region_.is_open()) return region_.end_trip();
      trace_event e = range_.b_->begin_event(event_kind::loop);
      e.first = range_.first_;
      e.last = range_.last_;
      e.step = range_.step_;
      e.step_sign = range_.step_sign_;
      region_.begin_loop(range_.b_, e, true);
      return region_.runs_trip();
    }
    constexpr void operator++() {}
    constexpr Counter operator*() const { return {recorder(), counter()}; }
    constexpr builder* recorder() const { return range_.b_; }
    constexpr edge counter() const { return region_.begin().counter; }

   private:
    const traced_range& range_;
    open_region region_;
  };
  constexpr iterator begin() const { return iterator(*this); }
  constexpr loop_end end() const { return {}; }

 private:
  builder* b_;
  edge first_, last_, step_;
  int step_sign_;
};

// The number behind `at`, one of those before `last`: no further than that.
template <class T>
constexpr T next_number(T at, T last, T step) {
  if constexpr (std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    const auto left =
        static_cast<word>(step > 0 ? static_cast<word>(last) - static_cast<word>(at) : static_cast<word>(at) - static_cast<word>(last));
    const auto by = static_cast<word>(step > 0 ? static_cast<word>(step) : word{} - static_cast<word>(step));
    if (left <= by) return last;
  }
  return static_cast<T>(at + step);
}

/// A range of numbers, which a loop sees as numbers or, where a bound was a tensor, as tensors.
template <class T, class Seen>
class counted_range {
 public:
  constexpr counted_range(T first, T last, T step) : first_(first), last_(last), step_(step) {
    if (step == 0) throw_invalid_argument("range: the step must not be 0");
  }
  class iterator {
   public:
    constexpr explicit iterator(const counted_range& r) : range_(r), at_(r.first_) {}
    constexpr bool operator!=(loop_end) const { return range_.step_ > T(0) ? at_ < range_.last_ : at_ > range_.last_; }
    constexpr void operator++() { at_ = next_number(at_, range_.last_, range_.step_); }
    constexpr Seen operator*() const { return Seen(at_); }

   private:
    const counted_range& range_;
    T at_;
  };
  constexpr iterator begin() const { return iterator(*this); }
  constexpr loop_end end() const { return {}; }

 private:
  T first_, last_, step_;
};

/// A range with a bound that was read from a variable: of a trace, or else one of numbers.
template <class Seen, class Traced>
class dual_range {
  using T = typename Seen::value_type;

 public:
  constexpr explicit dual_range(const traced_range<Traced>& traced) : traced_(traced), counted_(0, 0, 1), is_traced_(true) {}
  constexpr explicit dual_range(const counted_range<T, T>& counted)
      : traced_(nullptr, {}, {}, {}, 0), counted_(counted), is_traced_(false) {}
  class iterator {
   public:
    constexpr explicit iterator(const dual_range& r) : traced_(r.traced_), counted_(r.counted_), is_traced_(r.is_traced_) {}
    constexpr bool operator!=(loop_end end) { return is_traced_ ? traced_ != end : counted_ != end; }
    constexpr void operator++() {
      if (!is_traced_) ++counted_;
    }
    constexpr Seen operator*() const {
      if (is_traced_) return {traced_.recorder(), traced_.counter()};
      return dual_number<Seen>(*counted_);
    }

   private:
    typename traced_range<Traced>::iterator traced_;
    typename counted_range<T, T>::iterator counted_;
    bool is_traced_;
  };
  constexpr iterator begin() const { return iterator(*this); }
  constexpr loop_end end() const { return {}; }

 private:
  traced_range<Traced> traced_;
  counted_range<T, T> counted_;
  bool is_traced_;
};

template <class X>
constexpr int sign_of(const X& x) {
  if constexpr (world_of<X> == world::literal) {
    auto v = number_of(x);
    return v > 0 ? 1 : v < 0 ? -1 : 0;
  } else {
    return 0;
  }
}

inline constexpr op range_op{.name = "Range", .label = "range", .facts = fact::none, .rule = elementwise_rule<numbers>};

inline constexpr text range_refusal = "range: the bounds and the step must be scalars of one number dtype";
template <class First, class Last, class Step>
struct range_reason {
  static constexpr text sentence = range_refusal;
};

template <class X>
inline constexpr bool is_range_bound = [] {
  if constexpr (world_of<X> == world::literal) return true;
  else return operand_spec<X>::type::value().shape.rank == 0;
}();

template <class T, class Counter, class First, class Last, class Step>
constexpr auto make_traced_range(const First& first, const Last& last, const Step& step) {
  builder* b = builder_of(first, last, step);
  if (world_of<Step> == world::literal && sign_of(step) == 0) throw_invalid_argument("range: the step must not be 0");
  return traced_range<Counter>(b, place_of<spec<T>>(b, first), place_of<spec<T>>(b, last), place_of<spec<T>>(b, step), sign_of(step));
}

// Defined in runtime/dynamic_control.hpp.
template <class First, class Last, class Step>
auto make_dynamic_range(const First& first, const Last& last, const Step& step);

// Whether a loop over a range of these is recorded: an eager run, which knows the numbers, makes its trips.
template <class... X>
bool records(const X&... x) {
  return in_trace(x...) && builder_of(x...)->computed == nullptr;
}
template <class T, class X>
T number_now(const X& x) {
  if constexpr (world_of<X> == world::dual)
    if (x.is_traced()) return static_cast<T>(*static_cast<const typename X::value_type*>(x.builder()->computed->value(x.place()).data));
  return static_cast<T>(number_of(x));
}

template <class First, class Last, class Step>
constexpr auto make_range(const First& first, const Last& last, const Step& step) {
  using read = operands<range_op, First, Last, Step>;
  if constexpr (is_refused<First> || is_refused<Last> || is_refused<Step>) {
    return first_refused(first, last, step);
  } else if constexpr (is_dynamic<First, Last, Step>) {
    return make_dynamic_range(first, last, step);
  } else if constexpr (!read::literals_join || !(is_range_bound<First> && is_range_bound<Last> && is_range_bound<Step>)) {
    return refuse<range_reason<First, Last, Step>>();
  } else if constexpr (!inferred<range_op, attributes<>, typename read::specs>::accepted) {
    return refuse<range_reason<First, Last, Step>>();
  } else {
    using T = typename read::element;
    constexpr bool traced = world_of<First> == world::traced || world_of<Last> == world::traced || world_of<Step> == world::traced;
    constexpr bool eager = world_of<First> == world::eager || world_of<Last> == world::eager || world_of<Step> == world::eager;
    constexpr bool dual = world_of<First> == world::dual || world_of<Last> == world::dual || world_of<Step> == world::dual;
    using counter = std::conditional_t<read::only_weak, weak_symbol<T>, symbol<T>>;
    if constexpr (traced) {
      return make_traced_range<T, counter>(first, last, step);
    } else if constexpr (dual) {
      constexpr bool may_be_traced = may_be_in_trace<First, Last, Step>;
      using value = std::conditional_t<may_be_traced, variable_value<T>, eager_value<T>>;
      using range = dual_range<std::conditional_t<read::only_weak, weak_value<T>, value>, counter>;
      if constexpr (may_be_traced)
        if (std::is_constant_evaluated() || records(first, last, step)) return range(make_traced_range<T, counter>(first, last, step));
      return range(counted_range<T, T>(number_now<T>(first), number_now<T>(last), number_now<T>(step)));
    } else {
      return counted_range<T, std::conditional_t<eager, tensor<T>, T>>(static_cast<T>(number_of(first)), static_cast<T>(number_of(last)),
                                                                       static_cast<T>(number_of(step)));
    }
  }
}

// The same where numbers belong to the trace of another value.
template <class First, class Last, class Step, class X>
constexpr auto make_range_beside(const First& first, const Last& last, const Step& step, const X& x) {
  constexpr bool numbers = world_of<First> == world::literal && world_of<Last> == world::literal && world_of<Step> == world::literal;
  if constexpr (numbers && world_of<X> != world::literal) {
    using T = canonical<decltype(number_of(first) + number_of(last) + number_of(step))>;
    return make_range(constant_beside<T>(x, number_of(first)), last, step);
  } else {
    return make_range(first, last, step);
  }
}

}  // namespace detail

/// The numbers from 0 up to last, without it: `for (auto i : jig::range(n))`. With a traced bound the loop becomes one While
/// node; with numbers it runs while the trace is made, and its trips are copies in the graph.
template <Operand Last>
constexpr auto range(const Last& last) {
  return detail::make_range(0, last, 1);
}
/// The numbers from first up to last, without it.
template <Operand First, Operand Last>
constexpr auto range(const First& first, const Last& last) {
  return detail::make_range(first, last, 1);
}
/// The numbers from first by steps up to last, or down to it, without it.
/// Errors: a step of 0 throws invalid_argument; a traced one makes no trip.
template <Operand First, Operand Last, Operand Step>
constexpr auto range(const First& first, const Last& last, const Step& step) {
  return detail::make_range(first, last, step);
}
/// The same where a loop of numbers is to be one While node of the trace that x belongs to, instead of copies of its body:
/// `for (auto i : jig::range(0, 1000, jig::beside(x)))`.
template <Operand Last, Operand X>
constexpr auto range(const Last& last, const anchor<X>& x) {
  return detail::make_range_beside(0, last, 1, x.of);
}
template <Operand First, Operand Last, Operand X>
constexpr auto range(const First& first, const Last& last, const anchor<X>& x) {
  return detail::make_range_beside(first, last, 1, x.of);
}
template <Operand First, Operand Last, Operand Step, Operand X>
constexpr auto range(const First& first, const Last& last, const Step& step, const anchor<X>& x) {
  return detail::make_range_beside(first, last, step, x.of);
}

namespace detail {

template <class X, class Range>
class row_range {
 public:
  constexpr row_range(const X& x, const Range& range) : x_(x), range_(range) {}
  class iterator {
   public:
    constexpr iterator(const X& x, const Range& range) : x_(x), at_(range.begin()) {}
    constexpr bool operator!=(loop_end end) { return at_ != end; }
    constexpr void operator++() { ++at_; }
    constexpr auto operator*() const { return element(x_, *at_); }

   private:
    const X& x_;
    decltype(std::declval<const Range&>().begin()) at_;
  };
  constexpr iterator begin() const { return {x_, range_}; }
  constexpr loop_end end() const { return {}; }

 private:
  X x_;
  Range range_;
};

}  // namespace detail

/// The parts of x along its first axis, one after another: `for (auto row : jig::rows(x))`.
template <Operand X>
constexpr auto rows(const X& x) {
  if constexpr (is_refused<X>) {
    return x;
  } else {
    auto numbers = range(extent<0>(x));
    if constexpr (is_refused<decltype(numbers)>) return numbers;
    else return detail::row_range<X, decltype(numbers)>(x, numbers);
  }
}

}  // namespace jig
