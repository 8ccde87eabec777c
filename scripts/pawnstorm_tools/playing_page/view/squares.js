// The squares of the board that is shown. They take the moves of mouse, touch, keys and screen readers.

const DRAG = 5;    // pixels that the pointer must move to make a press a drag

class Squares extends BoardGrid {
  /** place: the grid's element; drawings: a DrawingLayer. */
  constructor(place, drawings) {
    super(place);
    Object.assign(this, {drawings, drag: null, drawn: null, over: null, begun: null});
    const listen = (kind, action) => place.addEventListener(kind, event => action.call(this, event));
    listen('focusin', () => { this.pointed = false; });
    listen('pointerdown', this.press);
    listen('pointermove', this.move);
    listen('pointerup', this.release);
    listen('pointercancel', this.drop);
    listen('pointerleave', () => this.hover(null));
    listen('contextmenu', event => event.preventDefault());    // the right button draws
    listen('keydown', this.key);
    listen('click', event => { if (!event.detail) this.choose(event.target.dataset.square); });    // a click from a screen reader
  }

  /** Name every square as it is now. marks: as DrawnBoard has them. */
  describe(position, marks) {
    if (this.build(shown.game.rules, shown.flipped)) {
      const {width, height} = shown.board.svg.viewBox.baseVal;
      byId('app').style.setProperty('--ratio', width / height);
    }
    const own = ownPawns();
    const drawn = drawingsOf(here());
    for (const [name, cell] of this.cells) {
      const letter = position.pawns.get(name);
      const words = [squareText(name, letter)];
      if (marks[name] === 'target') words.push(text('square-target'));
      if (marks[name] === 'prey') words.push(text('square-prey'));
      if (marks[name] === 'premove') words.push(text('square-premove'));
      if (drawn.has(name)) words.push(text('square-marked'));
      setAttribute(cell, 'aria-label', words.join(', '));
      setAttribute(cell, 'aria-selected', String(shown.selected === name));
      cell.classList.toggle('goal', marks[name] === 'target' || marks[name] === 'prey');
      cell.classList.toggle('own', own.has(name));
    }
    this.hover(this.over);
  }

  /** The user chooses a square: a pawn to move, or where the chosen pawn goes. dropped: it has been dragged there. */
  choose(name, dropped = false) {
    if (!name) return;
    const {selected} = shown;
    const cancelled = cancelPremove();
    if (selected && Object.hasOwn(targetsFrom(selected), name)) {
      shown.selected = null;
      moveOnBoard(selected, name, dropped);
      return;
    }
    const own = selected !== name && Object.keys(targetsFrom(name)).length > 0;
    shown.selected = own ? name : null;
    if (!selected && !shown.pawns.has(name)) clearDrawings(here());
    redraw();
    if (!own && selected !== name && !cancelled) refuseSquare(name, selected);
  }

