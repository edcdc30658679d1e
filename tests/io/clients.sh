#!/usr/bin/env bash
# usage: clients.sh ROOT PROGRAM
# Other programs run files that PROGRAM (clients/write_models.cpp) writes: protoc reads and prints them, Graphviz counts their nodes,
# OpenCV and TensorFlow.js run them, onnx checks and ONNX Runtime runs models of ONNX; jig runs models that python's onnx writes; then a second run of PROGRAM, which has not traced them, reads them. What is not installed is said, and
# fails where CI is set.
set -eu
here=$1/tests/io/clients
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
missing=0
lacks() { echo "not installed: $1"; missing=1; }
# usage: knows_fields DECODED FILE
# protoc prints fields that the schema has not by their numbers.
knows_fields() {
  [ -s "$1" ] || { echo "protoc prints nothing of $2" >&2; exit 1; }
  if grep -E '^ *[0-9]+[:{ ]' "$1"; then
    echo "$2 has unknown fields" >&2
    exit 1
  fi
}

"$program" "$folder"
if command -v protoc >/dev/null; then
  for model in "$folder"/*/; do
    protoc --proto_path="$here" --decode=tensorflow.GraphDef graph_def.proto <"$model/model.pb" >"$folder/decoded"
    diff "$folder/decoded" "$model/model.pbtxt" >/dev/null || { echo "protoc prints another text of $model"; exit 1; }
    knows_fields "$folder/decoded" "$model"
    protoc --proto_path="$here" --encode=tensorflow.GraphDef graph_def.proto <"$model/model.pbtxt" >"$folder/encoded"
    protoc --proto_path="$here" --decode=tensorflow.GraphDef graph_def.proto <"$folder/encoded" | cmp - "$model/model.pbtxt"
    echo "protoc prints $(basename "$model") as it is written"
  done
  protoc --proto_path="$here" --decode=tensorflow.SavedModel saved_model.proto <"$folder/step/saved_model/saved_model.pb" >"$folder/decoded"
  knows_fields "$folder/decoded" saved_model.pb
  if command -v python3 >/dev/null; then python3 "$here/read_saved_model.py" "$folder/step" "$folder/decoded"; else lacks python3; fi
else lacks 'protoc (protobuf-compiler)'; fi
if command -v gc >/dev/null && command -v acyclic >/dev/null; then
  for model in "$folder"/*/; do acyclic -n "$model/model.dot" || { echo "$model/model.dot has a circle"; exit 1; }; done
else lacks graphviz; fi
# A system may have a second Python, without its packages, before its own.
python=python3
"$python" -c 'import cv2' 2>/dev/null || python=/usr/bin/python3
if "$python" -c 'import cv2, numpy' 2>/dev/null; then "$python" "$here/run_opencv.py" "$folder/dense"
else lacks 'OpenCV (python3-opencv)'; fi
export NODE_PATH=${NODE_PATH:-$(npm root --global 2>/dev/null || true)}
if node -e 'require.resolve("@tensorflow/tfjs")' 2>/dev/null; then node "$here/run_tfjs.js" "$folder"/*/ 2>"$folder/errors" || { cat "$folder/errors"; exit 1; }
else lacks 'TensorFlow.js (npm install --global --ignore-scripts @tensorflow/tfjs)'; fi
python=python3
"$python" -c 'import onnx' 2>/dev/null || python=/usr/bin/python3
has_onnx='' runs_onnx=''
if "$python" -c 'import onnx' 2>/dev/null; then has_onnx=yes; else lacks 'onnx (python3-onnx)'; fi
if node -e 'require.resolve("onnxruntime-node")' 2>/dev/null; then runs_onnx=yes
else lacks 'ONNX Runtime (npm install --global --ignore-scripts onnxruntime-node)'; fi
if [ -n "$has_onnx$runs_onnx" ]; then "$program" "$folder/onnx" onnx; fi
if [ -n "$has_onnx" ]; then "$python" "$here/check_onnx.py" "$folder/onnx"; fi
if [ -n "$runs_onnx" ]; then node "$here/run_onnx.js" "$folder/onnx"; fi
if [ -n "$has_onnx" ] && [ -n "$runs_onnx" ]; then
  mkdir "$folder/theirs"
  "$python" "$here/write_onnx.py" "$folder/theirs"
  node "$here/run_onnx.js" "$folder/theirs" fill
  "$program" "$folder/theirs" theirs
fi
rm -rf "$folder/onnx" "$folder/theirs"
"$program" "$folder" load
[ $missing = 0 ] || [ -z "${CI:-}" ] || exit 1
[ $missing = 0 ] || exit 77
