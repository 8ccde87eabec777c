// Has the page's scripts read texts under node: `node page_reader.mjs FILE`, a JSON of {numbers, parts, script}.
// Each line of stdin is [name, ...arguments] of a call to one of the functions below. Each line of stdout is {answer}, {refused}
// with what the page says of a text that it cannot read, or {failed} for any other error.
import fs from 'fs';
import readline from 'readline';

const {numbers, parts, script} = JSON.parse(fs.readFileSync(process.argv[2]));
const reader = await new Function('numbers', 'parts', `${script}; return (async () => {
  const core = await Core.make(parts);
  const names = rows => rows.map(({name}) => name);
  const read = (text, open) => {
    const {game, told, others, node} = textRead(core, text, rulesNamed(open));
    return {game: game.rules.name, fen: fenOf(game.end.position), moves: game.end.ply, told, others: names(others), ply: node.ply};
  };
  /** A game's nodes in the order in which they are written: [[place of the parent, move, glyph, comment]], the root first. */
  const listed = game => {
    const nodes = [...game.written()];
    return nodes.map(node => [nodes.indexOf(node.parent), node.parent ? coordinates(node) : '', node.glyph, node.comment]);
  };
  const openings = {};
  /** The Opening of a game. */
  const openingOf = async name => openings[name] ??= await (async rules =>
    Opening.make(core, rules, await unpacked(rules.opening, parts[rules.opening])))(rulesNamed(name));
  const read64 = (words, at) => BigInt(words[at]) | BigInt(words[at + 1]) << 32n;
  return {
    /** [[own, opp, ep, byte]] of all positions of an opening, in its order; bitboards as strings. */
    openingBytes: async name => {
      const opening = await openingOf(name);
      return Array.from({length: opening.count}, (_, index) => {
        const [own, opp, ep] = [0, 2, 4].map(word => read64(opening.words, 6 * index + word));
        return [...[own, opp, ep].map(String), opening.half({own, opp, ep, rules: opening.rules})];
      });
    },
    openingLook: async (name, fen) => (await openingOf(name)).look(positionFrom(rulesNamed(name), fen)),
    /** {own, marks} of a position of which these facts are known, and what is known of the position after each of some moves. */
    marks: (name, fen, facts) => {
      const [knowledge, position] = [new Knowledge(core), positionFrom(rulesNamed(name), fen)];
      knowledge.take(position, facts);
      return {own: knowledge.of(position) ?? null, marks: knowledge.marks(position)};
    },
    /** {pgn, address, link, nodes, place}, the last one of the last node, of the game that grows from [[place of the parent, move, glyph, comment]], the root first. */
    grown: (name, rows) => {
      const game = Game.new(core, name);
      const nodes = [];
      for (const [parent, move, glyph, comment] of rows) {
        const node = nodes.length ? game.add(nodes[parent], moveFrom(core, nodes[parent].position, move)) : game.root;
        game.annotate(node, {glyph, comment: commentText(comment)});
        nodes.push(node);
      }
      const node = nodes.at(-1);
      const place = [...game.written()].indexOf(node);
      const [address, link] = [Infinity, undefined].map(longest => addressOf(game, node, 'analyse', longest));
      return {pgn: pgnOf(game, {White: 'a', Black: 'b'}), address, link, nodes: listed(game), place};
    },
    nodesOf: text => {
      const {game, node, told} = textRead(core, text, rulesNamed('twoflags'));
      return {nodes: listed(game), place: [...game.written()].indexOf(node), told, result: game.result, ending: pgnEnding(game, game.end)};
    },
    written: text => pgnOf(textRead(core, text, rulesNamed('twoflags')).game, {}),
    shown: (name, fen) => {
      const position = positionFrom(rulesNamed(name), fen);
      return core.moves(position).map(move => moveShown(position, move));
    },
    /** The drawings in a comment on the first position of a game, as the text of a comment. */
    drawn: (name, comment) => {
      const position = positionFrom(rulesNamed(name), rulesNamed(name).start);
      drawings.set(position, drawingsFrom(comment, position.rules));
      return drawingsText(position);
    },
    ranked, rankedLines, advised, worthSearching,
    /**
     * The kind of the fault that the review finds in a move, or null. best: the move that its search prefers; scores: for White, of the
     * positions before and after the move; facts: about the position before it.
     */
    fault: (name, fen, move, best, scores, facts) => {
      const game = new Game(core, positionFrom(rulesNamed(name), fen));
      const node = game.add(game.root, move);
      shown.core = core;
      analysis.knowledge = new Knowledge(core);
      analysis.knowledge.take(game.start, facts);
      [game.root, node].forEach(({position}, index) => analysis.scores.set(position, scores[index]));
      review.found.set(game.start, {line: [best]});
      return judged(node)?.kind ?? null;
    },
    /** Which of some facts about a position are known if at most that many are kept. */
    kept: (name, fen, facts, most) => {
      const [knowledge, position] = [new Knowledge(core, most), positionFrom(rulesNamed(name), fen)];
      knowledge.take(position, facts);
      return facts.map(({moves: [move]}) => knowledge.of(knowledge.after(position, move)) !== undefined);
    },
    textRead: read,
    repeated: (open, prefix, unit, count, suffix) => read(prefix + unit.repeat(count) + suffix, open),
    gamesIn,
    /** The number of games in a long text, and of those that are listed. */
    gamesInRepeated: (prefix, unit, count, suffix) => {
      const found = gamesIn(prefix + unit.repeat(count) + suffix);
      return [found.count, found.items.length];
    },
    /** {fen, passable} of a position that is set up, after one of the methods without arguments. */
    setUp: (name, fen, method) => {
      const setUp = new SetUp(positionFrom(rulesNamed(name), fen));
      if (method) setUp[method]();
      return {fen: setUp.fen, passable: setUp.passable};
    },
    gamesOf: text => names(gamesOf(text).found),
    addressed: text => {
      const found = addressed(core, text);
      return found && {game: found.game.rules.name, fen: fenOf(found.game.end.position), ply: found.node.ply, mode: found.mode};
    },
    Unreadable,
  };
})()`)(numbers, parts);

for await (const line of readline.createInterface({input: process.stdin})) {
  const [name, ...words] = JSON.parse(line);
  let answer = null;
  try {
    answer = {answer: await reader[name](...words)};
  } catch (error) {
    answer = error instanceof reader.Unreadable ? {refused: error.message} : {failed: String(error)};
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
