// The dialog in which a position is set up. Its board takes pawns by mouse, touch and keys.

/** What a press puts on a square: its pawn, null to remove one. */
const TOOLS = {white: 'P', black: 'p', eraser: null};
/** The keys that choose a tool: pawns also by their letters in a FEN. */
const TOOL_KEYS = {P: 'white', p: 'black', W: 'white', w: 'white', B: 'black', b: 'black', E: 'eraser', e: 'eraser'};
const EDITS = {'edit-start': setUp => setUp.begin(), 'edit-clear': setUp => setUp.clear(), 'edit-mirror': setUp => setUp.mirror(),
  'edit-swap': setUp => setUp.swap()};

class BoardEditor extends BoardGrid {
  constructor() {
    super(byId('edit-squares'));
    Object.assign(this, {board: new DrawnBoard(byId('edit-board'), measures), setUp: null, flipped: false, position: null, drag: null});
    const listen = (kind, action) => this.place.addEventListener(kind, event => action.call(this, event));
    listen('pointerdown', this.press);
    listen('pointermove', this.moveOn);
    listen('pointerup', this.release);
    listen('pointercancel', this.drop);
    listen('keydown', this.key);
    listen('contextmenu', event => event.preventDefault());
    listen('click', event => { if (!event.detail) this.act(event.target.dataset.square); });    // a click from a screen reader
    for (const [id, edit] of Object.entries(EDITS)) byId(id).addEventListener('click', () => this.change(edit));
    const onChange = (id, action) => byId(id).addEventListener('change', () => this.change(() => action(byId(id).value)));
    onChange('edit-family', family => this.setUp.setRules(this.sameSize(family)));
    onChange('edit-size', name => this.setUp.setRules(rulesNamed(name)));
    onChange('edit-turn', side => this.setUp.setTurn(side === 'black'));
    onChange('edit-passed', name => this.setUp.setPassed(name));
    byId('edit-fen').addEventListener('input', () => this.typed());
    for (const [id, open] of [['edit-analyse', analysePosition], ['edit-play', playFrom]]) {
      byId(id).addEventListener('click', ({currentTarget}) => {
        if (currentTarget.getAttribute('aria-disabled') === 'true') return;
        closeDialog('editor-dialog');
        open(this.position);
      });
    }
  }

  /** Begin with a position. */
  begin(position, flipped) {
    Object.assign(this, {setUp: new SetUp(position), flipped, drag: null});
    byId('edit-told').textContent = '';
    this.show();
    this.focus(this.at);
  }

  /** Change what is set up, and show it. */
  change(edit) {
    edit(this.setUp);
    this.show();
  }

  get tool() {
    return document.querySelector('[name=tool]:checked').value;
  }

  /** The row of a family with this board's size, or else with the family's largest board up to 8 by 8. */
  sameSize(family) {
    const rows = sizesOf(family);
    const {files, ranks} = this.setUp.rules;
    return rows.find(row => row.files === files && row.ranks === ranks) ?? rulesNamed(family);
  }

  // What is shown.

  show() {
    byId('edit-fen').value = this.setUp.fen;
    this.update(attempt(() => this.setUp.position));
  }

  /** Read the FEN as far as it has been typed. */
  typed() {
    this.update(attempt(() => {
      this.setUp.read(byId('edit-fen').value);
      return this.setUp.position;
    }));
  }

  /** Show what is set up. value: the position; fault: why it is none. */
  update({value, fault}) {
    if (value) this.position = value;
    this.showBoard();
    this.judge(fault);
  }

  showBoard() {
    const {rules, pawns, black, passed} = this.setUp;
    this.build(rules, this.flipped);
    this.board.draw(boardOf(rules), {pawns, black}, {flipped: this.flipped, marks: passed === '-' ? {} : {[passed]: 'target'}});
    const {width, height} = this.board.svg.viewBox.baseVal;
    byId('edit-place').style.setProperty('--ratio', width / height);
    for (const [name, cell] of this.cells) cell.setAttribute('aria-label', squareText(name, pawns.get(name)));
    byId('edit-family').value = offeredFamily(rules);
    const sizes = sizesOf(offeredFamily(rules));
    setOptions('edit-size', sizes.map(({name, files, ranks}) => [name, text('board-size', {files, ranks})]),
      sizes.find(row => row.files === rules.files && row.ranks === rules.ranks).name);
    byId('edit-turn').value = black ? 'black' : 'white';
    byId('edit-passing').hidden = !rules.passing;
    setOptions('edit-passed', ['-', ...this.setUp.passable].map(name => [name, name === '-' ? text('edit-no-passed') : name]), passed);
  }

  /** Say what is wrong or worth knowing, and disable the buttons that cannot work. */
  judge(fault) {
    const over = !fault && shown.core.over(this.position);
    const place = byId('edit-fault');
    place.classList.toggle('wrong', Boolean(fault));
    const words = fault ? fault.message
      : over ? text('edit-over', {winner: text(this.position.black ? 'white' : 'black')})
        : canBeReached(this.position) ? '' : text('edit-unreachable');
    if (place.textContent !== words) place.textContent = words;
    byId('edit-fen').setAttribute('aria-invalid', String(Boolean(fault)));
    byId('edit-analyse').setAttribute('aria-disabled', String(Boolean(fault)));
    byId('edit-play').setAttribute('aria-disabled', String(Boolean(fault) || over));
  }

