#!/usr/bin/env python3
"""usage: image_filter.py PROGRAM DATA FOLDER

Makes pictures of the real digits, runs the filters on them and compares every byte with plain loops, which read and write PNG by
themselves. Prints what differs.
"""
import struct
import subprocess
import sys
import zlib

program, data, folder = sys.argv[1:]
digits = [list(map(int, line.split(",")))[:64] for line in open(data + "/digits.csv")]
status = 0


def picture(rows, columns):
    """Digits side by side, other ones in each colour: [rows][columns][3]."""
    return [[[digits[r // 8 * 100 + c // 8 + 10 * k][r % 8 * 8 + c % 8] * 255 // 16 for k in range(3)] for c in range(columns)]
            for r in range(rows)]


def write_png(path, image):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    lines = b"".join(b"\0" + bytes(sum(row, [])) for row in image)
    header = struct.pack(">IIBBBBB", len(image[0]), len(image), 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def read_png(path):
    """Of grey or of red, green and blue, a byte each."""
    content, at, packed = open(path, "rb").read(), 8, b""
    while at < len(content):
        length, name = struct.unpack(">I4s", content[at:at + 8])
        part = content[at + 8:at + 8 + length]
        at += length + 12
        if name == b"IHDR":
            columns, rows, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", part)
            assert depth == 8 and colours in (0, 2) and not interlaced
        elif name == b"IDAT":
            packed += part
    n = 3 if colours == 2 else 1
    lines, above, image = zlib.decompress(packed), [0] * (columns * n), []
    for r in range(rows):
        start = r * (columns * n + 1)
        kind, line = lines[start], list(lines[start + 1:start + 1 + columns * n])
        for i in range(columns * n):
            left, up, corner = line[i - n] if i >= n else 0, above[i], above[i - n] if i >= n else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda x: abs(guess - x))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        image.append([line[i:i + n] for i in range(0, columns * n, n)])
        above = line
    return image


def blur(image):
    weights = (1, 4, 6, 4, 1)

    def pixel(r, c, k):
        total = weight = 0
        for i in range(-2, 3):
            for j in range(-2, 3):
                if 0 <= r + i < len(image) and 0 <= c + j < len(image[0]):
                    w = weights[i + 2] * weights[j + 2]
                    total += w * image[r + i][c + j][k]
                    weight += w
        return total / weight
    return [[[pixel(r, c, k) for k in range(3)] for c in range(len(image[0]))] for r in range(len(image))]


def edges(image):
    grey = [[0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2] for p in row] for row in image]

    def pixel(r, c):
        across = sum(w * (grey[r + i][c + 1] - grey[r + i][c - 1]) for i, w in ((-1, 1), (0, 2), (1, 1)))
        down = sum(w * (grey[r + 1][c + i] - grey[r - 1][c + i]) for i, w in ((-1, 1), (0, 2), (1, 1)))
        return min((across ** 2 + down ** 2) ** 0.5, 255)
    return [[[pixel(r, c)] for c in range(1, len(grey[0]) - 1)] for r in range(1, len(grey) - 1)]


def half(image):
    def places(size):
        """Between which two lines of the image each one lies, and how far from the first."""
        count = (size + 1) // 2
        at = [max((i + 0.5) * size / count - 0.5, 0) for i in range(count)]
        return [(int(x), min(int(x) + 1, size - 1), x - int(x)) for x in at]
    return [[[(image[r0][c0][k] * (1 - c) + image[r0][c1][k] * c) * (1 - r) + (image[r1][c0][k] * (1 - c) + image[r1][c1][k] * c) * r
              for k in range(3)] for c0, c1, c in places(len(image[0]))] for r0, r1, r in places(len(image))]


for rows, columns in ((37, 53), (40, 64), (3, 3), (5, 1), (1, 1)):
    source, target = f"{folder}/{rows}x{columns}.png", f"{folder}/out.png"
    image = picture(rows, columns)
    write_png(source, image)
    for name in (blur, edges, half):
        if name is edges and min(rows, columns) < 3:
            continue
        subprocess.run([program, source, target, name.__name__], check=True)
        result, expected = read_png(target), name(image)
        shapes = [(len(x), len(x[0]), len(x[0][0])) for x in (result, expected)]
        # What lies between two bytes may be rounded to either.
        wrong = shapes[0] != shapes[1] or sum(abs(x - y) > 0.501 for a, b in zip(result, expected) for p, q in zip(a, b) for x, y in zip(p, q))
        if wrong:
            print(f"{name.__name__} of {rows} x {columns}: {shapes[0]}, expected {shapes[1]}, {int(wrong)} bytes differ")
            status = 1
sys.exit(status)