  // The keyboard.

  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === 'm') this.draw(this.at, this.at, event);
    else if (key === 'a') this.drawByKeys(event);
    else if (event.altKey) return;
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.at);
    else if (event.key === 'Escape') this.escape();
    else if (this.pointed || !this.walk(event)) return;    // after a click the arrow keys step through the game
    event.preventDefault();
    event.stopPropagation();
  }

  /** Cancel the arrow that was begun, else the premove, else the choice; else remove the drawings. */
  escape() {
    if (this.begun) this.begun = null;
    else if (cancelPremove()) say(text('premove-cancelled'));
    else if (shown.selected) shown.selected = null;
    else clearDrawings(here());
    redraw();
  }

  /** Begin an arrow on the square that has the focus, or end it there. */
  drawByKeys(event) {
    const {begun, at} = this;
    this.begun = begun ? null : at;
    if (begun) this.draw(begun, at, event);
    else say(text('arrow-begun', {square: at}));
  }

  /** Draw an arrow, or a mark on one square, in the colour of the event's modifier keys; or remove it. */
  draw(from, to, event) {
    const drawn = toggleDrawing(here(), from, to, colourOf(event));
    say(text(from === to ? drawn ? 'marked' : 'unmarked' : drawn ? 'arrow-drawn' : 'arrow-removed', {from, to}));
    redraw();
  }

  // Mouse and touch.

  press(event) {
    const name = event.target.dataset.square;
    if (!name || this.drag || this.drawn) return;
    this.begun = null;
    if (event.button === 2) this.pressRight(name, event);
    if (event.button) return;
    this.focus(name);
    this.pointed = true;
    const again = shown.selected === name;
    if (!again) this.choose(name);
    if (shown.selected === name) this.drag = {name, again, x: event.clientX, y: event.clientY};
  }

  /** The right button cancels a premove, or else begins to draw. */
  pressRight(name, event) {
    if (cancelPremove()) {
      redraw();
      return;
    }
    this.place.setPointerCapture(event.pointerId);
    this.drawn = {from: name, to: name, colour: colourOf(event)};
    this.drawings.draw(here(), this.drawn);
  }

  move(event) {
    const name = this.squareAt(event.clientX, event.clientY);
    if (this.drawn) {
      if (!name || name === this.drawn.to) return;
      this.drawn.to = name;
      this.drawings.draw(here(), this.drawn);
      return;
    }
    if (this.drag && !event.buttons) this.letGo();    // the button was released outside the board
    if (this.drag && event.buttons & 2) this.drop();    // the other button has been pressed too
    if (this.drag) this.dragTo(event);
    if (event.pointerType === 'mouse' || this.drag?.pawn) this.hover(name);
  }

  /** Move the dragged pawn under the pointer; its square shows it faintly. */
  dragTo({clientX, clientY, pointerId}) {
    const {drag} = this;
    const {board} = shown;
    if (!drag.pawn) {
      if (Math.hypot(clientX - drag.x, clientY - drag.y) < DRAG) return;
      drag.pawn = board.drawn.get(drag.name)?.use;
      if (!drag.pawn) return;
      this.place.setPointerCapture(pointerId);
      this.place.classList.add('dragging');
      drag.ghost = drag.pawn.cloneNode();
      drag.ghost.classList.add('ghost');
      delete drag.ghost.dataset.at;
      board.marked.after(drag.ghost);
      board.pawns.append(drag.pawn);
    }
    const {left, top, width} = board.svg.getBoundingClientRect();
    const scale = board.svg.viewBox.baseVal.width / width;
    const [x, y] = board.corner(drag.name).map(place => place + board.square / 2);
    drag.pawn.style.transform = `translate(${(clientX - left) * scale - x}px, ${(clientY - top) * scale - y}px)`;
  }

  release(event) {
    const {drawn, drag} = this;
    if (drawn) {
      this.drawn = null;
      this.draw(drawn.from, drawn.to, event);
    }
    if (!drag) return;
    const name = this.squareAt(event.clientX, event.clientY);
    this.letGo();
    if (!drag.pawn) {
      if (drag.again) this.choose(drag.name);    // a second press cancels the choice
    } else if (name && name !== drag.name && shown.selected === drag.name) this.choose(name, true);
  }

  /** End a drag: the pawn is where it was. */
  letGo() {
    const {drag} = this;
    this.drag = null;
    this.place.classList.remove('dragging');
    drag?.ghost?.remove();
    drag?.pawn?.style.removeProperty('transform');
    this.hover(null);
  }

  drop() {
    this.letGo();
    this.drawn = null;
    redraw();
  }

  /** Show that the chosen pawn would go to the square under the pointer, if it may. */
  hover(name) {
    this.over = name;
    const {marked} = shown.board;
    const there = marked.querySelector('.over');
    const wanted = name && this.cells.get(name)?.classList.contains('goal') ? name : null;
    if (there?.dataset.at === (wanted ?? undefined)) return;
    there?.remove();
    if (wanted) marked.appendChild(shown.board.mark(wanted, 'over')).dataset.at = wanted;
  }
}

/** Set an attribute only if it changes: that is cheaper. */
function setAttribute(part, name, value) {
  if (part.getAttribute(name) !== value) part.setAttribute(name, value);
}
