// The dialogs, the parts of the panel that a narrow screen shows one at a time, and the preferences' fields.

/** Open a dialog. */
function openDialog(id) {
  const dialog = byId(id);
  if (!dialog.open) dialog.showModal();
  dialogOpened.get(id)?.();
}

const closeDialog = id => byId(id).close();

/** The actions when a dialog opens and after it has closed: {id: action}. */
const dialogOpened = new Map();
const dialogClosed = new Map();

/** Have the page's buttons open and close the dialogs, and show the parts of the panel. */
function listenToDialogs() {
  for (const button of document.querySelectorAll('[data-opens]')) button.addEventListener('click', () => openDialog(button.dataset.opens));
  for (const dialog of document.querySelectorAll('dialog')) {
    // The event comes later; by then the dialog may be open again.
    dialog.addEventListener('close', () => { if (!dialog.open) dialogClosed.get(dialog.id)?.(); });
    // A click that begins and ends outside the dialog closes it. The target is not enough: a click on the padding has the dialog as its
    // target too. On a touch screen a dialog that closed at once would let the click through to what lies below.
    let begun = false;
    const isOutside = event => event.target === dialog && outside(dialog, event);
    dialog.addEventListener('pointerdown', event => { begun = isOutside(event); });
    dialog.addEventListener('click', event => { if (begun && isOutside(event)) dialog.close(); });
    for (const button of dialog.querySelectorAll('[data-closes]')) button.addEventListener('click', () => dialog.close());
  }
  for (const button of document.querySelectorAll('[data-shows]')) button.addEventListener('click', () => showPane(button.dataset.shows));
  for (const field of document.querySelectorAll('[data-preference]')) {
    field.value = preference(field.dataset.preference);
    field.addEventListener('change', () => keepPreference(field.dataset.preference, field.value));
  }
}

function outside(part, {clientX, clientY}) {
  const {left, right, top, bottom} = part.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** Show one part of the panel, on screens that have room for only one. */
function showPane(name) {
  byId('panel').dataset.pane = name;
  for (const button of document.querySelectorAll('[data-shows]')) button.setAttribute('aria-pressed', String(button.dataset.shows === name));
}
