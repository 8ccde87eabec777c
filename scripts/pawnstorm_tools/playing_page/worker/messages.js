// The messages between the page and its worker.
// From the page: begin, new game, go, prove, explore, stop, ping. Each go, prove and explore has an id. A stop has the id of the last
// one that it ends.
// From the worker: ready, info, best, proof, known, pong, reading (of a large book), or fault with a text for people.

let engine = null;
let stoppedTo = 0;    // the last id that a stop has ended
let doing = Promise.resolve();

const positionOf = ({game, own, opp, ep, black}) => new Position(numbers.games.find(({name}) => name === game), own, opp, ep, black);

const ACTIONS = {
  async begin({parts, mebibytes, share}) {
    engine = await Engine.make(parts, mebibytes, share);
    postMessage({kind: 'ready'});
  },
  async 'new game'() {
    engine.newGame();
  },
  async go({id, position, limits, settings}) {
    if (id <= stoppedTo) return;
    const line = await engine.go(positionOf(position), limits, settings, info => postMessage({kind: 'info', id, ...info}));
    postMessage({kind: 'best', id, line});
  },
  async prove({id, position}) {
    if (id <= stoppedTo) return;
    await engine.prove(positionOf(position), proof => postMessage({kind: 'proof', id, ...proof}));
  },
  async explore({id, position}) {
    if (id <= stoppedTo) return;
    await engine.explore(positionOf(position), news => postMessage({kind: 'known', id, ...news}));
  },
  async perft({id, position, depth}) {
    postMessage({kind: 'perft', id, count: String(engine.core.perft(positionOf(position), depth))});
  },
};

addEventListener('message', ({data}) => {
  if (data.kind === 'stop') {
    stoppedTo = data.id;
    engine?.stop();
    return;
  }
  if (data.kind === 'ping') {
    postMessage({kind: 'pong'});
    return;
  }
  // The actions run one after the other, in the order of the messages. If there is no engine, the page already knows why.
  doing = doing.then(() => (engine || data.kind === 'begin') && ACTIONS[data.kind](data)).catch(error => {
    const bare = error instanceof Unusable || data.kind !== 'begin';
    postMessage({kind: 'fault', id: data.id, text: bare ? error.message : text('engine-not-started', {reason: error.message})});
  });
});
