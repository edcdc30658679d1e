#!/usr/bin/env python3
# usage: bench/table.py [--ranked] RESULTS.json
# Prints what Google Benchmark measured as a Markdown table. Benchmarks are named
# "workload/size/contender"; of the repetitions the fastest counts. With --ranked the rows where
# jig is farthest behind the best contender come first, and quantiles of these ratios behind them.
import json
import os
import sys

OURS = "jig"


def with_unit(nanoseconds):
    for unit, size in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        if nanoseconds < 1000 * size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def best_times(results):
    """Nanoseconds by (workload, size), then by contender."""
    rows = {}
    runs = [run for run in results["benchmarks"] if run.get("run_type") != "aggregate"]
    # Taking turns shuffles them.
    for run in sorted(runs, key=lambda run: run["family_index"]):
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        name = run["run_name"].removesuffix("/real_time")
        time = run["cpu_time" if name == run["run_name"] else "real_time"]
        workload, size, contender = name.rsplit("/", 2)
        times = rows.setdefault((workload, size), {})
        times[contender] = min(time, times.get(contender, float("inf")))
    return rows


def table(family, rows):
    others = list(dict.fromkeys(name for times in rows.values() for name in times if name != OURS))
    yield "| ".join([f"| {family} ", "size ", OURS + " "] + [o + " " for o in others]
                    + [f"{OURS}/{o} " for o in others]) + "|"
    yield "|---" * 2 + "|--:" * (1 + 2 * len(others)) + "|"
    for (workload, size), times in rows.items():
        cells = [workload.replace("|", "\\|"), size]
        cells += [with_unit(times[name]) if name in times else "–" for name in [OURS] + others]
        cells += [f"{times[OURS] / times[o]:.2f}" if {o, OURS} <= times.keys() else "–"
                  for o in others]
        yield "| " + " | ".join(cells) + " |"


def ranked(family, rows):
    ratios = {}
    for row, times in rows.items():
        ratios[row] = times[OURS] / min(time for name, time in times.items() if name != OURS)
    rows = dict(sorted(rows.items(), key=lambda row: -ratios[row[0]]))
    header, rule, *lines = table(family, rows)
    yield header + f" {OURS}/best |"
    yield rule + "--:|"
    for row, line in zip(rows, lines):
        yield f"{line} {ratios[row]:.2f} |"
    yield ""
    inside = sorted(ratios.values())
    at = {name: inside[min(int(len(inside) * part), len(inside) - 1)]
          for name, part in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("worst", 1))}
    yield f"{len(inside)} rows, {OURS}/best: " + ", ".join(f"{n} {r:.2f}" for n, r in at.items())


def main():
    path = sys.argv[-1]
    make = ranked if sys.argv[1:-1] == ["--ranked"] else table
    with open(path, encoding="utf-8") as file:
        rows = best_times(json.load(file))
    family = os.path.splitext(os.path.basename(path))[0]
    print("\n".join(make(family, rows)), end="\n\n")


main()
