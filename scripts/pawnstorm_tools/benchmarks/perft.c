/* The perft kernels of engine/kernels/ (bits.py, position.py, movegen.py), line for line in C: what scripts/bench_speed.py
   compares the engine's speed with.

   cc -O3 -march=native -o perft perft.c && ./perft breakthrough 7        prints: nodes seconds
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

#define NOT_A 0xFEFEFEFEFEFEFEFEull
#define NOT_H 0x7F7F7F7F7F7F7F7Full

typedef struct {
    volatile int32_t stop;
    u64 board, goal, home, double_step_squares, quiet_diagonals, ep_squares, ep_victims, flip_shift;
} State;

typedef struct { u64 own, opp, ep; } Position;
typedef struct { u64 set[4]; } Targets;

static inline u64 flip(u64 bitboard, u64 flip_shift) { return __builtin_bswap64(bitboard) >> flip_shift; }

static inline u64 attacks(u64 own) { return ((own & NOT_A) << 7) | ((own & NOT_H) << 9); }

static inline Position make_move(u64 own, u64 opp, u64 ep, u64 move, const State *state) {
    u64 source = 1ull << (move & 63);
    u64 target = 1ull << ((move >> 6) & 63);
    u64 victim = ((target & ep) >> 8) & state->ep_victims;
    own = own ^ (source | target);
    opp = opp & ~(target | victim);
    Position new = {flip(opp, state->flip_shift), flip(own, state->flip_shift), 0};
    if (target == source << 16)
        new.ep = flip(source << 8, state->flip_shift) & state->ep_squares & attacks(new.own);
    return new;
}

static inline Targets targets(u64 own, u64 opp, u64 ep, const State *state) {
    u64 empty = state->board & ~(own | opp);
    u64 diagonal_targets = opp | ep | (empty & state->quiet_diagonals);
    u64 north = (own << 8) & empty;
    u64 twice = ((((own & state->double_step_squares) << 8) & north) << 8) & empty;
    Targets sets = {{((own & NOT_A) << 7) & diagonal_targets, north, ((own & NOT_H) << 9) & diagonal_targets, twice}};
    return sets;
}

static inline u64 count_moves(u64 own, u64 opp, u64 ep, const State *state) {
    if (opp & state->home)
        return 0;
    Targets sets = targets(own, opp, ep, state);
    return __builtin_popcountll(sets.set[0]) + __builtin_popcountll(sets.set[1]) + __builtin_popcountll(sets.set[2])
         + __builtin_popcountll(sets.set[3]);
}

static u64 perft(u64 own, u64 opp, u64 ep, int depth, const State *state) {
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return count_moves(own, opp, ep, state);
    if (opp & state->home || (depth > 3 && state->stop))
        return 0;
    u64 total = 0;
    Targets sets = targets(own, opp, ep, state);
    static const u64 shifts[4] = {7, 8, 9, 16};
    for (int kind = 0; kind < 4; kind++) {
        u64 left = sets.set[kind] & ~state->goal;
        while (left) {
            u64 target = __builtin_ctzll(left);
            left &= left - 1;
            Position new = make_move(own, opp, ep, (target - shifts[kind]) | target << 6, state);
            if (depth == 2)
                total += count_moves(new.own, new.opp, new.ep, state);
            else
                total += perft(new.own, new.opp, new.ep, depth - 1, state);
        }
    }
    return total;
}

int main(int argc, char **argv) {
    State breakthrough = {0, ~0ull, 0xFFull << 56, 0xFF, 0, ~0ull, 0, 0, 0};
    State twoflags = {0, ~0ull, 0xFFull << 56, 0xFF, 0xFF00, 0, 0xFFull << 40, 0xFFull << 32, 0};
    int is_twoflags = argc == 3 && !strcmp(argv[1], "twoflags");
    if (argc != 3 || !(is_twoflags || !strcmp(argv[1], "breakthrough")) || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: perft twoflags|breakthrough DEPTH\n");
        return 2;
    }
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    u64 nodes = is_twoflags ? perft(0xFF00, 0xFFull << 48, 0, atoi(argv[2]), &twoflags)
                            : perft(0xFFFF, 0xFFFFull << 48, 0, atoi(argv[2]), &breakthrough);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%llu %.6f\n", (unsigned long long)nodes, end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) * 1e-9);
    return 0;
}
