// SPDX-License-Identifier: MIT
#include <jig/profile/page.hpp>

#include "../profile/report_by_hand.hpp"

#include <doctest/doctest.h>

namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t i = text.find(part); i != std::string_view::npos; i = text.find(part, i + 1)) ++n;
  return n;
}

TEST_CASE("a profile as a page") {
  const std::string page = jig::to_html(report_by_hand());
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(count(page, "kernel (4, 5): MatMul  # model.cpp:3\n") == 1);
  CHECK(count(page, "loop (4, 5): a&quot;&lt;b\n") == 1);
  // Nothing is loaded from anywhere.
  for (const char* from : {" src=", "<link", "@import", "url("}) CHECK(count(page, from) == 0);
  CHECK(count(page, "<details data-of=\"g_n4\"><summary>while body: too small to look into</summary>") == 1);
  CHECK(count(page, "<details") == count(page, "</details>"));
  // A picture of the graph and one of the body, or a sentence for each.
  const std::size_t pictures = count(page, "<svg"), sentences = count(page, "There is no picture");
  CHECK(pictures + sentences == 2);
  CHECK(pictures == count(page, "</svg>"));
  if (std::system("dot -V >/dev/null 2>&1") != 0) return;
  CHECK(pictures == 2);
  CHECK(count(page, "class=\"node opens\"") == 1);
  CHECK(count(page, "<g id=\"g_n4\"") == 1);
  CHECK(count(page, "<g id=\"gb0_n1\"") == 1);
}

TEST_CASE("what Graphviz refuses is no picture") { CHECK(jig::detail::svg_of("digraph {") == ""); }

}  // namespace
