/* Gezanke auf der Planke! with four random players: the plain C version that the kernels are
 * measured against.
 *
 *     cc -O3 -march=native -o planke planke.c
 *     ./planke GAMES SEED
 *
 * Default rulings only, round points, no packed state: a list of the pirates in order, one thread.
 * The random law: either pointer with probability 1/2, then uniformly among the symbol's legal
 * executions (unordered pairs for a swap), then uniformly among the rows.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PLAYERS = 4,
    COLOURS = 4,
    PIRATES_EACH = 4,
    PIRATES = COLOURS * PIRATES_EACH,
    LENGTH = 18, /* (GP-A01) */
    TURN_CAP = 10000
};

enum { SWAP, PUSH1, MOVE1, SKULL, SYMBOLS };

/* Round points of the first player to lose his last pirate, of the second, ..., of the winner. */
static const int POINTS[PLAYERS] = {0, 1, 3, 5};

/* ---- random numbers: xoshiro256**, seeded by splitmix64 ---- */

typedef struct {
    uint64_t s[4];
} Rng;

static void rng_seed(Rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        rng->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

/* An integer in [0, n), bias below n / 2^32. */
static inline int below(Rng *rng, int n)
{
    return (int)(((rng_next(rng) >> 32) * (uint64_t)n) >> 32);
}

/* ---- the game ---- */

typedef struct {
    /* The pirates from the ship end to the shark; cell 0 is the ship end. */
    int pirates;
    int8_t cell[PIRATES], colour[PIRATES];
    int8_t owner_of[COLOURS]; /* the hidden stones: whose colour it is */
    int alive[COLOURS];
    int colours_out;
    int points[PLAYERS];
} Game;

typedef struct {
    double wins[PLAYERS];
    uint64_t score[PLAYERS];
    uint64_t turns, moves, impossible_moves, ended_on_rose, capped, checksum;
} Totals;

/* A colour out of the game places its owner: later is better. */
static inline void fall(Game *g, int colour)
{
    if (--g->alive[colour] == 0)
        g->points[g->owner_of[colour]] = POINTS[g->colours_out++];
}

/* Pirate k and those in front of him up to the next gap advance; at the edge the foremost falls
 * (GP-A12, GP-A13). */
static inline void push_from(Game *g, int k)
{
    int at;
    do {
        at = ++g->cell[k++];
    } while (k < g->pirates && g->cell[k] == at);
    if (at == LENGTH)
        fall(g, g->colour[--g->pirates]);
}

static inline void swap_two(Game *g, Rng *rng)
{
    int a = below(rng, g->pirates), b = below(rng, g->pirates - 1);
    b += b >= a;
    int8_t colour = g->colour[a];
    g->colour[a] = g->colour[b];
    g->colour[b] = colour;
}

/* Any pirate to an end that is empty before he is lifted (GP-A04, GP-A06). Returns 0 when there is
 * none: the choice lapses (GP-A05). */
static inline int move_one(Game *g, Rng *rng)
{
    int n = g->pirates;
    int last_free = g->cell[0] != 0, foremost_free = g->cell[n - 1] != LENGTH - 1;
    if (!last_free && !foremost_free)
        return 0;
    int k = below(rng, n);
    int to_foremost = last_free && foremost_free ? below(rng, 2) : foremost_free;
    int8_t colour = g->colour[k];
    if (to_foremost) {
        for (; k < n - 1; k++) {
            g->cell[k] = g->cell[k + 1];
            g->colour[k] = g->colour[k + 1];
        }
        g->cell[k] = LENGTH - 1;
    } else {
        for (; k > 0; k--) {
            g->cell[k] = g->cell[k - 1];
            g->colour[k] = g->colour[k - 1];
        }
        g->cell[k] = 0;
    }
    g->colour[k] = colour;
    return 1;
}

/* The last pirate of a random row, a maximal block (GP-A11). */
static inline int random_row(const Game *g, Rng *rng)
{
    int rows[PIRATES], n = 0, behind = -2;
    for (int k = 0; k < g->pirates; k++) {
        rows[n] = k;
        n += g->cell[k] != behind + 1;
        behind = g->cell[k];
    }
    return rows[below(rng, n)];
}

static void set_up(Game *g, Rng *rng)
{
    for (int k = 0; k < PIRATES; k++) {
        g->cell[k] = (int8_t)k;
        g->colour[k] = (int8_t)(k % COLOURS); /* yellow, red, green, blue */
    }
    for (int c = 0; c < COLOURS; c++) {
        int j = below(rng, c + 1);
        g->owner_of[c] = g->owner_of[j];
        g->owner_of[j] = (int8_t)c;
        g->alive[c] = PIRATES_EACH;
    }
    for (int p = 0; p < PLAYERS; p++)
        g->points[p] = 0;
    g->pirates = PIRATES;
    g->colours_out = 0;
}

/* One turn; the game is over when one pirate is left (GP-A14). */
static inline void play_turn(Game *g, Rng *rng, Totals *totals)
{
    int rose[2];
    rose[0] = below(rng, SYMBOLS);
    rose[1] = below(rng, SYMBOLS);
    switch (rose[below(rng, 2)]) {
    case SWAP:
        swap_two(g, rng);
        break;
    case PUSH1:
        push_from(g, below(rng, g->pirates));
        break;
    case MOVE1:
        totals->moves++;
        totals->impossible_moves += !move_one(g, rng);
        break;
    }
    if (g->pirates == 1) {
        totals->ended_on_rose++;
        return;
    }
    push_from(g, random_row(g, rng));
}

static void play_game(Game *g, Rng *rng, Totals *totals)
{
    set_up(g, rng);
    int turns = 0;
    while (g->pirates > 1 && turns < TURN_CAP) {
        play_turn(g, rng, totals);
        turns++;
    }
    totals->turns += (uint64_t)turns;
    if (g->pirates > 1) {
        totals->capped++; /* void (GP-A24) */
        return;
    }
    int winner = g->owner_of[g->colour[0]];
    g->points[winner] = POINTS[PLAYERS - 1];
    totals->wins[winner] += 1.0;
    for (int p = 0; p < PLAYERS; p++) {
        totals->score[p] += (uint64_t)g->points[p];
        totals->checksum = totals->checksum * 0x100000001B3u + (uint64_t)g->points[p];
    }
    totals->checksum += (uint64_t)turns;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    uint64_t games = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    if (games == 0) {
        fprintf(stderr, "usage: %s GAMES SEED\n", argv[0]);
        return 2;
    }
    Rng rng;
    rng_seed(&rng, strtoull(argv[2], NULL, 10));
    Game game = {0};
    Totals totals = {0};

    double start = now();
    for (uint64_t i = 0; i < games; i++)
        play_game(&game, &rng, &totals);
    double seconds = now() - start;

    double n = (double)games;
    printf("{\"game\":\"gezanke-auf-der-planke\",\"games\":%" PRIu64 ",\"seconds\":%.6f,"
           "\"games_per_second\":%.0f,\"wins\":[",
           games, seconds, n / seconds);
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", totals.wins[p] / n);
    printf("],\"mean_score\":[");
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", (double)totals.score[p] / n);
    printf("],\"turns\":%.6f,\"impossible_move_rate\":%.6f,\"ended_on_rose_rate\":%.6f,"
           "\"capped\":%" PRIu64 ",\"checksum\":%" PRIu64 "}\n",
           (double)totals.turns / n, (double)totals.impossible_moves / (double)totals.moves,
           (double)totals.ended_on_rose / n, totals.capped, totals.checksum);
    return 0;
}
