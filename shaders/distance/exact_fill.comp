#version 460
// Gives each texel of a line the corner of the line's hull that it is nearest to: see
// exact_hulls.comp. Corners own their places in their order, so an invocation looks up who owns the
// first of its 32 places, and goes on from corner to corner. What it finds goes through shared
// memory, since the images want other shapes of writes.
//! variants STEP=0,1,2

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
layout(local_size_x = 128) in;

#include "exact_line.glsl"
#if STEP != 1
#include "status.glsl"
#endif

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // by z, y, x
#else
readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
#endif
readonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
// By line across, 32 words, x: a bit for each word that has corners.
readonly buffer Filled { uint words[]; } filled;
#if STEP == 0
uniform writeonly uimage2D field;
uniform writeonly uimage2D site_places; // x | y << 16
#elif STEP == 1
writeonly buffer Result { uint words[]; } result; // by z, y, x: offsets
#else
uniform writeonly uimage3D field;
uniform writeonly uimage3D site_places; // x | y << 10 | z << 20
#endif

uniform Params {
    ivec3 size;
    uint code_without_objects; // of the status
} params;

const int kLines = 32;
const int kWords = 128 / kLines; // of 32 places
const int kPlaces = 32 * kWords;
const uint kNoSite = 0xffffffffu;
const int kNoCorner = 0xffff;

// Where the corners are that own places; by two places, then by line.
shared uint owners[kPlaces / 2 * kLines];

int line_x() { // of find_owners
    return int(gl_WorkGroupID.x) * kLines + int(gl_LocalInvocationIndex) % kLines;
}
// The coordinate that is neither x nor along the line.
int line_across() {
    return int(gl_WorkGroupID.y);
}
int line_length() {
    return STEP == 2 ? params.size.z : params.size.y;
}
int word_count() {
    return (line_length() + 31) / 32;
}
int block_count() {
    return (word_count() + 31) / 32;
}
uint corners_of(int word) {
    return hulls.words[uint((line_across() * word_count() + word) * params.size.x + line_x())];
}
uint words_of(int block) {
    return filled.words[uint((line_across() * block_count() + block) * params.size.x + line_x())];
}
// The last word up to this one that has corners, and the first one behind it; -1: none.
int filled_until(int word) {
    int block = word >> 5;
    uint words = words_of(block) & (0xffffffffu >> (31 - (word & 31)));
    while (words == 0u && block > 0) {
        block -= 1;
        words = words_of(block);
    }
    return words == 0u ? -1 : last_of(block, words);
}
int filled_behind(int word) {
    int block = word >> 5;
    uint words = words_of(block) & bits_above(word);
    while (words == 0u && block + 1 < block_count()) {
        block += 1;
        words = words_of(block);
    }
    return words == 0u ? -1 : first_of(block, words);
}

struct Corner {
    int s; // -1: none
    int lift; // F(s)
};
const Corner kNone = Corner(-1, 0);

uint site_at(int s, int x) {
#if STEP == 2
    return sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
#else
    int place = (line_across() * params.size.y + s) * words_of_row(params.size.x) + (x >> 1);
    return half_of(columns.pairs[uint(place)], x);
#endif
}
Corner corner_at(int s) {
    uint site = site_at(s, line_x());
    int dx = x_offset(site);
    int dy = STEP == 2 ? y_offset(site) : 0;
    return Corner(s, dx * dx + dy * dy + s * s);
}

// How much farther from the place `next` is than `own`: below 0, and it owns the place or gives it to
// one behind it.
int lead_of(Corner own, Corner next, int place) {
    return next.lift - own.lift - 2 * (next.s - own.s) * place;
}
bool owned_behind(int word, int place) {
    int behind = filled_behind(word);
    return behind >= 0 && lead_of(corner_at(last_of(word, corners_of(word))),
                                  corner_at(first_of(behind, corners_of(behind))), place) < 0;
}

// The word that has the corner that owns the first place of word `from`; -1: the line is empty. Mostly
// it is near: the steps grow from there.
int word_of_owner(int from) {
    int place = from * 32;
    int before = -1; // it is none up to this one
    int until = word_count() - 1;
    int tried = min(from, until) - 1;
    for (int step = 1; until - before > 1; step *= 2) {
        tried = clamp(tried, before + 1, until - 1);
        int word = filled_until(tried);
        if (word <= before || owned_behind(word, place)) {
            before = tried;
            tried = min(before + step, (before + until) >> 1);
        } else {
            until = word;
            tried = max(until - step, (before + until) >> 1);
        }
    }
    return corners_of(until) == 0u ? -1 : until;
}

