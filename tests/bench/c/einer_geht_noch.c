/* Einer geht noch! with four random players: the plain C version that the kernels are
 * measured against.
 *
 *     cc -O3 -march=native -o einer_geht_noch einer_geht_noch.c
 *     ./einer_geht_noch GAMES SEED
 *
 * Default rulings only, full scoring, no packed state: small arrays and structs, one thread.
 * The random law: uniform over the legal (card, boat, face) triples.
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

enum { /* lightest first */
    MOUSE, PEACOCK, FOX, SQUID, MONKEY, SLOTH, DEER, ZEBRA, GIRAFFE, LION, BEAR, ELEPHANT,
    SPECIES
};

enum {
    ROUNDS = 4,
    PLIES = 3,
    HAND = 3,
    SEATS_ABOARD = 3, /* while loading; arrivals ignore it */
    MAX_ABOARD = 8,   /* three loaded, one from a fox, one from a monkey: five at most */
    TILES = 30,
    CUPIDS = 20,
    CUPID_POINTS = 2
};

/* Kilos. A loving pair of mice weighs 1 (EGN-A35), so boats are weighed in half kilos. */
static const int8_t KILOS[SPECIES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* The assumed tiles, in kilos (EGN-A04). */
static const int8_t TILE_DECK[TILES] = {10, 10, 11, 11, 12, 12, 12, 13, 13, 13,
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
    Animal animals[MAX_ABOARD]; /* in boarding order */
} Boat;

typedef struct {
    Boat boats[PLAYERS];
    int8_t supply[TILES];
    int supply_left;
    int8_t deck[PLAYERS][SPECIES]; /* round r is played with the r-th three cards */
    int points[PLAYERS], kept[PLAYERS], cupids[PLAYERS];
    int cupids_left;
    int capsized;
} Game;

typedef struct {
    double wins[PLAYERS];
    uint64_t score[PLAYERS];
    uint64_t kept, capsized, cupids, checksum;
} Totals;

static inline int weight(Animal a)
{
    return 2 * KILOS[a.species] + (a.species == MOUSE && a.loved);
}

/* The supply is shuffled as it is drawn. */
static inline int draw_tile(Game *g, Rng *rng)
{
    int k = below(rng, g->supply_left);
    int tile = g->supply[k];
    g->supply[k] = g->supply[--g->supply_left];
    return tile;
}

static inline void reach_harbour(Game *g, Animal a)
{
    g->points[a.owner] += KILOS[a.species];
    g->kept[a.owner]++;
}

static inline Animal take_off(Boat *boat, int k)
{
    Animal a = boat->animals[k];
    boat->count--;
    for (; k < boat->count; k++)
        boat->animals[k] = boat->animals[k + 1];
    return a;
}

static inline int count_species(const Boat *boat, int species)
{
    int n = 0;
    for (int k = 0; k < boat->count; k++)
        n += boat->animals[k].species == species;
    return n;
}

static inline int any_lovers(const Boat *boat)
{
    for (int k = 0; k < boat->count; k++)
        if (boat->animals[k].loved)
            return 1;
    return 0;
}

/* The first unloved animal of a species, or -1. */
static inline int find_single(const Boat *boat, int species)
{
    for (int k = 0; k < boat->count; k++)
        if (boat->animals[k].species == species && !boat->animals[k].loved)
            return k;
    return -1;
}

static void fall_in_love(Game *g, Boat *boat, int species)
{
    int paid = g->cupids_left >= 2; /* a lone cupid goes to nobody (EGN-A13) */
    g->cupids_left -= 2 * paid;
    for (int k = 0; k < boat->count; k++) {
        if (boat->animals[k].species == species) {
            boat->animals[k].loved = 1;
            g->cupids[boat->animals[k].owner] += paid;
        }
    }
}

/* To the next boat, where a second of a kind makes a pair and a third stays single (EGN-A09,
 * EGN-A10); from the last one overboard, where squids swim (EGN-A28). */
static inline void send_on(Game *g, int i, int k)
{
    Animal a = take_off(&g->boats[i], k);
    if (i + 1 < PLAYERS) {
        Boat *next = &g->boats[i + 1];
        next->animals[next->count++] = a;
        if (count_species(next, a.species) == 2)
            fall_in_love(g, next, a.species);
    } else if (a.species == SQUID) {
        reach_harbour(g, a);
    }
}

static inline int load_of(const Boat *boat)
{
    int load = 0;
    for (int k = 0; k < boat->count; k++)
        load += weight(boat->animals[k]);
    return load;
}

/* The heaviest animal, leaving out one index and one more; first boarded among equals. */
static inline int heaviest_but(const Boat *boat, int skip, int skip_too)
{
    int best = -1;
    for (int k = 0; k < boat->count; k++)
        if (k != skip && k != skip_too
            && (best < 0 || weight(boat->animals[k]) > weight(boat->animals[best])))
            best = k;
    return best;
}

/* A mouse beside an elephant puts the tile back and draws, unless mice or elephants are in love
 * (EGN-A16, EGN-A17). */
static inline void mouse_acts(Game *g, Boat *boat, Rng *rng)
{
    for (int k = 0; k < boat->count; k++) {
        Animal a = boat->animals[k];
        if (a.loved && (a.species == MOUSE || a.species == ELEPHANT))
            return;
    }
    g->supply[g->supply_left++] = (int8_t)boat->capacity;
    boat->capacity = draw_tile(g, rng);
}

/* The fox of an overloaded boat sends the peacock or else the heaviest on; of any other boat, he
 * leaves the game. Lovers aboard keep him idle (EGN-A18). */
static inline void fox_acts(Game *g, int i, int fox)
{
    Boat *boat = &g->boats[i];
    if (any_lovers(boat))
        return;
    if (load_of(boat) <= 2 * boat->capacity) {
        take_off(boat, fox);
        return;
    }
    int target = find_single(boat, PEACOCK);
    send_on(g, i, target >= 0 ? target : heaviest_but(boat, -1, -1));
}

/* The monkey throws the second heaviest of the others; a peacock is taken for the heaviest, so
 * that the true heaviest, even himself, goes. Idle with lovers or fewer than three aboard
 * (EGN-A24, EGN-A25). */
static inline void monkey_acts(Game *g, int i, int monkey)
{
    Boat *boat = &g->boats[i];
    if (boat->count < 3 || any_lovers(boat))
        return;
    int peacock = find_single(boat, PEACOCK);
    int target = peacock >= 0
                     ? heaviest_but(boat, peacock, -1)
                     : heaviest_but(boat, monkey, heaviest_but(boat, monkey, -1));
    send_on(g, i, target);
}

/* The lion removes the heaviest animal lighter than himself, squids too (EGN-A32), unless it is in
 * love (EGN-A30). Among equals an unloved one comes first (EGN-A31). */
static inline void lion_acts(Boat *boat)
{
    int target = -1, target_weight = -1;
    for (int k = 0; k < boat->count; k++) {
        Animal a = boat->animals[k];
        int w = weight(a);
        if (w >= 2 * KILOS[LION] || w < target_weight)
            continue;
        if (w > target_weight || (boat->animals[target].loved && !a.loved))
            target = k, target_weight = w;
    }
    if (target >= 0 && !boat->animals[target].loved)
        take_off(boat, target);
}

/* Three of a kind leave the game, squids for the harbour; two of a kind fall in love. */
static inline void reveal(Game *g, int i)
{
    Boat *boat = &g->boats[i];
    int a = boat->animals[0].species, b = boat->animals[1].species, c = boat->animals[2].species;
    if (a == b && b == c) {
        for (int k = 0; a == SQUID && k < SEATS_ABOARD; k++)
            reach_harbour(g, boat->animals[k]);
        boat->count = 0;
    } else if (a == b || a == c) {
        fall_in_love(g, boat, a);
    } else if (b == c) {
        fall_in_love(g, boat, b);
    }
}

/* The actions, lightest first. Two singles of a kind stand beside a pair of the same kind, which
 * keeps all but lions idle: only lions can act more than once. */
static inline void act(Game *g, int i, Rng *rng)
{
    Boat *boat = &g->boats[i];
    int8_t aboard[SPECIES] = {0};
    for (int k = 0; k < boat->count; k++)
        aboard[boat->animals[k].species] += !boat->animals[k].loved;
    if (aboard[MOUSE] && aboard[ELEPHANT])
        mouse_acts(g, boat, rng);
    if (aboard[FOX])
        fox_acts(g, i, find_single(boat, FOX));
    int monkey = aboard[MONKEY] ? find_single(boat, MONKEY) : -1;
    if (monkey >= 0) /* the fox may have sent him on */
        monkey_acts(g, i, monkey);
    if (aboard[LION]) {
        int lions = 0; /* counted again: fox and monkey may have sent one on */
        for (int k = 0; k < boat->count; k++)
            lions += boat->animals[k].species == LION && !boat->animals[k].loved;
        for (; lions > 0; lions--)
            lion_acts(boat);
    }
}

/* A boat that is too heavy loses all but the squids, one that is not loses the squids. */
static inline void weigh(Game *g, Boat *boat)
{
    int capsizes = load_of(boat) > 2 * boat->capacity;
    g->capsized += capsizes;
    for (int k = 0; k < boat->count; k++)
        if ((boat->animals[k].species == SQUID) == capsizes)
            reach_harbour(g, boat->animals[k]);
}

static void set_up(Game *g, Rng *rng)
{
    memcpy(g->supply, TILE_DECK, sizeof TILE_DECK);
    g->supply_left = TILES;
    g->cupids_left = CUPIDS;
    g->capsized = 0;
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
        g->points[p] = g->kept[p] = g->cupids[p] = 0;
    }
}

