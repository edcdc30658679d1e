# SPDX-License-Identifier: MIT
# usage: check_onnx.py FOLDER: onnx's checker looks at all models of FOLDER/models.jsonl, with strict inference of shapes, as they are and,
# of those that need no newer one, as models of opset 17. It has not seen opsets that are newer than itself.
import json
import sys

import onnx
from onnx import checker, defs, shape_inference

folder = sys.argv[1]
wrong, count, newer, opsets = [], 0, 0, set()
for line in open(folder + "/models.jsonl"):
    file = json.loads(line)["file"]
    model = onnx.load(folder + "/" + file)
    own = model.opset_import[0].version
    opsets.add(own)
    if own > defs.onnx_opset_version():
        newer += 1
        continue
    try:
        for opset in (own, max(own, 17)):
            model.opset_import[0].version = opset
            checker.check_model(model, full_check=True)
            shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        count += 1
    except Exception as e:
        wrong.append("%s, opset %d: %s" % (file, opset, " ".join(str(e).split())))
for w in wrong:
    print(w)
print("onnx", onnx.__version__, "accepts", count, "models, which have the opsets", *sorted(opsets))
if newer:
    print(newer, "models are of opsets that it has not")
sys.exit(1 if wrong else 0)
