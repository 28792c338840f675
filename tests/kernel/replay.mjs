// Make recorded calls of kernels again in WebAssembly, in Node.js or a browser, and list those that differ.
//
//   node replay.mjs FOLDER LIBRARIES…        a folder written by tests/kernel/recorded.py, and side modules
//
// The libraries are loaded as Pyodide loads them, but without Pyodide: one memory, no Python.

const STACK = 1 << 20;
const PAGE = 65536;
const align = (n) => (n + 15) & ~15;

function leb(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7, at += 1) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) return [value, at + 1];
  }
}

// How much memory the data of a side module takes: the first number of the section "dylink.0".
function memorySize(module) {
  const [section] = WebAssembly.Module.customSections(module, 'dylink.0');
  return leb(new Uint8Array(section), 2)[0];
}

class Heap {
  memory = new WebAssembly.Memory({ initial: 64 });
  top = STACK;

  take(size) {
    const at = align(this.top);
    this.top = at + size;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return at;
  }
}

async function open(bytes, heap) {
  const module = await WebAssembly.compile(bytes);
  const base = heap.take(memorySize(module));
  const multiply = (at, low, high, otherLow, otherHigh) => {
    const wide = (a, b) => BigInt.asUintN(64, a) | (b << 64n);
    const product = wide(low, high) * wide(otherLow, otherHigh);
    const view = new DataView(heap.memory.buffer);
    view.setBigUint64(at, BigInt.asUintN(64, product), true);
    view.setBigUint64(at + 8, BigInt.asUintN(64, product >> 64n), true);
  };
  const env = {
    memory: heap.memory,
    __indirect_function_table: new WebAssembly.Table({ initial: 16, element: 'anyfunc' }),
    __stack_pointer: new WebAssembly.Global({ value: 'i32', mutable: true }, STACK),
    __memory_base: new WebAssembly.Global({ value: 'i32' }, base),
    __table_base: new WebAssembly.Global({ value: 'i32' }, 1),
    __multi3: multiply,
    malloc: (size) => heap.take(size),
    free: () => {},
    log10: Math.log10, // for the texts of errors alone
  };
  const { exports } = await WebAssembly.instantiate(module, { env });
  exports.__wasm_apply_data_relocs?.();
  exports.__wasm_call_ctors?.();
  return exports;
}

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function differs(call, kernel, data, heap) {
  const slots = [];
  const arrays = [];
  for (const argument of call.arguments) {
    if (typeof argument === 'string') {
      slots.push(BigInt(argument));
      continue;
    }
    const at = heap.take(argument.bytes);
    const there = new Uint8Array(heap.memory.buffer, at, argument.bytes);
    there.fill(0).set(data.subarray(argument.at, argument.at + argument.held));
    arrays.push([at, argument.bytes]);
    slots.push(BigInt(at), ...argument.shape.map(BigInt));
  }
  const block = heap.take(8 * Math.max(slots.length, 1));
  const view = new DataView(heap.memory.buffer);
  slots.forEach((slot, i) => view.setBigInt64(block + 8 * i, slot, true));
  if (kernel(block)) return 'failed';
  const result = new DataView(heap.memory.buffer).getBigInt64(block, true);
  if (call.result !== null && result !== BigInt(call.result)) return `result ${result}, not ${call.result}`;
  for (const [i, [at, size]] of arrays.entries()) {
    const found = await crypto.subtle.digest('SHA-256', new Uint8Array(heap.memory.buffer, at, size));
    if (hex(found) !== call.after[i]) return `array ${i}`;
  }
  return null;
}

// All calls that differ, each as a text; a kernel that its library does not have is an error. Libraries by name.
export async function replay(calls, data, libraries) {
  const heap = new Heap();
  const opened = {};
  for (const [name, bytes] of Object.entries(libraries)) opened[name] = await open(bytes, heap);
  const [start, wrong] = [heap.top, []];
  for (const call of calls) {
    heap.top = start;
    const why = await differs(call, opened[call.library][call.symbol], data, heap);
    if (why) wrong.push(`${call.part}: ${call.symbol}: ${why}`);
  }
  return { calls: calls.length, wrong };
}

if (globalThis.process?.argv) {
  const { readFileSync } = await import('node:fs');
  const [folder, ...files] = process.argv.slice(2);
  const calls = JSON.parse(readFileSync(`${folder}/calls.json`, 'utf8'));
  const data = new Uint8Array(readFileSync(`${folder}/calls.bin`));
  const libraries = files.map((file) => [file.split('/').pop().split('-')[0], readFileSync(file)]);
  console.log(JSON.stringify(await replay(calls, data, Object.fromEntries(libraries))));
}
