#!/usr/bin/env bash
# usage: save_and_load.sh PROGRAM [DATA]
# One process saves a model, another one loads it from every format: what they print of its results is equal.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
saved=$("$1" save "$folder")
loaded=$("$1" load "$folder")
for name in saved_model model.pb model.pbtxt model.onnx; do
  printf '%s\n%s\n' "$name" "$saved" >"$folder/expected"
  printf '%s\n' "$loaded" | awk -v name="$name" -v lines="$(wc -l <"$folder/expected")" '$0 == name { n = lines } n-- > 0' >"$folder/given"
  diff "$folder/expected" "$folder/given" || { echo "$name: < what was saved, > what was loaded"; exit 1; }
done
# A hundred steps before it was saved, a hundred behind it.
printf '%s\n' "$loaded" | grep -q '^train(x, y)$'
printf '%s\n' "$loaded" | grep -q 'steps: tf.Tensor(200, shape=(), dtype=int32)'
printf '%s\n' "$loaded" | grep -q 'the loss has become smaller'
[ "$(find "$folder/saved_model" -type f | wc -l)" = 3 ]
