// Sounds, made by the browser out of knocks on wood. There are none before the user has switched them on.

/** name -> knocks: [seconds after the first, pitch in hertz, volume from 0 to 1]. */
const SOUNDS = {
  move: [[0, 420, .5]],
  capture: [[0, 300, .6], [.04, 520, .5]],
  end: [[0, 392, .5], [.13, 494, .5], [.26, 587, .5]],
  low: [[0, 880, .4], [.15, 880, .4]],
  error: [[0, 140, .5]],
};
const KNOCK = .09;    // seconds that a knock takes to fade
const CLICK = .01;    // seconds of the click with which a knock begins

const sounds = {audio: null, heard: {position: null, over: false}};

/** Make a sound, if sounds are on. Browsers forbid it before the user has touched the page. */
function sound(name) {
  if (preference('sound') !== 'on' || navigator.userActivation?.hasBeenActive === false) return;
  const audio = sounds.audio ??= new AudioContext();
  if (audio.state === 'suspended') audio.resume();
  for (const [after, hertz, volume] of SOUNDS[name]) knock(audio, audio.currentTime + after, hertz, volume);
}

/** A tone that fades at once, and the click with which it begins. */
function knock(audio, when, hertz, volume) {
  const noise = new AudioBuffer({length: CLICK * audio.sampleRate, sampleRate: audio.sampleRate});
  noise.copyToChannel(Float32Array.from({length: noise.length}, () => Math.random() - .5), 0);
  const gain = new GainNode(audio);
  gain.gain.setValueAtTime(volume, when);
  gain.gain.exponentialRampToValueAtTime(.001, when + KNOCK);
  const wood = new BiquadFilterNode(audio, {type: 'bandpass', frequency: 3 * hertz, Q: .8});
  const [tone, click] = [new OscillatorNode(audio, {frequency: hertz, type: 'triangle'}), new AudioBufferSourceNode(audio, {buffer: noise})];
  tone.connect(gain);
  click.connect(wood).connect(gain);
  gain.connect(audio.destination);
  for (const source of [tone, click]) {
    source.start(when);
    source.stop(when + KNOCK);
  }
}

/** Make the sound of what is shown: of a move that was just made or stepped to, and of the end of the game. */
function soundShown() {
  const {position, over} = sounds.heard;
  sounds.heard = {position: here(), over: shown.over};
  if (position !== null && shown.node.parent?.position === position) sound(pawnCount(position) > pawnCount(here()) ? 'capture' : 'move');
  if (shown.over && !over) sound('end');
}

const pawnCount = position => countBits(position.own | position.opp);

/** Let the header's button switch the sounds, as the field in the settings does. */
function listenToSounds() {
  const button = byId('sound');
  onPreference('sound', value => {
    button.setAttribute('aria-pressed', String(value === 'on'));
    button.querySelector('use').setAttribute('href', `#icon-sound-${value}`);
    byId('prefer-sound').value = value;
  });
  button.addEventListener('click', () => {
    keepPreference('sound', preference('sound') === 'on' ? 'off' : 'on');
    sound('move');
  });
  shown.listeners.push(soundShown);
}
