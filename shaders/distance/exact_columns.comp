#version 460
// Gives each texel of a picture's columns its nearest object: see exact_hulls.comp. A group has a few
// columns of up to 1,024 texels whole, and finds in shared memory their hulls, from which texel on
// each corner owns the texels, and the owner of each. Where objects are dense, it searches the rows
// above and below instead.
//! variants LINES=4,8
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#define WORD_PLACES 16 // more invocations, each with fewer steps
#include "exact_line.glsl"

readonly buffer Columns { uvec2 quads[]; } columns; // as exact_rows writes them
readonly buffer Marks { uint words[]; } marks;      // as exact_rows writes them
readonly buffer Objects { uint counts[]; } objects; // of groups of exact_rows

uniform Params {
    ivec3 size;
    int counts; // of objects
    uint code_without_objects; // of the status
} params;

const int kLines = LINES; // of a group, side by side in x
const int kGroup = 256;
const int kPlaces = kWordPlaces * kGroup / kLines;
const int kRow = kLines / 2; // words a place has
// Words that a subgroup reads at a time begin in other banks of the memory.
const int kPitch = kWordPlaces * kRow + (kLines < 32 ? kRow : 0);
const int kWindows = 16; // of 64 rows

shared uint tile[kGroup / kLines * kPitch];
shared uint first[kGroup];                // by word, then by line: who owns the first texel
shared uint owners[kPlaces / 2 * kLines]; // by two places

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int band() {
    return int(gl_LocalInvocationIndex) / kLines;
}
int line_x() {
    return int(gl_WorkGroupID.x) * kLines + line();
}
int line_length() {
    return params.size.y;
}
int first_place() {
    return 0;
}
bool has_near_sites() {
    return params.size.x <= 8192;
}

// Of the tile.
int words_at(int place) {
    return word_of(place) * kPitch + bit_of(place) * kRow;
}
int row_step() {
    return kRow;
}
int start_of(int word) {
    return word * kPitch + line() / 2;
}
// kNoHeight where there is no site.
int height_in(int at) {
    int dx = bitfieldExtract(int(tile[at]), line() % 2 * 16, 16);
    return dx * dx;
}
ivec2 point(int place) {
    return ivec2(place, height_in(words_at(place) + line() / 2) + place * place);
}
#include "exact_group.glsl"
#include "exact_dense.glsl"
#include "exact_status.glsl"

void set_first(int word, int place) {
    first[word * kLines + line()] = uint(place);
}
#include "exact_begins.glsl"

#define WHOLE_COLUMNS 1
#include "exact_picture.glsl"
#include "exact_search.glsl"

// The places of owners of two rows' texels.
void set_owners(int row, int column, int upper, int lower) {
    owners[row / 2 * kLines + column] = uint(upper) & 0xffffu | uint(lower) << 16;
}

void owners_by_search() {
    const int pairs = kLines / 2;
    int pair = int(gl_LocalInvocationIndex) % pairs;
    if (int(gl_WorkGroupID.x) * kLines + pair * 2 >= params.size.x) return;
    for (int y = int(gl_LocalInvocationIndex) / pairs * 2; y < params.size.y; y += kGroup / pairs * 2) {
        ivec4 nearest = search_rows(pair, y);
        set_owners(y, pair * 2, nearest.x, nearest.z);
        set_owners(y, pair * 2 + 1, nearest.y, nearest.w);
    }
}

// Takes the next corner out of `rest`, or of the words behind its word.
int next_corner(inout int word, inout uint rest) {
    if (rest == 0u) {
        word = word_of(first_in(word + 1, kBands));
        rest = corners(word);
    }
    int s = first_of(word, rest);
    rest &= rest - 1u;
    return s;
}

void owners_by_corners() {
    if (line_x() >= params.size.x || band() * kWordPlaces >= params.size.y) return;
    int s = int(first[gl_LocalInvocationIndex]);
    uint begins = begins_of(band()) & ~1u;
    int word = word_of(s);
    uint rest = begins != 0u ? corners(word) & bits_above(s) : 0u;
    for (int i = 0; i < kWordPlaces; i += 2) {
        if ((begins & 1u) != 0u) s = next_corner(word, rest);
        int upper = s;
        if ((begins & 2u) != 0u) s = next_corner(word, rest);
        set_owners(band() * kWordPlaces + i, line(), upper, s);
        begins >>= 2;
    }
}

void store_sites() {
    int column = int(gl_LocalInvocationIndex) % kLines;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int end = x < params.size.x ? params.size.y : 0;
    [[unroll]] for (int i = 0; i < kPlaces; i += kGroup / kLines) {
        int y = i + int(gl_LocalInvocationIndex) / kLines;
        if (y >= end) continue;
        int s = int(half_of(owners[y / 2 * kLines + column], y));
        if (s == kNoCorner) store_no_site(ivec2(x, y));
        else store_texel(ivec2(x, y), s, x_offset(half_of(tile[words_at(s) + column / 2], column)));
    }
}

void main() {
    if (gl_WorkGroupID.x == gl_NumWorkGroups.x - 1u) { // beside the groups that have columns
        write_status();
        return;
    }
    Quads quads = read_columns(); // while others are waited for
    clear_marks();
    clear_hulls();
    barrier();
    count_marks();
    store_tile(quads);
    barrier();
    bool is_dense = has_dense_lines(); // the same for the whole group
    if (is_dense) {
        owners_by_search();
    } else {
        set_hull(hull_of_word(band()));
        join_hulls();
        clear_begins();
        barrier();
        bool has_line = line_x() < params.size.x;
        uint owning = has_line ? find_begins(band(), kBands, line_length()) : 0u;
        barrier();
        set_corners(band(), owning);
        barrier();
        owners_by_corners();
    }
    barrier();
    store_sites();
}
