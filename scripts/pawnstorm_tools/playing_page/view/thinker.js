// A worker with an engine in it, and what is asked of it. One question at a time: a new one stops the one before.

const HASH = (navigator.deviceMemory ?? 8) < 4 ? 16 : 64;    // MiB

const REFUSED = 'The engine cannot run here, since the browser refuses its worker';

const PING = 3000;    // milliseconds between two looks at whether a worker still lives
const PATIENCE = 4;   // looks without a sign of it until it is given up

class Thinker {
  /**
   * source: of the worker; share: of its tables for the search, the rest for the solver.
   * onFault(text, again): called with a text for people; again: whether the engine was started again with the same question.
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
      throw new Unusable(`${REFUSED}: ${error.message}`);
    }
    worker.onmessage = ({data}) => { if (worker === this.worker) this.hear(data); };
    worker.onerror = ({message}) => { if (worker === this.worker) this.fail(message || 'it gives no reason'); };
    this.ready = false;
    worker.postMessage({kind: 'begin', parts: this.parts, mebibytes: HASH, share: this.share});
  }

  /** The worker has failed. Another one gets the same question, once; the next question gets another one in any case. */
  fail(reason) {
    const what = this.ready ? 'The engine has stopped' : REFUSED;
    const again = Boolean(this.asked) && !this.repeated;
    this.worker.terminate();
    this.worker = null;
    if (again) {
      this.repeated = true;
      this.silent = 0;
      if (this.put()) this.onFault(`${what}: ${sentence(reason)} It has been started again.`, true);
    } else this.giveUp(`${what}: ${reason}`);
  }

  /** The question is not answered; text: why. */
  giveUp(text) {
    this.asked = null;
    this.onFault(`${sentence(text)} Its next task starts it again.`, false);
  }

  /** Put the question to the worker, and start that if need be; returns false, after giveUp(), if the browser refuses it. */
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

  /** See whether the worker lives, as long as it owes an answer: one that was ended from outside says nothing. */
  watch() {
    clearInterval(this.watching);
    this.silent = 0;
    this.watching = setInterval(() => {
      if (!this.asked) clearInterval(this.watching);
      else if (this.silent++ < PATIENCE) this.worker.postMessage({kind: 'ping'});
      else this.fail('it no longer answers');
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

  /** Find the results of a position and its moves; `hear.known` gets the reports, as described in worker/explorer.js. */
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

  /** End the search; nothing more is heard of it. */
  stop() {
    if (this.asked) this.worker.postMessage({kind: 'stop', id: this.id});
    this.asked = null;
  }

  hear(data) {
    this.silent = 0;
    if (data.kind === 'ready') this.ready = true;
    else if (data.kind === 'fault' && this.ready) this.fail(data.text);
    else if (data.kind === 'fault') this.onFault(data.text, false);
    if (data.id !== this.id || !this.asked) return;
    const {asked: hear} = this;
    if (data.kind === 'best' || data.ended) this.asked = null;
    hear[data.kind]?.(data);
  }
}

/** A text with one full stop at its end. */
const sentence = text => `${text.replace(/\.$/, '')}.`;

const asked = ({rules, own, opp, ep, black}) => ({game: rules.name, own, opp, ep, black});
