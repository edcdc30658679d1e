// SPDX-License-Identifier: MIT
// What TensorFlow.js gives for the model of guide_model.cpp, and how long predicting two samples takes there, on one thread.
//   npm install @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0 && node guide_model.mjs
import * as tf from '@tensorflow/tfjs';
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';

setThreadsCount(1);
await tf.setBackend('wasm');

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
console.log(model.countParams());

const scales = [0.5, 0.04, 0.1, 0.004, 0.1, 0.02, 0.1, 0.4, 0.1, 0.6, 0.1, 2, 0.1];
model.setWeights(model.getWeights().map((w, k) => tf.tensor(fill(w.size, k + 1, scales[k]), w.shape)));
const x = tf.tensor(fill(2 * 400 * 16, 100, 2), [2, 400, 16]);
for (let i = 0; i < 5; i++) {
  const begin = performance.now();
  const y = model.predictOnBatch(x).dataSync();
  console.log(Array.from(y, (p) => p.toFixed(4)).join(' '), (performance.now() - begin).toFixed(0), 'ms');
}
