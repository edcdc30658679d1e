#!/usr/bin/env python3
"""usage: page.py BROWSER FOLDER

Opens FOLDER/page.html, with some use of it by scripts, and compares what the browser has then, and pictures of it, with what the graph of
page.cpp has. Prints what differs.
"""
import html
import json
import re
import subprocess
import sys

import cv2
import numpy

browser, folder = sys.argv[1:]
page = open(folder + "/page.html", encoding="utf-8").read()
status = 0


def check(right, what):
    global status
    if not right:
        print(what)
        status = 1


# Before the page's own script: whatever it would load is refused and told, as is what goes wrong in it.
BEFORE = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<script>
const wrong = [];
addEventListener('error', e => wrong.push(e.message));
addEventListener('securitypolicyviolation', e => wrong.push('loads ' + e.blockedURI));
const node = name => [...document.querySelectorAll('.node')].find(n => n.querySelector('text').textContent === name);
const main = () => document.querySelector('div.graph > svg');
const type = text => { search.value = text; search.dispatchEvent(new Event('input')); };
const press = key => search.dispatchEvent(new KeyboardEvent('keydown', { key }));
const mouse = (on, kind, x, y, more) => on.dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX: x, clientY: y, ...more }));
const click = on => { mouse(on, 'pointerdown', 9, 9, { buttons: 1 }); mouse(on, 'pointerup', 9, 9); mouse(on, 'click', 9, 9); };
const view = () => main().getAttribute('viewBox').split(' ').map(Number);
</script>
"""
# Behind it: the use, then what there is. Timers run whether or not the browser draws.
AFTER = """<script>
const seen = {};
setTimeout(() => { %s }, 200);
setTimeout(() => {
  const rectangle = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  seen.nodes = [...document.querySelectorAll('.node')].map(n => ({
    lines: [...n.querySelectorAll('text')].map(t => t.textContent), tip: n.querySelector('title')?.textContent ?? '',
    shown: n.checkVisibility(), found: n.classList.contains('found'), opens: n.classList.contains('opens'), shape: n.querySelector('polygon, ellipse').tagName,
    fill: n.querySelector('polygon, ellipse').getAttribute('fill'), at: rectangle(n.querySelector('polygon, ellipse')),
    frame: rectangle(n.closest('div.graph')) }));
  seen.bodies = Object.fromEntries([...document.querySelectorAll('details')].map(d => [d.firstChild.textContent.split(':')[0], d.open]));
  seen.hits = document.getElementById('hits').textContent;
  seen.wrong = wrong;
  const told = document.createElement('pre');
  told.id = 'told';
  told.hidden = true;
  told.textContent = JSON.stringify(seen);
  document.body.append(told);
}, 400);
</script>
"""


def used(name, script):
    """What there is after the script, and its picture."""
    path, picture = f"{folder}/{name}.html", f"{folder}/{name}.png"
    head = page.index("<title>")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page[:head] + BEFORE + page[head:].replace("</html>", AFTER % script + "</html>"))
    dom = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--hide-scrollbars", "--force-device-scale-factor=1",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,3600", "--virtual-time-budget=5000", f"--screenshot={picture}", "--dump-dom",
         "file://" + path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100, check=True).stdout.decode()
    told = re.search(r'<pre id="told" hidden="">(.*?)</pre>', dom, re.S)
    if not told:
        sys.exit(f"{name}: its script did not end")
    seen = json.loads(html.unescape(told.group(1)))
    check(seen["wrong"] == [], f"{name}: {seen['wrong']}")
    image = cv2.imread(picture)
    check(image is not None and image.shape[1] == 1200, f"{name}: there is no picture of 1200 columns")
    check_boxes(name, seen, image)
    return seen, image


def colour(text):
    """Blue, green, red, as OpenCV has them."""
    named = {"white": "#ffffff", "lightgrey": "#d3d3d3"}
    return [int(named.get(text, text)[i:i + 2], 16) for i in (5, 3, 1)]


def areas(image, wanted):
    """Large areas of a colour that are connected."""
    mask = cv2.inRange(image, numpy.array(wanted), numpy.array(wanted))
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    return [s for s in stats[1:] if s[cv2.CC_STAT_AREA] > 400]


def in_sight(node):
    at, frame = node["at"], node["frame"]
    return node["shown"] and all(at[i] >= frame[i] for i in (0, 1)) and all(at[i] <= frame[i] for i in (2, 3))


def check_boxes(name, seen, image):
    """Every node in sight has its colour within a dark border, or a blue one where it was found, and lines of text; every one has a spec."""
    expected = {}
    for node in filter(in_sight, seen["nodes"]):
        left, top, right, bottom = (round(v) for v in node["at"])
        what = f"{name}: node {node['lines'][0]}"
        part = image[top:bottom, left:right].astype(int)
        check(right - left > 40 and bottom - top > 30, f"{what} is too small to be read: {node['at']}")
        filled = (abs(part - colour(node["fill"])).sum(axis=2) < 6).mean()
        check(filled > 0.5, f"{what} has {filled:.2f} of its colour {node['fill']}")
        middle = (left + right) // 2
        border = image[top - 3:top + 4, middle].astype(int)
        marked = (border == [0xCC, 0x66, 0]).all(axis=1).any()
        check(marked == node["found"] and (marked or border.max(axis=1).min() < 180), f"{what} has another border: {border.tolist()}")
        # Each line has some dark pixels, with rows between the lines that have none.
        dark = (part[5:-5, 8:-8].sum(axis=2) < 250).any(axis=1).astype(int)
        if node["shape"] == "polygon":
            lines = int((numpy.diff(dark) == 1).sum() + dark[0])
            check(lines >= len(node["lines"]), f"{what} shows {lines} lines of text, not {node['lines']}")
        expected[node["fill"]] = expected.get(node["fill"], 0) + 1
    for fill, count in expected.items():
        if fill not in ("white", "#ffffff"):
            found = len(areas(image, colour(fill)))
            check(found == count, f"{name}: there are {found} boxes of colour {fill}, not {count}")


def shown(seen):
    return sorted(n["lines"][0] for n in seen["nodes"] if n["shown"])


def found(seen):
    return sorted(n["lines"][0] for n in seen["nodes"] if n["found"])


def blue(image):
    return len(areas(image, [0xCC, 0x66, 0]))


# Nothing is fetched: the only addresses are the names of two languages.
addresses = set(re.findall(r"\w+://[^\s\"'<>]*", page))
check(addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}, f"the page has addresses: {addresses}")

of_graph = sorted(["x", "w", "MatMul", "Relu", "Max", "sub", "Exp", "Sum", "Reciprocal", "mul", "while", "add", "add/y", "return"])
of_cond = ["mul", "Sum", "Greater", "Greater/y", "return"]
closed = {"while cond": False, "while body": False, "cond then_branch": False, "cond else_branch": False}

# As it is at first.
first, picture = used("first", "")
check(shown(first) == of_graph, f"first: nodes {shown(first)}")
check(first["bodies"] == closed, f"first: bodies {first['bodies']}")
check(found(first) == [] and first["hits"] == "" and blue(picture) == 0, "first: something is found")
check(sum(map(in_sight, first["nodes"])) == len(of_graph), "first: not all of the graph is in sight")
for node in first["nodes"]:
    lines, name = node["lines"], node["lines"][0]
    if name == "return":
        continue
    check(re.fullmatch(r"(float32|int32|bool) \([\d, ]*\)", lines[2]) is not None, f"node {name} has no spec: {lines}")
    check(name in node["tip"] and lines[2] in node["tip"], f"node {name} has the tip '{node['tip']}'")
    timed = re.fullmatch(r"[\d.]+ (ns|us|ms|s)", lines[-1]) is not None
    check(timed == (lines[1] not in ("Placeholder", "Const", "Squeeze")), f"node {name} has no time, or should not have one: {lines}")
    check(node["opens"] == (lines[1] in ("While", "If")), f"node {name} opens, or does not")

# A search opens what it finds, and marks it.
tanh, picture = used("tanh", "type('TANH');")
check(found(tanh) == ["Tanh"] and tanh["hits"] == "1 found.", f"tanh: found {found(tanh)}, '{tanh['hits']}'")
check(tanh["bodies"] == {**closed, "while body": True, "cond then_branch": True}, f"tanh: bodies {tanh['bodies']}")
check(blue(picture) == 1, f"tanh: {blue(picture)} nodes are marked")

# What is found is brought into sight, one after another; ids are no text.
seen, _ = used("search", """
  type('g_n');
  seen.ids = document.getElementById('hits').textContent;
  const marked = () => [...document.querySelectorAll('.found')].map(n => n.querySelector('text').textContent);
  seen.sights = [];
  const sight = () => seen.sights.push(marked().filter(name => {
    const r = node(name).getBoundingClientRect(), f = main().getBoundingClientRect();
    return r.top >= f.top && r.bottom <= f.bottom;
  }));
  main().parentElement.style.height = '120px';
  main().setAttribute('viewBox', '0 0 500 120');
  mouse(main(), 'dblclick', 0, 0);
  mouse(main(), 'dblclick', 0, 0);
  type('float32 (40, 1)');
  sight();
  press('Enter');
  sight();
  press('Enter');
  sight();
  seen.count = document.getElementById('hits').textContent;
  type('');
