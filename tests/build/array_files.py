# SPDX-License-Identifier: MIT
# usage: array_files.py make|check FOLDER
# Writes arrays of every dtype with NumPy, and compares what came of them with what NumPy writes and with a small reader of safetensors.
# Of the event file it writes the messages, when their checksums are right.
import glob, json, os, struct, sys
import numpy as np

folder = sys.argv[2]
dtypes = [np.dtype(d) for d in 'f4 f8 f2 i1 i2 i4 i8 u1 u2 u4 u8 ?'.split()]
names = {'f4': 'F32', 'f8': 'F64', 'f2': 'F16', 'i1': 'I8', 'i2': 'I16', 'i4': 'I32', 'i8': 'I64', 'u1': 'U8', 'u2': 'U16', 'u4': 'U32', 'u8': 'U64', 'b1': 'BOOL'}
shapes = [(), (0,), (1,), (7,), (3, 5), (0, 4), (2, 3, 4), (1,) * 7 + (3,)]
random = np.random.default_rng(1)


def arrays():
    for d in dtypes:
        for s in shapes:
            x = random.integers(0, 2 if d.kind == 'b' else 100, s).astype(d)
            yield f'{d.str[1:]}_{"x".join(map(str, s))}', x


def read_safetensors(path):
    data = open(path, 'rb').read()
    (length,) = struct.unpack('<Q', data[:8])
    header = json.loads(data[8:8 + length])
    dtype = {v: k for k, v in names.items()}
    return {name: np.frombuffer(data[8 + length:][e['data_offsets'][0]:e['data_offsets'][1]], '<' + dtype[e['dtype']]).reshape(e['shape'])
            for name, e in header.items()}


def write_safetensors(path, x):
    header, data = {'__metadata__': {'format': 'np'}}, b''
    for name, a in x.items():
        header[name] = {'dtype': names[a.dtype.str[1:]], 'shape': list(a.shape), 'data_offsets': [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    text = json.dumps(header).encode()
    open(path, 'wb').write(struct.pack('<Q', len(text)) + text + data)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


if sys.argv[1] == 'make':
    for part in ('given', 'loaded', 'mapped', 'expected'):
        os.makedirs(f'{folder}/{part}')
    whole = dict(arrays())
    for name, x in whole.items():
        np.save(f'{folder}/given/{name}.npy', x)
        np.save(f'{folder}/given/{name}_columns.npy', np.asfortranarray(x))
        np.save(f'{folder}/given/{name}_turned.npy', x.astype(x.dtype.newbyteorder()))
        np.save(f'{folder}/given/{name}_part.npy', np.repeat(x, 2, axis=0)[::2] if x.ndim else x)
    x = whole['f8_3x5']
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(f'{folder}/given/version{version[0]}.npy', 'wb') as f:
            np.lib.format.write_array(f, x, version)
    np.savez(f'{folder}/given/stored.npz', **whole)
    np.savez_compressed(f'{folder}/given/deflated.npz', **whole)
    np.savez(f'{folder}/given/empty.npz')
    write_safetensors(f'{folder}/given/all.safetensors', whole)
    sys.exit()

wrong = []
for path in glob.glob(f'{folder}/given/*.npy'):
    name = os.path.basename(path)
    x = np.load(path)
    native = x.astype(x.dtype.newbyteorder('='))
    # A file has columns where NumPy's own array had: mapped ones stay so, loaded ones become rows.
    for part, expected in (('loaded', np.ascontiguousarray(native).reshape(x.shape)), ('mapped', native if '_turned' not in name else np.ascontiguousarray(native).reshape(x.shape))):
        np.save(f'{folder}/expected/x.npy', expected)
        if open(f'{folder}/expected/x.npy', 'rb').read() != open(f'{folder}/{part}/{name}', 'rb').read():
            wrong.append(f'{part}/{name}')
for path in glob.glob(f'{folder}/given/*.npz'):
    name = os.path.basename(path)
    given = np.load(path)
    for part in ('loaded', 'mapped'):
        found = np.load(f'{folder}/{part}/{name}')
        if found.files != given.files or not all(same(found[k], given[k]) for k in given.files):
            wrong.append(f'{part}/{name}')
    found = read_safetensors(f'{folder}/loaded/{name}.safetensors')
    if set(found) != set(given.files) or not all(same(found[k], given[k]) for k in given.files):
        wrong.append(f'loaded/{name}.safetensors')
whole = np.load(f'{folder}/given/stored.npz')
for part in ('loaded', 'mapped'):
    found = read_safetensors(f'{folder}/{part}/all.safetensors')
    if set(found) != set(whole.files) or not all(same(found[k], whole[k]) for k in whole.files):
        wrong.append(f'{part}/all.safetensors')


def masked(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


(path,) = glob.glob(f'{folder}/events/events.out.tfevents.*')
data, at, number = open(path, 'rb').read(), 0, 0
while at < len(data):
    length, check = struct.unpack('<QI', data[at:at + 12])
    record, (last,) = data[at + 12:at + 12 + length], struct.unpack('<I', data[at + 12 + length:at + 16 + length])
    if check != masked(data[at:at + 8]) or last != masked(record):
        wrong.append(f'record {number}')
    open(f'{folder}/event{number}', 'wb').write(record)
    at, number = at + 16 + length, number + 1
if number != 3:
    wrong.append(f'{number} events')
print(*wrong, sep='\n', end='')
sys.exit(bool(wrong))
