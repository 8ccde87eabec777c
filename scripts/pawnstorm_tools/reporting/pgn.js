// How a game is written: the tags and lines of PGN, and the rows of a table of moves.

const PGN_WIDTH = 100;

const pgnTag = (name, value) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`;

/** Words in lines of at most PGN_WIDTH letters, unless one word alone is longer. */
function wrapped(words) {
  const rows = [''];
  for (const word of words) {
    const row = rows.at(-1);
    if (row && row.length + 1 + word.length > PGN_WIDTH) rows.push(word);
    else rows[rows.length - 1] = row ? `${row} ${word}` : word;
  }
  return rows.join('\n');
}

/**
 * The words of the moves after a node of a tree, with the node's own comments. A variation stands in brackets after the move to which
 * it is an alternative. A node has `children`; the line continues with the first. told(node) returns {number, black, text, notes}, where
 * `notes` are words after the move, such as comments; for the root it returns only {notes}.
 */
function moveWords(root, told = node => node) {
  const words = [...told(root).notes];
  let numbered = false;    // whether Black's move needs no number
  const write = node => {
    const {number, black, text, notes} = told(node);
    if (!black) words.push(`${number}.`);
    else if (!numbered) words.push(`${number}...`);
    words.push(text, ...notes);
    numbered = true;
  };
  const writeAfter = node => {
    for (let [next, ...others] = node.children; next; [next, ...others] = next.children) {
      write(next);
      for (const other of others) {
        const from = words.length;
        numbered = false;
        write(other);
        writeAfter(other);
        words[from] = `(${words[from]}`;
        words[words.length - 1] += ')';
        numbered = false;
      }
    }
  };
  writeAfter(root);
  return words;
}

/** A row of the table of moves, with room for White's and Black's. */
function moveRow(number) {
  const row = document.createElement('tr');
  const head = row.appendChild(document.createElement('th'));
  head.scope = 'row';
  head.className = 'number';
  head.textContent = number;
  row.append(document.createElement('td'), document.createElement('td'));
  return row;
}

/** Mark the link of the move that is shown, null for none, and bring it into view in its frame without moving the page. */
function pointAt(link) {
  const frame = document.querySelector('.moves');
  for (const other of frame.querySelectorAll('a[aria-current]')) other.removeAttribute('aria-current');
  if (!link) {
    frame.scrollTop = 0;
    return;
  }
  link.setAttribute('aria-current', 'true');
  // In the next frame, when the page is laid out in any case.
  requestAnimationFrame(() => {
    const [box, inside] = [link.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (box.top < inside.top + 40 || box.bottom > inside.bottom - 10) frame.scrollTop += box.top - inside.top - inside.height / 2;
  });
}
