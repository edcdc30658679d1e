// SPDX-License-Identifier: MIT
// usage: node javascript.mjs SAMPLES ROUNDS MODEL.onnx
// The model of examples/guide_model.hpp in TensorFlow.js (wasm), and in ONNX Runtime as python.py has written it, both on one thread. Prints
// `name<tab>milliseconds<tab>first prediction` for each, the best of all rounds.
import * as tf from '@tensorflow/tfjs';
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';
import * as ort from 'onnxruntime-node';

const [samples, rounds] = process.argv.slice(2, 4).map(Number);
setThreadsCount(1);
await tf.setBackend('wasm');

async function best(name, predict) {
  let least = Infinity, first;
  for (let i = 0; i < rounds; i++) {
    const begin = performance.now();
    first = await predict();
    least = Math.min(least, performance.now() - begin);
  }
  console.log(`${name}\t${least.toFixed(1)}\t${first.toFixed(4)}`);
}

// Numbers between -scale / 2 and scale / 2, each a hash of its place.
function fill(n, seed, scale) {
  return Float32Array.from({ length: n }, (_, i) => {
    let h = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
    h = (h ^ (h >>> 15)) >>> 0;
    return ((h >>> 8) / 16777216 - 0.5) * scale;
  });
}

const zeros = { kernelInitializer: 'zeros', recurrentInitializer: 'zeros' };  // the others take minutes
const { dense, lstm, conv1d, flatten } = tf.layers;
const model = tf.sequential({
  layers: [
    lstm({ units: 512, activation: 'relu', recurrentActivation: 'sigmoid', returnSequences: true, inputShape: [400, 16], ...zeros }),
    conv1d({ filters: 128, kernelSize: 400, padding: 'same', ...zeros }),
    flatten(),
    ...[256, 128, 64].map((units) => dense({ units, activation: 'relu', ...zeros })),
    dense({ units: 1, activation: 'sigmoid', ...zeros }),
  ],
});

const scales = [0.5, 0.04, 0.1, 0.004, 0.1, 0.02, 0.1, 0.4, 0.1, 0.6, 0.1, 2, 0.1];
model.setWeights(model.getWeights().map((w, k) => tf.tensor(fill(w.size, k + 1, scales[k]), w.shape)));
const numbers = fill(samples * 400 * 16, 100, 2);
const x = tf.tensor(numbers, [samples, 400, 16]);
await best(`TensorFlow.js ${tf.version.tfjs}, wasm`, () => model.predictOnBatch(x).dataSync()[0]);

const session = await ort.InferenceSession.create(process.argv[4], { intraOpNumThreads: 1, interOpNumThreads: 1 });
const input = new ort.Tensor('float32', numbers, [samples, 400, 16]);
await best(`ONNX Runtime ${ort.env.versions.node}`, async () => Object.values(await session.run({ x: input }))[0].data[0]);
