// Keeps the page's few files and answers requests from them, so that the page works without a network. Above this script,
// hosted.py defines `site`, {version, digest, files: {address: digest}}; its addresses are relative to this script's folder.
//
// All other requests, such as for documents or a report in a folder below, are left to the browser, as if there were no service
// worker; without a network they fail. Such files have no version here, and nothing would limit their total size.

// Sites in other folders of the same host share its caches. The name shows which ones belong to this folder.
const OURS = `pawnstorm ${new URL('./', location).pathname} `;
const CACHE = `${OURS}${site.version} ${site.digest}`;

const kept = new Set(Object.keys(site.files).map(name => new URL(name, location).href));

/**
 * Keep all files of this version, or none. A file with another digest, such as an old one that some cache still sends, is
 * refused: the version before stays, and the browser tries again at a later visit. A redirected answer is refused too, since
 * browsers do not show it as a page.
 */
async function keep() {
  const requests = Object.entries(site.files).map(([name, integrity]) => new Request(name, {cache: 'no-cache', redirect: 'error', integrity}));
  await (await caches.open(CACHE)).addAll(requests);
  await skipWaiting();    // at once: an open page is complete, and needs no file of the version before
}

async function removeOldVersions() {
  const old = (await caches.keys()).filter(name => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map(name => caches.delete(name)));
}

/** The address under which a file is kept. The page has two addresses, and ignores what follows a question mark. */
function plain(url) {
  const {origin, pathname} = new URL(url);
  return origin + pathname.replace(/\/index\.html$/, '/');
}

async function answer(request) {
  return await caches.match(plain(request.url), {cacheName: CACHE, ignoreVary: true}) ?? fetch(request);
}

addEventListener('install', event => event.waitUntil(keep()));
addEventListener('activate', event => event.waitUntil(removeOldVersions()));
addEventListener('fetch', event => {
  const {method, url} = event.request;
  if (method === 'GET' && kept.has(plain(url))) event.respondWith(answer(event.request));
});
