#!/usr/bin/env python3
# usage: bench/random_shapes/generate.py FIRST_SEED COUNT NAME > NAME.cpp
# Writes a family of bench/shapes of random programs: a few ops on arrays of one to four axes, each beside the loops that one would write
# for it. Elementwise ops, slices and transposes are part of the loop that reads them; reductions, scans, searches, products and joins have
# loops of their own. The same arguments give the same programs.
import random
import sys

TYPES = {"f32": "float", "f64": "double", "i32": "std::int32_t", "u8": "std::uint8_t", "i64": "std::int64_t"}
FLOATS = ("f32", "f64")
SHORT, LONG = [2, 3, 4, 5, 8, 10, 16], [17, 25, 32, 50, 64, 100, 128, 200, 1000]


class Value:
    """What a program computes: its expression in jig, and either an element of it in C++, given the places on its axes, or loops that
    store all of it. `wild` is the axis whose extent only the call tells."""

    def __init__(self, dtype, shape, wild, jig, element=None, loops=None):
        self.dtype, self.shape, self.wild, self.jig, self.element, self.loops = dtype, list(shape), wild, jig, element, loops

    def size(self):
        n = 1
        for extent in self.shape:
            n *= extent
        return n

    def extent(self, axis):
        return "n" if axis == self.wild else str(self.shape[axis])

    def offset(self, places):
        text = ""
        for axis, place in enumerate(places):
            text = f"({text}) * {self.extent(axis)} + {place}" if text else place
        return text or "0"

    def cpp(self):
        return TYPES[self.dtype]

    def tensor(self):
        return self.cpp() + "".join(", dyn" if axis == self.wild else f", {extent}" for axis, extent in enumerate(self.shape))

    def wildcards(self):
        return "" if self.wild is None else f"{{{self.shape[self.wild]}}}"


def over(value, axes):
    """The heads of loops over some axes."""
    return "".join(f"for (long i{a} = 0; i{a} < {value.extent(a)}; ++i{a}) " for a in axes)


def places_of(value):
    return [f"i{a}" for a in range(len(value.shape))]


def without(items, axis):
    return items[:axis] + items[axis + 1:]


def wild_without(wild, axis):
    return None if wild is None or wild == axis else wild - (wild > axis)


