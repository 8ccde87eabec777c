// The part of the page's address that names a game and one of its positions.
//
// moves=e2e4*d2d4d7d5.e7e5-2 is 1. e4 (1. d4 d5) e5?. After a move come its glyph (a hyphen and its place in GLYPHS) and its
// alternatives (each between an asterisk and a full stop). note=3+text is the comment on the third node of Game.written().

const MODES = ['play', 'analyse', 'learn'];
const LONGEST_ADDRESS = 2000;    // letters, which all programs take as a link

/**
 * The address of a node. It contains the whole tree if the address is then at most `longest` letters long, otherwise only the moves
 * of the node's line.
 */
function addressOf(game, node, mode, longest = LONGEST_ADDRESS) {
  const whole = treeAddress(game, node, mode);
  return whole.length > longest ? lineAddress(game, node, mode) : whole;
}

/** Whether the address of a node contains the whole tree of the game. */
const fitsAddress = game => treeAddress(game, game.root, 'analyse').length <= LONGEST_ADDRESS;

function treeAddress(game, node, mode) {
  const nodes = [...game.written()];
  const onMain = branch(node) === null;
  const notes = nodes.flatMap(({comment}, index) => comment ? [`${index} ${comment}`] : []);
  const place = onMain ? node !== game.end && {ply: node.ply} : {at: nodes.indexOf(node)};
  return addressWith(game, treeText(game.root), game.ended && {...endWords(game), end: nodes.indexOf(game.ended.node)}, notes, place, mode);
}

function lineAddress(game, node, mode) {
  const line = game.line(node);
  const ended = line.includes(game.ended?.node) && {...endWords(game), end: game.ended.node.ply};
  return addressWith(game, line.slice(1).map(coordinates).join(''), ended, [], node !== line.at(-1) && {ply: node.ply}, mode);
}

const endWords = ({ended: {black, words}}) => ({lost: black ? 'black' : 'white', ending: words});

function addressWith(game, moves, ended, notes, place, mode) {
  const start = fenOf(game.start);
  const words = new URLSearchParams({
    game: game.rules.name, ...start !== game.rules.start && {fen: start}, ...moves && {moves}, ...ended, ...place});
  for (const note of notes) words.append('note', note);
  words.append('mode', mode);
  return `#${words}`;
}

const coordinates = node => moveText(node.parent.position, node.move).slice(0, 4);
const glyphText = ({glyph}) => glyph && `-${GLYPHS.indexOf(glyph) + 1}`;

/** The moves after a node. */
function treeText(node) {
  let text = '';
  for (let [next, ...others] = node.children; next; [next, ...others] = next.children) {
    text += coordinates(next) + glyphText(next);
    for (const other of others) text += `*${coordinates(other)}${glyphText(other)}${treeText(other)}.`;
  }
  return text;
}

/** {game, node, mode} of an address, null if it names no game. Throws Unreadable. */
function addressed(core, hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  if (!words.has('game')) return null;
  const rules = rulesNamed(words.get('game'));
  if (!rules) throw new Unreadable(text('address-game', {found: shortened(words.get('game'))}));
  const game = words.has('fen') ? new Game(core, positionFrom(rules, words.get('fen'))) : Game.new(core, rules.name);
  growTree(game, words.get('moves') ?? '');
  const nodes = [...game.written()];
  for (const note of words.getAll('note')) {
    const [index, ...rest] = note.slice(0, LONGEST_COMMENT).split(' ');
    game.annotate(nodeAt(nodes, index, 'address-comment'), {comment: commentText(rest.join(' '))});
  }
  const last = words.has('end') ? nodeAt(nodes, words.get('end'), 'address-end') : game.end;
  if (!game.over(last) && /^(white|black)$/.test(words.get('lost'))) {
    game.finish(last, words.get('lost') === 'black', shortened(commentText(words.get('ending') ?? '') || ENDED.byAddress));
  }
  const {main} = game;
  const ply = words.get('ply') ?? String(main.length);
  if (!/^\d{1,9}$/.test(ply)) throw new Unreadable(text('address-ply', {found: shortened(ply)}));
  const node = words.has('at') ? nodeAt(nodes, words.get('at'), 'address-position') : main[Math.min(Number(ply), main.length - 1)];
  return {game, node, mode: MODES.includes(words.get('mode')) ? words.get('mode') : null};
}

/** The node with a number from an address. fault: the name of the text for an invalid number. Throws Unreadable. */
function nodeAt(nodes, index, fault) {
  const found = /^\d{1,9}$/.test(index) ? nodes[index] : null;
  if (!found) throw new Unreadable(text(fault, {found: shortened(index), most: nodes.length - 1}));
  return found;
}

/** Add the moves of an address to a game that has none. Throws Unreadable. */
function growTree(game, written) {
  const open = [];
  let [node, count] = [game.root, 0];
  for (const [word] of written.matchAll(/[*.]|-[^]?|[^*.-]{1,4}/g)) {
    if (++count > MOST_WORDS) throw new Unreadable(text('address-long', {most: MOST_WORDS}));
    if (word === '*' && node.parent) {
      open.push(node);
      node = node.parent;
    } else if (word === '.' && open.length) node = open.pop();
    else if (word[0] === '-' && node.parent && GLYPHS[word[1] - 1]) game.annotate(node, {glyph: GLYPHS[word[1] - 1]});
    else node = game.add(node, moveFrom(game.core, node.position, word));
  }
}
