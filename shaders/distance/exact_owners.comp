#version 460
// Finds for each corner of a line's hull the first place that it owns, and writes that place: see
// exact_hulls.comp. Between these places exact_texels fills in. An invocation takes 32 places of a
// line; neighbours in a subgroup are neighbours in x.
//! variants STEP=0,1,2

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
layout(local_size_x = 256) in;

#include "exact_line.glsl"

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // by z, y, x
#else
readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
#endif
readonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
// By line across, 32 words, x: a bit for each word that has corners.
readonly buffer Filled { uint words[]; } filled;
#if STEP == 0
uniform writeonly uimage2D site_places; // x | y << 16
#elif STEP == 1
writeonly buffer Result { uint words[]; } result; // by z, y, x: offsets
#else
uniform writeonly uimage3D site_places; // x | y << 10 | z << 20
#endif
// As hulls and filled, of places where a corner begins to own; they come with zeros.
buffer Begins { uint words[]; } begins;
buffer Begun { uint words[]; } begun;

uniform Params {
    ivec3 size;
} params;

const int kLines = 32;
const int kBands = 256 / kLines;

int line_x() {
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
int place_of(int word) {
    return (line_across() * word_count() + word) * params.size.x + line_x();
}
int place_of_block(int block) {
    return (line_across() * ((word_count() + 31) / 32) + block) * params.size.x + line_x();
}

struct Corner {
    int s; // -1: none
    uint site;
    int lift; // F(s)
};
Corner corner_at(int s) {
    int x = line_x();
#if STEP == 2
    uint site = sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
    int height = x_offset(site) * x_offset(site) + y_offset(site) * y_offset(site);
#else
    int pitch = words_of_row(params.size.x);
    uint site =
        half_of(columns.pairs[uint((line_across() * params.size.y + s) * pitch + (x >> 1))], x);
    int height = x_offset(site) * x_offset(site);
#endif
    return Corner(s, site, height + s * s);
}

// The first corner behind the word.
Corner corner_behind(int word) {
    int block = word >> 5;
    uint words = filled.words[uint(place_of_block(block))] & bits_above(word);
    while (words == 0u && (block + 1) * 32 < word_count()) {
        block += 1;
        words = filled.words[uint(place_of_block(block))];
    }
    if (words == 0u) return Corner(-1, kNowhere, 0);
    int found = first_of(block, words);
    return corner_at(first_of(found, hulls.words[uint(place_of(found))]));
}
// The last one before it.
Corner corner_before(int word) {
    int block = word >> 5;
    uint words = filled.words[uint(place_of_block(block))] & bits_below(word);
    while (words == 0u && block > 0) {
        block -= 1;
        words = filled.words[uint(place_of_block(block))];
    }
    if (words == 0u) return Corner(-1, kNowhere, 0);
    int found = last_of(block, words);
    return corner_at(last_of(found, hulls.words[uint(place_of(found))]));
}

// The first place that is nearer to `next` than to `own`, which lies before it.
int takeover(Corner own, Corner next) {
    int above = next.lift - own.lift;
    int below = 2 * (next.s - own.s);
    int place = int(floor(float(above) / float(below))); // one off at most where it is a place
    int left = above - place * below;
    if (left < 0) place -= 1;
    else if (left >= below) place += 1;
    return max(place + 1, 0);
}

// Places of a word where corners begin. Other invocations may add others.
void add_begins(int word, uint places) {
    if (places == 0u) return;
    uint old = atomicOr(begins.words[uint(place_of(word))], places);
    if (old == 0u) atomicOr(begun.words[uint(place_of_block(word >> 5))], 1u << (word & 31));
}

void write_begin(int place, Corner corner) {
    int x = line_x();
#if STEP == 0
    uint site = uint(x + x_offset(corner.site)) | uint(corner.s) << 16;
    imageStore(site_places, ivec2(x, place), uvec4(site, 0u, 0u, 0u));
#elif STEP == 1
    int at = (line_across() * params.size.y + place) * params.size.x + x;
    result.words[uint(at)] = (corner.site & 0xffffu) | uint(corner.s - place) << 16;
#else
    uint site = uint(x + x_offset(corner.site)) |
                uint(line_across() + y_offset(corner.site)) << 10 | uint(corner.s) << 20;
    imageStore(site_places, ivec3(x, line_across(), place), uvec4(site, 0u, 0u, 0u));
#endif
}

void main() {
    int word = int(gl_WorkGroupID.z) * kBands + int(gl_LocalInvocationIndex) / kLines;
    if (line_x() >= params.size.x || word >= word_count()) return;
    uint bits = hulls.words[uint(place_of(word))];
    if (bits == 0u) return;
    Corner behind = corner_behind(word);
    Corner before = corner_before(word);
    Corner own = corner_at(first_of(word, bits));
    bits &= bits - 1u;
    // Read before it is needed.
    Corner next = own;
    if (bits != 0u) next = corner_at(first_of(word, bits));
    int begin = before.s < 0 ? 0 : takeover(before, own);
    bool more = true;
    int begin_word = 0;
    uint places = 0u; // of that word: one atomic operation for all of them
    while (more) {
        more = bits != 0u;
        bits &= bits - 1u;
        Corner ahead = next;
        if (bits != 0u) ahead = corner_at(first_of(word, bits));
        if (!more) next = behind;
        int end = next.s < 0 ? line_length() : takeover(own, next);
        if (begin < min(end, line_length())) {
            if (begin >> 5 != begin_word) {
                add_begins(begin_word, places);
                begin_word = begin >> 5;
                places = 0u;
            }
            places |= 1u << (begin & 31);
            write_begin(begin, own);
        }
        own = next;
        begin = end;
        next = ahead;
    }
    add_begins(begin_word, places);
}
