#version 460
// The columns of pictures of up to 1,024 texels a side, where squared distances and places fit in one
// word: no hulls are needed. A group has a few whole columns.
//! variants LINES=4,8
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#define WORD_PLACES 16
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
const int kBands = kGroup / kLines; // of 16 places, of a line
const int kRow = kLines / 2;        // words a place has
// A word more: bands begin in different banks of the memory.
const int kPitch = kWordPlaces * kRow + 1;
const int kWindows = 16; // of 64 rows

shared uint tile[kBands * kPitch];

int line() {
    return int(gl_LocalInvocationIndex) / kBands;
}
int band() {
    return int(gl_LocalInvocationIndex) % kBands;
}
// Of the tile.
int words_at(int place) {
    return place * kRow + word_of(place);
}
int height_at(int place) {
    int dx = bitfieldExtract(int(tile[words_at(place) + line() / 2]), line() % 2 * 16, 16);
    return dx * dx;
}
#include "exact_owners.glsl"
#include "exact_dense.glsl"
#include "exact_status.glsl"

#include "exact_picture.glsl"

// A group reads four columns side by side at a time.
const int kQuads = kRow / 2;
const int kRowsAtOnce = kGroup / kQuads;

// What the invocation reads of the columns, kNowhere behind their ends.
struct Quads {
    uvec2 of[kPlaces / kRowsAtOnce];
};
Quads read_columns() {
    Quads quads;
    int pitch = words_of_row(params.size.x) / 2;
    int column = int(gl_WorkGroupID.x) * kQuads + int(gl_LocalInvocationIndex) % kQuads;
    int rows = column < pitch ? params.size.y : 0;
    [[unroll]] for (int i = 0; i < kPlaces / kRowsAtOnce; ++i) {
        int row = int(gl_LocalInvocationIndex) / kQuads + i * kRowsAtOnce;
        quads.of[i] = uvec2(kNowhere | kNowhere << 16);
        if (row < rows) quads.of[i] = columns.quads[uint(row * pitch + column)];
    }
    return quads;
}
void store_tile(Quads quads) {
    [[unroll]] for (int i = 0; i < kPlaces / kRowsAtOnce; ++i) {
        int row = int(gl_LocalInvocationIndex) / kQuads + i * kRowsAtOnce;
        int at = words_at(row) + int(gl_LocalInvocationIndex) % kQuads * 2;
        tile[at] = quads.of[i].x;
        tile[at + 1] = quads.of[i].y;
    }
}

// For exact_search.glsl.
ivec2 squares_of(int pair, int row) {
    uint found = kNowhere | kNowhere << 16;
    if (row >= 0 && row < kPlaces) found = tile[words_at(row) + pair];
    ivec2 dx = ivec2(x_offset(found), int(found) >> 16);
    return dx * dx;
}
#include "exact_search.glsl"

// A row without objects has kNowhere in all columns. A smaller offset is far enough away, and its
// square fits where the others do.
Quads with_near_nowhere(Quads quads) {
    const uint far = 1449u;
    [[unroll]] for (int i = 0; i < kPlaces / kRowsAtOnce; ++i)
        if (quads.of[i].x == (kNowhere | kNowhere << 16)) quads.of[i] = uvec2(far | far << 16);
    return quads;
}

void owners_by_search() {
    const int pairs = kLines / 2;
    int pair = int(gl_LocalInvocationIndex) % pairs;
    if (int(gl_WorkGroupID.x) * kLines + pair * 2 >= params.size.x) return;
    for (int y = int(gl_LocalInvocationIndex) / pairs * 2; y < params.size.y; y += kGroup / pairs * 2) {
        ivec4 nearest = search_rows(pair, y);
        best[place_of_best(pair * 2, y)] = uint(nearest.x);
        best[place_of_best(pair * 2 + 1, y)] = uint(nearest.y);
        best[place_of_best(pair * 2, y + 1)] = uint(nearest.z);
        best[place_of_best(pair * 2 + 1, y + 1)] = uint(nearest.w);
    }
}

void store_sites() {
    int column = int(gl_LocalInvocationIndex) % kLines;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int end = x < params.size.x ? params.size.y : 0;
    [[unroll]] for (int i = 0; i < kPlaces; i += kGroup / kLines) {
        int y = i + int(gl_LocalInvocationIndex) / kLines;
        if (y >= end) continue;
        uint nearest = best[place_of_best(column, y)];
        int s = int(nearest) & (kPlaces - 1);
        uint pair = tile[words_at(s) + column / 2];
        if (nearest >= kNoOwner) store_no_site(ivec2(x, y));
        else store_texel(ivec2(x, y), s, x_offset(half_of(pair, column)));
    }
}

void main() {
    if (gl_WorkGroupID.x == gl_NumWorkGroups.x - 1u) { // beside the groups that have columns
        write_status();
        return;
    }
    Quads quads = read_columns(); // while others are waited for
    clear_marks();
    clear_owners();
    barrier();
    count_marks();
    store_tile(with_near_nowhere(quads));
    barrier();
    bool is_dense = has_dense_lines(); // the same for the whole group
    if (is_dense) {
        owners_by_search();
        barrier();
    } else {
        find_owners();
    }
    store_sites();
}
