import { svelte } from '@sveltejs/vite-plugin-svelte';
import { offline, readKit } from './kit/plugin';
import { defineConfig } from 'vitest/config';

const server = process.env.QUATUOR_SERVER ?? 'http://127.0.0.1:8000'; // while developing: where `quatuor serve` listens

// Each of these is one file, with all that it imports; else every module that several pages share would be a request.
const groups = [
  { name: 'start', tags: ['$initial' as const], priority: 4 },
  { name: 'table', test: /src\/(pages\/Table|local\/Background)\.svelte$/, priority: 3 },
  { name: 'setup', test: /src\/parts\/SetupDialog\.svelte$/, priority: 2 },
  { name: (id: string) => /src\/boards\/(\w+)\/index\.ts$/.exec(id)?.[1] ?? null, priority: 1 },
];

// `vite build` makes the page for `quatuor serve`; `vite build --mode site` a folder for any host of plain files.
export default defineConfig(({ mode }) => {
  const site = mode === 'site';
  const kit = mode === 'test' ? null : readKit();
  return {
    base: site ? './' : '/',
    plugins: [svelte(), offline(kit, site)],
    define: { __KIT__: JSON.stringify(kit && { folder: kit.folder, files: kit.files }) },
    build: { target: 'es2022', assetsInlineLimit: 0, outDir: site ? 'site' : 'dist', rolldownOptions: { output: { codeSplitting: { groups } } } },
    worker: { format: 'es' },
    server: { fs: { allow: ['..'] }, proxy: { '/api': { target: server, ws: true } } },
    test: { include: ['tests/**/*.test.ts'], testTimeout: 60_000 }, // the machine may be busy
  };
});
