// A worker with an engine in it, and what is asked of it. One question at a time: a new one stops the one before.

const HASH = (navigator.deviceMemory ?? 8) < 4 ? 16 : 64;    // MiB

const REFUSED = 'The engine cannot run here, since the browser refuses its worker';

class Thinker {
  /** source: of the worker; onFault: called with a text for people; share: of its tables for the search, the rest for the solver. */
  constructor(source, parts, onFault, share = numbers.memory.SEARCH_SHARE) {
    Object.assign(this, {source, parts, onFault, share, asked: null, id: 0, worker: null});
  }

  /** Start the worker, once. Throws Unusable. */
  start() {
    if (this.worker) return;
    const address = URL.createObjectURL(new Blob([this.source], {type: 'text/javascript'}));
    try {
      this.worker = new Worker(address);
    } catch (error) {
      throw new Unusable(`${REFUSED}: ${error.message}`);
    }
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = event => this.onFault(event.message ? `${REFUSED}: ${event.message}` : `${REFUSED}.`);
    this.worker.postMessage({kind: 'begin', parts: this.parts, mebibytes: HASH, share: this.share});
  }

  newGame() {
    this.stop();
    this.worker?.postMessage({kind: 'new game'});
  }

  /** Search; `hear.info` gets each report, `hear.best` the line to play. */
  go(position, limits, settings, hear) {
    this.ask({kind: 'go', position: asked(position), limits, settings}, hear);
  }

  /** Prove who wins; `hear.proof` gets what is known so far. */
  prove(position, hear) {
    this.ask({kind: 'prove', position: asked(position)}, hear);
  }

  ask(message, hear) {
    this.start();
    this.stop();
    this.asked = hear;
    this.worker.postMessage({...message, id: ++this.id});
  }

  /** End the search; nothing more is heard of it. */
  stop() {
    if (this.asked) this.worker.postMessage({kind: 'stop', id: this.id});
    this.asked = null;
  }

  hear(data) {
    if (data.kind === 'fault') this.onFault(data.text);
    if (data.id !== this.id || !this.asked) return;
    const {asked: hear} = this;
    if (data.kind === 'best' || data.ended) this.asked = null;
    hear[data.kind]?.(data);
  }
}

const asked = ({rules, own, opp, ep, black}) => ({game: rules.name, own, opp, ep, black});