static void play_round(Game *g, int round, Rng *rng)
{
    int open[PLAYERS], open_count = PLAYERS;
    int down_used[PLAYERS] = {0};
    for (int i = 0; i < PLAYERS; i++) {
        g->boats[i].capacity = draw_tile(g, rng);
        g->boats[i].count = 0;
        open[i] = i;
    }
    for (int ply = 0; ply < PLIES; ply++) {
        for (int t = 0; t < PLAYERS; t++) {
            int p = (round + t) % PLAYERS;
            int8_t *hand = g->deck[p] + HAND * round;
            int slot = below(rng, HAND - ply);
            int card = hand[slot];
            hand[slot] = hand[HAND - 1 - ply];
            /* Exactly one of the three lies face down; the third play has no choice (EGN-A05). */
            if (!down_used[p] && ply < PLIES - 1)
                down_used[p] = below(rng, 2);
            int choice = below(rng, open_count);
            Boat *boat = &g->boats[open[choice]];
            boat->animals[boat->count++] = (Animal){(int8_t)card, (int8_t)p, 0};
            if (boat->count == SEATS_ABOARD)
                open[choice] = open[--open_count];
        }
    }
    for (int i = 0; i < PLAYERS; i++)
        reveal(g, i);
    for (int i = 0; i < PLAYERS; i++) {
        act(g, i, rng);
        weigh(g, &g->boats[i]); /* nothing touches this boat any more */
    }
}

