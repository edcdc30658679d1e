// SPDX-License-Identifier: MIT
#pragma once
// Loops over ranges with dynamic bounds.

#include <jig/core/any_view.hpp>
#include <jig/runtime/dynamic_call.hpp>
#include <jig/trace/range.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace jig::detail {

/// The first element of integers, as a word.
inline std::uint64_t integer_at(const any_view& x) {
  return with_type_of(x.dtype, [&]<class T>(const T&) -> std::uint64_t {
    if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(x.at<T>(0));
    else return 0;
  });
}

/// A range with dynamic bounds: its body is recorded once, or runs for every number of an eager run.
template <class Symbol = dynamic_symbol>
class dynamic_range {
  struct known_bounds {
    Symbol first, last, step;
  };

 public:
  dynamic_range(builder* b, const edge (&bounds)[3], int step_sign, typing of_numbers)
      : traced_(b, bounds[0], bounds[1], bounds[2], step_sign), typing_(of_numbers) {
    if (b->computed != nullptr) known_ = {Symbol(b, bounds[0]), Symbol(b, bounds[1]), Symbol(b, bounds[2])};
  }

  class iterator {
   public:
    explicit iterator(const dynamic_range& r) : known_(r.known_), traced_(r.traced_.begin()), typing_(r.typing_) {
      if (known_) at_ = known_->first;
    }
    bool operator!=(loop_end end) {
      if (!known_) return traced_ != end;
      if (call<ops::greater>(known_->step, 0)) return static_cast<bool>(call<ops::less>(*at_, known_->last));
      return call<ops::less>(known_->step, 0) ? static_cast<bool>(call<ops::greater>(*at_, known_->last)) : false;
    }
    void operator++() {
      if (known_) at_ = is_last() ? known_->last : call<ops::add>(*at_, known_->step);
    }
    Symbol operator*() const {
      return known_ ? Symbol(at_->builder(), at_->place(), typing_) : Symbol(traced_.recorder(), traced_.counter(), typing_);
    }

   private:
    // Whether no number is left: for integers the one behind may be beyond those of their dtype.
    bool is_last() const {
      if (!is_integer(at_->dtype())) return false;
      const auto word = [](const Symbol& x) { return integer_at(x.builder()->computed->value(x.place())); };
      const std::uint64_t step = word(known_->step), way = word(known_->last) - word(*at_);
      return is_signed(at_->dtype()) && static_cast<std::int64_t>(step) < 0 ? std::uint64_t{} - way <= std::uint64_t{} - step : way <= step;
    }
    const std::optional<known_bounds>& known_;
    typename traced_range<Symbol>::iterator traced_;
    std::optional<Symbol> at_;
    typing typing_;
  };
  iterator begin() const { return iterator(*this); }
  loop_end end() const { return {}; }

 private:
  traced_range<Symbol> traced_;
  std::optional<known_bounds> known_;
  typing typing_;
};

template <class First, class Last, class Step>
auto make_dynamic_range(const First& first, const Last& last, const Step& step) {
  // What the condition and the counter of the loop are made of, but for casts, which all traces have.
  enter_kernels<ops::add, ops::less, ops::greater, ops::logical_and, ops::logical_or, ops::equal, ops::subtract, ops::multiply,
                ops::floor_divide, ops::select>();
  const dynamic_operand bounds[] = {dynamic_operand_of(first), dynamic_operand_of(last), dynamic_operand_of(step)};
  const joined_dtype numbers(stretch<dynamic_operand>(bounds), 0, dtype::int32);
  const dtype d = numbers.joined;
  builder* b = builder_of(first, last, step);
  for (const auto& o : bounds) {
    const bool fits = o.from == world::literal || o.weak ? literal_joins(o.spec.dtype, d) : o.spec.dtype == d;
    if (!is_number(d) || !fits || o.spec.shape.rank != 0) throw_invalid_argument(range_refusal.view());
  }
  if (world_of<Step> == world::literal && sign_of(step) == 0) throw_invalid_argument("range: the step must not be 0");
  const edge places[] = {place_of_operand(*b, bounds[0], d), place_of_operand(*b, bounds[1], d), place_of_operand(*b, bounds[2], d)};
  return dynamic_range<>(b, places, sign_of(step), numbers.only_weak() ? typing::weak : typing::strong);
}

}  // namespace jig::detail
