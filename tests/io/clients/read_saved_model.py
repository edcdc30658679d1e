# SPDX-License-Identifier: MIT
# usage: read_saved_model.py FOLDER DECODED: reads the checkpoint of FOLDER/saved_model by LevelDB's layout and compares it with
# FOLDER/variables.json; DECODED is what protoc prints of saved_model.pb, where every reference must lead to a node.
import json
import re
import struct
import sys

folder, decoded = sys.argv[1:]
prefix = folder + "/saved_model/variables/variables"
index = open(prefix + ".index", "rb").read()
data = open(prefix + ".data-00000-of-00001", "rb").read()

table = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    table.append(n)


def masked_crc(what):
    crc = 0xFFFFFFFF
    for byte in what:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


assert masked_crc(b"123456789") == ((0xE3069283 >> 15 | 0xE3069283 << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(of, at):
    value = shift = 0
    while True:
        value |= (of[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if of[at - 1] < 128:
            return value, at


def block(offset, size):
    assert index[offset + size] == 0
    assert struct.unpack_from("<I", index, offset + size + 1)[0] == masked_crc(index[offset : offset + size + 1])
    of = index[offset : offset + size]
    end = size - 4 - 4 * struct.unpack_from("<I", of, size - 4)[0]
    at, key, out = 0, b"", []
    while at < end:
        shared, at = varint(of, at)
        own, at = varint(of, at)
        length, at = varint(of, at)
        key = key[:shared] + of[at : at + own]
        out.append((key.decode(), of[at + own : at + own + length]))
        at += own + length
    return out


def fields(message):
    at, out = 0, []
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == 0:
            value, at = varint(message, at)
        elif key & 7 == 5:
            value, at = struct.unpack_from("<I", message, at)[0], at + 4
        else:
            assert key & 7 == 2
            length, at = varint(message, at)
            value, at = message[at : at + length], at + length
        out.append((key >> 3, value))
    return out


assert struct.unpack_from("<Q", index, len(index) - 8)[0] == 0xDB4775248B80FB57
at = len(index) - 48
_, at = varint(index, at)
_, at = varint(index, at)
offset, at = varint(index, at)
size, at = varint(index, at)
entries = []
for _, place in block(offset, size):
    offset, at = varint(place, 0)
    size, at = varint(place, at)
    entries += block(offset, size)
assert entries[0][0] == "" and dict(fields(entries[0][1]))[1] == 1
assert [key for key, _ in entries] == sorted(key for key, _ in entries)

types = {1: ("float32", "f"), 2: ("float64", "d"), 3: ("int32", "i"), 9: ("int64", "q"), 10: ("bool", "?")}
wanted = json.load(open(folder + "/variables.json"))
assert sorted(wanted) == [key for key, _ in entries[1:]], wanted
for key, entry in entries[1:]:
    e = dict(fields(entry))
    name, code = types[e[1]]
    shape = [dict(fields(d)).get(1, 0) for _, d in fields(e.get(2, b""))]
    stored = data[e.get(4, 0) : e.get(4, 0) + e.get(5, 0)]
    assert masked_crc(stored) == e[6]
    values = list(struct.unpack("<%d%s" % (len(stored) // struct.calcsize("<" + code), code), stored))
    assert {"dtype": name, "shape": shape, "data": values} == wanted[key], key
print("the checkpoint holds", ", ".join(key for key, _ in entries[1:]))

text = open(decoded).read()
nodes = set(re.findall(r'node \{\n\s+name: "([^"]+)"', text))
references = re.findall(r'\n      input: "\^?([^":]+)', text)
references += re.findall(r'_name: "([^":]+)', text) + re.findall(r'value \{\n\s+name: "([^":]+):0"\n\s+dtype', text)
lost = [r for r in references if r not in nodes and r != "tensorflow/serving/predict"]
assert references and not lost, lost
signatures = re.findall(r'signature_def \{\n\s+key: "([^"]+)"', text)
assert signatures == ["serving_default", "train"], signatures
print("saved_model.pb has the signatures", ", ".join(signatures))
