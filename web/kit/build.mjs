// Build the kit, what the page needs to play without a server: Python from the npm package `pyodide`, its standard library
// without the modules that nothing imports, the Python package with its WebAssembly kernels, and the catalogue of games.
//
//   node kit/build.mjs          writes web/.kit/, unless it is up to date
//
// All Python is compiled here, by the Python that will run it, so that a browser need not compile it when it starts.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WEB = join(dirname(fileURLToPath(import.meta.url)), '..');
const ROOT = join(WEB, '..');
const OUT = join(WEB, '.kit');
const PYODIDE = join(WEB, 'node_modules/pyodide');
const LIBRARIES = join(ROOT, 'quatuor/kernel/libraries');
const WASM = join(LIBRARIES, 'wasm32');

// Folders of the package that a browser may need; the kit has only what quatuor.local.browser and the games import.
const PACKAGE = [
  'kernel', 'games', 'engine', 'record', 'table', 'learn', 'local', 'match', 'interop',
];

// Parts of the standard library that are left out unless the package imports them.
const SELDOM = new RegExp(`^(${[
  '_pyrepl|unittest|xml|xmlrpc|http|email|html|wsgiref|multiprocessing|pydoc_data|curses|dbm|sqlite3|tkinter|ensurepip|venv|test',
  'ssl|smtplib|imaplib|poplib|ftplib|mailbox|pdb|bdb|cmd|doctest|pydoc|pickletools|optparse|getopt|difflib|statistics|tarfile',
  'plistlib|netrc|turtle|trace|timeit|profile|cProfile|pstats|profiling|tabnanny|pyclbr|py_compile|compileall|modulefinder',
  'mimetypes|webbrowser|socketserver|ipaddress|configparser|csv|wave|colorsys|zipapp|filecmp|fileinput|shelve|antigravity|this',
  'rlcompleter|_pyio|_pydatetime|_pydecimal|_pylong|encodings/(?!__init__|aliases)',
  // programs, other systems, other processes, downloads
  'argparse|gettext|getpass|runpy|code|symtable|pty|tty|shlex|sched|graphlib|quopri|_markupbase|stringprep|nturl2path',
  'urllib/(request|response|error|robotparser)|logging/(handlers|config)|json/(tool|__main__)|zipfile/__main__|sysconfig/__main__',
  'asyncio/(proactor_events|windows_events|windows_utils|tools|__main__)|concurrent/(futures/(process|interpreter)|interpreters)',
  'ctypes/(wintypes|_aix|util|macholib)|pathlib/types|__hello__|__phello__|pyodide/(console|http|_nodesock_transport)',
].join('|')})(/|\\.py|\\w*\\.py)`);

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function sources() {
  const alone = readdirSync(join(ROOT, 'quatuor')).filter((name) => statSync(join(ROOT, 'quatuor', name)).isFile());
  const files = [...alone.map((name) => join(ROOT, 'quatuor', name)), ...PACKAGE.flatMap((name) => filesBelow(join(ROOT, 'quatuor', name)))];
  const needed = files.filter((path) => /\.(py|toml)$/.test(path));
  const about = readdirSync(LIBRARIES).filter((name) => name.endsWith('.json'));
  return [...needed, ...filesBelow(WASM), ...about.map((name) => join(LIBRARIES, name))].sort();
}

function digest(paths) {
  const found = createHash('sha256');
  for (const path of paths) found.update(`${relative(ROOT, path)}\0`).update(readFileSync(path));
  return found.digest('hex').slice(0, 12);
}

// Inside Pyodide: sources become byte code, and archives are not compressed, so that Brotli sees all of them at once.
const PACK = `
import importlib.util, io, marshal, zipfile

def code(data, name):
    path = f"/quatuor/{name}" if name.startswith("quatuor/") else name  # where it lies: kernels are looked up by it
    compiled = compile(data, path, "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compiled)

def pack(items):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(items):
            data = bytes(data)
            if name.endswith(".py"):
                name, data = name + "c", code(data, name)
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    return out.getvalue()

def entries(data, keep):
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        return [(name, archive.read(name)) for name in archive.namelist() if not name.endswith("/") and keep(name)]
`;

