// The page without a network: keeps the page's few files, and answers requests from them. In front of this script stands
// `site`, {version, digest, files: {address: digest}}; its addresses are relative to this script's folder.
//
// All other requests, such as for documents or a report in a folder below, are left to the browser, as if there were no service
// worker; without a network they fail. These files have no version here, and nothing would limit how much of them is kept.

// Sites in other folders of the same host share its caches. The name tells which are this folder's.
const OURS = `pawnstorm ${new URL('./', location).pathname} `;
const CACHE = `${OURS}${site.version} ${site.digest}`;

const kept = new Set(Object.keys(site.files).map(name => new URL(name, location).href));

/**
 * Keep all files of this version, or none. A file with another digest, such as an old one that some cache still sends, is
 * refused: the version before stays, and the browser tries again at a later visit. A redirected answer is refused too, since
 * a browser does not show it as a page.
 */
async function keep() {
  const requests = Object.entries(site.files).map(([name, integrity]) => new Request(name, {cache: 'no-cache', redirect: 'error', integrity}));
  await (await caches.open(CACHE)).addAll(requests);
  await skipWaiting();    // at once: an open page has everything in one file, and needs nothing of the version before
}

async function removeOldVersions() {
  const old = (await caches.keys()).filter(name => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map(name => caches.delete(name)));
}

/** The address that a file is kept under. The page goes by two names, and reads nothing after a question mark. */
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
