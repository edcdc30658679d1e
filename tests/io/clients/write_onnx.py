# SPDX-License-Identifier: MIT
# usage: write_onnx.py FOLDER: writes models as other programs do, with arguments, to FOLDER/models.jsonl.
import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
random = np.random.RandomState(1)
out = open(folder + "/models.jsonl", "w")
FLOAT, INT32, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL


def value(name, dtype, shape):
    return helper.make_tensor_value_info(name, dtype, shape)


def weights(*shape):
    return (random.randn(*shape) * 0.4).astype(np.float32)


def as_json(x):
    return {"dtype": str(x.dtype), "shape": list(x.shape), "data": [str(e) if x.dtype == np.int64 else e.item() for e in x.ravel()]}


def write(name, nodes, inputs, outputs, constants, calls, opset=13, constants_are_inputs=False):
    stored = [numpy_helper.from_array(c, k) for k, c in constants.items()]
    if constants_are_inputs:
        inputs = inputs + [value(s.name, s.data_type, list(s.dims)) for s in stored]
    graph = helper.make_graph(nodes, name, inputs, outputs, stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="write_onnx")
    model.ir_version = 3 if constants_are_inputs else 8
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, folder + "/" + name + ".onnx")
    lines = [{"feeds": {k: as_json(x) for k, x in c.items()}, "expected": {o.name: None for o in outputs}} for c in calls]
    out.write(json.dumps({"file": name + ".onnx", "calls": lines}) + "\n")


node = helper.make_node
rows = [{"x": weights(n, 6) * 3} for n in (1, 4)]

# Weights are inputs as well, as in models of 2018.
write("mlp", [node("Gemm", ["x", "w", "b"], ["h"]), node("Relu", ["h"], ["r"]),
              node("Gemm", ["r", "v", "c"], ["s"], alpha=0.5, transB=1), node("Softmax", ["s"], ["y"], axis=1)],
      [value("x", FLOAT, [None, 6])], [value("y", FLOAT, [None, 3])],
      {"w": weights(6, 8), "b": weights(8), "v": weights(3, 8), "c": weights(3)}, rows, 9, True)

channels = {"scale": weights(4) + 1, "bias": weights(4), "mean": weights(4), "variance": abs(weights(4)) + 0.5}
write("convolutions",
      [node("Conv", ["x", "w"], ["a"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
       node("BatchNormalization", ["a", "scale", "bias", "mean", "variance"], ["n"]), node("Relu", ["n"], ["r"]),
       node("MaxPool", ["r"], ["p"], kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1], ceil_mode=1),
       node("Conv", ["p", "v", "c"], ["d"], group=4, dilations=[2, 2], auto_pad="VALID"), node("HardSwish", ["d"], ["s"]),
       node("GlobalAveragePool", ["s"], ["g"]), node("Flatten", ["g"], ["f"]), node("Gemm", ["f", "u", "k"], ["y"], transB=1)],
      [value("x", FLOAT, ["batch", 3, 12, 12])], [value("y", FLOAT, ["batch", 5])],
      dict(channels, w=weights(4, 3, 3, 3), v=weights(8, 1, 2, 2), c=weights(8), u=weights(5, 8), k=weights(5)),
      [{"x": weights(n, 3, 12, 12) * 3} for n in (1, 3)], 15)

write("lstm", [node("LSTM", ["x", "w", "r", "b", "lengths"], ["y", "h", "c"], hidden_size=4, direction="bidirectional")],
      [value("x", FLOAT, [5, 3, 2]), value("lengths", INT32, [3])],
      [value("y", FLOAT, [5, 2, 3, 4]), value("h", FLOAT, [2, 3, 4]), value("c", FLOAT, [2, 3, 4])],
      {"w": weights(2, 16, 2), "r": weights(2, 16, 4), "b": weights(2, 32)},
      [{"x": weights(5, 3, 2) * 2, "lengths": np.array(n, np.int32)} for n in ([5, 5, 5], [1, 5, 3])])

# A loop whose condition the trip decides, with an If that sees what is around both.
then = helper.make_graph([node("Mul", ["state", "half"], ["t"])], "then", [], [value("t", FLOAT, [4])])
other = helper.make_graph([node("Sub", ["state", "x"], ["o"])], "else", [], [value("o", FLOAT, [4])])
trip = helper.make_graph(
    [node("ReduceSum", ["state"], ["sum"], keepdims=0), node("Greater", ["sum", "four"], ["high"]),
     node("If", ["high"], ["next"], then_branch=then, else_branch=other), node("ReduceMax", ["next"], ["top"], keepdims=0),
     node("Less", ["top", "limit"], ["on"])],
    "trip", [value("i", INT64, []), value("cond", BOOL, []), value("state", FLOAT, [4])], [value("on", BOOL, []), value("next", FLOAT, [4])])
write("loop", [node("Loop", ["most", "", "x"], ["y"], body=trip)], [value("x", FLOAT, [4])], [value("y", FLOAT, [4])],
      {"most": np.array(9, np.int64), "half": np.float32(0.5), "four": np.float32(4), "limit": np.float32(40)},
      [{"x": np.array(x, np.float32)} for x in ([1, 2, 3, 4], [-9, -1, 0, 2], [0, 0, 0, 0.5])])

# A block of a transformer as exporters write it.
write("attention",
      [node("LayerNormalization", ["x", "scale", "bias"], ["n"], axis=-1), node("MatMul", ["n", "w"], ["qkv"]),
       node("Split", ["qkv"], ["q", "k", "v"], axis=2), node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]), node("MatMul", ["q", "kt"], ["s"]),
       node("Div", ["s", "root"], ["d"]), node("Softmax", ["d"], ["p"]), node("MatMul", ["p", "v"], ["a"]), node("Add", ["a", "x"], ["y"]),
       node("Shape", ["y"], ["shape"]), node("Gather", ["shape", "zero"], ["batch"]), node("Unsqueeze", ["batch", "axis"], ["u"]),
       node("Concat", ["u", "minus"], ["to"], axis=0), node("Reshape", ["y", "to"], ["flat"])],
      [value("x", FLOAT, ["batch", 5, 4])], [value("y", FLOAT, ["batch", 5, 4]), value("flat", FLOAT, ["batch", 20])],
      {"scale": weights(4) + 1, "bias": weights(4), "w": weights(4, 12), "root": np.float32(2), "zero": np.array(0, np.int64),
       "axis": np.array([0], np.int64), "minus": np.array([-1], np.int64)},
      [{"x": weights(n, 5, 4) * 3} for n in (1, 2)], 17)
