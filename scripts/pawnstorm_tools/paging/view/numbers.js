// What the page knows from the engine's modules.

const numbers = JSON.parse(document.getElementById('numbers').textContent);
const {measures} = numbers;
