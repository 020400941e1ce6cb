/* All Aboard! with four random players: the plain C version that the kernels are measured against.
 *
 *     cc -O3 -march=native -o all_aboard all_aboard.c
 *     ./all_aboard GAMES SEED
 *
 * Default rulings only, full scoring, no packed state: small arrays and structs, one thread.
 * The random law: uniform over the legal (card, boat) pairs.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef PLAYERS
#define PLAYERS 4
#endif

enum { /* lightest first, in the order in which cupids are paid */
    MOUSE, PEACOCK, FOX, OCTOPUS, MONKEY, SLOTH, MOOSE, ZEBRA, GIRAFFE, LION, BEAR, ELEPHANT,
    SPECIES
};

enum {
    ROUNDS = 4,
    PLIES = 3,
    HAND = 3,
    SEATS_ABOARD = 3,  /* while boarding; arrivals ignore it (AA-A24) */
    MAX_ABOARD = 8,    /* three boarded, one thrown, one jumped: five at most */
    BOAT_CARDS = 30,
    CUPIDS = 20,
    CUPID_POINTS = 2
};

/* Weights in half kilos, so that loving mice (half a kilo each) stay integral. */
static const int8_t WEIGHT[SPECIES] = {0, -4, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22};
static const int8_t LOVED_WEIGHT[SPECIES] = {1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22};
static const int8_t POINTS[SPECIES] = {1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7};

/* The assumed capacities, in kilos (AA-A02). */
static const int8_t BOAT_DECK[BOAT_CARDS] = {10, 10, 11, 11, 12, 12, 12, 13, 13, 13,
                                             14, 14, 14, 15, 15, 15, 15, 16, 16, 16,
                                             17, 17, 17, 18, 18, 18, 19, 19, 20, 20};

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
    int8_t species, owner, loved;
} Animal;

typedef struct {
    int capacity;
    int count;
    Animal animals[MAX_ABOARD];
} Boat;

typedef struct {
    Boat boats[PLAYERS];
    int8_t boat_deck[BOAT_CARDS];
    int boats_left;
    int8_t deck[PLAYERS][SPECIES], hand[PLAYERS][HAND];
    int deck_size[PLAYERS], hand_size[PLAYERS];
    int points[PLAYERS], saved[PLAYERS], cupids[PLAYERS];
    int cupids_left;
    int sunk;
} Game;

typedef struct {
    double wins[PLAYERS];
    uint64_t score[PLAYERS];
    uint64_t saved, sunk, cupids, checksum;
} Totals;

static inline int weight(Animal a)
{
    return a.loved ? LOVED_WEIGHT[a.species] : WEIGHT[a.species];
}

/* The boat deck is shuffled as it is drawn. */
static inline int draw_boat(Game *g, Rng *rng)
{
    int k = below(rng, g->boats_left);
    int capacity = g->boat_deck[k];
    g->boat_deck[k] = g->boat_deck[--g->boats_left];
    return capacity;
}

static inline void save(Game *g, Animal a)
{
    g->points[a.owner] += POINTS[a.species];
    g->saved[a.owner]++;
}

/* Nothing depends on the boarding order in this game, so the last animal fills the hole. */
static inline Animal take_off(Boat *boat, int k)
{
    Animal a = boat->animals[k];
    boat->animals[k] = boat->animals[--boat->count];
    return a;
}

/* To the next boat; from the last one into the discard pile (AA-A22, AA-A25). */
static inline void send_on(Game *g, int i, Animal a)
{
    if (i + 1 < PLAYERS) {
        Boat *next = &g->boats[i + 1];
        next->animals[next->count++] = a;
    }
}

static inline int find(const Boat *boat, int species)
{
    int k = 0;
    while (boat->animals[k].species != species)
        k++;
    return k;
}

