// Puts the kit (kit/build.mjs) beside the page, and the service worker, which knows every file of the page.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const OUT = new URL('../.kit/', import.meta.url).pathname;
const WORKER = new URL('./service-worker.js', import.meta.url).pathname;

// What a host of plain files cannot say in a header.
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; worker-src 'self'; object-src 'none'; base-uri 'none'";

export interface BuiltKit {
  folder: string;
  files: [string, number][];
}

export function readKit(): BuiltKit | null {
  if (!existsSync(join(OUT, 'kit.json'))) return null;
  const { folder, sizes } = JSON.parse(readFileSync(join(OUT, 'kit.json'), 'utf8')) as { folder: string; sizes: [string, number, number][] };
  return { folder, files: sizes.map(([name, size]) => [name, size]) };
}

export function offline(kit: BuiltKit | null, site: boolean): Plugin {
  let out = '';
  return {
    name: 'quatuor-offline',
    apply: 'build',
    configResolved: (config) => void (out = join(config.root, config.build.outDir)),
    transformIndexHtml: () =>
      site ? [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' }] : [],
    closeBundle() {
      if (!existsSync(join(out, 'index.html'))) return; // the build has failed
      const page = filesBelow(out).filter((name) => !name.startsWith('kit/'));
      if (kit) copyKit(kit, join(out, 'kit', kit.folder), site);
      writeFileSync(join(out, 'service-worker.js'), serviceWorker(out, page, kit));
    },
  };
}

/** Plain for hosts of plain files; compressed for the server, which sends each browser a form that it can read. */
function copyKit({ files }: BuiltKit, folder: string, site: boolean): void {
  mkdirSync(folder, { recursive: true });
  for (const [name] of files)
    for (const file of site ? [name] : [`${name}.br`, `${name}.gz`]) copyFileSync(join(OUT, file), join(folder, file));
}

function serviceWorker(out: string, page: string[], kit: BuiltKit | null): string {
  const version = createHash('sha256');
  for (const name of page) version.update(`${name}\0`).update(readFileSync(join(out, name)));
  const facts = {
    VERSION: version.digest('hex').slice(0, 12),
    FILES: ['./', ...page.filter((name) => name !== 'index.html')],
    KIT: kit ? kit.folder : '',
    KIT_FILES: kit ? kit.files.map(([name]) => name) : [],
  };
  const lines = Object.entries(facts).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  return `${lines.join('\n')}\n${readFileSync(WORKER, 'utf8')}`;
}

function filesBelow(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below ? `${below}/${name}` : name;
    return statSync(join(folder, path)).isDirectory() ? filesBelow(folder, path) : [path];
  });
}