// The corner that owns the first place of word `from`, and the corners behind it in its word.
Corner owner_of(int from, out int word, out uint rest) {
    word = word_of_owner(from);
    rest = 0u;
    if (word < 0) return kNone;
    uint bits = corners_of(word);
    // The search begins at the end that is nearer.
    if (word >= from) {
        rest = bits & (bits - 1u);
        return corner_at(first_of(word, bits));
    }
    Corner own = corner_at(last_of(word, bits));
    for (bool nearer = true; nearer;) {
        uint left = bits & bits_below(own.s);
        Corner last = own;
        if (left != 0u) last = corner_at(last_of(word, left));
        nearer = left != 0u && lead_of(last, own, from * 32) >= 0;
        if (nearer) own = last;
    }
    rest = bits & bits_above(own.s);
    return own;
}

// Takes the next corner out of `rest`, or of the words behind it.
Corner next_corner(inout int word, inout uint rest) {
    if (rest == 0u && word >= 0) {
        word = filled_behind(word);
        if (word >= 0) rest = corners_of(word);
    }
    if (word < 0) return kNone;
    int s = first_of(word, rest);
    rest &= rest - 1u;
    return corner_at(s);
}

void find_owners() {
    int own_word = int(gl_LocalInvocationIndex) / kLines;
    int from = int(gl_WorkGroupID.z) * kWords + own_word;
    if (line_x() >= params.size.x || from >= word_count()) return;
    int word;
    uint rest;
    Corner own = owner_of(from, word, rest);
    Corner next = next_corner(word, rest);
    int lead = next.s < 0 ? 0 : lead_of(own, next, from * 32);
    int loss = next.s < 0 ? 0 : 2 * (next.s - own.s); // of the lead, a place
    int at = own_word * 16 * kLines + int(gl_LocalInvocationIndex) % kLines;
    uint pair = 0u;
    for (int i = 0; i < 32; ++i) {
        while (lead < 0) {
            own = next;
            next = next_corner(word, rest);
            lead = next.s < 0 ? 0 : lead_of(own, next, from * 32 + i);
            loss = next.s < 0 ? 0 : 2 * (next.s - own.s);
        }
        lead -= loss;
        pair = pair >> 16 | uint(own.s) << 16;
        if ((i & 1) == 1) owners[at + (i >> 1) * kLines] = pair;
    }
}

// `s`: the owner's place.
void store(int x, int place, int s) {
    bool none = s == kNoCorner;
    uint site = site_at(none ? 0 : s, x);
#if STEP == 1
    int at = (line_across() * params.size.y + place) * params.size.x + x;
    result.words[uint(at)] = none ? kNowhere : (site & 0xffffu) | uint(s - place) << 16;
#else
    int dx = x_offset(site);
#if STEP == 0
    ivec2 at = ivec2(x, place);
    int dy = s - place;
    uint squared = uint(dx * dx + dy * dy);
    uint object = uint(x + dx) | uint(s) << 16;
#else
    ivec3 at = ivec3(x, line_across(), place);
    int dy = y_offset(site);
    int dz = s - place;
    uint squared = uint(dx * dx + dy * dy + dz * dz);
    uint object = uint(x + dx) | uint(line_across() + dy) << 10 | uint(s) << 20;
#endif
    imageStore(field, at, uvec4(none ? kUnreached : squared, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(none ? kNoSite : object, 0u, 0u, 0u));
#endif
}

void main() {
#if STEP != 1
    // By the last kernel, which nobody culls whose field is used: rows have counted the objects.
    if (gl_GlobalInvocationID == uvec3(0u) && status.objects == 0u)
        status.codes = params.code_without_objects;
#endif
    find_owners();
    barrier();
    // Subgroups of 32 write two rows of 16 of pictures, which lie in memory by squares.
    int own = int(gl_LocalInvocationIndex);
    int column = STEP == 0 ? (own & 15) + (own >> 5 & 1) * 16 : own % kLines;
    int row = STEP == 0 ? (own >> 4 & 1) + (own >> 6) * 2 : own / kLines;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int first = int(gl_WorkGroupID.z) * kPlaces;
    int end = x < params.size.x ? min(line_length() - first, kPlaces) : 0;
    for (int i = row; i < end; i += 128 / kLines) {
        uint pair = owners[(i >> 1) * kLines + column];
        store(x, first + i, int((i & 1) == 0 ? pair & 0xffffu : pair >> 16));
    }
}
