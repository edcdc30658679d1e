# SPDX-License-Identifier: MIT
"""Compares jig's callables with NumPy; `--time` prints what a call costs."""

import sys
import timeit

import jig_example
import numpy as np

random = np.random.default_rng(1)
x = random.standard_normal((5, 3), dtype=np.float32)
w = random.standard_normal((3, 4), dtype=np.float32)
b = random.standard_normal(4, dtype=np.float32)

np.testing.assert_allclose(jig_example.dense(x, w, b), np.tanh(x @ w + b), rtol=1e-5)

# Views of arrays are read where they are: transposed, reversed, every second row, columns.
np.testing.assert_allclose(jig_example.dense(x[::-2], w, b), np.tanh(x[::-2] @ w + b), rtol=1e-5)
np.testing.assert_allclose(jig_example.dense(w.T, w, b), np.tanh(w.T @ w + b), rtol=1e-5)
np.testing.assert_allclose(jig_example.dense(x, np.asfortranarray(w), w[0]), np.tanh(x @ w + w[0]), rtol=1e-5)
assert jig_example.dense(x[:0], w, b).shape == (0, 4)

# Results outlive everything else, and may be written.
p = random.standard_normal((4, 3))
distances = jig_example.distances(p, p + 1)
assert distances.flags.writeable and not distances.flags.owndata
del p
distances[0, 0] = 0
assert distances.shape == (4, 4) and distances.dtype == np.float64

y = np.linspace(0, 1, 7)
np.testing.assert_allclose(jig_example.slope(y, 0 * y), 2 * y / 7)


def refused(error, text, *arguments):
    try:
        jig_example.dense(*arguments)
    except error as e:
        assert text in str(e), e
    else:
        raise AssertionError("not refused")


refused(TypeError, "incompatible function arguments", x.astype(np.float64), w, b)
refused(TypeError, "an array with 1 axes is wanted, not 2", x, w, w)
refused(ValueError, "inner extents differ", x, w.T, b)
refused(TypeError, "whole elements", x, w, np.zeros(4, dtype=[("b", np.float32), ("byte", np.int8)])["b"])

if "--time" in sys.argv:
    for name, call in {
        "dense of 5 x 3": lambda: jig_example.dense(x, w, b),
        "slope of 7": lambda: jig_example.slope(y, y),
        "pybind11's own call with two arrays": lambda: jig_example.empty_like(y, y),
        "np.tanh(x @ w + b)": lambda: np.tanh(x @ w + b),
    }.items():
        print(f"{min(timeit.repeat(call, number=500, repeat=400)) / 500 * 1e9:6.0f} ns  {name}")
