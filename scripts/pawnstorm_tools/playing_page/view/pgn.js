// A game's PGN, with its variations, comments and glyphs. A text of any length is read in linear time: no expression repeats a group
// without a bound, since browsers keep a stack for each repetition and give up when that is full; and brackets open without a bound.

const GLYPHS = ['!', '?', '!!', '??', '!?', '?!'];    // $1 to $6
const LONGEST_COMMENT = 10000;    // letters of a comment that are kept
const MOST_MOVES = 8 * 8 * 8;    // no game has so many: a pawn on each square of the largest board would make 7 moves
const MOST_WORDS = 20000;    // moves, comments, glyphs and brackets that are read of all variations

const TOKEN = /\[(\w+)\s+"([^"\\\n]*(?:\\.[^"\\\n]*){0,9999})"\s*\]|\{([^}]*)\}?|;([^\n]*)|^%[^\n]*|([()])|(\$\d+)|\d+\.+|(1-0|0-1|1\/2-1\/2|\*)(?![^\s{;()])|([^\s{};()]+)/gm;
const DRAWN = /\[%c[sa]l [^\]]*\]/g;    // arrows and marks, as lichess writes them in comments
const OWN_TAGS = ['White', 'Black', 'Variant', 'SetUp', 'FEN', 'Result'];    // the page makes these from the game; it keeps all others as it read them
const [MOST_TAGS, LONGEST_TAG] = [50, 255];
const RESULTS = {White: '1-0', Black: '0-1'};
const DECIDED = [...Object.values(RESULTS), '1/2-1/2'];
const RESIGNED = /^resigns?$/i;    // the word by which Little Golem ends a game
const FAIR = ['normal', 'adjudication', 'unterminated'];    // values of Termination after which nobody lost by a fault

/** A text as a comment: one line of printable letters, without braces, which would end it. */
const commentText = text => text.slice(0, LONGEST_COMMENT).replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim()
  .replaceAll('{', '(').replaceAll('}', ')');

/**
 * {tags, words, moves, cut, result} of the first game of a PGN. words: its moves and glyphs as texts, its comments as {comment}, a
 * resignation as {resigned}, and '(' and ')' around variations; moves: of the main line, as many as a game can have, and one more.
 * cut: whether variations were left out. result: that after the moves, or undefined.
 */
function pgnWords(text) {
  const [tags, words] = [{}, []];
  let [ended, resigned] = [undefined, false];
  let [depth, open, moves, cut] = [0, 0, 0, false];    // depth: how many brackets are open; open: how many of these are in `words`
  for (const [, tag, value, note, rest, bracket, nag, result, word] of text.matchAll(TOKEN)) {
    const full = words.length > MOST_WORDS + moves;
    const glyph = nag ? GLYPHS[nag.slice(1) - 1] : GLYPHS.find(other => other === word);
    if (tag) {
      if (moves) break;
      tags[tag] = value.replace(/\\(.)/g, '$1');
    } else if (bracket === '(') {
      depth++;
      if (full) cut = true;
      else open = words.push(bracket) && open + 1;
    } else if (bracket) {
      if (depth && depth === open) open = words.push(bracket) && open - 1;
      depth = Math.max(0, depth - 1);
    } else if (!depth && (result || moves > MOST_MOVES)) {
      ended = result;
      break;
    } else if (depth !== open || full && (depth || !word || glyph)) cut ||= Boolean(word);
    else if (RESIGNED.test(word)) {
      if (!depth && !resigned) resigned = Boolean(words.push({resigned: true}));
    } else if (note || rest) words.push({comment: commentText(note ?? rest)});
    else if (glyph) words.push(glyph);
    else if (word && !/^e\.?p\.?$/.test(word)) {    // "exd6 e.p."
      words.push(word);
      if (!depth) moves++;
    }
  }
  return {tags, words, moves, cut, result: ended};
}

/**
 * Add the words of a PGN to a game that has no moves; result: as it is written. A fault in a variation ends only the variation;
 * returns whether there was one.
 * Throws Unreadable for a fault in the main line, with the number of moves before it as `ply`.
 */
