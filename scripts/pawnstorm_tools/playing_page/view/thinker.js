// A worker that runs the engine, and the questions to it. It has one question at a time: a new one stops the one before.

const HASH = (navigator.deviceMemory ?? 8) < 4 ? 16 : 64;    // MiB

const PING = 3000;    // milliseconds between two checks whether the worker still runs
const PATIENCE = 4;   // checks without an answer after which the worker is given up
const READING = 20;   // more checks that a worker may miss which has said that it reads a large book

class Thinker {
  /**
   * source: of the worker; share: of its tables for the search, the rest for the solver.
   * onFault(words, again): called with a sentence for people; again: whether the engine was started again with the same question.
   */
  constructor(source, parts, onFault, share = numbers.memory.SEARCH_SHARE) {
    Object.assign(this, {source, parts, onFault, share, asked: null, question: null, id: 0, worker: null, ready: false});
    Object.assign(this, {repeated: false, silent: 0, watching: null});
  }

  /** Start the worker, once. Throws Unusable. */
  start() {
    if (this.worker) return;
    const address = URL.createObjectURL(new Blob([this.source], {type: 'text/javascript'}));
    let worker = null;
    try {
      worker = this.worker = new Worker(address);
    } catch (error) {
      throw new Unusable(text('engine-refused', {reason: bare(error.message)}));
    }
    worker.onmessage = ({data}) => { if (worker === this.worker) this.hear(data); };
    worker.onerror = ({message}) => { if (worker === this.worker) this.fail(message || text('no-reason')); };
    this.ready = false;
    worker.postMessage({kind: 'begin', parts: this.parts, mebibytes: HASH, share: this.share});
  }

  /** Replace a worker that has failed. The new one gets the same question, once; after that, only the next question starts a worker. */
  fail(reason) {
    const {ready} = this;
    const again = Boolean(this.asked) && !this.repeated;
    this.worker.terminate();
    this.worker = null;
    if (again) {
      this.repeated = true;
      this.silent = 0;
      if (this.put()) this.onFault(text(ready ? 'engine-stopped-again' : 'engine-refused-again', {reason: bare(reason)}), true);
    } else this.giveUp(text(ready ? 'engine-stopped' : 'engine-refused', {reason: bare(reason)}));
  }

  /** Give up the question; words: why. */
  giveUp(words) {
    this.asked = null;
    this.onFault(words, false);
  }

  /** Put the question to the worker, and start one if needed. If the browser refuses it, calls giveUp() and returns false. */
  put() {
    try {
      this.start();
    } catch (error) {
      this.giveUp(error.message);
      return false;
    }
    this.worker.postMessage(this.question);
    return true;
  }

  /** Check that the worker runs, as long as it owes an answer: a worker ended from outside reports nothing. */
  watch() {
    clearInterval(this.watching);
    this.silent = 0;
    this.watching = setInterval(() => {
      if (!this.asked) clearInterval(this.watching);
      else if (this.silent++ < PATIENCE) this.worker.postMessage({kind: 'ping'});
      else this.fail(text('no-answer'));
    }, PING);
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

  /** Find the results of a position, its moves and the replies; `hear.known` gets the reports, as described in worker/explorer.js. */
  explore(position, hear) {
    this.ask({kind: 'explore', position: asked(position)}, hear);
  }

  ask(message, hear) {
    this.stop();
    this.asked = hear;
    this.question = {...message, id: ++this.id};
    this.repeated = false;
    if (this.put()) this.watch();
  }

  /** End the question; its later reports are ignored. */
  stop() {
    if (this.asked) this.worker.postMessage({kind: 'stop', id: this.id});
    this.asked = null;
  }

  hear(data) {
    this.silent = data.kind === 'reading' ? -READING : 0;
    if (data.kind === 'ready') this.ready = true;
    else if (data.kind === 'fault' && this.ready) this.fail(data.text);
    else if (data.kind === 'fault') this.onFault(data.text, false);
    if (data.id !== this.id || !this.asked) return;
    const {asked: hear} = this;
    if (data.kind === 'best' || data.ended) this.asked = null;
    hear[data.kind]?.(data);
  }
}

/** A reason without the full stop at its end, to be part of a sentence. */
const bare = reason => reason.replace(/\.$/, '');

const asked = ({rules, own, opp, ep, black}) => ({game: rules.name, own, opp, ep, black});
