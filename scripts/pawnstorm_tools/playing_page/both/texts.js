// The page's words for people. They are all in texts.json.

let pluralRules = null;    // made when first needed: `numbers` comes after this script in the page

/**
 * A text by its name, with {name} replaced by each of the values. If a text has two forms, one for a single thing and one for several,
 * the value `count` decides. Throws RangeError for a name or a value that is missing.
 */
function text(name, values = {}) {
  const found = numbers.texts[name];
  const form = typeof found === 'object' ? found[plural(values.count)] ?? found.other : found;
  if (form === undefined) throw new RangeError(`no text ${name}`);
  return form.replace(/\{(\w+)\}/g, (_, key) => {
    if (!Object.hasOwn(values, key)) throw new RangeError(`text ${name} needs ${key}`);
    return typeof values[key] === 'number' ? values[key].toLocaleString(numbers.texts.language) : values[key];
  });
}

/** A number as text, with `digits` digits after the point. */
const decimal = (number, digits) =>
  number.toLocaleString(numbers.texts.language, {minimumFractionDigits: digits, maximumFractionDigits: digits});

const plural = count => (pluralRules ??= new Intl.PluralRules(numbers.texts.language)).select(count);
