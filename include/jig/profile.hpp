// SPDX-License-Identifier: MIT
#pragma once
// Calls whose steps are measured. Not part of jig.hpp: who does not ask for it pays nothing, neither in calls nor in compile time.

#include <jig/function.hpp>
#include <jig/profile/dot.hpp>
#include <jig/profile/interpreted.hpp>

#include <unordered_map>

namespace jig {

/// The result of a call with its profile.
template <class Result>
struct profiled {
  Result result;
  profile_report report;
};

namespace detail {

/// Measures calls, one after another, of this thread.
class profiling {
 public:
  explicit profiling(std::string name, int calls) : calls_(calls) {
    report_.name = std::move(name);
    report_.calls = calls;
    (void)seconds_of_tick();
    watching_.events.reserve(watching::most_events);
    watching_now = &watching_;
    bodies_are_watched = false;
  }
  profiling(const profiling&) = delete;
  profiling& operator=(const profiling&) = delete;
  ~profiling() {
    watching_now = around_;
    bodies_are_watched = bodies_around_;
  }

  watching& state() { return watching_; }
  /// All calls but the last. A clock is read before and behind all of them.
  template <class Run>
  void calls_before_last(const Run& run) {
    if (calls_ == 1) return;
    const lap timed(*this);
    run();
    // The first one is slow, and has told whether bodies are watched.
    if (watching_.any_bodies) calls_of_loops(run);
    else
      for (int i = 2; i < calls_; ++i) run();
  }
  template <class Run>
  auto last_call(const Run& run) {
    watching_.keeps_events = bodies_are_watched = true;
    const lap timed(*this);
    return run();
  }
  profile_report report(interpreter_watch* interpreted = nullptr) {
    profile_report& out = report_;
    const double tick = seconds_of_tick();
    out.seconds = static_cast<double>(ticks_) * tick / calls_;
    out.reading = static_cast<double>(watching_.readings * ticks_of_reading()) * tick / calls_;
    std::vector<const void*> ids;
    if (watching_.describe != nullptr) {
      const measured_plan m = watching_.describe();
      out.graph = plan_report<>(m, tick / calls_, calls_, node_names(m.plan.graph)).run(out, ids);
    } else if (interpreted != nullptr) {
      out.graph = std::move(interpreted->graph);
      out.labels = std::move(interpreted->labels.labels);
      ids = std::move(interpreted->ids);
    }
    out.outside = out.seconds - out.graph.seconds;
    std::unordered_map<const void*, int> label_of;
    for (std::size_t k = 0; k < ids.size(); ++k) label_of[ids[k]] = static_cast<int>(k);
    for (const auto& e : watching_.events)
      if (const auto found = label_of.find(e.what); found != label_of.end())
        out.events.push_back({found->second, static_cast<double>(e.begin - begin_) * tick, static_cast<double>(e.end - e.begin) * tick});
    out.events_left_out = watching_.left_out;
    return std::move(out);
  }

 private:
  /// Reading the clock may take one part in this of the time of calls, if reading it in bodies is what takes longer.
  static constexpr std::uint64_t parts = 64;

  // Bodies are watched in one call, then not in as many as make reading the clock in them cheap.
  template <class Run>
  void calls_of_loops(const Run& run) {
    std::uint64_t left = 0;
    for (int i = 2; i < calls_; ++i) {
      bodies_are_watched = left == 0;
      if (left > 0) {
        --left;
        run();
        continue;
      }
      const std::uint64_t begin = ticks_now(), readings = watching_.readings;
      run();
      left = (watching_.readings - readings) * watching_.reading * parts / (ticks_now() - begin + 1);
    }
  }
  struct lap {
    profiling& of;
    explicit lap(profiling& p) : of(p) {
      of.watching_.idle = 0;
      of.begin_ = ticks_now();
    }
    lap(const lap&) = delete;
    lap& operator=(const lap&) = delete;
    ~lap() { of.ticks_ += ticks_now() - of.begin_ - of.watching_.idle; }
  };
  int calls_;
  std::uint64_t begin_ = 0, ticks_ = 0;
  watching watching_;
  watching* around_ = watching_now;
  bool bodies_around_ = bodies_are_watched;
  profile_report report_;
};

template <class Function>
inline constexpr std::string_view declaration_of = "";
template <text Name, class F, class O>
inline constexpr std::string_view declaration_of<function_object<Name, F, O>> = Name.view();
template <class F, text Name, class O, class... Key>
inline constexpr std::string_view declaration_of<concrete_function<F, Name, O, Key...>> = Name.view();

// Whether this is one signature already.
template <class Function>
inline constexpr bool is_concrete = requires { typename Function::watched; };

}  // namespace detail

/// A function whose calls are measured; see jig::profile.
template <class Function>
class profiled_function {
  [[no_unique_address]] Function function_;
  int calls_;

