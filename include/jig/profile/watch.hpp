// SPDX-License-Identifier: MIT
#pragma once
// Watches the programs of compiled calls: reads a clock behind regions, and in regions of several steps behind some of their chunks.

#include <jig/core/threads.hpp>
#include <jig/eval/control.hpp>
#include <jig/profile/report.hpp>

#include <chrono>

namespace jig::detail {

/// A clock that takes some ten nanoseconds to read, where the machine has one.
[[gnu::always_inline]] inline std::uint64_t ticks_now() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
/// The same when all that stands before it is done: what overlaps would be found with the wrong step.
[[gnu::always_inline]] inline std::uint64_t ticks_when_done() {
#if defined(__SSE2__)
  __builtin_ia32_lfence();
#elif defined(__aarch64__)
  asm volatile("isb" : : : "memory");
#endif
  return ticks_now();
}
/// Units: seconds. Measured once, for five milliseconds.
inline double seconds_of_tick() {
  static const double seconds = [] {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    const std::uint64_t first = ticks_now();
    auto end = clock::now();
    while (end - begin < std::chrono::milliseconds(5)) end = clock::now();
    return std::chrono::duration<double>(end - begin).count() / static_cast<double>(ticks_now() - first);
  }();
  return seconds;
}
/// Units: ticks that reading it takes.
inline std::uint64_t ticks_of_reading() {
  static const std::uint64_t ticks = [] {
    std::uint64_t least = 1000;
    for (int i = 0; i < 64; ++i) {
      const std::uint64_t begin = ticks_when_done();
      least = (std::min)(least, ticks_when_done() - begin);
    }
    return (std::max)(least, std::uint64_t{1});
  }();
  return ticks;
}

/// What a thread measures.
struct watching {
  static constexpr std::size_t most_events = 16384;
  struct event {
    const void* what;
    std::uint64_t begin, end;
  };
  const std::uint64_t reading = ticks_of_reading();
  bool first_call = true;     // of those that are measured together
  bool keeps_events = false;  // of the last call alone
  bool any_bodies = false;    // that are watched
  std::uint64_t begin = 0, idle = 0, readings = 0;
  std::vector<event> events;
  std::size_t left_out = 0;
  measured_plan (*describe)() = nullptr;  // the program that ran

  [[gnu::always_inline]] void add(const void* what, std::uint64_t from, std::uint64_t to) {
    ++readings;
    if (!keeps_events) return;
    if (events.size() < events.capacity()) events.push_back({what, from, to});
    else ++left_out;
  }
};
/// What measures the calls of this thread, if anything does.
inline JIG_THREAD_LOCAL watching* watching_now = nullptr;
/// Whether bodies of loops and branches are watched in this call.
inline constinit JIG_THREAD_LOCAL bool bodies_are_watched = false;

/// By control step of a program: what is inside.
template <class P, int Node, text Key, int Carried, class Visit>
void visit_body(const Visit& visit) {
  visit.template operator()<typename bound_body<P, Node, Key, Carried>::B>(Node, Key.view());
}
template <class P, class Visit>
void visit_bodies(const Visit& visit) {
  const auto step = [&]<int S>() {
    constexpr planned_step plan = P::plan.steps.items[S];
    if constexpr (plan.kind == step_kind::control) {
      constexpr int v = P::plan.roots.items[plan.roots.first];
      if constexpr (P::graph.node(v).attribute("cond").key.empty()) {
        visit_body<P, v, "then_branch", 0>(visit);
        visit_body<P, v, "else_branch", 0>(visit);
      } else {
        constexpr int carried = results_of_bodies(P::graph, v);
        visit_body<P, v, "cond", carried>(visit);
        visit_body<P, v, "body", carried>(visit);
      }
    }
  };
  [&]<int... S>(std::integer_sequence<int, S...>) {
    (step.template operator()<S>(), ...);
  }(std::make_integer_sequence<int, P::plan.size.steps>());
}

template <class P>
struct watch {
  static constexpr int regions = P::plan.size.regions, steps = P::plan.size.steps, symbols = P::plan.symbols;
  struct state_type {
    bool active;
    std::uint64_t last, runs;
    std::uint64_t laps[array_bound(regions)];
    std::uint64_t looked_into[array_bound(regions)];  // of them, those of loops and branches in calls in which bodies are watched
    double shares[array_bound(steps)];                // of the chunks of regions that were watched
    struct sampling {
      std::uint64_t left, ticks, watched, all;  // left: chunks until the next one that is watched
    } samples[array_bound(regions)];
    index extents[array_bound(symbols)];
    char id[array_bound(regions)];  // its address names a region
  };
  static inline constinit JIG_THREAD_LOCAL state_type state{};

  /// Reading the clock may take one part in this of the time of what is watched in chunks.
  static constexpr std::uint64_t parts = 64;

