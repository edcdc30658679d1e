// SPDX-License-Identifier: MIT
#include <jig/trace/region.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

using jig::builder;
using jig::event_kind;
using jig::trace_failure;
using jig::detail::open_region;

constexpr jig::tensor_spec number{jig::dtype::int32, {}};

struct recording {
  builder b;
  jig::symbol<int> x{&b, b.input(number, "x")};
};

}  // namespace

TEST_CASE("in a loop the living objects stand for parameters, behind it for what it leaves") {
  recording r;
  const jig::edge before = r.x.place();
  open_region loop;
  CHECK_FALSE(loop.is_open());
  loop.begin_loop(&r.b, r.b.begin_event(event_kind::while_loop), false);
  CHECK(loop.is_open());
  CHECK(loop.recorder() == &r.b);
  const jig::edge parameter = r.x.place();
  CHECK_FALSE(parameter == before);
  loop.condition((r.x < 10).place());
  CHECK(loop.runs_trip());
  r.x = r.x * 2;
  const jig::edge changed = r.x.place();
  CHECK_FALSE(changed == parameter);
  CHECK_FALSE(loop.end_trip());  // recorded once
  CHECK_FALSE(loop.is_open());
  CHECK_FALSE(r.x.place() == changed);
  CHECK_FALSE(r.x.place() == before);
  CHECK(r.b.failure == trace_failure::none);
  const auto& events = r.b.events;
  REQUIRE(events.size() == 3);
  CHECK((events[0].kind == event_kind::while_loop && events[1].kind == event_kind::condition && events[2].kind == event_kind::next_trip));
}

TEST_CASE("a loop that counts has a parameter for it") {
  recording r;
  jig::trace_event e = r.b.begin_event(event_kind::loop);
  e.first = e.last = e.step = r.x.place();
  open_region loop;
  loop.begin_loop(&r.b, e, true);
  CHECK_FALSE(loop.begin().counter == r.x.place());
  CHECK(r.b.graph.view().spec(loop.begin().counter) == number);
  loop.end(event_kind::leave);
  CHECK_FALSE(loop.is_open());
}

TEST_CASE("both blocks of a branch begin with the values from before it") {
  recording r;
  const jig::edge before = r.x.place();
  open_region branch;
  branch.begin_branch(&r.b, (r.x > 0).place());
  CHECK(branch.runs_first());
  CHECK(r.x.place() == before);
  r.x = r.x + 1;
  branch.otherwise();
  CHECK(branch.runs_second());
  CHECK(r.x.place() == before);
  branch.end(event_kind::join);
  CHECK_FALSE(r.x.place() == before);
  CHECK(r.b.failure == trace_failure::none);
}

TEST_CASE("what a block makes must end with it") {
  for (const bool outlives : {false, true}) {
    recording r;
    open_region branch;
    branch.begin_branch(&r.b, (r.x > 0).place());
    REQUIRE(branch.runs_first());
    {
      const jig::symbol<int> made = r.x + 1;
      if (outlives) branch.otherwise();
    }
    if (!outlives) branch.otherwise();
    branch.end(event_kind::join);
    CHECK((r.b.failure == trace_failure::outlived_block) == outlives);
  }
}
