"""The search of a weaker player. The player sees each result with the errors of its level (strength/levels.py).

Each iteration searches every root move by itself, one ply deeper than the iteration before.
"""

from pawnstorm.core import native
from pawnstorm.core.state import MAX_DEPTH, WIN
from pawnstorm.evaluation import networks
from pawnstorm.search.search_control import FIRST_ITERATION_NODES
from pawnstorm.strength import levels


class Skill:
    """The views that a level holds of a board's moves. A view is (score, line), the score as the player judges it.

    elo, the game's seed and the board decide every error. count: how many of the best moves need an exact score. The
    attribute `nodes` is the number of moves that the search may make. At each depth, call begin_iteration(), then
    alpha(move) and update(move, ...) for the moves in any order, then views().
    """

    def __init__(self, elo, seed, board, moves, count):
        learned = bool(networks.addresses(board.rules)["network"])
        self._level, self._seed, self._board = levels.level(elo, learned), seed, board
        self.nodes = self._level.nodes
        self._lapse = levels.lapses(self._level, seed, board)
        self._children = {move: board.push(move) for move in moves}
        self._errors = {move: levels.misjudgement(self._level, seed, child) for move, child in self._children.items()}
        # Before any search, a move is worth the static score after it. A result that is not noticed leaves the last view
        # as it was.
        self._views = {move: (self._static_view(move, child), [move]) for move, child in self._children.items()}
        # Moves that cannot be among the best need no exact score. In a lapse, any move may be among them.
        self._exact = len(moves) if self._lapse else max(1, count)
        self._found = []

    def _static_view(self, move, child):
        score = -native.evaluate(child.rules, child.own, child.opp, child.ep)
        return levels.add_error(score, self._errors[move])

    def first_views(self):
        """The views before any search, best first."""
        return sorted(self._views.values(), key=_rank)

    def begin_iteration(self):
        """Forget which moves have been searched."""
        self._found = []

    def alpha(self, move):
        """The score above which the move's score must be exact. Below it, a bound is enough."""
        if len(self._found) < self._exact:
            return -WIN
        return levels.remove_error(self._found[self._exact - 1][0], self._errors[move])

    def update(self, move, score, line):
        """Record what the search found for a move. The level may not notice it."""
        if levels.notices(self._level, self._seed, self._board, self._children[move], line, score, self._lapse):
            self._views[move] = levels.add_error(score, self._errors[move]), line
        self._found.append(self._views[move])
        self._found.sort(key=_rank)

    def views(self):
        """The views of the moves searched in this iteration, best first."""
        return self._found


def _rank(view):
    return -view[0]


def skill_search(control, core, moves):
    """Search the root moves with one thread; returns [(score, line)] as the player sees them, best first.

    The first control.multipv lines are also reported. The results of an unfinished iteration are dropped.
    """
    limits, table = control.limits, control.memory.table.address
    control.init_states(limits, moves)
    main, skill = control.memory.states[0], Skill(control.elo, control.seed, control.board, moves, control.multipv)
    lines, reached = skill.first_views(), 1
    main.node_limit = FIRST_ITERATION_NODES
    for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
        if depth == 2:
            control.allow_stop(limits.nodes)
            main.node_limit = min(main.node_limit, skill.nodes)
        skill.begin_iteration()
        for index, (_, (move, *_)) in enumerate(lines):
            main.root_first, main.root_count, main.moves[index] = index, index + 1, move
            score, line = _search_move(core, main, depth, skill.alpha(move), table)
            if main.stop:
                break
            skill.update(move, score, line)
        if main.stop:
            break
        lines, reached = skill.views(), depth
        timed = control.budget is not None and not control.pondering
        if control.stopping or main.nodes >= main.node_limit or timed and control.elapsed >= control.budget[0]:
            break
    if not control.stoppable:
        control.allow_stop(limits.nodes)
    control.report(reached, lines[: max(1, control.multipv)])
    return lines


def _search_move(core, state, depth, alpha, table):
    """(score, line) of the one root move that `state` selects. The score is exact if it is above alpha, otherwise a bound."""
    beta = WIN if alpha == -WIN else alpha + 1
    score = core.search(depth, alpha, beta, state, table)
    if score > alpha and beta < WIN and not state.stop:
        score = core.search(depth, alpha, WIN, state, table)
    return score, list(state.pv[0][: state.pv_length[0]])