  static void reset() {
    state = state_type{};
    state.active = true;
    visit_bodies<P>([]<class B>(int, std::string_view) {
      if constexpr (is_watched<B>) {
        watching_now->any_bodies = true;
        watch<B>::reset();
      }
    });
  }
  /// Whether this call is.
  [[gnu::always_inline]] static bool is_on() {
    if constexpr (P::is_body) return bodies_are_watched && state.active;
    else return watching_now != nullptr && state.active;
  }
  [[gnu::noinline]] static void begin_first(watching& w) {
    const std::uint64_t now = ticks_now();
    reset();
    w.first_call = false;
    w.describe = &describe;
    w.idle += ticks_now() - now;
  }
  [[gnu::always_inline]] static void begin() {
    if constexpr (P::is_body) {
      if (!bodies_are_watched) return;
    } else {
      watching* const w = watching_now;
      if (w == nullptr) return;
      if (w->first_call) begin_first(*w);
    }
    state.last = ticks_now();
  }
  static void end(const frame<P>& fr) {
    for (int k = 0; k < symbols; ++k) state.extents[k] = fr.extents[k];
    ++state.runs;
  }
  static constexpr bool is_control(int region) { return P::plan.steps.items[P::region(region).first].kind == step_kind::control; }
  /// What a tick in a body counts for, as bodies are watched in some calls only.
  static double ticks_of_body(int node) {
    for (int r = 0; r < regions; ++r)
      if (is_control(r) && P::plan.roots.items[P::plan.steps.items[P::region(r).first].roots.first] == node && state.looked_into[r] > 0)
        return static_cast<double>(state.laps[r]) / static_cast<double>(state.looked_into[r]);
    return 1;
  }
  /// Behind a region.
  template <int R>
  [[gnu::always_inline]] static void lap() {
    if (!is_on()) return;
    const std::uint64_t now = ticks_now();
    state.laps[R] += now - state.last;
    if constexpr (!P::is_body && is_control(R))
      if (bodies_are_watched) state.looked_into[R] += now - state.last;
    watching_now->add(state.id + R, state.last, now);
    state.last = now;
  }

  /// A chunk of region R. One is watched, then as many are not as make reading the clock cheap.
  template <int R>
  class chunk {
    static constexpr int count = P::region(R).count;
    std::uint64_t last_ = 0, taken_[array_bound(count)];
    bool watched_;

   public:
    [[gnu::always_inline]] explicit chunk(bool always = false) : watched_((always || state.samples[R].left == 0) && is_on()) {
      if (watched_) last_ = ticks_when_done();
      else if (state.samples[R].left > 0) --state.samples[R].left;
    }
    [[gnu::always_inline]] void step(int k) {
      if (!watched_) return;
      const std::uint64_t now = ticks_when_done(), reading = watching_now->reading;
      taken_[k] = now - last_ > reading ? now - last_ - reading : 1;
      last_ = now;
      if (k + 1 == count) finish(reading);
    }

   private:
    // All chunks count the same: in one of them the machine may have done something else.
    [[gnu::noinline]] void finish(std::uint64_t reading) {
      std::uint64_t total = 0;
      for (std::uint64_t t : taken_) total += t;
      for (int i = 0; i < count; ++i) state.shares[P::region(R).first + i] += static_cast<double>(taken_[i]) / static_cast<double>(total);
      constexpr std::uint64_t readings = count + 1;
      state.samples[R].left = readings * reading * parts / total;
      watching_now->readings += readings;
    }
  };
  /// What follows a product on one rectangle of it.
  template <int R>
  class tile {
    std::uint64_t begin_ = 0, elements_;
    bool watched_;

   public:
    [[gnu::always_inline]] explicit tile(index elements)
        : elements_(static_cast<std::uint64_t>(elements)), watched_(state.samples[R].left == 0 && is_on()) {
      if (watched_) begin_ = ticks_when_done();
      else if (state.samples[R].left > 0) --state.samples[R].left;
      if (is_on()) state.samples[R].all += elements_;
    }
    tile(const tile&) = delete;
    tile& operator=(const tile&) = delete;
    [[gnu::always_inline]] ~tile() {
      if (!watched_) return;
      auto& s = state.samples[R];
      const std::uint64_t now = ticks_when_done(), reading = watching_now->reading;
      const std::uint64_t taken = now - begin_ > reading ? now - begin_ - reading : 1;
      s.ticks += taken;
      s.watched += elements_;
      s.left = 2 * reading * parts / taken;
      watching_now->readings += 2;
    }
  };

  static measured_plan describe() {
    measured_plan m;
    m.plan = P::plan.view(P::graph);
    m.watched = is_watched<P>;
    m.laps.assign(state.laps, state.laps + regions);
    m.shares.assign(state.shares, state.shares + steps);
    if (state.runs > 0) m.extents.assign(state.extents, state.extents + symbols);
    for (int r = 0; r < regions; ++r) {
      m.ends_lap.push_back(laps<P>::table.ends[r]);
      m.epilogues.push_back({state.samples[r].ticks, state.samples[r].watched, state.samples[r].all});
    }
    m.runs = state.runs;
    m.id = state.id;
    visit_bodies<P>([&]<class B>(int node, std::string_view key) {
      m.bodies.push_back(watch<B>::describe());
      m.bodies.back().node = node;
      m.bodies.back().key = key;
      m.bodies.back().ticks = ticks_of_body(node);
    });
    return m;
  }
};

}  // namespace jig::detail