def wild_beside(wild, axis):
    return None if wild is None else wild + (wild >= axis)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arguments, self.lines, self.loops = [], [], []
        self.steps, self.buffers = 0, 0

    # Parts of programs

    def argument(self, dtype, shape, wild):
        name = f"a{len(self.arguments)}"
        value = Value(dtype, shape, wild, name)
        value.element = lambda places: f"{name}[{value.offset(places)}]"
        self.arguments.append(value)
        return value

    def named(self, expression):
        self.steps += 1
        self.lines.append(f"auto v{self.steps} = {expression};")
        return f"v{self.steps}"

    def store(self, value, name):
        if value.loops:
            self.loops.append(value.loops(name))
        else:
            places = places_of(value)
            self.loops.append(f"{over(value, range(len(value.shape)))}{name}[{value.offset(places)}] = {value.element(places)};")

    def in_memory(self, value):
        """The value in memory of its own, if nothing gives its elements one by one."""
        if not value.loops:
            return value
        self.buffers += 1
        name = f"b{self.buffers}"
        self.loops.append(f"static {value.cpp()} memory{self.buffers}[{max(1, value.size())}]; auto* __restrict {name} = memory{self.buffers};")
        self.store(value, name)
        return Value(value.dtype, value.shape, value.wild, value.jig, lambda places: f"{name}[{value.offset(places)}]")

    # Ops: each gives a value, or None where it does not apply.

    def unary(self, value):
        floats = [("{0} * 0.5", "({0} * 0.5f)"), ("{0} + 1.5", "({0} + 1.5f)"), ("abs({0})", "std::fabs({0})"),
                  ("square({0})", "squared({0})"), ("sqrt(abs({0}))", "std::sqrt(std::fabs({0}))"), ("relu({0})", "larger({0}, 0)"),
                  ("minimum(maximum({0}, -0.25), 0.75)", "smaller(larger({0}, -0.25f), 0.75f)"), ("exp({0})", "std::exp({0})"),
                  ("where({0} > 0, {0}, {0} * 0.25)", "leaky({0})")]
        integers = [("{0} * 3", "({0} * 3)"), ("{0} + 7", "({0} + 7)"), ("{0} >> 2", "({0} >> 2)"), ("abs({0})", "std::abs({0})"),
                    ("{0} / 5", "({0} / 5)"), ("{0} & 15", "({0} & 15)"), ("maximum({0}, 0)", "larger({0}, 0)")]
        numbers = [("{0} >> 1", "u8({0} >> 1)"), ("{0} & 127", "u8({0} & 127)"), ("255 - {0}", "u8(255 - {0})"),
                   ("maximum({0}, 16)", "larger({0}, 16)"), ("{0} / 3", "u8({0} / 3)")]
        if value.dtype == "i64":
            return self.cast(value)
        jig, loop = self.random.choice(floats if value.dtype in FLOATS else integers if value.dtype == "i32" else numbers)
        return Value(value.dtype, value.shape, value.wild, self.named(jig.format(value.jig)), lambda places: loop.format(value.element(places)))

    def cast(self, value):
        to = self.random.choice({"f32": ["f64", "i32"], "f64": ["i32"], "i32": ["f32", "f64", "u8"], "u8": ["f32", "i32"], "i64": ["i32"]}
                                [value.dtype])
        scaled = " * 100" if value.dtype in FLOATS and to == "i32" else ""
        return Value(to, value.shape, value.wild, self.named(f"cast<{TYPES[to]}>({value.jig}{scaled})"),
                     lambda places: f"{TYPES[to]}({value.element(places)}{scaled})")

    def binary(self, value):
        rank = len(value.shape)
        if rank == 0:
            return None
        shape, wild = list(value.shape), value.wild
        kind = self.random.choice(["all", "trailing axes", "one along an axis", "one along an axis", "number"])
        if kind == "trailing axes":
            cut = self.random.randrange(rank)
            shape, wild = shape[cut:], wild - cut if wild is not None and wild >= cut else None
        elif kind == "one along an axis":
            axis = self.random.randrange(rank)
            shape[axis], wild = 1, None if wild == axis else wild
        elif kind == "number":
            shape, wild = [], None
        other = self.argument(value.dtype, shape, wild)
        first = rank - len(shape)

        def element(places):
            return other.element([place if shape[a] == value.shape[a + first] else "0" for a, place in enumerate(places[first:])])

        ops = [("{0} + {1}", "({0} + {1})"), ("{0} - {1}", "({0} - {1})"), ("{0} * {1}", "({0} * {1})"), ("maximum({0}, {1})", "larger({0}, {1})"),
               ("minimum({0}, {1})", "smaller({0}, {1})")]
        if value.dtype in FLOATS:
            ops += [("{0} / (abs({1}) + 1)", "({0} / (std::fabs({1}) + 1))"), ("where({0} > {1}, {0}, {1} * 2)", "({0} > {1} ? {0} : {1} * 2)")]
        jig, loop = self.random.choice(ops)
        return Value(value.dtype, value.shape, value.wild, self.named(jig.format(value.jig, other.jig)),
                     lambda places: f"{value.cpp()}({loop.format(value.element(places), element(places))})")

    def reduce(self, value):
        rank = len(value.shape)
        if rank == 0:
            return None
        axes = sorted(self.random.sample(range(rank), self.random.randint(1, rank))) if self.random.random() < 0.4 else [self.random.randrange(rank)]
        op = self.random.choice(["sum", "sum", "sum", "max", "min", "mean"])
        if op == "mean" and value.dtype not in FLOATS:
            op = "max"
        if op == "sum" and value.dtype == "u8":
            given = value
            value = Value("i32", given.shape, given.wild, self.named(f"cast<std::int32_t>({given.jig})"), lambda places: f"int({given.element(places)})")
        keep = self.random.random() < 0.35
        kept = [a for a in range(rank) if a not in axes]
        wild = None
        if value.wild is not None and value.wild not in axes:
            wild = value.wild if keep else kept.index(value.wild)
        shape = [1 if a in axes else value.shape[a] for a in range(rank)] if keep else [value.shape[a] for a in kept]
        out = Value(value.dtype, shape, wild, self.named(f"reduce_{op}<{', '.join(map(str, axes))}>({value.jig}{', keepdims' if keep else ''})"))
        places = places_of(value)
        to = out.offset([("0" if a in axes else places[a]) for a in range(rank)] if keep else [places[a] for a in kept])
        cpp = value.cpp()
        first = {"max": f"std::numeric_limits<{cpp}>::lowest()", "min": f"std::numeric_limits<{cpp}>::max()"}.get(op, "0")
        step = {"max": "{0} = larger({0}, {1});", "min": "{0} = smaller({0}, {1});"}.get(op, "{0} += {1};")
        divided = f" / {cpp}({' * '.join(value.extent(a) for a in axes)})" if op == "mean" else ""

        def loops(name):
            at, x = f"{name}[{to}]", value.element(places)
            if rank - 1 in axes:
                return f"{over(value, kept)} {{ {cpp} t = {first}; {over(value, axes)} {step.format('t', x)} {at} = t{divided}; }}"
            text = f"{over(value, kept)} {at} = {first}; {over(value, range(rank))} {step.format(at, x)}"
            return text + (f" {over(value, kept)} {at} = {at}{divided};" if divided else "")

        out.loops = loops
        return out

    def centre(self, value):
        if value.dtype not in FLOATS or not value.shape:
            return None
        found = self.reduce(value)
        if len(found.shape) != len(value.shape):
            return None
        found = self.in_memory(found)
        jig, loop = self.random.choice([("{0} - {1}", "({0} - {1})"), ("{0} / (abs({1}) + 1)", "({0} / (std::fabs({1}) + 1))"),
                                        ("square({0} - {1})", "squared({0} - {1})")])
        return Value(value.dtype, value.shape, value.wild, self.named(jig.format(value.jig, found.jig)),
                     lambda places: loop.format(value.element(places),
                                                found.element([p if found.shape[a] == value.shape[a] else "0" for a, p in enumerate(places)])))

    def search(self, value):
        rank = len(value.shape)
        if rank == 0:
            return None
        axis, (op, better) = self.random.randrange(rank), self.random.choice([("argmax", ">"), ("argmin", "<")])
        if value.shape[axis] == 1:
            return None
        out = Value("i64", without(value.shape, axis), wild_without(value.wild, axis), self.named(f"{op}<{axis}>({value.jig})"))
        places = places_of(value)

        def loops(name):
            first = value.element(places[:axis] + ["0"] + places[axis + 1:])
            return (f"{over(value, without(list(range(rank)), axis))} {{ auto t = {first}; long at = 0; "
                    f"for (long i{axis} = 1; i{axis} < {value.extent(axis)}; ++i{axis}) if (auto x = {value.element(places)}; x {better} t) "
                    f"t = x, at = i{axis}; {name}[{out.offset(without(places, axis))}] = at; }}")

        out.loops = loops
        return out

    def scan(self, value):
        rank = len(value.shape)
        if rank == 0 or value.dtype == "u8":
            return None
        axis = self.random.randrange(rank)
        out = Value(value.dtype, value.shape, value.wild, self.named(f"cumsum<{axis}>({value.jig})"))
        places = places_of(value)

        def loops(name):
            at = f"{name}[{out.offset(places)}]"
            if axis == rank - 1:
                return f"{over(value, range(axis))} {{ {value.cpp()} t = 0; {over(value, [axis])} {at} = t += {value.element(places)}; }}"
            before = out.offset(places[:axis] + [f"(i{axis} - 1)"] + places[axis + 1:])
            return f"{over(value, range(rank))} {at} = {value.element(places)} + (i{axis} ? {name}[{before}] : 0);"

        out.loops = loops
        return out

    def transpose(self, value):
        rank = len(value.shape)
        if rank < 2:
            return None
        order = self.random.sample(range(rank), rank)
        return Value(value.dtype, [value.shape[a] for a in order], None if value.wild is None else order.index(value.wild),
                     self.named(f"transpose<{', '.join(map(str, order))}>({value.jig})"),
                     lambda places: value.element([places[order.index(a)] for a in range(rank)]))

    def reverse(self, value):
        if not value.shape:
            return None
        axis = self.random.randrange(len(value.shape))
        return Value(value.dtype, value.shape, value.wild, self.named(f"reverse<{axis}>({value.jig})"),
                     lambda places: value.element(places[:axis] + [f"({value.extent(axis)} - 1 - {places[axis]})"] + places[axis + 1:]))

    def long_axis(self, value, longest=10**9):
        axes = [a for a, extent in enumerate(value.shape) if a != value.wild and 1 < extent <= longest]
        return self.random.choice(axes) if axes else None

    def sliced(self, value, axis, what):
        return f"{value.jig}({', '.join(what if a == axis else 'all' for a in range(len(value.shape)))})"

    def part(self, value):
        axis = self.long_axis(value)
        if axis is None:
            return None
        extent, first, step = value.shape[axis], self.random.choice([0, 0, 1]), self.random.choice([1, 1, 2, 2, 3])
        last = self.random.choice([extent, extent - 1])
        if last <= first:
            return None
        shape = list(value.shape)
        shape[axis] = (last - first + step - 1) // step
        return Value(value.dtype, shape, value.wild, self.named(self.sliced(value, axis, f"range_of<{first}, {last}, {step}>()")),
                     lambda places: value.element(places[:axis] + [f"({first} + {step} * {places[axis]})"] + places[axis + 1:]))

    def neighbours(self, value):
        axis, count = self.long_axis(value), self.random.choice([2, 2, 3])
        if axis is None or value.dtype == "u8" or value.shape[axis] <= count:
            return None
        shape = list(value.shape)
        shape[axis] -= count - 1
        given = [self.sliced(value, axis, f"range_of<{k}, {k + shape[axis]}>()") for k in range(count)]

        def element(places):
            x = [value.element(places[:axis] + [f"({places[axis]} + {k})"] + places[axis + 1:]) for k in range(count)]
            return f"({x[1]} - {x[0]})" if count == 2 else f"({x[0]} + {x[1]} + {x[2]})"

        return Value(value.dtype, shape, value.wild, self.named(f"{given[1]} - {given[0]}" if count == 2 else " + ".join(given)), element)

    def components(self, value):
        axis = self.long_axis(value, 8)
        if axis is None:
            return None
        i, j = self.random.randrange(value.shape[axis]), self.random.randrange(value.shape[axis])
        return Value(value.dtype, without(value.shape, axis), wild_without(value.wild, axis),
                     self.named(f"{self.sliced(value, axis, str(i))} * {self.sliced(value, axis, str(j))}"),
                     lambda places: f"{value.cpp()}({value.element(places[:axis] + [str(i)] + places[axis:])} * "
                                    f"{value.element(places[:axis] + [str(j)] + places[axis:])})")

    def chosen(self, value):
        axis = self.long_axis(value, 8)
        if axis is None:
            return None
        which = [self.random.randrange(value.shape[axis]) for _ in range(self.random.choice([2, 3, value.shape[axis]]))]
        shape = list(value.shape)
        shape[axis] = len(which)
        out = Value(value.dtype, shape, value.wild, self.named(f"stack<{axis}>({', '.join(self.sliced(value, axis, str(k)) for k in which)})"))
        places = places_of(value)

        def loops(name):
            moved = [f"{name}[{out.offset(places[:axis] + [str(k)] + places[axis + 1:])}] = {value.element(places[:axis] + [str(of)] + places[axis + 1:])};"
                     for k, of in enumerate(which)]
            return f"{over(value, without(list(range(len(shape))), axis))} {{ {' '.join(moved)} }}"

        out.loops = loops
        return out

    def join(self, value):
        rank, stacks = len(value.shape), self.random.random() < 0.5
        axis = self.random.randrange(rank + 1) if stacks else self.random.randrange(rank) if rank else 0
        if rank == 0 or (not stacks and axis == value.wild):
            return None
        own = self.random.random() < 0.4
        other = value if own else self.argument(value.dtype, value.shape, value.wild)
        shape = value.shape[:axis] + [2] + value.shape[axis:] if stacks else value.shape[:axis] + [2 * value.shape[axis]] + value.shape[axis + 1:]
        out = Value(value.dtype, shape, wild_beside(value.wild, axis) if stacks else value.wild,
                    self.named(f"{'stack' if stacks else 'concat'}<{axis}>({value.jig}, {f'{value.jig} + {value.jig}' if own else other.jig})"))
        places = places_of(value)

        def loops(name):
            x = [value.element(places), f"{value.cpp()}({value.element(places)} + {value.element(places)})" if own else other.element(places)]
            moved = []
            for k in range(2):
                to = places[:axis] + [str(k)] + places[axis:] if stacks else places[:axis] + [f"({places[axis]} + {k * value.shape[axis]})"] + places[axis + 1:]
                moved.append(f"{name}[{out.offset(to)}] = {x[k]};")
            heads = over(value, range(rank))
            return f"{heads} {{ {moved[0]} {moved[1]} }}" if stacks and axis == rank else f"{heads} {moved[0]} {heads} {moved[1]}"

        out.loops = loops
        return out

    def pad(self, value):
        rank = len(value.shape)
        if rank == 0 or rank > 3 or value.wild is not None:
            return None
        paddings = [self.random.choice([0, 1]) for _ in range(2 * rank)]
        if not any(paddings):
            return None
        out = Value(value.dtype, [value.shape[a] + paddings[2 * a] + paddings[2 * a + 1] for a in range(rank)], None,
                    self.named(f"pad<{', '.join(map(str, paddings))}>({value.jig})"))
        places = places_of(value)

        def loops(name):
            to = out.offset([f"({place} + {paddings[2 * a]})" for a, place in enumerate(places)])
            return f"for (long i = 0; i < {out.size()}; ++i) {name}[i] = 0; {over(value, range(rank))} {name}[{to}] = {value.element(places)};"

        out.loops = loops
        return out

    def pairs(self, value):
        rank = len(value.shape)
        if rank == 0 or value.dtype == "u8":
            return None
        axis = self.random.randrange(rank)
        if axis == value.wild or value.size() * value.shape[axis] > 300000:
            return None
        shape = value.shape[:axis] + [value.shape[axis]] + value.shape[axis:]
        return Value(value.dtype, shape, wild_beside(value.wild, axis),
                     self.named(f"expand_dims<{axis}>({value.jig}) - expand_dims<{axis + 1}>({value.jig})"),
                     lambda places: f"({value.element(without(places, axis))} - {value.element(without(places, axis + 1))})")

    def product(self, value):
        if value.dtype not in FLOATS or len(value.shape) != 2 or value.wild == 1:
            return None
        columns = self.random.choice([0, 2, 3, 4, 5, 8, 10, 16])  # 0: a vector
        inner = value.shape[1]
        if value.size() * max(1, columns) > 3000000:
            return None
        given = self.argument(value.dtype, [inner] + [columns] * (columns > 0), None)
        out = Value(value.dtype, [value.shape[0]] + [columns] * (columns > 0), value.wild, self.named(f"matmul({value.jig}, {given.jig})"))
        cpp, count = value.cpp(), max(1, columns)

        def loops(name):
            return (f"{over(value, [0])} {{ {cpp} t[{count}] = {{}}; for (long k = 0; k < {inner}; ++k) for (long j = 0; j < {count}; ++j) "
                    f"t[j] += {value.element(['i0', 'k'])} * {given.element(['k', 'j'][:len(given.shape)])}; "
                    f"for (long j = 0; j < {count}; ++j) {name}[i0 * {count} + j] = t[j]; }}")

        out.loops = loops
        return out

    def build(self):
        """The result of a new program, None if nothing came of it."""
        shape = [self.random.choice(SHORT if self.random.random() < 0.5 else LONG) for _ in range(self.random.choice([1, 2, 2, 2, 3, 3, 4]))]
        # One axis makes up for the others.
        longest, wanted = self.random.randrange(len(shape)), self.random.choice([64, 1000, 10000, 100000])
        shape[longest] = 1
        others = Value("f32", shape, None, "").size()
        shape[longest] = max(2, wanted // others)
        if others * shape[longest] > 400000:
            return None
        value = self.argument(self.random.choice(["f32", "f32", "f32", "f32", "f64", "f64", "i32", "u8", "u8"]), shape,
                              0 if self.random.random() < 0.35 else None)
        moves = [self.transpose, self.reverse, self.part, self.neighbours, self.components, self.chosen, self.join, self.pad, self.pairs]
        left = self.random.choice([1, 2, 2, 3, 3, 4])
        for _ in range(40):
            if left == 0:
                break
            before = len(self.arguments), len(self.lines), len(self.loops)
            steps, buffers = self.steps, self.buffers
            op = self.random.choice([self.unary, self.cast, self.binary, self.binary, self.reduce, self.reduce, self.centre, self.search,
                                     self.scan, self.product, self.random.choice(moves), self.random.choice(moves)])
            made = op(value)
            if made is None or made.size() > 1000000 or len(self.arguments) > 4:
                del self.arguments[before[0]:], self.lines[before[1]:], self.loops[before[2]:]
                self.steps, self.buffers = steps, buffers
                continue
            left -= 1
            value = self.in_memory(made) if left > 0 else made
        if left > 0:
            return None
        self.store(value, "y")
        return value


def program(seed):
    for attempt in range(1000):
        made = Program(seed * 1000 + attempt)
        result = made.build()
        if result is not None:
            return made, result
    raise ValueError(seed)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: generate.py FIRST_SEED COUNT NAME")
    first, count, family = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    programs = [(seed, *program(seed)) for seed in range(first, first + count)]
    print("// Written by random_shapes/generate.py.\n#include \"row.hpp\"\n\n#include <cmath>\n#include <cstdlib>\n#include <limits>\n")
    print("namespace loops {\nnamespace {\n\nusing bench::u8;\n")
    print("template <class T>\nT squared(T x) {\n  return x * x;\n}")
    print("template <class T>\nT leaky(T x) {\n  return x > 0 ? x : x * T(0.25);\n}")
    print("template <class T, class U>\nT larger(T x, U y) {\n  return x > T(y) ? x : T(y);\n}")
    print("template <class T, class U>\nT smaller(T x, U y) {\n  return x < T(y) ? x : T(y);\n}")
    for seed, made, result in programs:
        operands = "".join(f", const {a.cpp()}* __restrict {a.jig}" for a in made.arguments)
        print(f"\nvoid program_{seed}([[maybe_unused]] long n{operands}, {result.cpp()}* __restrict y) {{")
        print("\n".join("  " + loop for loop in made.loops) + "\n}")
    print(f"\n}}  // namespace\n}}  // namespace loops\n\nusing namespace loops;\n\nROWS({family}){{")
    for seed, made, result in programs:
        small = result.size() + sum(a.size() for a in made.arguments) <= 600
        parameters = ", ".join(f"auto {a.jig}" for a in made.arguments)
        operands = "".join(f", in<{a.tensor()}>({a.wildcards()})" for a in made.arguments)
        print(f"  {'SMALL_ROW' if small else 'ROW'}(({parameters}), ([&] {{ {' '.join(made.lines)} return v{made.steps}; }}()), "
              f"(program_{seed}), out<{result.tensor()}>({result.wildcards()}){operands}),")
    print("};")


main()
