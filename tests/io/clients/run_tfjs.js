// usage: node run_tfjs.js FOLDER...: runs the model in each FOLDER/tfjs in TensorFlow.js and compares with FOLDER/expected.json.
const fs = require('fs'), path = require('path');
const tf = require('@tensorflow/tfjs');

const read = (...parts) => JSON.parse(fs.readFileSync(path.join(...parts), 'utf8'));
// What TensorFlow.js has in the place of jig's dtypes.
const narrow = { float64: 'float32', int64: 'int32' };

async function run(folder) {
  const model = read(folder, 'tfjs', 'model.json');
  const bytes = Buffer.concat(model.weightsManifest.flatMap((group) => group.paths.map((p) => fs.readFileSync(path.join(folder, 'tfjs', p)))));
  const weights = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const specs = model.weightsManifest.flatMap((group) => group.weights);
  const loaded = await tf.loadGraphModel({ load: async () => tf.io.getModelArtifactsForJSON(model, async () => [specs, weights]) });
  const feeds = {};
  for (const [name, x] of Object.entries(read(folder, 'feeds.json'))) feeds[name] = tf.tensor(x.data, x.shape, narrow[x.dtype] || x.dtype);
  const outputs = Object.entries(model.signature.outputs);
  let given = await loaded.executeAsync(feeds, outputs.map(([, info]) => info.name));
  if (!Array.isArray(given)) given = [given];
  const expected = read(folder, 'expected.json');
  outputs.forEach(([name], k) => {
    const want = expected[name], got = given[k].dataSync();
    if (JSON.stringify(given[k].shape) !== JSON.stringify(want.shape)) throw new Error(`${folder} ${name}: shape ${given[k].shape}, not ${want.shape}`);
    want.data.forEach((x, i) => {
      if (!(Math.abs(Number(x) - got[i]) <= 1e-6 * Math.max(1, Math.abs(Number(x))))) throw new Error(`${folder} ${name}[${i}]: ${got[i]}, not ${x}`);
    });
  });
  console.log(`tfjs runs ${path.basename(folder)}`);
}

(async () => {
  await tf.setBackend('cpu');
  for (const folder of process.argv.slice(2)) await run(folder);
})().catch((e) => { console.error(String(e.message || e)); process.exit(1); });
