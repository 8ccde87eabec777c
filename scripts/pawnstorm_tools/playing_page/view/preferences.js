// The user's preferences, kept on this device. Each is a text: one of a list that begins with the default, or any text that
// its allows() accepts.

const PREFERENCES_KEPT = 'pawnstorm.preferences';
const SWITCH = ['off', 'on'];

/** The values of a select on the page; the option selected in the HTML is the default. */
const optionsOf = id => () => {
  const options = [...byId(id).options];
  return [options.find(({defaultSelected}) => defaultSelected) ?? options[0], ...options].map(({value}) => value);
};

/** The preference of a field of a time: any time that the field accepts. */
const timeField = (field, initial) => ({initial, allows: written => {
  try {
    timeWritten(field, written);
    return true;
  } catch {
    return false;
  }
}});

const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  board: ['wood', 'green', 'grey'],
  coordinates: ['on', 'off'],
  sound: SWITCH,
  premove: ['on', 'off'],
  'puzzle-game': ['twoflags', 'breakthrough', 'both'],
  'puzzle-level': ['fitting', 'easy', 'medium', 'hard'],
  lines: ['3', '1', '2', '4', '5'],
  // The last new game.
  family: optionsOf('family'),
  size: () => numbers.games.map(({name}) => name),
  side: optionsOf('side'),
  level: optionsOf('level'),
  time: optionsOf('time'),
  minutes: timeField('minutes', '5'),
  increment: timeField('increment', '3'),
  seconds: timeField('seconds', '2'),
  // The games whose rules the user has read.
  'knows-twoflags': SWITCH,
  'knows-breakthrough': SWITCH,
  'knows-hexapawn': SWITCH,
};

const preferred = {values: {}, changed: new Map()};

/** Read what was kept; what is not allowed is dropped. */
function readPreferences() {
  preferred.values = keptPreferences();
}

function keptPreferences() {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFERENCES_KEPT)) ?? {};
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => allows(name, value)));
  } catch {
    return {};    // the browser stores nothing, or the text is not one of this page
  }
}

/** What a preference may be: {initial, allows(value)}. */
function kindOf(name) {
  const kind = PREFERENCES[name];
  if (kind.allows) return kind;
  const values = typeof kind === 'function' ? kind() : kind;
  return {initial: values[0], allows: value => values.includes(value)};
}

const allows = (name, value) => Object.hasOwn(PREFERENCES, name) && typeof value === 'string' && kindOf(name).allows(value);

const preference = name => preferred.values[name] ?? kindOf(name).initial;

/** Keep a value on this device, and apply it. Throws RangeError for one that is not allowed. */
function keepPreference(name, value) {
  if (!allows(name, value)) throw new RangeError(`preference ${name} is not ${value}`);
  preferred.values[name] = value;
  try {
    localStorage.setItem(PREFERENCES_KEPT, JSON.stringify({...keptPreferences(), [name]: value}));    // another tab may have kept others
  } catch {
    // kept until the page is left
  }
  preferred.changed.get(name)?.(value);
}

/** Apply a preference by apply(value), now and whenever it changes. */
function onPreference(name, apply) {
  preferred.changed.set(name, apply);
  apply(preference(name));
}
