# SPDX-License-Identifier: MIT
# usage: check_onnx.py FOLDER: onnx's checker looks at all models of FOLDER/models.jsonl, with strict inference of shapes, as they are and as
# models of opset 17.
import json
import sys

import onnx
from onnx import checker, shape_inference

folder = sys.argv[1]
wrong, count, opsets = [], 0, set()
for line in open(folder + "/models.jsonl"):
    file = json.loads(line)["file"]
    model = onnx.load(folder + "/" + file)
    opsets.add(model.opset_import[0].version)
    try:
        for opset in (model.opset_import[0].version, 17):
            model.opset_import[0].version = opset
            checker.check_model(model, full_check=True)
            shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        count += 1
    except Exception as e:
        wrong.append("%s, opset %d: %s" % (file, opset, " ".join(str(e).split())))
for w in wrong:
    print(w)
print("onnx", onnx.__version__, "accepts", count, "models, which have the opsets", *sorted(opsets))
sys.exit(1 if wrong else 0)
