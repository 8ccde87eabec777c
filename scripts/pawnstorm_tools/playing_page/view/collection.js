// Text that holds several games or positions: a PGN of many games, or a FEN on each line. It is read in linear time.

const MOST_LISTED = 1000;    // games
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;
const LISTED_WORDS = 12;    // words shown of each game: its first moves and their numbers

/**
 * {count, items} of a text. count: the games in it; items: {text, tags, words} of the first MOST_LISTED of them, where `text` is the
 * game's own part, `tags` are its tags, and `words` its first moves with their numbers. The moves are not checked.
 */
function gamesIn(text) {
  const lines = isFen(text.trim()) ? text.trim().split(/\s*\n\s*/) : [];
  if (lines.length > 1 && lines.every(isFen)) {
    return {count: lines.length, items: lines.slice(0, MOST_LISTED).map(line => ({text: line, tags: {}, words: [line]}))};
  }
  const items = [];
  let [count, depth, started, ended, from] = [0, 0, true, true, 0];
  const close = to => { if (count && count <= MOST_LISTED) items[count - 1].text = text.slice(from, to); };
  const begin = at => {
    close(at);
    [from, started, ended, depth] = [at, false, false, 0];
    if (++count <= MOST_LISTED) items.push({tags: {}, words: []});
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token, tag, value] = match;
    const item = () => items[count - 1];
    if (tag) {
      if (started || Object.hasOwn(item()?.tags ?? {}, tag)) begin(match.index);
      if (item()) item().tags[tag] = value.replace(/\\(.)/g, '$1');
    } else if (/^[{;%]/.test(token)) {
      continue;
    } else if (token === '(' || token === ')') {
      depth = Math.max(0, depth + (token === '(' ? 1 : -1));
    } else if (!depth) {
      if (ended) {
        if (!beginsMoves(token)) continue;    // words after the end of a game
        begin(match.index);
      }
      started = true;
      ended = RESULT.test(token);
      if (item()?.words.length < LISTED_WORDS && !ended && !/^\$/.test(token)) item().words.push(token);
    }
  }
  close(text.length);
  return {count, items};
}

const beginsMoves = token => /^\d+\.+$/.test(token) || RESULT.test(token) || token.length <= LONGEST_WORD && MOVE.test(token);