  template <class... X>
  static auto signature(const Function& f, const X&... x) {
    if constexpr (detail::is_concrete<Function>) return f;
    else return f.get_concrete_function(x...);
  }
  // Runs `call` so many times; the result and the report of the last one.
  template <class Call>
  auto measure(const Call& call, bool interpreted) const {
    const std::string_view name = detail::declaration_of<Function>;
    detail::profiling p(name.empty() ? "function" : std::string(name), calls_);
    std::optional<detail::interpreter_watch> watch;
    if (interpreted) watch.emplace(p.state(), calls_);
    p.calls_before_last([&] { (void)call(); });
    const auto report = [&] { return p.report(watch ? &*watch : nullptr); };
    if constexpr (std::is_void_v<decltype(call())>) {
      p.last_call(call);
      return report();
    } else {
      auto result = p.last_call(call);
      return profiled<decltype(result)>{std::move(result), report()};
    }
  }

 public:
  constexpr explicit profiled_function(Function f, int calls = 1) : function_(f), calls_(calls < 1 ? 1 : calls) {}

  /// The same with so many calls, of which the report has the averages. A first call has more to do than those behind it. What a function
  /// assigns it assigns in each of them.
  constexpr profiled_function repeated(int calls) const { return profiled_function(function_, calls); }

  /// Calls the function and measures it: `profiled{result, report}`, or the report alone where there is no result. Inside a trace it is
  /// a call.
  template <class... X>
  constexpr auto operator()(X&&... x) const {
    if constexpr ((detail::holds_symbols<std::remove_cvref_t<X>> || ...)) return function_(std::forward<X>(x)...);
    else if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) return measure([&] { return function_(x...); }, true);
    else {
      using concrete = decltype(signature(function_, x...));
      if constexpr (is_refused<concrete>) return concrete();
      else return measure([&] { return typename concrete::watched()(x...); }, false);
    }
  }

  /// As `into` of the function; returns the report.
  template <class Out, class... X>
  auto into(Out&& out, X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      return measure([&] { function_.into(out, x...); }, true);
    } else {
      using concrete = decltype(signature(function_, x...));
      if constexpr (is_refused<concrete>) return concrete();
      else return measure([&] { typename concrete::watched().into(out, x...); }, false);
    }
  }
};

/// Measures calls of a function, or of one signature of it: `auto [y, report] = jig::profile(f)(x)`, `std::cout << report`. The report has
/// time, bytes and flops of every step of the plan, of what is in loops and branches too, and the time of every node; the times of the
/// steps and what is outside of them add up to that of the call. `jig::profile(f).repeated(100)(x)` measures averages. Other calls of f
/// stay what they are: the measured one is compiled once more, and reads a clock behind every region. Steps that take less than reading the
/// clock are measured with those behind them.
/// Errors: as of the call.
/// Cost: some 10 ns for each region and trip that is measured, and some microseconds behind the calls for the report. Averages look into
/// loops and branches in some of the calls only, if that would take longer than one part in 64.
template <class Function>
constexpr profiled_function<Function> profile(Function f) {
  return profiled_function<Function>(f);
}

}  // namespace jig
