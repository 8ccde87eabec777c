// The squares of the board as a grid over its picture: what mouse, touch, keys and screen readers move by.

const DRAG = 5;    // pixels from which on a press is a drag

class Squares {
  /** place: the grid's element; movable(): whether the user may move now; play(move): called with a legal move. */
  constructor(place, movable, play) {
    Object.assign(this, {place, movable, play, cells: new Map(), at: null, drag: null});
    const listen = (kind, action) => place.addEventListener(kind, event => action.call(this, event));
    listen('pointerdown', this.press);
    listen('pointermove', this.move);
    listen('pointerup', this.release);
    listen('pointercancel', () => this.drop());
    listen('keydown', this.key);
    listen('click', event => { if (!event.detail) this.choose(event.target.dataset.square); });    // a screen reader's
  }

  /** Make the cells of the board that is shown. */
  build() {
    const {files, ranks} = shown.game.rules;
    const focused = this.place.contains(document.activeElement);
    const columns = [...LETTERS.slice(0, files)];
    const rows = Array.from({length: ranks}, (_, rank) => ranks - rank);
    if (shown.flipped) {
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
    this.place.closest('.table').style.setProperty('--ratio', width / height);
    this.built = `${files} ${ranks} ${shown.flipped}`;
  }

  /** Name every square as it is now. */
  describe(position, marks) {
    const {files, ranks} = shown.game.rules;
    if (this.built !== `${files} ${ranks} ${shown.flipped}`) this.build();
    for (const [name, cell] of this.cells) {
      const letter = position.pawns.get(name);
      const words = [name];
      if (letter) words.push(`${letter === 'P' ? 'white' : 'black'} pawn`);
      if (marks[name] === 'target') words.push('can be reached');
      if (marks[name] === 'prey') words.push('can be taken');
      cell.setAttribute('aria-label', words.join(', '));
      cell.setAttribute('aria-selected', String(shown.selected === name));
    }
  }

  focus(name) {
    this.cells.get(this.at).tabIndex = -1;
    this.at = name;
    this.cells.get(name).tabIndex = 0;
    this.cells.get(name).focus({preventScroll: true});
  }

  /** The user names a square: a pawn of its own to move, or where the chosen one goes. */
  choose(name) {
    if (!name || !this.movable()) return;
    const move = shown.selected && movesFrom(shown.selected).find(found => squaresOf(here(), found).to === name);
    if (move) {
      shown.selected = null;
      this.play(move);
      return;
    }
    shown.selected = shown.selected !== name && movesFrom(name).length ? name : null;
    redraw();
  }

  // The keyboard.

  key(event) {
    const row = this.rows.findIndex(names => names.includes(this.at));
    const column = this.rows[row].indexOf(this.at);
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (Object.hasOwn(steps, event.key)) {
      const [down, right] = steps[event.key];
      const name = this.rows[row + down]?.[column + right];
      if (name) this.focus(name);
    } else if (event.key === 'Enter' || event.key === ' ') this.choose(this.at);
    else if (event.key === 'Escape' && shown.selected) this.choose(shown.selected);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Mouse and touch.

  press(event) {
    const name = event.target.dataset.square;
    if (event.button || !name) return;
    this.focus(name);
    const [chosen, own] = [shown.selected, this.movable() && movesFrom(name).length > 0];
    if (!own || chosen === name) {
      this.drag = own ? {name, x: event.clientX, y: event.clientY, again: true} : null;
      if (!own) this.choose(name);
      return;
    }
    this.choose(name);
    this.drag = {name, x: event.clientX, y: event.clientY};
  }

  move(event) {
    if (!this.drag) return;
    const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.pawn) {
      if (Math.hypot(dx, dy) < DRAG) return;
      this.place.setPointerCapture(event.pointerId);
      this.drag.pawn = shown.board.pawns.querySelector(`[data-at="${this.drag.name}"]`);
      shown.board.pawns.append(this.drag.pawn);
    }
    const scale = shown.board.svg.viewBox.baseVal.width / shown.board.svg.clientWidth;
    this.drag.pawn.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
  }

  release(event) {
    const {drag} = this;
    this.drag = null;
    if (!drag) return;
    if (!drag.pawn) {
      if (drag.again) this.choose(drag.name);    // a second press lets it go
      return;
    }
    const below = document.elementsFromPoint(event.clientX, event.clientY).find(found => found.dataset?.square);
    const name = below?.dataset.square;
    const legal = movesFrom(drag.name).some(move => squaresOf(here(), move).to === name);
    if (legal && shown.selected === drag.name) this.choose(name);
    else redraw();
  }

  drop() {
    this.drag = null;
    redraw();
  }
}
