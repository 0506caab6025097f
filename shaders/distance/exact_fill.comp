#version 460
// Gives each texel of a line the corner of the line's hull that it is nearest to: see
// exact_hulls.comp. Corners own their texels in their order, so an invocation begins with the owner
// of the first texel of its word, and goes on to the next corner where another owner begins. Where
// objects are dense, it looks at the rows above and below instead, as far as they can be nearer.
// What it finds goes through shared memory, since the images want other shapes of writes.
//! variants STEP=0,1,2
#extension GL_EXT_control_flow_attributes : require

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
layout(local_size_x = 128) in;

#include "exact_line.glsl"

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // by z, y, x
#else
readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
#endif
readonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
// By line across, 32 words, x: a bit for each word that has corners.
readonly buffer Filled { uint words[]; } filled;
// As hulls: the texels from which on there is another owner, and who owns the first texel.
readonly buffer Begins { uint words[]; } begins;
readonly buffer Firsts { uint places[]; } firsts;
#if STEP == 0
readonly buffer Dense { uint strips[]; } dense; // as exact_hulls writes them
#include "exact_picture.glsl"
#elif STEP == 1
writeonly buffer Result { uint words[]; } result; // by z, y, x: offsets
#else
uniform writeonly uimage3D field;
uniform writeonly uimage3D site_places; // x | y << 10 | z << 20
const uint kNoSite = 0xffffffffu;
#endif

uniform Params {
    ivec3 size;
} params;

const int kLines = 32;
const int kPlaces = 32;
const int kTexels = kPlaces * kLines / 128; // of an invocation
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
uint place_of_hull(int word) {
    return uint((line_across() * word_count() + word) * params.size.x + line_x());
}
uint words_of(int block) {
    return filled.words[uint((line_across() * block_count() + block) * params.size.x + line_x())];
}
// The first word behind this one that has corners; there is one.
int filled_behind(int word) {
    int block = word >> 5;
    uint words = words_of(block) & bits_above(word);
    while (words == 0u && block + 1 < block_count()) {
        block += 1;
        words = words_of(block);
    }
    return first_of(block, words);
}

uint site_at(int s, int x) {
#if STEP == 2
    return sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
#else
    int place = (line_across() * params.size.y + s) * words_of_row(params.size.x) + (x >> 1);
    return half_of(columns.pairs[uint(place)], x);
#endif
}

// Takes the next corner out of `rest`, or of the words behind its word.
int next_corner(inout int word, inout uint rest) {
    if (rest == 0u) {
        word = filled_behind(word);
        rest = hulls.words[place_of_hull(word)];
    }
    int s = first_of(word, rest);
    rest &= rest - 1u;
    return s;
}

void find_owners() {
    int from = int(gl_WorkGroupID.z);                               // the word
    int begin_of = int(gl_LocalInvocationIndex) / kLines * kTexels; // in the word
    if (line_x() >= params.size.x) return;
    int s = int(firsts.places[place_of_hull(from)]);
    uint begin = begins.words[place_of_hull(from)] & ~1u;
    int word = s >> 5;
    uint rest = 0u;
    if (begin != 0u) rest = hulls.words[place_of_hull(word)] & bits_above(s);
    for (int before = bitCount(begin & bits_below(begin_of)); before > 0; --before)
        s = next_corner(word, rest);
    begin >>= begin_of;
    int at = begin_of / 2 * kLines + int(gl_LocalInvocationIndex) % kLines;
    for (int i = 0; i < kTexels; i += 2) {
        if ((begin & 1u) != 0u) s = next_corner(word, rest);
        uint pair = uint(s);
        if ((begin & 2u) != 0u) s = next_corner(word, rest);
        owners[at + i / 2 * kLines] = pair | uint(s) << 16;
        begin >>= 2;
    }
}

#if STEP == 0
ivec2 squares_of(int column, int row) {
    uint pair = kNowhere | kNowhere << 16;
    if (row >= 0 && row < params.size.y)
        pair = columns.pairs[uint(row * words_of_row(params.size.x) + column)];
    ivec2 dx = ivec2(x_offset(pair), int(pair) >> 16);
    return dx * dx;
}
#include "exact_search.glsl"

void search_owners() {
    const int pairs = kLines / 2;
    int column = int(gl_WorkGroupID.x) * pairs + int(gl_LocalInvocationIndex) % pairs;
    int first = int(gl_WorkGroupID.z) * kPlaces;
    if (column * 2 >= params.size.x) return;
    int end = min(kPlaces, line_length() - first);
    for (int i = int(gl_LocalInvocationIndex) / pairs * 2; i < end; i += 128 / pairs * 2) {
        ivec4 nearest = search_rows(column, first + i);
        int at = (i >> 1) * kLines + int(gl_LocalInvocationIndex) % pairs * 2;
        owners[at] = uint(nearest.x) | uint(nearest.z) << 16;
        owners[at + 1] = uint(nearest.y) | uint(nearest.w) << 16;
    }
}
#endif

// `s`: the owner's place; `site`: its site.
void store(int x, int place, int s, uint site) {
    bool none = s == kNoCorner;
#if STEP == 0
    if (none) store_no_site(ivec2(x, place));
    else store_texel(ivec2(x, place), s, x_offset(site));
#elif STEP == 1
    int at = (line_across() * params.size.y + place) * params.size.x + x;
    result.words[uint(at)] = none ? kNowhere : (site & 0xffffu) | uint(s - place) << 16;
#else
    int dx = x_offset(site);
    int dy = y_offset(site);
    int dz = s - place;
    ivec3 at = ivec3(x, line_across(), place);
    uint squared = uint(dx * dx + dy * dy + dz * dz);
    uint object = uint(x + dx) | uint(line_across() + dy) << 10 | uint(s) << 20;
    imageStore(field, at, uvec4(none ? kUnreached : squared, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(none ? kNoSite : object, 0u, 0u, 0u));
#endif
}

void main() {
#if STEP == 0
    if (dense.strips[gl_WorkGroupID.x] != 0u) search_owners();
    else find_owners();
#else
    find_owners();
#endif
    barrier();
    // Subgroups of 32 write two rows of 16 of pictures, which lie in memory by squares.
    int own = int(gl_LocalInvocationIndex);
    int column = STEP == 0 ? (own & 15) + (own >> 5 & 1) * 16 : own % kLines;
    int row = STEP == 0 ? (own >> 4 & 1) + (own >> 6) * 2 : own / kLines;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int first = int(gl_WorkGroupID.z) * kPlaces;
    int end = x < params.size.x ? min(line_length() - first, kPlaces) : 0;
    const int rows = 128 / kLines;
    const int batch = 4; // sites that are read at a time
    for (int begin_of = row; begin_of < end; begin_of += rows * batch) {
        int owner[batch];
        uint site[batch];
        [[unroll]] for (int i = 0; i < batch; ++i) {
            int place = min(begin_of + i * rows, end - 1);
            uint pair = owners[(place >> 1) * kLines + column];
            owner[i] = int((place & 1) == 0 ? pair & 0xffffu : pair >> 16);
            site[i] = site_at(owner[i] == kNoCorner ? 0 : owner[i], x);
        }
        [[unroll]] for (int i = 0; i < batch; ++i)
            if (begin_of + i * rows < end)
                store(x, first + begin_of + i * rows, owner[i], site[i]);
    }
}
