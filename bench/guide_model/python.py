# SPDX-License-Identifier: MIT
# usage: python.py SAMPLES ROUNDS MODEL.onnx
# The model of examples/guide_model.hpp in PyTorch on one thread, whose own LSTM has no relu, so step by step. Prints
# `name<tab>milliseconds<tab>first prediction`, the best of all rounds, and writes the model for ONNX Runtime.
import sys
import time

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

torch.set_num_threads(1)
samples, rounds, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def filled(shape, seed, scale):
    """Numbers between -scale / 2 and scale / 2, each a hash of its place."""
    h = (numpy.arange(1, numpy.prod(shape) + 1, dtype=numpy.uint32) * numpy.uint32(0x9E3779B1)) ^ numpy.uint32(seed * 0x85EBCA6B & 0xFFFFFFFF)
    h = (h ^ (h >> numpy.uint32(16))) * numpy.uint32(0x7FEB352D)
    h ^= h >> numpy.uint32(15)
    return ((h >> numpy.uint32(8)).astype(numpy.float32) / numpy.float32(16777216) - numpy.float32(0.5)).reshape(shape) * numpy.float32(scale)


shapes = [(16, 2048), (512, 2048), (2048,), (400, 512, 128), (128,), (51200, 256), (256,), (256, 128), (128,), (128, 64), (64,), (64, 1), (1,)]
scales = [0.5, 0.04, 0.1, 0.004, 0.1, 0.02, 0.1, 0.4, 0.1, 0.6, 0.1, 2, 0.1]
kernel, recurrent, bias, taps, taps_bias, *dense = [filled(s, k + 1, scales[k]) for k, s in enumerate(shapes)]
x = filled((samples, 400, 16), 100, 2)


def torch_model(x, kernel, recurrent, bias, taps, taps_bias, *dense):
    h = c = torch.zeros(x.shape[0], 512)
    states = []
    for gates in (x @ kernel + bias).unbind(1):
        i, f, g, o = (gates + h @ recurrent).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.relu(g)
        h = torch.sigmoid(o) * torch.relu(c)
        states.append(h)
    y = torch.nn.functional.pad(torch.stack(states, 2), (199, 200))
    y = torch.nn.functional.conv1d(y, taps, taps_bias).permute(0, 2, 1).flatten(1)
    for k in range(0, len(dense), 2):
        y = y @ dense[k] + dense[k + 1]
        y = torch.relu(y) if k + 2 < len(dense) else torch.sigmoid(y)
    return y


with torch.no_grad():
    weights = [torch.from_numpy(w) for w in (kernel, recurrent, bias, numpy.ascontiguousarray(taps.transpose(2, 1, 0)), taps_bias, *dense)]
    best = float('inf')
    for _ in range(rounds):
        begin = time.perf_counter()
        y = torch_model(torch.from_numpy(x), *weights)
        best = min(best, time.perf_counter() - begin)
print(f'PyTorch {torch.__version__}\t{best * 1e3:.1f}\t{y[0, 0].item():.4f}', flush=True)

# ONNX has the gates i, o, f, g.
gates = [0, 3, 1, 2]


def reordered(w):
    return numpy.concatenate([w[..., g * 512:(g + 1) * 512] for g in gates], -1).T[None]


constants = {'w': reordered(kernel), 'r': reordered(recurrent), 'b': numpy.concatenate([reordered(bias), numpy.zeros((1, 2048), numpy.float32)], 1),
             'taps': taps.transpose(2, 1, 0), 'taps_bias': taps_bias, 'axis': numpy.array([1])}
nodes = [helper.make_node('Transpose', ['x'], ['steps'], perm=[1, 0, 2]),
         helper.make_node('LSTM', ['steps', 'w', 'r', 'b'], ['all'], hidden_size=512, activations=['Sigmoid', 'Relu', 'Relu']),
         helper.make_node('Squeeze', ['all', 'axis'], ['states']),
         helper.make_node('Transpose', ['states'], ['channels'], perm=[1, 2, 0]),
         helper.make_node('Conv', ['channels', 'taps', 'taps_bias'], ['wide'], pads=[199, 200]),
         helper.make_node('Transpose', ['wide'], ['back'], perm=[0, 2, 1]),
         helper.make_node('Flatten', ['back'], ['y0'])]
for k in range(0, len(dense), 2):
    constants[f'd{k}'], constants[f'd{k + 1}'] = dense[k], dense[k + 1]
    nodes += [helper.make_node('Gemm', [f'y{k}', f'd{k}', f'd{k + 1}'], [f'z{k}']),
              helper.make_node('Relu' if k + 2 < len(dense) else 'Sigmoid', [f'z{k}'], [f'y{k + 2}'])]
graph = helper.make_graph(nodes, 'guide', [helper.make_tensor_value_info('x', TensorProto.FLOAT, [None, 400, 16])],
                          [helper.make_tensor_value_info(f'y{len(dense)}', TensorProto.FLOAT, [None, 1])],
                          [numpy_helper.from_array(numpy.ascontiguousarray(v), k) for k, v in constants.items()])
onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid('', 17)]), path)
