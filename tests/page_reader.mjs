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
  return {
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
    answer = {answer: reader[name](...words)};
  } catch (error) {
    answer = error instanceof reader.Unreadable ? {refused: error.message} : {failed: String(error)};
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
