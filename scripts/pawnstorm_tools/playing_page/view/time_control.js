// The time of a game as a text: "move 1000" is the milliseconds of the engine for a move, "clock 3 2" the minutes of each side and the
// seconds added per move. Offered and custom times have this form.

/** The fields of a custom time: the kind of time that has them, the numbers allowed, and the number of steps per unit. */
const TIME_FIELDS = {
  minutes: {kind: 'clock', least: 0, most: 180, parts: 2},
  increment: {kind: 'clock', least: 0, most: 60, parts: 1},
  seconds: {kind: 'move', least: .05, most: 600, parts: 1000},
};

/** A field's text is not a number that the field allows; `field` is the field's name. */
class BadTime extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

const timeAllows = (field, number) => {
  const {least, most, parts} = TIME_FIELDS[field];
  return number >= least && number <= most && Number.isInteger(Math.round(1e6 * number * parts) / 1e6);
};

/** The number that is written in a field. Throws BadTime. */
function timeWritten(field, written) {
  const number = /^\d{1,3}([.,]\d{1,3})?$/.test(written.trim()) ? Number(written.trim().replace(',', '.')) : NaN;
  if (timeAllows(field, number)) return number;
  const {least, most} = TIME_FIELDS[field];
  throw new BadTime(field, text(`bad-${field}`, {least, most, found: shortened(written.trim())}));
}

/** The time as a text, from "own clock" or "own move" and the texts of the fields, {minutes, increment, seconds}. Throws BadTime. */
function ownTime(time, fields) {
  if (time === 'own move') return `move ${Math.round(1000 * timeWritten('seconds', fields.seconds))}`;
  const [minutes, increment] = ['minutes', 'increment'].map(field => timeWritten(field, fields[field]));
  if (!minutes && !increment) throw new BadTime('minutes', text('no-time'));
  return `clock ${minutes} ${increment}`;
}

/**
 * {movetime, clock} of a time, null for a text that is not a time. movetime: milliseconds, or null; clock: {base, increment} in
 * milliseconds, or null. With 0 minutes a clock begins with the seconds of one move.
 */
function timeNamed(time) {
  const [, move, minutes, increment] = /^(?:move (\d+)|clock (\d+(?:\.5)?) (\d+))$/.exec(time) ?? [];
  if (move && timeAllows('seconds', move / 1000)) return {movetime: Number(move), clock: null};
  if (!minutes || !timeAllows('minutes', minutes) || !timeAllows('increment', increment) || !(Number(minutes) + Number(increment))) return null;
  return {movetime: null, clock: {base: 60000 * minutes || 1000 * increment, increment: 1000 * increment}};
}

/** A time in words: "1 s a move", "3 min + 2 s on both clocks". */
function timeWords(time) {
  const {movetime} = timeNamed(time);
  if (movetime) return text('time-move', {seconds: movetime / 1000});
  const [, minutes, increment] = time.split(' ').map(Number);
  return text('time-clock', {minutes, increment});
}