  // What changes one square.

  /** Put a pawn on a square, or remove it if it is there already; null removes any pawn. */
  toggle(name, letter) {
    this.change(setUp => setUp.put(name, setUp.pawns.get(name) === letter ? null : letter));
  }

  /** Use the tool on a square, and say what stands there now. */
  act(name, letter = TOOLS[this.tool]) {
    if (!name) return;
    this.toggle(name, letter);
    const there = this.setUp.pawns.get(name);
    byId('edit-told').textContent = there ? squareText(name, there) : text('square-empty', {square: name});
  }

  choose(tool) {
    byId(`tool-${tool}`).checked = true;
    byId('edit-told').textContent = text(`tool-${tool}`);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.act(this.at);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.act(this.at, null);
    else if (Object.hasOwn(TOOL_KEYS, event.key)) this.choose(TOOL_KEYS[event.key]);
    else if (!this.walk(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Mouse and touch: a drag that begins on a pawn moves the pawn, any other press paints squares.

  press(event) {
    const name = this.squareAt(event.clientX, event.clientY);
    const right = event.button === 2 || event.button === 0 && event.ctrlKey;
    if (!name || event.button && !right) return;
    this.focus(name);
    this.place.setPointerCapture(event.pointerId);
    const there = this.setUp.pawns.get(name);
    const letter = right ? this.other(there) : TOOLS[this.tool];
    const [x, y] = [event.clientX, event.clientY];
    if (there && letter && !right) {
      this.drag = {name, letter, x, y, pawn: null};
      return;
    }
    this.drag = {paints: there === letter ? null : letter, x, y};
    this.change(setUp => setUp.put(name, this.drag.paints));
  }

  /** What the right button places: the opposite colour of the tool, or of the pawn on the square if the tool is the eraser. */
  other(there) {
    const letter = TOOLS[this.tool] ?? there;
    return letter ? letter === 'P' ? 'p' : 'P' : null;
  }

  moveOn(event) {
    if (!this.drag) return;
    const {clientX, clientY} = event;
    if (Object.hasOwn(this.drag, 'paints')) {
      this.paintTo(clientX, clientY);
      return;
    }
    const [dx, dy] = [clientX - this.drag.x, clientY - this.drag.y];
    if (!this.drag.pawn) {
      if (Math.hypot(dx, dy) < DRAG) return;
      this.drag.pawn = this.board.pawns.querySelector(`[data-at="${this.drag.name}"]`);
      this.board.pawns.append(this.drag.pawn);
    }
    const scale = this.board.svg.viewBox.baseVal.width / this.board.svg.clientWidth;
    this.drag.pawn.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
  }

  /** Paint all squares between the pointer's last place and this one: a fast pointer reports few places. */
  paintTo(x, y) {
    const {drag, setUp} = this;
    const steps = Math.ceil(4 * Math.hypot(x - drag.x, y - drag.y) / this.cells.get(this.at).offsetWidth) || 1;
    let changed = false;
    for (let step = 1; step <= steps; step++) {
      const name = this.squareAt(drag.x + (x - drag.x) * step / steps, drag.y + (y - drag.y) * step / steps);
      if (!name || (setUp.pawns.get(name) ?? null) === drag.paints) continue;
      setUp.put(name, drag.paints);
      changed = true;
    }
    Object.assign(drag, {x, y});
    if (changed) this.show();
  }

  release(event) {
    const {drag} = this;
    this.letGo();
    if (!drag || Object.hasOwn(drag, 'paints')) return;
    if (drag.pawn) this.change(setUp => setUp.move(drag.name, this.squareAt(event.clientX, event.clientY)));    // outside the board: removed
    else this.toggle(drag.name, drag.letter);
  }

  drop() {
    this.letGo();
    this.show();
  }

  /** End a drag: the pawn is drawn where it stands. */
  letGo() {
    this.drag?.pawn?.style.removeProperty('transform');
    this.drag = null;
  }
}

/** A square and what stands on it, in words. */
const squareText = (square, letter) => letter ? text(letter === 'P' ? 'square-white' : 'square-black', {square}) : square;

/** Give a select its options [[value, text]] and its value; change only what differs. */
function setOptions(id, options, value) {
  const field = byId(id);
  if (options.map(([name]) => name).join() !== [...field.options].map(option => option.value).join()) {
    field.replaceChildren(...options.map(([name, called]) => new Option(called, name)));
  }
  field.value = value;
}

function listenToEditor() {
  const editor = new BoardEditor();
  dialogOpened.set('editor-dialog', () => editor.begin(here(), shown.flipped));
}

/** Analyse a position as a game of its own. */
function analysePosition(position) {
  if (shown.mode !== 'analyse') setMode('analyse');
  shown.names = strangers();
  showGame(new Game(shown.core, position));
}
