// Text leaves the page: onto the clipboard, as a file, or into its address.

/**
 * Copy a text; returns whether the browser let this page do so.
 * link: an address to which the text links if it is pasted as rich text; null for none.
 */
const copyText = async (text, link = null) => await copiedToClipboard(text, link) || copiedBySelection(text);

/** Copy by the current interface; returns whether it worked. */
async function copiedToClipboard(text, link) {
  const {clipboard} = navigator;
  const worked = promise => promise.then(() => true, () => false);
  if (link && clipboard?.write && globalThis.ClipboardItem) {
    const anchor = document.createElement('a');
    anchor.href = link;
    anchor.textContent = text;
    const kinds = {'text/plain': text, 'text/html': anchor.outerHTML};
    const item = new ClipboardItem(Object.fromEntries(Object.entries(kinds).map(([type, content]) => [type, new Blob([content], {type})])));
    if (await worked(clipboard.write([item]))) return true;
  }
  return Boolean(clipboard) && worked(clipboard.writeText(text));
}

/** Copy by the older interface, the only one for insecure addresses such as http://192.168.1.2/; returns whether it worked. */
function copiedBySelection(text) {
  const before = document.activeElement;
  const place = document.querySelector('dialog[open]') ?? document.body;    // nothing outside an open dialog takes the focus
  const field = place.appendChild(document.createElement('textarea'));
  field.className = 'hidden-text';
  field.value = text;
  field.focus({preventScroll: true});
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    before?.focus({preventScroll: true});
  }
}

/** Hand a text, or a Blob, to the browser as a file. */
function download(name, content, type = 'application/x-chess-pgn') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);    // some browsers read it only after the click
}

/** Say something beside the buttons; the same text twice is spoken twice. */
function say(text) {
  const place = document.getElementById('said');
  clearTimeout(place.clearing);
  place.textContent = '';
  requestAnimationFrame(() => { place.textContent = text; });
  place.clearing = setTimeout(() => { place.textContent = ''; }, 8000);
}

/** Write what is shown into the address once nothing has changed for a moment: browsers refuse more than about a hundred quick changes. */
function tellAddress(shown, current) {
  clearTimeout(shown.telling);
  shown.telling = setTimeout(() => {
    const hash = current();
    if (location.hash !== hash) history.replaceState(null, '', hash);
  }, 150);
}
