// A position that is being set up: pawns anywhere, even if they are no valid position of the game yet.

/** Rows of numbers.games of a family, the largest board first. */
const sizesOf = family => numbers.games.filter(row => row.family === family)
  .sort((one, two) => two.files * two.ranks - one.files * one.ranks);

/** The family under which the page offers a game: `pawnsonly` is Two Flags under another name. */
const offeredFamily = ({family}) => family === 'pawnsonly' ? 'twoflags' : family;

class SetUp {
  /**
   * position: the one to copy. pawns: {square: 'P' or 'p'}; black: whether Black is to move; passed: the en passant square, "-" for
   * none; counters: the last two fields of its FEN.
   */
  constructor(position) {
    const {pawns, black} = drawable(position);
    const [, , , passed, ...counters] = fenOf(position).split(' ');
    Object.assign(this, {rules: position.rules, pawns, black, passed, counters: counters.join(' ')});
  }

  get fen() {
    return `${placed(this.pawns, this.rules)} ${this.black ? 'b' : 'w'} - ${this.passed} ${this.counters}`;
  }

  /** The position that is set up. Throws Unreadable if there is something wrong with it. */
  get position() {
    return positionFrom(this.rules, this.fen);
  }

  /** The squares on which the side to move could take a pawn en passant. */
  get passable() {
    const {rules, black} = this;
    if (!rules.passing) return [];
    const names = [...LETTERS.slice(0, rules.files)].map(file => file + (black ? 3 : rules.ranks - 2));
    const {value: position} = attempt(() => positionFrom(rules, [placed(this.pawns, rules), black ? 'b' : 'w'].join(' ')));
    return position ? names.filter(name => attempt(() => passing(position, name)).value?.ep) : [];
  }

  /** Put a pawn 'P' or 'p' on a square; null empties the square. */
  put(name, letter) {
    if (letter) this.pawns.set(name, letter);
    else this.pawns.delete(name);
    this.settle();
  }

  /** Move a pawn to a square, whatever stands there; undefined: off the board. */
  move(from, to) {
    const letter = this.pawns.get(from);
    this.pawns.delete(from);
    if (to) this.pawns.set(to, letter);
    this.settle();
  }

  setTurn(black) {
    this.black = black;
    this.settle();
  }

  setPassed(name) {
    this.passed = name;
    this.settle();
  }

  clear() {
    this.pawns.clear();
    this.settle();
  }

  /** The position in which a game begins. */
  begin() {
    Object.assign(this, {pawns: placement(this.rules.start), black: false, passed: '-', counters: '0 1'});
  }

  /** Change the game or the board. Begin with its first position, unless the board stays and pawns have been set up. */
  setRules(rules) {
    const same = rules.files === this.rules.files && rules.ranks === this.rules.ranks;
    const kept = same && placed(this.pawns, rules) !== this.rules.start.split(' ')[0];
    this.rules = rules;
    if (kept) this.settle();
    else this.begin();
  }

  /** Exchange left and right. */
  mirror() {
    this.rename(name => LETTERS[this.rules.files - 1 - LETTERS.indexOf(name[0])] + name[1]);
  }

  /** Exchange White and Black. */
  swap() {
    this.rename(name => name[0] + (this.rules.ranks + 1 - Number(name[1])), letter => letter === 'P' ? 'p' : 'P');
    this.black = !this.black;
  }

  rename(square, pawn = letter => letter) {
    this.pawns = new Map([...this.pawns].map(([name, letter]) => [square(name), pawn(letter)]));
    if (this.passed !== '-') this.passed = square(this.passed);
  }

  /** Drop the right to take en passant if a change has ended it. */
  settle() {
    if (this.passed !== '-' && !this.passable.includes(this.passed)) this.passed = '-';
  }

  /**
   * Take over the FEN `text`, with the game that its board asks for. A FEN that is well-formed but no valid position is taken
   * over too. Throws Unreadable for this fault and all others.
   */
  read(text) {
    const [first, turn = 'w'] = text.trim().split(/\s+/, 2);
    const rules = this.fitting(text);
    const {value: position, fault} = attempt(() => positionFrom(rules, text));
    if (position) Object.assign(this, new SetUp(position));
    else if (spread(placed(placement(first), rules)) === spread(first) && /^[wb]$/.test(turn)) {
      Object.assign(this, {rules, pawns: placement(first), black: turn === 'b', passed: '-', counters: '0 1'});
    }
    if (fault) throw fault;
  }

  /** The row of the game whose board a FEN shows: this one, its family's or any other. Throws Unreadable. */
  fitting(text) {
    const rows = text.trim().split(/\s/, 1)[0].split('/');
    const files = spread(rows[0].slice(0, 64)).length;
    const fits = row => row.files === files && row.ranks === rows.length;
    if (fits(this.rules)) return this.rules;
    return sizesOf(offeredFamily(this.rules)).find(fits) ?? gamesOf(text).reading[0];
  }
}

/** The placement of a FEN with one letter for each square. */
const spread = text => text.replace(/[1-8]/g, count => '.'.repeat(count));
