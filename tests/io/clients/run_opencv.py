# SPDX-License-Identifier: MIT
# usage: run_opencv.py FOLDER: runs FOLDER/model.pb, whose argument is x, in OpenCV and compares with FOLDER/expected.json.
import json
import sys

import cv2
import numpy as np

folder = sys.argv[1]
x = json.load(open(folder + "/feeds.json"))["x"]
want = json.load(open(folder + "/expected.json"))["output_0"]
net = cv2.dnn.readNetFromTensorflow(folder + "/model.pb")
net.setInput(np.array(x["data"], np.float32).reshape(x["shape"]), "x")
got = net.forward()
want = np.array(want["data"], np.float32).reshape(want["shape"])
assert got.shape == want.shape, (got.shape, want.shape)
assert np.abs(got - want).max() <= 1e-6, np.abs(got - want).max()
print("OpenCV runs", folder.rsplit("/", 1)[-1])
