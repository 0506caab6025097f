#version 460
// One axis of an exact Euclidean distance transform. A line of texels has a site at each place s,
// the nearest object of all that share s, at the squared distance h(s) from the line. The texel at y
// looks for the least h(s) + (y - s)^2, and of several the lowest s.
//
// With F(s) = h(s) + s^2 that is the least F(s) - 2ys, so only the corners of the lower convex hull
// of the points (s, F(s)) can win, and they win in their order. This kernel finds the hulls, one bit
// a corner: invocations find those of 32 places, then they all take corners off that others hide,
// until there are none. Volumes' lines are whole in a group, which also says from which texel on
// each corner owns the texels. Of a picture's columns a group has parts, which a second kernel
// joins; exact_small is for small pictures.
//
// Where a picture's objects are dense, texels search the rows beside them instead.
//! variants STEP=0,1,2 LINES=8,16,32 except 0,8 0,16 1,8 2,32
#extension GL_EXT_control_flow_attributes : require

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
#if STEP == 2
layout(local_size_x = 128) in;
#else
layout(local_size_x = 256) in;
#endif

#include "exact_line.glsl"

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // by z, y, x
#else
readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
#endif
#if STEP != 2
readonly buffer Objects { uint counts[]; } objects; // of groups of exact_rows
#endif
#if STEP == 0
readonly buffer Marks { uint words[]; } marks; // as exact_rows writes them
// By 32 columns, 1: nowhere is an object far, and exact_fill needs no hulls.
writeonly buffer Dense { uint strips[]; } dense;
#endif
writeonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
#if STEP != 0
// By line across, x: a bit for each word that has corners.
writeonly buffer Filled { uint words[]; } filled;
// As hulls: the texels from which on there is another owner.
writeonly buffer Begins { uint words[]; } begins;
writeonly buffer Firsts { uint places[]; } firsts; // as hulls: who owns the first texel
#endif

uniform Params {
    ivec3 size;
#if STEP != 2
    int counts; // of objects
    uint code_without_objects; // of the status
#endif
} params;

const int kLines = LINES; // of a group, side by side in x
const int kGroup = STEP == 2 ? 128 : 256;

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int band() {
    return int(gl_LocalInvocationIndex) / kLines;
}
int line_x() {
    return int(gl_WorkGroupID.x) * kLines + line();
}
int line_across() {
    return int(gl_WorkGroupID.y);
}
int line_length() {
    return STEP == 2 ? params.size.z : params.size.y;
}
int first_place() { // of the group
    return int(gl_WorkGroupID.z) * kWordPlaces * (kGroup / kLines);
}
bool has_near_sites() {
    return params.size.x <= 8192;
}

#if STEP == 0
// Heights are read where they are needed: with places in shared memory, half as many groups run at
// a time.
int row_step() {
    return words_of_row(params.size.x);
}
int start_of(int word) {
    int x = min(line_x(), params.size.x - 1);
    return (first_place() + word * kWordPlaces) * row_step() + (x >> 1);
}
int height_in(int at) {
    int dx = bitfieldExtract(int(columns.pairs[uint(at)]), (line() & 1) * 16, 16);
    return dx * dx;
}
ivec2 point(int place) {
    return ivec2(place, height_in(start_of(0) + place * row_step()) + place * place);
}
#else
const int kRow = STEP == 2 ? kLines : kLines / 2; // words a place has
// Words that a subgroup reads at a time begin in other banks of the memory.
const int kPitch = kWordPlaces * kRow + (kLines < 32 ? kRow : 0);

shared uint tile[kGroup / kLines * kPitch];

// The lines, kNowhere behind their ends.
void load_tile() {
    int own = int(gl_LocalInvocationIndex);
    int row = STEP == 2 ? params.size.x : words_of_row(params.size.x);
    int step = STEP == 2 ? params.size.y * row : row; // from place to place
    int column = int(gl_WorkGroupID.x) * kRow + own % kRow;
    int begin_of = line_across() * (STEP == 2 ? row : params.size.y * row) + column;
    int places = column < row ? line_length() : 0;
    for (int place = own / kRow; place < kWordPlaces * kGroup / kLines; place += kGroup / kRow) {
        uint found = kNowhere | (STEP == 2 ? 0u : kNowhere << 16);
#if STEP == 2
        if (place < places) found = sites.words[uint(begin_of + place * step)];
#else
        if (place < places) found = columns.pairs[uint(begin_of + place * step)];
#endif
        tile[word_of(place) * kPitch + bit_of(place) * kRow + own % kRow] = found;
    }
}

int row_step() {
    return kRow;
}
int start_of(int word) {
    return word * kPitch + (STEP == 2 ? line() : line() / 2);
}
// kNoHeight where there is no site.
int height_in(int at) {
#if STEP == 2
    int dx = x_offset(tile[at]);
    int dy = y_offset(tile[at]);
    return dx * dx + dy * dy;
#else
    int dx = bitfieldExtract(int(tile[at]), line() % 2 * 16, 16);
    return dx * dx;
#endif
}
ivec2 point(int place) {
    return ivec2(place, height_in(start_of(word_of(place)) + bit_of(place) * kRow) + place * place);
}
#endif
#include "exact_group.glsl"

#if STEP == 0
const int kWindows = 256; // of 64 rows
#include "exact_dense.glsl"
#endif
#if STEP != 2
#include "exact_status.glsl"
#endif
#if STEP != 0
void set_first(int word, int place) {
    uint words = uint(word_of(line_length() + kWordPlaces - 1));
    firsts.places[(gl_WorkGroupID.y * words + uint(word)) * uint(params.size.x) +
                  uint(line_x())] = uint(place);
}
#include "exact_begins.glsl"
#endif

void main() {
#if STEP != 2
    if (gl_WorkGroupID == uvec3(0u)) write_status();
#endif
#if STEP == 0
    clear_marks();
    barrier();
    count_marks();
    barrier();
    bool is_dense = has_dense_lines(); // the same for the whole group
    if (gl_LocalInvocationIndex == 0u && gl_WorkGroupID.z == 0u)
        dense.strips[gl_WorkGroupID.x] = is_dense ? 1u : 0u;
    if (is_dense) return;
#endif
#if STEP != 0
    load_tile();
#endif
    clear_hulls();
    barrier();
    set_hull(hull_of_word(band()));
    join_hulls();
    bool has_line = line_x() < params.size.x;
    int word = first_place() / kWordPlaces + band();
    int words = word_of(line_length() + kWordPlaces - 1);
    uint at = uint((line_across() * words + word) * params.size.x + line_x());
#if STEP == 0
    if (has_line && word < words) hulls.words[at] = corners(band());
#else
    clear_begins();
    barrier();
    uint owning = has_line ? find_begins(band(), kBands, line_length()) : 0u;
    barrier();
    set_corners(band(), owning);
    barrier();
    if (!has_line || word >= words) return;
    hulls.words[at] = owning;
    begins.words[at] = begins_of(band());
    if (word != 0) return;
    filled.words[uint(line_across() * params.size.x + line_x())] = filled_words(0);
#endif
}
