#version 460
// Fills in the texels of lines, each by the last place before it where a corner of the line's hull
// begins to own, which exact_owners has written: see exact_hulls.comp.
//! variants STEP=0,1,2

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
layout(local_size_x = 128) in;

#include "exact_line.glsl"
#if STEP != 1
#include "status.glsl"
#endif

// By line across, word of 32 places, x: a bit for each place where a corner begins to own.
readonly buffer Begins { uint words[]; } begins;
// By line across, 32 words, x: a bit for each word that has such places.
readonly buffer Begun { uint words[]; } begun;
#if STEP == 0
uniform writeonly uimage2D field;
layout(r32ui) uniform uimage2D site_places; // x | y << 16
#elif STEP == 1
buffer Result { uint words[]; } result; // by z, y, x: offsets
#else
uniform writeonly uimage3D field;
layout(r32ui) uniform uimage3D site_places; // x | y << 10 | z << 20
#endif

uniform Params {
    ivec3 size;
    uint code_without_objects; // of the status
} params;

int line_across() {
    return int(gl_WorkGroupID.y);
}
int line_length() {
    return STEP == 2 ? params.size.z : params.size.y;
}
int word_count() {
    return (line_length() + 31) / 32;
}

uint begins_of(int word, int x) {
    return begins.words[uint((line_across() * word_count() + word) * params.size.x + x)];
}
uint begun_of(int block, int x) {
    int blocks = (word_count() + 31) / 32;
    return begun.words[uint((line_across() * blocks + block) * params.size.x + x)];
}
// The last place before the word where a corner begins; -1 where there is none.
int begin_before(int word, int x) {
    int block = word >> 5;
    uint words = begun_of(block, x) & bits_below(word);
    while (words == 0u && block > 0) {
        block -= 1;
        words = begun_of(block, x);
    }
    if (words == 0u) return -1;
    int found = last_of(block, words);
    return last_of(found, begins_of(found, x));
}

uint read_site(int x, int y) {
#if STEP == 0
    return imageLoad(site_places, ivec2(x, y)).x;
#elif STEP == 1
    return result.words[uint((line_across() * params.size.y + y) * params.size.x + x)];
#else
    return imageLoad(site_places, ivec3(x, line_across(), y)).x;
#endif
}

// `begin`: where its owner begins, and `site` what stands there.
void store(int x, int y, int begin, uint site) {
#if STEP == 0
    ivec2 at = ivec2(x, y);
    int dx = int(site & 0xffffu) - x;
    int dy = int(site >> 16) - y;
    uint squared = uint(dx * dx + dy * dy);
#elif STEP == 1
    uint at = uint((line_across() * params.size.y + y) * params.size.x + x);
    uint moved = (site & 0xffffu) | uint(y_offset(site) + begin - y) << 16;
    if (begin != y) result.words[at] = begin < 0 ? kNowhere : moved;
#else
    ivec3 at = ivec3(x, line_across(), y);
    int dx = int(site & 1023u) - x;
    int dy = int(site >> 10 & 1023u) - line_across();
    int dz = int(site >> 20) - y;
    uint squared = uint(dx * dx + dy * dy + dz * dz);
#endif
#if STEP != 1
    imageStore(field, at, uvec4(begin < 0 ? kUnreached : squared, 0u, 0u, 0u));
    if (begin != y)
        imageStore(site_places, at, uvec4(begin < 0 ? 0xffffffffu : site, 0u, 0u, 0u));
#endif
}

void main() {
#if STEP != 1
    // By the last kernel, which nobody culls whose field is used: rows have counted the objects.
    if (gl_GlobalInvocationID == uvec3(0u) && status.objects == 0u)
        status.codes = params.code_without_objects;
#endif
    // 32 columns, 64 places. Subgroups of 32 write two rows of 16: images lie in memory by squares.
    int own = int(gl_LocalInvocationIndex);
    int x = int(gl_WorkGroupID.x) * 32 + (own & 15) + (own >> 5 & 1) * 16;
    int word = int(gl_WorkGroupID.z) * 2 + (own >> 6);
    if (x >= params.size.x || word >= word_count()) return;
    uint here = begins_of(word, x);
    int begin = (here & 1u) != 0u ? word * 32 : begin_before(word, x);
    uint site = begin < 0 ? 0u : read_site(x, begin);
    int end = min(word * 32 + 32, line_length());
    for (int y = word * 32 + (own >> 4 & 1); y < end; y += 2) {
        uint begun_here = here & ~(0xfffffffeu << (y & 31));
        int last = begun_here == 0u ? begin : last_of(word, begun_here);
        if (last != begin) {
            begin = last;
            site = read_site(x, begin);
        }
        store(x, y, begin, site);
    }
}
