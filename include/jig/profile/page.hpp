// SPDX-License-Identifier: MIT
#pragma once
// A profile as one page of HTML that needs nothing else: the table, and the graph as a picture to zoom in and to search, whose loops and
// branches open. Graphviz draws the picture, where it is installed.

#include <jig/profile/dot.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace jig {

namespace detail {

inline std::string html_text(std::string_view s) {
  std::string out;
  for (char c : s) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

/// What `dot -Tsvg` makes of a graph, from its element svg on; empty where there is no Graphviz.
inline std::string svg_of(const std::string& dot) {
#if defined(__unix__) || defined(__APPLE__)
  char path[] = "/tmp/jig_graph_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return {};
  std::FILE* const to = fdopen(file, "w");
  if (to == nullptr) return {};
  const bool written = std::fwrite(dot.data(), 1, dot.size(), to) == dot.size();
  std::string out;
  if (std::fclose(to) == 0 && written) {
    if (std::FILE* const from = popen(("dot -Tsvg " + std::string(path) + " 2>/dev/null").c_str(), "r")) {
      char part[4096];
      for (std::size_t n; (n = std::fread(part, 1, sizeof part, from)) > 0;) out.append(part, n);
      if (pclose(from) != 0) out.clear();
    }
  }
  std::remove(path);
  const std::size_t begin = out.find("<svg");
  return begin == std::string::npos ? std::string() : out.substr(begin);
#else
  (void)dot;
  return {};
#endif
}

class profile_page {
 public:
  std::string run(const profile_report& r) {
    whole_ = r.seconds;
    out_ = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" + html_text(r.name) + "</title>\n";
    out_ += R"(<style>
body { font: 14px/1.4 sans-serif; margin: 1em; }
pre { overflow-x: auto; background: #f6f6f6; padding: .7em; }
.graph { border: 1px solid #ccc; height: 32em; overflow: hidden; resize: vertical; }
.graph svg { display: block; width: 100%; height: 100%; cursor: grab; }
.graph text { font: 12px sans-serif; }
details { margin: .5em 0 .5em 1.5em; }
summary, .opens { cursor: pointer; }
.opens polygon { stroke-width: 3; }
.found :is(polygon, ellipse) { stroke: #06c; stroke-width: 4; }
</style>
)";
    out_ += "<h1>" + html_text(r.name) + "</h1>\n<pre>" + html_text(to_text(r)) + "</pre>\n";
    out_ +=
        "<p><input id=\"search\" type=\"search\" placeholder=\"search nodes\"> <span id=\"hits\"></span> The redder a node, the more "
        "of a call it takes. The wheel zooms, dragging moves, a double click shows all of it, and again a part of it. A click on a loop or "
        "branch, which have thick borders, opens it. Enter goes from what is found to the next.</p>\n";
    add_graph(r.graph, "g");
    out_ += R"(<script>
const views = new Map();
let dragged = false;
for (const svg of document.querySelectorAll('div.graph > svg')) {
  const frame = svg.parentElement, all = svg.getAttribute('viewBox').split(/\s+/).map(Number);
  let box = null, from = null;
  const show = () => svg.setAttribute('viewBox', box.join(' '));
  // As large as it can be read, from its top on.
  const begin = () => {
    const scale = Math.min(Math.max(1, all[2] / frame.clientWidth), 1.5);
    const width = frame.clientWidth * scale;
    box = [all[0] + (all[2] - width) / 2, all[1], width, frame.clientHeight * scale];
    show();
  };
  const point = e => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  frame.style.height = Math.min(all[3], .75 * innerHeight) + 'px';
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  const fit = () => {
    if (frame.clientWidth === 0) return;
    if (!box) begin();
    box[3] = box[2] * frame.clientHeight / frame.clientWidth;
    show();
  };
  fit();
  frame.closest('details')?.addEventListener('toggle', fit);
  new ResizeObserver(fit).observe(frame);
  svg.addEventListener('wheel', e => {
    e.preventDefault();
    const at = point(e), by = e.deltaY > 0 ? 1.2 : 1 / 1.2;
    box = [at.x - (at.x - box[0]) * by, at.y - (at.y - box[1]) * by, box[2] * by, box[3] * by];
    show();
  }, { passive: false });
  svg.addEventListener('pointerdown', e => { from = [e.clientX, e.clientY]; dragged = false; });
  svg.addEventListener('pointermove', e => {
    if (!from || !e.buttons || (!dragged && Math.hypot(e.clientX - from[0], e.clientY - from[1]) < 4)) return;
    dragged = true;
    const scale = svg.getScreenCTM().a;
    box[0] -= (e.clientX - from[0]) / scale;
    box[1] -= (e.clientY - from[1]) / scale;
    from = [e.clientX, e.clientY];
    show();
  });
  svg.addEventListener('dblclick', e => {
    if (e.target.closest('.opens')) return;
    if (box.join() === all.join()) begin();
    else { box = [...all]; show(); }
  });
  // Shows a node in the middle, unless it is in sight.
  views.set(svg, node => {
    if (!box) begin();
    const seen = frame.getBoundingClientRect(), its = node.getBoundingClientRect();
    if (its.left < seen.left || its.right > seen.right || its.top < seen.top || its.bottom > seen.bottom) {
      const at = point({ clientX: (its.left + its.right) / 2, clientY: (its.top + its.bottom) / 2 });
      box = [at.x - box[2] / 2, at.y - box[3] / 2, box[2], box[3]];
      show();
    }
    node.scrollIntoView({ block: 'nearest' });
  });
}
// What is told of a node is what the mouse shows.
for (const title of document.querySelectorAll('.edge > title, g.graph > title')) title.remove();
for (const node of document.querySelectorAll('.node')) {
  const link = node.querySelector('a'), title = node.querySelector('title');
  if (!link) { title.remove(); continue; }
  title.textContent = link.getAttribute('xlink:title');
  link.removeAttribute('xlink:title');
}
for (const node of document.querySelectorAll('.node.opens'))
  node.addEventListener('click', () => {
    if (dragged) return;
    const bodies = [...document.querySelectorAll(`details[data-of="${node.id}"]`)];
    const closed = bodies.some(body => !body.open);
    for (const body of bodies) body.open = closed;
    if (closed) bodies[0].scrollIntoView({ block: 'nearest' });
  });
const search = document.getElementById('search');
let hits = [], hit = 0;
const look = () => { if (hits.length > 0) views.get(hits[hit].ownerSVGElement)(hits[hit]); };
search.addEventListener('input', () => {
  const wanted = search.value.toLowerCase();
  hits = [];
  hit = 0;
  for (const node of document.querySelectorAll('.node')) {
    const found = wanted !== '' && node.textContent.toLowerCase().includes(wanted);
    node.classList.toggle('found', found);
    if (!found) continue;
    hits.push(node);
    for (let p = node.closest('details'); p; p = p.parentElement.closest('details')) p.open = true;
  }
  document.getElementById('hits').textContent = wanted === '' ? '' : hits.length + ' found.';
  look();
});
search.addEventListener('keydown', e => {
  if (e.key !== 'Enter' || hits.length === 0) return;
  hit = (hit + 1) % hits.length;
  look();
});
</script>
</html>
)";
    return std::move(out_);
  }

 private:
  // Its picture, and below it what its nodes have inside, closed.
  void add_graph(const profiled_graph& g, const std::string& prefix) {
    profile_dot dot(whole_);
    dot.write(g, prefix + '_', "  ", false);
    const std::string svg = svg_of(dot.out + "}\n");
    if (svg.empty()) out_ += "<p>There is no picture: Graphviz (dot) is not installed.</p>\n";
    else out_ += "<div class=\"graph\">" + svg + "</div>\n";
    for (std::size_t k = 0; k < g.bodies.size(); ++k) {
      const profiled_body& b = g.bodies[k];
      const std::string& name = g.nodes[static_cast<std::size_t>(b.node)].name;
      out_ += "<details data-of=\"" + prefix + "_n" + std::to_string(b.node) + "\"><summary>" + html_text(name + ' ' + b.key) + ": " +
              (b.graph.watched ? time_text(b.graph.seconds) : "too small to look into") + "</summary>\n";
      add_graph(b.graph, prefix + 'b' + std::to_string(k));
      out_ += "</details>\n";
    }
  }

  std::string out_;
  double whole_ = 0;
};

}  // namespace detail

/// The profile as one page of HTML, which loads nothing: its table; its graph, as a picture that zooms and is searched, nodes coloured by
/// time and with spec and time to read; bodies of loops and branches below, to open. Without Graphviz it has no picture and says so.
/// Cost: runs `dot` for every graph and body.
inline std::string to_html(const profile_report& r) { return detail::profile_page().run(r); }

}  // namespace jig
