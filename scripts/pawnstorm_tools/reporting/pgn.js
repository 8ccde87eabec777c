// How PGN is written: tags, and lines that are not too long.

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
