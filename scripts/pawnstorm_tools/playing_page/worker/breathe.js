/** Let the worker read the messages that have arrived. */
const breathe = (() => {
  const {port1, port2} = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () => new Promise(resolve => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
})();