""")
check(seen["ids"] == "0 found.", f"search: of ids '{seen['ids']}'")
check(seen["count"] == "3 found." and seen["sights"] == [["Max"], ["Sum"], ["Reciprocal"]], f"search: {seen['count']} {seen['sights']}")
check(found(seen) == [] and seen["hits"] == "", "search: what is found is still marked when nothing is searched")

# A click opens both bodies of the loop, and no others; a second one closes them.
opened, larger = used("opened", "click(node('while'));")
check(opened["bodies"] == {**closed, "while cond": True, "while body": True}, f"opened: bodies {opened['bodies']}")
check(shown(opened) == sorted(of_graph + of_cond + ["mul", "Const", "Slice", "Squeeze", "Greater/y", "Greater", "cond", "return"]), f"opened: {shown(opened)}")
_, picture = used("closed", "click(node('while')); click(node('while'));")
_, before = used("again", "")
check((picture == before).all(), "closed: what was opened and closed looks different")
check((larger != before).any(axis=2).mean() > 0.005, "opened: the picture is as before")
grey = [len(areas(p, colour("lightgrey"))) for p in (before, larger)]
check(grey == [1, 4], f"opened: {grey} constants are in the pictures before and behind")

# The wheel zooms where the mouse is; dragging moves, and opens nothing; a double click shows all.
seen, _ = used("moved", """
  const point = () => new DOMPoint(500, 700).matrixTransform(main().getScreenCTM().inverse());
  seen.views = [view()], seen.points = [point()];
  const wheel = by => main().dispatchEvent(new WheelEvent('wheel', { deltaY: by, clientX: 500, clientY: 700, cancelable: true }));
  for (const by of [-1, 1, 1]) { wheel(by); seen.views.push(view()); seen.points.push(point()); }
  wheel(-1);
  const loop = node('while'), before = loop.getBoundingClientRect();
  mouse(loop, 'pointerdown', 500, 500, { buttons: 1 });
  mouse(loop, 'pointermove', 530, 480, { buttons: 1 });
  mouse(loop, 'pointerup', 530, 480);
  mouse(loop, 'click', 530, 480);
  const behind = loop.getBoundingClientRect();
  seen.moved = [behind.left - before.left, behind.top - before.top];
  mouse(main(), 'dblclick', 0, 0);
  seen.all = view();
""")
widths = [round(v[2] / seen["views"][0][2], 3) for v in seen["views"]]
check(widths == [1, 0.833, 1, 1.2], f"moved: widths {widths}")
check(all(abs(p[a] - seen["points"][0][a]) < 0.01 for p in seen["points"] for a in "xy"), f"moved: the mouse points at {seen['points']}")
check(abs(seen["moved"][0] - 30) < 0.5 and abs(seen["moved"][1] + 20) < 0.5, f"moved: by {seen['moved']}")
check(seen["bodies"] == closed, "moved: dragging opens")
whole = [float(v) for v in re.search(r'viewBox="([^"]*)"', page).group(1).split()]
check(seen["all"] == whole, f"moved: all is {seen['all']}, not {whole}")
sys.exit(status)
