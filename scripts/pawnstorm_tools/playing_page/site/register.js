// Makes the browser keep the page for use without a network. If the browser refuses, the page works
// only while there is a network.
(async () => { await navigator.serviceWorker?.register('sw.js'); })()
  .catch(({message}) => console.warn(`This page will not work without a network: ${message}`));
