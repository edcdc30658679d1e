#!/usr/bin/env python3
# usage: bench/table.py RESULTS.json
# Prints what Google Benchmark measured as a Markdown table. Benchmarks are named
# "workload/size/contender"; of the repetitions the fastest counts.
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
        workload, size, contender = run["run_name"].rsplit("/", 2)
        times = rows.setdefault((workload, size), {})
        times[contender] = min(run["cpu_time"], times.get(contender, float("inf")))
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


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        rows = best_times(json.load(file))
    family = os.path.splitext(os.path.basename(path))[0]
    print("\n".join(table(family, rows)), end="\n\n")


main()