// Import everything that a browser imports: yields the modules this loads, and the answer to GET /api/games.
const IMPORT = `
import importlib, json, os, sys
os.environ |= {"QUATUOR_DATA": "/tmp", "QUATUOR_KERNELS": "aot"}
sys.path.insert(0, "/quatuor")
from quatuor.local import arrays
arrays.install()
import quatuor.local.browser
from quatuor.games import catalogue, rulebooks
from quatuor.local import host
rulebooks()  # fails where the catalogue leaves out a game that cannot be loaded
for module in host.LATER:
    importlib.import_module(module)
json.dumps({"games": json.dumps({"games": catalogue.games()}), "used": sorted(sys.modules)})
`;

const moduleOf = (file) => file.replace(/(\/__init__)?\.pyc?$/, '').replaceAll('/', '.');

async function build(paths, version) {
  const { loadPyodide } = await import(join(PYODIDE, 'pyodide.mjs'));
  const python = await loadPyodide();
  python.runPython(PACK);
  const [pack, entries] = ['pack', 'entries'].map((name) => python.globals.get(name));
  const packed = (items) => Buffer.from(pack(items).toJs());
  const read = (name) => readFileSync(join(PYODIDE, name));

  const everything = packed(python.toPy(paths.map((path) => [relative(ROOT, path), new Uint8Array(readFileSync(path))])));
  python.unpackArchive(new Uint8Array(everything), 'zip', { extractDir: '/quatuor' });
  python.registerJsModule('quatuor_page', {});
  const { games, used } = JSON.parse(python.runPython(IMPORT));
  const needed = entries(new Uint8Array(everything), (file) => !file.endsWith('.pyc') || used.includes(moduleOf(file)));
  const library = entries(new Uint8Array(read('python_stdlib.zip')), (file) => used.includes(moduleOf(file)) || !SELDOM.test(file));
  write(version, {
    'pyodide.mjs': read('pyodide.mjs'),
    'pyodide.asm.mjs': read('pyodide.asm.mjs'),
    'pyodide.asm.wasm': read('pyodide.asm.wasm'),
    'pyodide-lock.json': Buffer.from(JSON.stringify({ ...JSON.parse(read('pyodide-lock.json')), packages: {} })),
    'python_stdlib.zip': packed(library),
    'package.zip': packed(needed),
    'games.json': Buffer.from(games),
  });
}

// The file compressed by Brotli. A file that has not changed is not compressed again: that would take half a minute.
function compressed(name, data) {
  const file = join(OUT, name);
  if (existsSync(`${file}.br`) && readFileSync(file).equals(data)) return readFileSync(`${file}.br`);
  return brotliCompressSync(data, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
  });
}

function write(version, kit) {
  const files = Object.entries(kit).map(([name, data]) => [name, data, compressed(name, data)]);
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const sizes = files.map(([name, data, small]) => {
    writeFileSync(join(OUT, name), data);
    writeFileSync(join(OUT, `${name}.br`), small);
    writeFileSync(join(OUT, `${name}.gz`), gzipSync(data, { level: 9 }));
    return [name, data.length, small.length];
  });
  const folder = digest(Object.keys(kit).map((name) => join(OUT, name)));
  writeFileSync(join(OUT, 'kit.json'), JSON.stringify({ version, folder, sizes }));
  const all = sizes.reduce((sum, [, , small]) => sum + small, 0);
  for (const [name, ...bytes] of sizes) console.log(name.padEnd(20), ...bytes.map((size) => String(size).padStart(9)));
  console.log(`the kit: ${all} bytes, compressed by Brotli`);
}

if (!existsSync(WASM)) {
  console.log(`the page is built without the kit: there is no ${relative(ROOT, WASM)}`);
  rmSync(OUT, { recursive: true, force: true });
} else {
  const paths = sources();
  const version = digest([...paths, fileURLToPath(import.meta.url), join(PYODIDE, 'package.json')]);
  const known = existsSync(join(OUT, 'kit.json')) ? JSON.parse(readFileSync(join(OUT, 'kit.json'), 'utf8')).version : '';
  if (known !== version) await build(paths, version);
}
