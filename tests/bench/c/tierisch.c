/* Einfach tierisch with four random players: the plain C version that the kernels are
 * measured against.
 *
 *     cc -O3 -march=native -o tierisch tierisch.c
 *     ./tierisch GAMES SEED
 *
 * Default rulings only, no tables and no packed state: small arrays, one thread. The mean score is
 * that of the victory points at the end.
 * The random law: a size uniformly among those left, then a uniformly random subset of that many
 * dice. When the box cap binds, the fullest columns come first.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef PLAYERS
#define PLAYERS 4
#endif

enum { PIG, MOUSE, PENGUIN, DOG, CAT, ANIMALS, POLICE = ANIMALS, FACES };

enum {
    DICE = 6,
    ROLLS = 3,
    POLICE_LIMIT = 2,
    COLUMN = 5,  /* boxes of a column */
    BOX_CAP = 3, /* (ET-A13) */
    GOAL = 2     /* victory points */
};

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
    int8_t own[PLAYERS];
    int8_t marks[PLAYERS][ANIMALS];
    int points[PLAYERS]; /* complete columns, of animals that nobody owns too (ET-A17) */
} Game;

typedef struct {
    double wins[PLAYERS];
    uint64_t score[PLAYERS];
    uint64_t turns, voids, marks, checksum;
} Totals;

static void set_up(Game *g, Rng *rng)
{
    int8_t animals[ANIMALS] = {PIG, MOUSE, PENGUIN, DOG, CAT};
    for (int p = 0; p < PLAYERS; p++) {
        int j = p + below(rng, ANIMALS - p);
        g->own[p] = animals[j];
        animals[j] = animals[p];
        g->points[p] = 0;
        for (int a = 0; a < ANIMALS; a++)
            g->marks[p][a] = 0;
    }
}

/* Three rolls; one, two and three dice are kept, in an order chosen roll by roll (ET-A03). */
static inline void roll_dice(Rng *rng, int *kept)
{
    int sizes[ROLLS] = {1, 2, 3};
    int left = DICE;
    for (int r = 0; r < ROLLS; r++) {
        int roll[DICE];
        for (int d = 0; d < left; d++)
            roll[d] = below(rng, FACES);
        int size = left;
        if (r < ROLLS - 1) {
            int choice = below(rng, ROLLS - r);
            size = sizes[choice];
            sizes[choice] = sizes[ROLLS - 1 - r];
            for (int d = 0; d < size; d++) {
                int j = d + below(rng, left - d);
                int face = roll[d];
                roll[d] = roll[j];
                roll[j] = face;
            }
        }
        for (int d = 0; d < size; d++)
            kept[roll[d]]++;
        left -= size;
    }
}

/* The leader's boxes: as many in each column as the animal appears, where there is room (ET-A12,
 * ET-A15); at most BOX_CAP, fullest column first (ET-A14). Returns the number of boxes. */
static inline int mark_columns(Game *g, int p, const int *kept, int top)
{
    int8_t *marks = g->marks[p];
    int boxes[ANIMALS], total = 0;
    for (int a = 0; a < ANIMALS; a++) {
        int room = COLUMN - marks[a];
        boxes[a] = kept[a] == top ? 0 : kept[a] < room ? kept[a] : room;
        total += boxes[a];
    }
    if (total > BOX_CAP) {
        int left = BOX_CAP, granted[ANIMALS] = {0};
        while (left > 0) {
            int best = -1;
            for (int a = 0; a < ANIMALS; a++)
                if (boxes[a] > 0 && (best < 0 || marks[a] > marks[best]))
                    best = a;
            granted[best] = boxes[best] < left ? boxes[best] : left;
            left -= granted[best];
            boxes[best] = 0;
        }
        for (int a = 0; a < ANIMALS; a++)
            boxes[a] = granted[a];
        total = BOX_CAP;
    }
    for (int a = 0; a < ANIMALS; a++) {
        marks[a] += (int8_t)boxes[a];
        g->points[p] += boxes[a] > 0 && marks[a] == COLUMN;
    }
    return total;
}

/* Every owner of a most frequent animal marks (ET-A09). Returns 1 when somebody has won. */
static inline int play_turn(Game *g, Rng *rng, Totals *totals)
{
    int kept[FACES] = {0};
    roll_dice(rng, kept);
    totals->turns++;
    if (kept[POLICE] >= POLICE_LIMIT) {
        totals->voids++;
        return 0;
    }
    int top = 0, won = 0;
    for (int a = 0; a < ANIMALS; a++)
        top = kept[a] > top ? kept[a] : top;
    for (int p = 0; p < PLAYERS; p++) {
        if (kept[g->own[p]] == top) {
            totals->marks += (uint64_t)mark_columns(g, p, kept, top);
            won |= g->points[p] >= GOAL;
        }
    }
    return won;
}

static void play_game(Game *g, Rng *rng, Totals *totals)
{
    set_up(g, rng);
    /* Random players do not look at the sheets, so it does not matter whose turn it is. */
    while (!play_turn(g, rng, totals))
        ;
    int winners = 0;
    for (int p = 0; p < PLAYERS; p++)
        winners += g->points[p] >= GOAL;
    for (int p = 0; p < PLAYERS; p++) {
        if (g->points[p] >= GOAL)
            totals->wins[p] += 1.0 / winners; /* (ET-A18) */
        totals->score[p] += (uint64_t)g->points[p];
        totals->checksum = totals->checksum * 0x100000001B3u + (uint64_t)g->points[p];
    }
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
    Game game;
    Totals totals = {0};

    double start = now();
    for (uint64_t i = 0; i < games; i++)
        play_game(&game, &rng, &totals);
    double seconds = now() - start;

    double n = (double)games;
    printf("{\"game\":\"einfach-tierisch\",\"games\":%" PRIu64 ",\"seconds\":%.6f,"
           "\"games_per_second\":%.0f,\"wins\":[",
           games, seconds, n / seconds);
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", totals.wins[p] / n);
    printf("],\"mean_score\":[");
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", (double)totals.score[p] / n);
    printf("],\"turns\":%.6f,\"void_rate\":%.6f,\"marks_per_turn\":%.6f,"
           "\"checksum\":%" PRIu64 "}\n",
           (double)totals.turns / n, (double)totals.voids / (double)totals.turns,
           (double)totals.marks / (double)totals.turns, totals.checksum);
    return 0;
}
