"""Races, which are decided without a search: who reaches the far rank first if a pawn simply runs.

The squares that each side can reach are flooded a move at a time. The runner's flood holds only squares that it can
certainly reach: it goes around own pawns, which stand still, onto squares that no enemy can have reached, and never
where an enemy could take it. The other side's flood is too large on purpose: every pawn moves every turn, through
anything but a wall (below), and takes wherever something might stand. So if the runner's flood reaches its far rank before
the other side's flood reaches its own, the runner wins against every defence. The number of moves bounds the length of the
win.

    runner at A, step i       A -> A | free north, and diagonals where the game has quiet diagonals
    enemy's reach E, move i   E -> E | south | double step | south-west and south-east where it may step or take

The runner's other pawns stand still meanwhile. In games in which pawns leave their file only to take, a pawn that faces
an enemy on its file and has nothing to take is a wall, not a runner. An enemy can pass a wall only after an enemy could
have taken the wall.

A runner must not be captured en passant either, so the square that it passes in a double step must not be attacked. A
pawn of the opponent that has just made a double step is not a runner if it can be captured en passant.
"""

from pawnstorm.kernels.kernel import EIGHT, SIXTEEN, STATE, ZERO, i32, kernel, u64
from pawnstorm.kernels.position import attacks, attacks_down, flip, north_fill, south_fill


@kernel(u64(u64, u64, STATE))
def find_walls(own, opp, state):
    """The mover's pawns that stand still: each faces an enemy on its file and has nothing to take.

    Games with quiet diagonal steps have none.
    """
    return own & south_fill(opp >> EIGHT) & ~(attacks_down(opp) | state.quiet_diagonals)


@kernel(u64(u64, u64, u64, u64, u64, STATE))
def advance_runners(runners, own, reach, attacked, taken, state):
    """The squares where runners can be a move later. taken: enemies that they can take; none after the first move."""
    north = (runners << EIGHT) & ~reach
    double_step = ((runners & state.double_step_squares) << EIGHT) & ~(reach | own | attacked)
    north |= (double_step << EIGHT) & ~reach
    return (north | (attacks(runners) & (state.quiet_diagonals | taken))) & ~own & state.board


@kernel(u64(u64, u64, u64, u64, STATE))
def advance_reach(reach, attacked, walls, own, state):
    """The enemy's reach a move later. attacked: the squares that the reach attacks."""
    doubles_down = flip(state.double_step_squares, state.flip_shift)
    return (
        reach
        | ((reach >> EIGHT) & ~walls)
        | (attacked & (state.quiet_diagonals | own))
        | (((reach & doubles_down) >> SIXTEEN) & ~(walls | walls >> EIGHT))
    )


@kernel(i32(u64, u64, STATE))
def race_win_plies(own, opp, state):
    """The number of plies, always odd, within which the side to move certainly wins if it runs at once; 0 if no run wins."""
    reach, attacked, walls = opp, attacks_down(opp), find_walls(own, opp, state)
    # Only the first step may also take: after it, the enemies' squares are not known.
    runners, taken = own & ~walls, opp
    plies = i32(1)
    while True:
        runners = advance_runners(runners, own, reach, attacked, taken, state)
        taken = ZERO
        if runners & state.goal:
            return plies
        runners &= ~attacked
        if not runners:
            return i32(0)
        reach = advance_reach(reach, attacked, walls, own, state)
        if reach & state.home:
            return i32(0)
        walls &= ~reach
        attacked = attacks_down(reach)
        plies = i32(plies + 2)


@kernel(i32(u64, u64, u64, STATE))
def race_loss_plies(own, opp, ep, state):
    """The number of plies, always even, within which the opponent certainly wins by a run; 0 if no run wins.

    The plies begin with the next move of the side to move, whatever it is. Then the opponent runs.
    """
    doubles_down = flip(state.double_step_squares, state.flip_shift)
    runners = opp & ~(ep >> EIGHT)
    reach, attacked = own, attacks(own)
    walls = runners & north_fill(own << EIGHT) & ~(attacked | state.quiet_diagonals)
    runners &= ~walls
    landing = state.quiet_diagonals | opp | ep
    plies = i32(2)
    while True:
        runners &= ~attacked
        if not runners:
            return i32(0)
        reach |= (
            ((reach << EIGHT) & ~walls)
            | (attacked & landing)
            | (((reach & state.double_step_squares) << SIXTEEN) & ~(walls | walls << EIGHT))
        )
        if reach & state.goal:
            return i32(0)
        walls &= ~reach
        attacked = attacks(reach)
        south = (runners >> EIGHT) & ~reach
        double_step = ((runners & doubles_down) >> EIGHT) & ~(reach | opp | attacked)
        south |= (double_step >> EIGHT) & ~reach
        runners = (south | (attacks_down(runners) & state.quiet_diagonals)) & ~opp & state.board
        if runners & state.home:
            return plies
        plies = i32(plies + 2)


@kernel(i32(u64, u64, u64, STATE))
def race(own, opp, ep, state):
    """Plies within which the side to move wins (positive) or loses (negative) a race; 0 if no race is decided."""
    plies = race_win_plies(own, opp, state)
    if plies:
        return plies
    return i32(-race_loss_plies(own, opp, ep, state))