/* Ties: cupids, then the victory is shared (EGN-A41). */
static inline int beats(const int *a, const int *b)
{
    return a[0] != b[0] ? a[0] > b[0] : a[1] > b[1];
}

static void score_game(const Game *g, Totals *totals)
{
    int rank[PLAYERS][2], best = 0, winners = 0;
    for (int p = 0; p < PLAYERS; p++) {
        rank[p][0] = g->points[p] + CUPID_POINTS * g->cupids[p];
        rank[p][1] = g->cupids[p];
        if (beats(rank[p], rank[best]))
            best = p;
        totals->score[p] += (uint64_t)rank[p][0];
        totals->kept += (uint64_t)g->kept[p];
        totals->cupids += (uint64_t)g->cupids[p];
        totals->checksum = totals->checksum * 0x100000001B3u + (uint64_t)rank[p][0];
    }
    for (int p = 0; p < PLAYERS; p++)
        winners += !beats(rank[best], rank[p]);
    for (int p = 0; p < PLAYERS; p++)
        if (!beats(rank[best], rank[p]))
            totals->wins[p] += 1.0 / winners;
    totals->capsized += (uint64_t)g->capsized;
}

static void play_game(Game *g, Rng *rng, Totals *totals)
{
    set_up(g, rng);
    for (int round = 0; round < ROUNDS; round++)
        play_round(g, round, rng);
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
    printf("{\"game\":\"einer-geht-noch\",\"games\":%" PRIu64 ",\"seconds\":%.6f,"
           "\"games_per_second\":%.0f,\"wins\":[",
           games, seconds, n / seconds);
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", totals.wins[p] / n);
    printf("],\"mean_score\":[");
    for (int p = 0; p < PLAYERS; p++)
        printf("%s%.6f", p ? "," : "", (double)totals.score[p] / n);
    printf("],\"kept_rate\":%.6f,\"capsize_rate\":%.6f,\"cupids_per_game\":%.6f,"
           "\"checksum\":%" PRIu64 "}\n",
           (double)totals.kept / (n * PLAYERS * SPECIES),
           (double)totals.capsized / (n * PLAYERS * ROUNDS), (double)totals.cupids / n,
           totals.checksum);
    return 0;
}