function growFromPgn(game, words, result) {
  const open = [];
  let [node, first, faultAt, before] = [game.root, true, null, []];    // first: of a line; before: comments before its first move
  let [faulty, resignedAt] = [false, null];
  for (const word of words) {
    if (word === '(') {
      open.push([node, before]);
      node = node.parent ?? node;
      [first, before] = [true, []];
    } else if (word === ')') {
      if (open.length === faultAt) faultAt = null;
      [node, before] = open.pop();
      first = false;
    } else if (faultAt !== null) {
      continue;
    } else if (word.comment !== undefined) {
      if (first && open.length) before.push(word.comment);
      else addComment(game, node, word.comment, open.length ? null : result);
    } else if (word.resigned) {
      resignedAt = node;
      if (!game.over(node)) game.finish(node, node.position.black, ENDED.resigned(node.position.black));
    } else if (GLYPHS.includes(word)) {
      if (node.parent && !first) game.annotate(node, {glyph: word});
    } else {
      try {
        if (!open.length && node === resignedAt) throw new Unreadable(text('move-after-end', {found: shortened(word)}));
        node = game.add(node, moveFrom(game.core, node.position, word));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        if (!open.length) throw Object.assign(error, {ply: node.ply});
        [faultAt, faulty] = [open.length, true];
        continue;
      }
      if (!open.length) game.putForward(node, Infinity);    // variations may have repeated the main line's move
      first = false;
      const glyph = word.match(/[!?]+$/)?.[0];
      if (GLYPHS.includes(glyph)) game.annotate(node, {glyph});
      for (const comment of before.splice(0)) addComment(game, node, comment, null);
    }
  }
  return faulty;
}

/** Append a comment to a node's comment. result: of the game, if the comment may say how the game ended; null if not. */
function addComment(game, node, comment, result) {
  const drawn = drawingsFrom(comment, game.rules);
  if (drawn.size) drawings.set(node.position, drawn);
  comment = comment.replace(DRAWN, '').trim();
  if (!comment) return;
  const [, winner, words] = ENDING.exec(comment) ?? [];
  if (comment === pgnEnding(game, node)) return;
  if (winner && RESULTS[winner] === result && !game.result) game.finish(node, winner === 'White', shortened(words));
  else game.annotate(node, {comment: [node.comment, comment].filter(Boolean).join(' ').slice(0, LONGEST_COMMENT)});
}

/** The Game of what pgnWords() found, with its players and its end, and sentences about its faults: {game, faults}. Throws Unreadable. */
function gameFromPgn(core, rules, {tags, words, result}) {
  const game = tags.FEN ? new Game(core, positionFrom(rules, tags.FEN)) : Game.new(core, rules.name);
  const [written, other] = [result, tags.Result].filter(found => DECIDED.includes(found));
  const faults = growFromPgn(game, words, written) ? [text('variation-faulty')] : [];
  if (other && other !== written) faults.push(text('results-differ', {found: written, tag: other}));
  else if (written && game.result && game.result !== written && FAIR.includes((tags.Termination ?? FAIR[0]).toLowerCase())) {
    faults.push(text('result-contradicted', {found: written, result: game.result}));
  }
  if (!game.result && Object.values(RESULTS).includes(written)) {
    game.finish(game.end, written === '1-0', shortened(commentText(tags.Termination ?? '') || ENDED.byPgn));
  }
  if (tags.White || tags.Black) game.names = [tags.White, tags.Black].map(name => shortened(name || '?'));
  if (/^[\d?]{4}\.[\d?]{2}\.[\d?]{2}$/.test(tags.Date)) game.date = tags.Date;
  game.tags = Object.fromEntries(Object.entries(tags).filter(([name]) => !OWN_TAGS.includes(name)).slice(0, MOST_TAGS)
    .map(([name, value]) => [name, value.slice(0, LONGEST_TAG)]));
  return {game, faults};
}

/** The PGN of a Game. tags: {White, Black}. */
function pgnOf(game, tags) {
  const result = game.result ?? '*';
  const all = {
    Event: 'Pawnstorm', Site: '?', Date: game.date, Round: '-', ...game.tags, ...tags, Variant: game.rules.name, SetUp: '1', FEN: fenOf(game.start),
    Result: result};
  const lines = Object.entries(all).map(([name, value]) => pgnTag(name, value));
  const written = node => {
    const {parent, move, glyph} = node;
    const comment = [drawingsText(node.position), node.comment].filter(Boolean).join(' ');
    const told = node.children.length && node !== game.ended?.node || game.ending(node)?.words === ENDED.byPgn;    // or the result says it
    const ending = told ? '' : pgnEnding(game, node);
    const notes = [glyph && `$${GLYPHS.indexOf(glyph) + 1}`, comment && `{${comment}}`, ending && `{${ending}}`].filter(Boolean);
    if (!parent) return {notes};
    const {black, fullmove} = parent.position;
    return {number: fullmove, black, text: moveSan(parent.position, move), notes};
  };
  return `${lines.join('\n')}\n\n${wrapped([...moveWords(game.root, written), result])}\n`;
}

/** The line through a node, from the root to the line's end, as a separate game. */
function lineGame(game, node) {
  const line = game.line(node);
  const found = new Game(game.core, game.start);
  Object.assign(found, {names: game.names, date: game.date, tags: game.tags});
  found.annotate(found.root, line[0]);
  for (const {move, comment, glyph} of line.slice(1)) found.annotate(found.add(found.end, move), {comment, glyph});
  if (line.includes(game.ended?.node)) found.ended = {...game.ended, node: found.main[game.ended.node.ply]};
  return found;
}
