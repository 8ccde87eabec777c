// The squares of a drawn board as a grid of elements over its picture, for keys, pointers and screen readers.

class BoardGrid {
  /** place: the grid's element, in an element that the picture fills. */
  constructor(place) {
    Object.assign(this, {place, cells: new Map(), rows: [], at: null, built: ''});
  }

  /** Make the cells of a board {files, ranks}, Black below if `flipped`; returns whether they were made anew. */
  build({files, ranks}, flipped) {
    const built = `${files} ${ranks} ${flipped}`;
    if (this.built === built) return false;
    this.built = built;
    const focused = this.place.contains(document.activeElement);
    const columns = [...LETTERS.slice(0, files)];
    const rows = Array.from({length: ranks}, (_, rank) => ranks - rank);
    if (flipped) {
      columns.reverse();
      rows.reverse();
    }
    this.cells.clear();
    this.rows = rows.map(rank => columns.map(file => file + rank));
    const made = this.rows.map(names => {
      const row = document.createElement('div');
      row.setAttribute('role', 'row');
      for (const name of names) {
        const cell = row.appendChild(document.createElement('div'));
        cell.setAttribute('role', 'gridcell');
        cell.dataset.square = name;
        cell.tabIndex = -1;
        this.cells.set(name, cell);
      }
      return row;
    });
    this.place.replaceChildren(...made);
    if (!this.cells.has(this.at)) this.at = this.rows.at(-1)[0];
    this.cells.get(this.at).tabIndex = 0;
    if (focused) this.focus(this.at);
    const {square, margin} = measures;
    const [width, height] = [files, ranks].map(count => square * count + 2 * margin);
    this.place.style.inset = `${100 * margin / height}% ${100 * margin / width}%`;
    return true;
  }

  focus(name) {
    this.cells.get(this.at).tabIndex = -1;
    this.at = name;
    this.cells.get(name).tabIndex = 0;
    this.cells.get(name).focus({preventScroll: true});
  }

  /** Move the focus by an arrow key; returns whether the event is one. */
  walk(event) {
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    if (!Object.hasOwn(steps, event.key)) return false;
    const row = this.rows.findIndex(names => names.includes(this.at));
    const [down, right] = steps[event.key];
    const name = this.rows[row + down]?.[this.rows[row].indexOf(this.at) + right];
    if (name) this.focus(name);
    return true;
  }

  /** The square at a place of the window, undefined outside the board. */
  squareAt(x, y) {
    const {left, top, width, height} = this.place.getBoundingClientRect();
    const part = (place, length, count) => Math.floor(place / length * count);
    return this.rows[part(y - top, height, this.rows.length)]?.[part(x - left, width, this.rows[0].length)];
  }
}