static void fall_in_love(Game *g, Boat *boat, const int8_t *aboard)
{
    for (int s = 0; s < SPECIES; s++) {
        if (aboard[s] != 2)
            continue;
        int paid = g->cupids_left >= 2; /* a lone cupid goes to nobody (AA-A39) */
        g->cupids_left -= 2 * paid;
        for (int k = 0; k < boat->count; k++) {
            if (boat->animals[k].species == s) {
                boat->animals[k].loved = 1;
                g->cupids[boat->animals[k].owner] += paid;
            }
        }
    }
}

/* The second heaviest of the others goes, unless it is in love or as heavy as the first
 * (AA-A27). Returns the index of the target or -1. */
static inline int monkey_target(const Boat *boat)
{
    int first = -1, second = -1, first_weight = -100, second_weight = -100;
    for (int k = 0; k < boat->count; k++) {
        Animal a = boat->animals[k];
        int w = weight(a);
        if (a.species == MONKEY)
            continue;
        if (w > first_weight) {
            second = first, second_weight = first_weight;
            first = k, first_weight = w;
        } else if (w > second_weight) {
            second = k, second_weight = w;
        }
    }
    if (second < 0 || second_weight == first_weight || boat->animals[second].loved)
        return -1;
    return second;
}

/* The heaviest animal lighter than the lion goes, unless it is in love (AA-A31). */
static inline int lion_target(const Boat *boat)
{
    int target = -1, target_weight = -100;
    for (int k = 0; k < boat->count; k++) {
        int w = weight(boat->animals[k]);
        if (w < WEIGHT[LION] && w > target_weight)
            target = k, target_weight = w;
    }
    return target < 0 || boat->animals[target].loved ? -1 : target;
}

static inline void resolve_boat(Game *g, int i, Rng *rng)
{
    Boat *boat = &g->boats[i];
    int8_t aboard[SPECIES] = {0};
    int most = 0;
    for (int k = 0; k < boat->count; k++) {
        int c = ++aboard[boat->animals[k].species];
        most = c > most ? c : most;
    }
    if (most >= 2)
        fall_in_love(g, boat, aboard);

    int sinks = most >= 3; /* a fight: no effects (AA-A11) */
    if (!sinks) {
        if (aboard[MOUSE] == 1 && aboard[ELEPHANT] == 1)
            boat->capacity = draw_boat(g, rng); /* the old one is discarded (AA-A16) */
        if (aboard[MONKEY] == 1) {
            int k = monkey_target(boat);
            if (k >= 0) {
                aboard[boat->animals[k].species]--;
                send_on(g, i, take_off(boat, k));
            }
        }
        if (aboard[LION] == 1) {
            int k = lion_target(boat);
            if (k >= 0)
                take_off(boat, k);
        }
        int load = 0;
        for (int k = 0; k < boat->count; k++)
            load += weight(boat->animals[k]);
        sinks = load > 2 * boat->capacity;
    }

    g->sunk += sinks;
    for (int k = 0; k < boat->count; k++) {
        Animal a = boat->animals[k];
        if (sinks) {
            /* Single or fighting octopuses swim; a fighting fox does not jump (AA-A09). */
            if (a.species == OCTOPUS && !a.loved)
                save(g, a);
            else if (a.species == FOX && aboard[FOX] == 1)
                send_on(g, i, a);
        } else if (a.species != OCTOPUS || a.loved) {
            save(g, a);
        }
    }
}

static void set_up(Game *g, Rng *rng)
{
    memcpy(g->boat_deck, BOAT_DECK, sizeof BOAT_DECK);
    g->boats_left = BOAT_CARDS;
    g->cupids_left = CUPIDS;
    g->sunk = 0;
    for (int p = 0; p < PLAYERS; p++) {
        int8_t *deck = g->deck[p];
        for (int k = 0; k < SPECIES; k++)
            deck[k] = (int8_t)k;
        for (int k = SPECIES - 1; k > 0; k--) {
            int j = below(rng, k + 1);
            int8_t card = deck[k];
            deck[k] = deck[j];
            deck[j] = card;
        }
        memcpy(g->hand[p], deck + SPECIES - HAND, HAND);
        g->deck_size[p] = SPECIES - HAND;
        g->hand_size[p] = HAND;
        g->points[p] = g->saved[p] = g->cupids[p] = 0;
    }
}

