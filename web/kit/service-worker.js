// Serves the page from what the browser has kept, so that it opens without a network. The build writes VERSION, FILES, KIT
// and KIT_FILES above. Requests to the server are left alone.

/* global VERSION, FILES, KIT, KIT_FILES */

const SCOPE = new URL('./', self.location.href).pathname;
const PAGE = `quatuor-page-${VERSION}`;
const KITS = `quatuor-kit-${KIT}`;
const SERVER = ['api', 'health', 'metrics'].map((name) => SCOPE + name);

self.addEventListener('install', (event) => {
  const fresh = FILES.map((file) => new Request(SCOPE + file.replace('./', ''), { cache: 'no-cache' }));
  event.waitUntil(caches.open(PAGE).then((cache) => cache.addAll(fresh)));
  if (!self.registration.active) self.skipWaiting(); // later versions wait until the visitor agrees
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith('quatuor-') && name !== PAGE && name !== KITS))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'update') self.skipWaiting();
  if (event.data === 'keep kit') event.waitUntil(keepKit().then((kept) => event.source?.postMessage({ t: 'kit', kept })));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || !pathname.startsWith(SCOPE)) return;
  if (SERVER.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return;
  if (pathname.startsWith(`${SCOPE}kit/`)) event.respondWith(fromKit(request));
  else if (request.mode === 'navigate') event.respondWith(fromPage(new Request(SCOPE)));
  else event.respondWith(fromPage(request));
});

async function fromPage(request) {
  const kept = await caches.match(request, { cacheName: PAGE, ignoreSearch: true });
  return kept ?? fetch(request);
}

/** A file of the kit: from the cache, or the first time from the network, and then kept. */
async function fromKit(request) {
  const cache = await caches.open(KITS);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.startsWith(`${SCOPE}kit/${KIT}/`)) {
    await cache.put(request, response.clone()).catch(() => undefined); // no room: it is fetched again next time
  }
  return response;
}

/** Files that the page loaded before this worker existed: keep them too. */
async function keepKit() {
  const cache = await caches.open(KITS);
  for (const name of KIT_FILES) {
    const address = `${SCOPE}kit/${KIT}/${name}`;
    if (!(await cache.match(address))) await cache.add(address).catch(() => undefined);
  }
  return (await cache.keys()).length >= KIT_FILES.length;
}
