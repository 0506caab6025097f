#version 460
// Finds for the texels of lines which corner of the line's hull is the nearest: see exact_hulls.comp.
// An invocation takes 32 places of a line: it finds the owner of the first one by bisection and walks
// from there. Neighbours in a subgroup are neighbours in x.
//! variants STEP=0,1,2

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
layout(local_size_x = 256) in;

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
const int kBands = 256 / kLines;
const int kMaxBlocks = 16; // of 32 words of 32 places

shared uint filled[kMaxBlocks * kLines]; // by block, then line: a bit for each word that has corners

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int band_of_group() {
    return int(gl_LocalInvocationIndex) / kLines;
}
int line_x() {
    return int(gl_WorkGroupID.x) * kLines + line();
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

// --- sites and corners ---------------------------------------------------------------------------

uint site_at(int s) {
    int x = line_x();
#if STEP == 2
    return sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
#else
    int pitch = words_of_row(params.size.x);
    uint pair = columns.pairs[uint((line_across() * params.size.y + s) * pitch + (x >> 1))];
    return half_of(pair, x);
#endif
}
// Its squared distance from the line.
int height_of(uint site) {
    int dx = x_offset(site);
#if STEP == 2
    int dy = y_offset(site);
    return dx * dx + dy * dy;
#else
    return dx * dx;
#endif
}

uint corners(int word) {
    return hulls.words[uint((line_across() * word_count() + word) * params.size.x + line_x())];
}
void mark_filled(bool has_line) {
    int blocks = (word_count() + 31) / 32;
    for (int i = int(gl_LocalInvocationIndex); i < blocks * kLines; i += 256)
        filled[i] = 0u;
    barrier();
    for (int word = band_of_group(); has_line && word < word_count(); word += kBands)
        if (corners(word) != 0u) atomicOr(filled[(word >> 5) * kLines + line()], 1u << (word & 31));
    barrier();
}

// The first word of `low` and those behind it that has corners; one not below `end` where there is
// none before that.
int filled_from(int low, int end) {
    int block = low >> 5;
    if (low >= end) return end;
    uint words = filled[block * kLines + line()] & (0xffffffffu << (low & 31));
    while (words == 0u && (block + 1) * 32 < end) {
        block += 1;
        words = filled[block * kLines + line()];
    }
    return words == 0u ? end : first_of(block, words);
}
// The last word before `end` that has some; -1 where there is none.
int filled_before(int end) {
    int block = end >> 5;
    uint words = (end & 31) == 0 ? 0u : filled[block * kLines + line()] & bits_below(end);
    while (words == 0u && block > 0) {
        block -= 1;
        words = filled[block * kLines + line()];
    }
    return words == 0u ? -1 : last_of(block, words);
}

// A corner of the hull, kept in registers while it is the nearest or the next one.
struct Corner {
    int s; // -1: none
    uint site;
    int height;
};
Corner corner_at(int s) {
    uint site = s < 0 ? kNowhere : site_at(s);
    return Corner(s, site, height_of(site));
}
int cost_of(Corner corner, int y) {
    return corner.height + (y - corner.s) * (y - corner.s);
}
int cost(int s, int y) {
    return cost_of(corner_at(s), y);
}

// --- texels --------------------------------------------------------------------------------------

// The corner that owns y, or one before it in the same word; -1 where the line has none. No corner
// farther along the line than one that lies near is distant from y can own it.
int corner_near(int y) {
    int words = word_count();
    int after = filled_from(y >> 5, words);
    int before = after < words ? -1 : filled_before(words);
    if (after >= words && before < 0) return -1;
    int some = after < words ? first_of(after, corners(after)) : last_of(before, corners(before));
    int reach = int(sqrt(float(cost(some, y)))) + 2; // more than roots of floats are wrong
    int low = max(y - reach, 0) >> 5;
    int end = min((y + reach >> 5) + 1, words);
    while (end - low > 1) {
        int middle = (low + end) / 2;
        int right = filled_from(middle, end);
        int left = filled_before(middle);
        bool later = right < end;
        if (later && left >= low)
            later = cost(first_of(right, corners(right)), y) <
                    cost(last_of(left, corners(left)), y);
        if (later) low = right;
        else end = left < low ? middle : left + 1;
    }
    return first_of(low, corners(low));
}

void store(int y, Corner owner) {
    bool none = owner.s < 0;
    uint value = none ? kUnreached : uint(cost_of(owner, y));
#if STEP == 0
    ivec2 at = ivec2(line_x(), y);
    uint place = uint(line_x() + x_offset(owner.site)) | uint(owner.s) << 16;
#elif STEP == 1
    int at = (line_across() * params.size.y + y) * params.size.x + line_x();
    uint place = (owner.site & 0xffffu) | uint(owner.s - y) << 16;
    result.words[uint(at)] = none ? kNowhere : place;
#else
    ivec3 at = ivec3(line_x(), line_across(), y);
    uint place = uint(line_x() + x_offset(owner.site)) |
                 uint(line_across() + y_offset(owner.site)) << 10 | uint(owner.s) << 20;
#endif
#if STEP != 1
    imageStore(field, at, uvec4(value, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(none ? 0xffffffffu : place, 0u, 0u, 0u));
#endif
}

void color_band(int word) {
    int end = min(word * 32 + 32, line_length());
    Corner own = corner_at(corner_near(word * 32));
    // Of the corners behind `own`: those in its word, and the next word that has some.
    int at = own.s < 0 ? word_count() : own.s >> 5;
    uint bits = own.s < 0 ? 0u : corners(at) & bits_above(own.s);
    Corner next = own;
    bool walking = own.s >= 0;
    for (int y = word * 32; y < end; ++y) {
        while (walking) {
            if (next.s == own.s) { // looks for the next corner
                if (bits == 0u) {
                    at = filled_from(at + 1, word_count());
                    bits = at < word_count() ? corners(at) : 0u;
                }
                walking = bits != 0u;
                if (!walking) break;
                next = corner_at(first_of(at, bits));
                bits &= bits - 1u;
            }
            if (cost_of(next, y) >= cost_of(own, y)) break;
            own = next;
        }
        store(y, own);
    }
}

void main() {
#if STEP != 1
    // By the last kernel, which nobody culls whose field is used: rows have counted the objects.
    if (gl_GlobalInvocationID == uvec3(0u) && status.objects == 0u)
        status.codes = params.code_without_objects;
#endif
    bool has_line = line_x() < params.size.x;
    mark_filled(has_line);
    int word = int(gl_WorkGroupID.z) * kBands + band_of_group();
    if (has_line && word < word_count()) color_band(word);
}
