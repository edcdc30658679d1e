#!/usr/bin/env bash
# usage: jig_model.sh PROGRAM [DATA]
# Converts a small model from format to format and runs it on .npy files: results are those of the first, and of the numbers by hand.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# y = relu(x w + b) with w = [[1, -1], [2, 0.5]] and b = [0.5, 0]; as text, which other formats are made of.
cat >model.pbtxt <<'END'
node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }
       attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: 'w' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } dim { size: 2 } }
       float_val: 1 float_val: -1 float_val: 2 float_val: 0.5 } } } }
node { name: 'b' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 0.5 float_val: 0 } } } }
node { name: 'xw' op: 'MatMul' input: 'x' input: 'w' }
node { name: 'sum' op: 'AddV2' input: 'xw' input: 'b' }
node { name: 'y' op: 'Relu' input: 'sum' }
END
# usage: npy FILE SHAPE BYTES...: floats, little-endian, as octal escapes of printf.
npy() {
  local header="{'descr': '<f4', 'fortran_order': False, 'shape': $2, }"
  printf '\223NUMPY\1\0\166\0%-117s\n' "$header" >"$1"
  printf '%b' "${@:3}" >>"$1"
}
one='\0\0\200\077' two='\0\0\0\100' minus='\0\0\200\277' zero='\0\0\0\0'
npy first.npy '(1, 2)' $one $two
npy second.npy '(2, 2)' $zero $minus $minus $zero
npy long.npy '(1, 3)' $one $two $one
# By hand: (1, 2) gives (5.5, 0); (0, -1) gives (0, 0) and (-1, 0) gives (0, 1).
npy first.expected '(1, 2)' '\0\0\260\100' $zero
npy second.expected '(2, 2)' $zero $zero $zero $one

"$program" convert model.pbtxt model.onnx
"$program" convert model.onnx model.pb
"$program" convert model.pb saved_model
"$program" convert saved_model back.onnx
for model in model.pbtxt model.onnx model.pb saved_model back.onnx; do
  rm -rf results
  "$program" run "$model" first.npy second.npy -o results 2>progress
  grep -q '2/2' progress
  result=$(cd results && echo first.*.npy)
  for file in first second; do
    cmp "$file.expected" "results/$file.${result#first.}" || { echo "$model: other results for $file"; exit 1; }
  done
done
"$program" show saved_model --rows 8 >shown
for line in 'signature serving_default: serving_default(x)' '    x: float32 Tensor, shape=(None, 2)' '    MatMul: 1' \
  '    bytes of arguments and results: 128' '    bytes of constants: 24' '    floating-point operations: 96'; do
  grep -qxF "$line" shown || { echo "show lacks: $line"; cat shown; exit 1; }
done
# What is wrong is said, and nothing is left.
# usage: refuses SENTENCE ARGUMENTS...
refuses() {
  if "$program" "${@:2}" >said 2>&1; then echo "not refused: ${*:2}"; exit 1; fi
  grep -qF -- "$1" said || { echo "other words for ${*:2}:"; cat said; exit 1; }
}
refuses 'missing.npy' run model.pb missing.npy
refuses 'knows no format' convert model.pb model.xyz
refuses 'there is no signature train among serving_default' show model.pb -s train
refuses '--fix the others of x' run model.pb first.npy -x x=first.npy
refuses 'expected float32 (None, 2)' run model.pb long.npy
refuses 'cannot be opened' show nothing.pb
[ ! -e model.xyz ]
