// Runs the worker of the page under node: `node page_worker.mjs FILE`, a JSON of {numbers, parts, script, mebibytes}.
// Each line of stdin is a message to the worker, each line of stdout one of its answers; big integers are strings.
import fs from 'fs';
import readline from 'readline';

const {numbers, parts, script, mebibytes} = JSON.parse(fs.readFileSync(process.argv[2]));
let hear = null;
// The worker breathes through a channel. Node's would hand on a thousand of its messages before it reads a line of input.
globalThis.MessageChannel = class {
  port1 = {};
  port2 = {postMessage: () => setImmediate(() => this.port1.onmessage())};
};
globalThis.addEventListener = (kind, listener) => { hear = listener; };
globalThis.postMessage = message => process.stdout.write(`${JSON.stringify(message)}\n`);
new Function('numbers', script)(numbers);
hear({data: {kind: 'begin', parts, mebibytes}});
for await (const line of readline.createInterface({input: process.stdin})) {
  const message = JSON.parse(line);
  for (const name of ['own', 'opp', 'ep']) if (message.position) message.position[name] = BigInt(message.position[name]);
  hear({data: message});
}
process.exit(0);
