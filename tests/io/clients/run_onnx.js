// usage: node run_onnx.js FOLDER: runs the models of FOLDER/models.jsonl in ONNX Runtime and compares with what jig computes.
//        node run_onnx.js FOLDER fill: writes what it computes to FOLDER/results.jsonl instead.
// Kernels that ONNX Runtime has not for a dtype are listed.
const fs = require('fs'), path = require('path');
const ort = require('onnxruntime-node');

const arrays = { float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, int16: Int16Array, int32: Int32Array,
  int64: BigInt64Array, uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, bool: Uint8Array };
const is_long = (dtype) => dtype === 'int64' || dtype === 'uint64';
const half = (bits) => {
  const sign = bits & 0x8000 ? -1 : 1, e = bits >> 10 & 31, m = bits & 1023;
  return sign * (e === 31 ? (m ? NaN : Infinity) : e ? 2 ** (e - 15) * (1 + m / 1024) : 2 ** -14 * (m / 1024));
};
const tensor = ({ dtype, data, shape }) =>
  new ort.Tensor(dtype, dtype === 'string' ? data : arrays[dtype].from(data, is_long(dtype) ? BigInt : Number), shape);
const lacking = [/Could not find an implementation for (\w+)/, /data type is not supported with (ScatterND|ScatterElements)/];

// How a result differs, or nothing.
function difference(got, want) {
  if (got.type !== want.dtype) return `${got.type}, not ${want.dtype}`;
  if (JSON.stringify(got.dims) !== JSON.stringify(want.shape)) return `shape ${JSON.stringify(got.dims)}, not ${JSON.stringify(want.shape)}`;
  const is_half = want.dtype === 'float16', real = want.dtype.startsWith('float'), near = is_half ? 4e-3 : 1e-6, number = is_half ? half : Number;
  for (let i = 0; i < want.data.length; ++i) {
    let same;
    if (is_long(want.dtype)) same = got.data[i] === BigInt(want.data[i]);
    else if (!real) same = got.data[i] === want.data[i] || got.data[i] === Number(want.data[i]);
    else {
      const x = number(want.data[i]), y = number(got.data[i]);
      same = Object.is(x, y) || x === y || Math.abs(x - y) <= near * Math.max(1, Math.abs(x));
    }
    if (!same) return `[${i}]: ${real ? number(got.data[i]) : got.data[i]}, not ${real ? number(want.data[i]) : want.data[i]}`;
  }
  return '';
}

const plain = (t) => ({ dtype: t.type, shape: t.dims, data: Array.from(t.data, (v) => (typeof v === 'bigint' || !Number.isFinite(v) ? String(v) : v)) });

async function main(folder, fill) {
  const wrong = [], lacks = new Map(), results = [];
  let count = 0, skipped = 0;
  for (const line of fs.readFileSync(path.join(folder, 'models.jsonl'), 'utf8').trim().split('\n')) {
    const model = JSON.parse(line);
    const dtypes = new Set(model.calls.flatMap((c) => [...Object.values(c.feeds), ...Object.values(c.expected)]).filter((x) => x).map((x) => x.dtype));
    // JavaScript has no such numbers, and ONNX Runtime few kernels for them.
    if (dtypes.has('bfloat16')) {
      ++skipped;
      continue;
    }
    let session;
    try {
      session = await ort.InferenceSession.create(path.join(folder, model.file), { logSeverityLevel: 4, intraOpNumThreads: 1 });
      for (const call of model.calls) {
        const feeds = {};
        for (const name of session.inputNames) if (call.feeds[name]) feeds[name] = tensor(call.feeds[name]);
        const given = await session.run(feeds);
        for (const [name, want] of Object.entries(call.expected)) {
          const how = fill ? '' : difference(given[name], want);
          if (how) wrong.push(`${model.file} ${name} ${how}`);
          if (fill) call.expected[name] = plain(given[name]);
        }
      }
      ++count;
      results.push(JSON.stringify(model));
    } catch (e) {
      const text = String(e.message || e), found = lacking.map((l) => l.exec(text)).find((m) => m);
      if (!found || fill) wrong.push(`${model.file}: ${text}`);
      else lacks.set(found[1], new Set([...(lacks.get(found[1]) || []), (model.calls[0].feeds.x || model.calls[0].feeds.x0).dtype]));
    } finally {
      if (session) await session.release();
    }
  }
  if (fill) fs.writeFileSync(path.join(folder, 'results.jsonl'), results.map((r) => `${r}\n`).join(''));
  for (const w of wrong) console.error(w);
  if (lacks.size) console.log(`ONNX Runtime lacks kernels for models of these dtypes: ${[...lacks].sort().map(([k, d]) => `${k} (${[...d].join(' ')})`).join(', ')}`);
  if (skipped) console.log(`${skipped} models of bfloat16 are not run`);
  console.log(`ONNX Runtime runs ${count} models`);
  process.exit(wrong.length || count < 2 * skipped ? 1 : 0);
}
main(process.argv[2], process.argv[3] === 'fill').catch((e) => { console.error(String(e.message || e)); process.exit(1); });