/* A random card of the hand; the hand is refilled while the deck lasts (AA-A03). */
static inline int play_card(Game *g, int p, Rng *rng)
{
    int8_t *hand = g->hand[p];
    int slot = below(rng, g->hand_size[p]);
    int card = hand[slot];
    if (g->deck_size[p] > 0)
        hand[slot] = g->deck[p][--g->deck_size[p]];
    else
        hand[slot] = hand[--g->hand_size[p]];
    return card;
}

static void play_round(Game *g, int start, Rng *rng)
{
    int open[PLAYERS], open_count = PLAYERS;
    for (int i = 0; i < PLAYERS; i++) {
        g->boats[i].capacity = draw_boat(g, rng);
        g->boats[i].count = 0;
        open[i] = i;
    }
    /* The second ply lies face down (AA-A04), which random players do not look at. */
    for (int ply = 0; ply < PLIES; ply++) {
        for (int t = 0; t < PLAYERS; t++) {
            int p = (start + t) % PLAYERS;
            int card = play_card(g, p, rng);
            int choice = below(rng, open_count);
            Boat *boat = &g->boats[open[choice]];
            boat->animals[boat->count++] = (Animal){(int8_t)card, (int8_t)p, 0};
            if (boat->count == SEATS_ABOARD)
                open[choice] = open[--open_count];
        }
    }
    for (int i = 0; i < PLAYERS; i++)
        resolve_boat(g, i, rng);
}

/* Ties: cupids, then saved cards, then the victory is shared (AA-A41, AA-A42). */
static inline int beats(const int *a, const int *b)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] > b[k];
    return 0;
}

static void score_game(const Game *g, Totals *totals)
{
    int rank[PLAYERS][3], best = 0, winners = 0;
    for (int p = 0; p < PLAYERS; p++) {
        rank[p][0] = g->points[p] + CUPID_POINTS * g->cupids[p];
        rank[p][1] = g->cupids[p];
        rank[p][2] = g->saved[p];
        if (beats(rank[p], rank[best]))
            best = p;
        totals->score[p] += (uint64_t)rank[p][0];
        totals->saved += (uint64_t)g->saved[p];
        totals->cupids += (uint64_t)g->cupids[p];
        totals->checksum = totals->checksum * 0x100000001B3u + (uint64_t)rank[p][0];
    }
    for (int p = 0; p < PLAYERS; p++)
        winners += !beats(rank[best], rank[p]);
    for (int p = 0; p < PLAYERS; p++)
        if (!beats(rank[best], rank[p]))
            totals->wins[p] += 1.0 / winners;
    totals->sunk += (uint64_t)g->sunk;
}

static void play_game(Game *g, Rng *rng, Totals *totals)
{
    set_up(g, rng);
    for (int round = 0; round < ROUNDS; round++)
        play_round(g, round % PLAYERS, rng);
    score_game(g, totals);
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
    printf("{\"game\":\"all-aboard\",\"games\":%" PRIu64 ",\"seconds\":%.6f,"
           "\"games_per_second\":%.0f,\"wins\":[",
           games, seconds, n / seconds);
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", totals.wins[p] / n);
    printf("],\"mean_score\":[");
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", (double)totals.score[p] / n);
    printf("],\"kept_rate\":%.6f,\"capsize_rate\":%.6f,\"cupids_per_game\":%.6f,"
           "\"checksum\":%" PRIu64 "}\n",
           (double)totals.saved / (n * PLAYERS * SPECIES),
           (double)totals.sunk / (n * PLAYERS * ROUNDS), (double)totals.cupids / n,
           totals.checksum);
    return 0;
}
