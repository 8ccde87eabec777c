"""The search of a weaker player: each move by itself, a ply deeper each time, seen with its skill (strength/skill.py)."""

from pawnstorm.core.state import MAX_DEPTH, WIN
from pawnstorm.search.control import FIRST_NODES
from pawnstorm.strength.skill import Skill


def skill_search(control, core, moves):
    """Search the root moves with one thread. Returns [(score, line)] as the player sees them, best first, and reports
    the best. Only finished iterations count.
    """
    limits, table = control.limits, control.memory.table.address
    control.prepare(limits, moves)
    main, skill = control.memory.states[0], Skill(control.elo, control.seed, control.board, moves, control.multipv)
    lines, reached = skill.first_views(), 1
    main.node_limit = FIRST_NODES
    for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
        if depth == 2:
            control.arm(limits.nodes)
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
    if not control.armed:
        control.arm(limits.nodes)
    control.report(reached, lines[: max(1, control.multipv)])
    return lines


def _search_move(core, state, depth, alpha, table):
    """(score, line) of the one root move that the record names; exact above alpha, otherwise a bound."""
    beta = WIN if alpha == -WIN else alpha + 1
    score = core.search(depth, alpha, beta, state, table)
    if score > alpha and beta < WIN and not state.stop:
        score = core.search(depth, alpha, WIN, state, table)
    return score, list(state.pv[0][: state.pv_length[0]])
