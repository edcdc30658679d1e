# SPDX-License-Identifier: MIT
"""How gdb prints jig's tensors, views and shapes: `source <prefix>/include/jig/gdb.py`, by hand or in ~/.gdbinit.

    (gdb) print x
    $1 = float32 (2, 3) = {{1, 2, 3}, {4, 5, 6}}
"""

import gdb

MOST_AXES = 8
DTYPES = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64",
          "uint8", "uint16", "uint32", "uint64", "bool", "string"]
C_TYPES = {"float32": "float", "float64": "double", "int8": "signed char", "int16": "short", "int32": "int",
           "int64": "long", "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int",
           "uint64": "unsigned long", "bool": "bool", "float16": "jig::half", "bfloat16": "jig::bfloat16",
           "string": "std::string"}


def template_arguments(of):
    """The arguments of a template as texts: of a pack gdb knows the name only."""
    name, depth, out = str(of.strip_typedefs().unqualified()), 0, [""]
    for c in name[name.index("<") + 1:name.rindex(">")]:
        if c == "," and depth == 0:
            out.append("")
            continue
        depth += (c in "<(") - (c in ">)")
        out[-1] += c
    return [argument.strip() for argument in out]


def declared_extents(arguments):
    return [int(argument.rstrip("lL")) for argument in arguments[1:]]


def shape_text(extents):
    return "(%s%s)" % (", ".join(str(e) for e in extents), "," if len(extents) == 1 else "")


def dtype_text(element):
    """The name of the dtype of a C++ type."""
    element = element.strip_typedefs().unqualified()
    name = str(element)
    if name in ("jig::half", "jig::bfloat16"):
        return name.replace("jig::half", "float16").replace("jig::", "")
    if "basic_string" in name:
        return "string"
    if name == "bool":
        return name
    if element.code == gdb.TYPE_CODE_FLT:
        return "float%d" % (8 * element.sizeof)
    return "%sint%d" % ("u" if name.startswith("unsigned") or name == "char8_t" else "", 8 * element.sizeof)


def extents_of(declared, stored):
    """All extents: the static ones among those declared, and the others as they are stored."""
    out, next_stored = [], 0
    for e in declared:
        if e < 0:
            e = int(stored["values"][next_stored])
            next_stored += 1
        out.append(e)
    return out


def row_major(extents):
    strides, step = [], 1
    for e in reversed(extents):
        strides.insert(0, step)
        step *= e
    return strides


def shape_values(shape):
    return [int(shape["extents"][a]) for a in range(min(int(shape["rank"]), MOST_AXES))]


def number_text(element):
    """An element; numbers that only store are read from their bits."""
    name = str(element.type.strip_typedefs().unqualified())
    if name not in ("jig::half", "jig::bfloat16"):
        return str(element)
    import struct
    bits = bytes(int(b) for b in (element.address.cast(gdb.lookup_type("unsigned char").pointer())[i] for i in range(2)))
    return "%g" % (struct.unpack("<e", bits)[0] if name == "jig::half" else struct.unpack("<f", b"\0\0" + bits)[0])


def elements_text(first, extents, strides):
    """Elements in nested braces, as many as `set print elements` says."""
    limit = gdb.parameter("print elements")
    left = [limit if limit else 1 << 62]

    def nested(at, axis):
        if axis == len(extents):
            left[0] -= 1
            return number_text((first + at).dereference())
        parts = []
        for i in range(extents[axis]):
            if left[0] <= 0:
                parts.append("...")
                break
            parts.append(nested(at + i * strides[axis], axis + 1))
        return "{%s}" % ", ".join(parts)

    return nested(0, 0)


class Elements:
    """Prints dtype, shape and elements."""

    def __init__(self, first, extents, strides, dtype=None):
        self.first, self.extents, self.strides = first, extents, strides
        self.dtype = dtype or dtype_text(first.type.target())

    def to_string(self):
        head = "%s %s" % (self.dtype, shape_text(self.extents))
        if int(self.first) == 0 or any(e < 0 or e > 1 << 56 for e in self.extents):
            return head
        return "%s = %s" % (head, elements_text(self.first, self.extents, self.strides))


def tensor(value):
    extents = extents_of(declared_extents(template_arguments(value.type)), value["extents_"])
    data = value["data_"]["data_"]
    if data.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        data = data[0].address
    return Elements(data, extents, row_major(extents))


def view(value):
    arguments = template_arguments(value.type)
    extents = extents_of(declared_extents(arguments), value["extents_"])
    kind = arguments[0]
    if kind.startswith("jig::column_major"):
        strides = row_major(extents[::-1])[::-1]
    elif kind.startswith("jig::row_major") or str(value.type.strip_typedefs().unqualified()).startswith("jig::dense_view"):
        strides = row_major(extents)
    else:
        strides = [int(value["strides_"][axis]) for axis in range(len(extents))]
    return Elements(value["data_"], extents, strides)


def any_rank_view(value):
    return Elements(value["data_"], shape_values(value["extents_"]), shape_values(value["strides_"]))


def any_view(value):
    dtype = DTYPES[int(value["dtype"])]
    first = value["data"].cast(gdb.lookup_type(C_TYPES[dtype]).const().pointer())
    return Elements(first, shape_values(value["extents"]), shape_values(value["strides"]), dtype)


class Shape:
    def __init__(self, value):
        self.extents = shape_values(value)

    def to_string(self):
        return shape_text(self.extents)


class Number:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return number_text(self.value)


PRINTERS = {"jig::tensor": tensor, "jig::view": view, "jig::dense_view": view, "jig::any_rank_view": any_rank_view,
            "jig::any_view": any_view, "jig::any_tensor": lambda value: any_view(value["view_"]),
            "jig::variable": lambda value: tensor(value["value_"]), "jig::shape": Shape, "jig::half": Number, "jig::bfloat16": Number}


def find_printer(value):
    name = str(value.type.strip_typedefs().unqualified()).split("<")[0]
    return PRINTERS[name](value) if name in PRINTERS else None


find_printer.__name__ = "jig"
gdb.pretty_printers[:] = [p for p in gdb.pretty_printers if getattr(p, "__name__", "") != "jig"] + [find_printer]
