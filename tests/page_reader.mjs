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
    const {game, told, others, ply} = textRead(core, text, rulesNamed(open));
    return {game: game.rules.name, fen: fenOf(game.positions.at(-1)), moves: game.moves.length, told, others: names(others), ply};
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
    ranked, rankedLines, advised, worthSearching,
    textRead: read,
    repeated: (open, prefix, unit, count, suffix) => read(prefix + unit.repeat(count) + suffix, open),
    gamesOf: text => names(gamesOf(text).found),
    addressed: text => {
      const found = addressed(core, text);
      return found && {game: found.game.rules.name, fen: fenOf(found.game.positions.at(-1)), ply: found.ply, mode: found.mode};
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
