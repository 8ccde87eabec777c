// How a chart is drawn: by Vega-Lite, in the page's colours. Engines differ by their dashes as well as by colour. A table or a text
// beside each chart has the same content, so a screen reader takes each chart as one image.

const DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3]];
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = () => css('--series').split(' ');

/** A text whose direction does not affect the text around it. */
const isolated = text => `\u2068${text}\u2069`;

const LEGEND_FONT = 13;
// In pixels: the width of the axis to the left of a legend, and of the line and the gaps beside a name in it.
const [AXIS, SYMBOL] = [100, 45];

/** How many columns of names a legend in an element has room for, and how wide a name may be there. */
function room(id, names) {
  const ruler = document.createElement('canvas').getContext('2d');
  ruler.font = `${LEGEND_FONT}px ${getComputedStyle(document.body).fontFamily}`;
  const width = document.getElementById(id).clientWidth - AXIS;
  const labelLimit = Math.max(60, Math.min(400, width - SYMBOL));
  const widest = Math.min(labelLimit, Math.max(...names.map(name => ruler.measureText(name).width)));
  return {labelLimit, columns: Math.max(1, Math.floor(width / (widest + SYMBOL)))};
}

/** An encoding of engines, or of both sides, by colour and dash, for a chart in an element. */
function told(id, field, names) {
  const legend = names.length === 1 ? null : {
    title: null, orient: 'top', symbolType: 'stroke', symbolSize: 500, symbolStrokeWidth: 2, ...room(id, names)};
  const scale = values => ({domain: names, range: names.map((_, index) => values[index % values.length])});
  return {
    color: {field, type: 'nominal', sort: null, legend, scale: scale(colours())},
    strokeDash: {field, type: 'nominal', sort: null, legend, scale: scale(DASHES)}};
}

/** A horizontal axis of whole numbers, from the first to the last. */
function counted(field, title, domain) {
  const scale = {nice: false, zero: false, ...domain && {domain}};
  return {field, type: 'quantitative', title, axis: {grid: false, tickMinStep: 1, format: 'd'}, scale};
}

/** [field, title, format] of numbers, [field, title] of other values. */
const tooltip = (...fields) => fields.map(([field, title, format]) => ({field, title, format, type: format ? 'quantitative' : 'nominal'}));

/** Invisible points to hover over. */
const hover = {type: 'point', opacity: 0, size: 60};

/** Layers with the points of engines whose lines are too short to be seen. */
function dots(rows, encoding) {
  const counts = new Map();
  for (const {engine} of rows) counts.set(engine, (counts.get(engine) ?? 0) + 1);
  const values = rows.filter(({engine}) => counts.get(engine) < 3);
  return values.length ? [{data: {values}, mark: {type: 'point', filled: true, size: 30, opacity: 1}, encoding}] : [];
}

/** Vega-Lite's configuration in the colours of the page. */
function configuration() {
  const [text, quiet, line] = [css('--text'), css('--quiet'), css('--line')];
  return {
    background: null, font: getComputedStyle(document.body).fontFamily, view: {stroke: null},
    axis: {labelColor: quiet, titleColor: text, gridColor: line, domainColor: quiet, tickColor: quiet, labelFontSize: 12, titleFontSize: 13,
      titleFontWeight: 'normal', labelOverlap: true},
    legend: {labelColor: text, labelFontSize: LEGEND_FONT}, text: {color: text, fontSize: 12}, rule: {color: quiet},
    line: {strokeWidth: 2}};
}

/** Draw a Vega-Lite specification in an element, in place of its content. Charts are drawn one after the other. Returns a promise of the view. */
function chart(id, label, specification) {
  const place = document.getElementById(id);
  place.drawing = (place.drawing ?? Promise.resolve()).then(async () => {
    place.finalize?.();
    const {view, finalize} = await vegaEmbed(
      place, {width: 'container', autosize: {type: 'fit-x', contain: 'padding'}, ...specification},
      {mode: 'vega-lite', renderer: 'svg', actions: false, ast: true, config: configuration(),
        tooltip: {theme: darkScheme.matches ? 'dark' : 'light'}});
    place.finalize = finalize;
    for (const name of ['role', 'aria-roledescription', 'aria-label']) view.container().removeAttribute(name);    // one image, not two
    const svg = place.querySelector('svg');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
    for (const part of svg.children) part.setAttribute('aria-hidden', 'true');
    return view;
  });
  return place.drawing;
}

/** A note in place of a chart without data. */
function noChart(id, text) {
  const place = document.getElementById(id);
  place.drawing = (place.drawing ?? Promise.resolve()).then(() => {
    place.finalize?.();
    place.finalize = null;
    const note = document.createElement('p');
    note.className = 'small';
    note.textContent = text;
    place.replaceChildren(note);
  });
  return place.drawing;
}
