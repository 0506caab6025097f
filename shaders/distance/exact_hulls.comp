#version 460
// One axis of an exact Euclidean distance transform. A line of texels has a site at each place s,
// the nearest object of all that share s, at the squared distance h(s) from the line. The texel at y
// looks for the least h(s) + (y - s)^2, and of several the lowest s.
//
// With F(s) = h(s) + s^2 that is the least F(s) - 2ys, so only the corners of the lower convex hull
// of the points (s, F(s)) can win, and they win in their order. This kernel finds the hulls, one bit
// a corner. Invocations find those of bands of 32 places, or of 16; then they all take corners off
// that others hide, until there are none. A group has a few lines of some length in shared memory.
// Where it has whole lines it also says from which texel on each corner owns the texels; in short
// columns of a picture it gives them their sites at once. Longer columns need a second kernel, which
// joins what the groups have found.
//
// Where a picture's objects are dense, texels search the rows beside them instead.
//! variants STEP=0,1,2 LINES=4,8,16,32 WHOLE=0,1 except 0,4,0 0,8,0 0,16,0 1,4,0 1,4,1 1,8,0 1,8,1 1,16,0 1,32,0 2,4,0 2,4,1 2,8,0 2,16,0 2,32,0
#extension GL_EXT_control_flow_attributes : require

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
#if STEP == 2
layout(local_size_x = 128) in;
#else
layout(local_size_x = 256) in;
#endif

#define FILLS (STEP == 0 && WHOLE) // the kernel gives texels their sites as well
#if FILLS
#define WORD_PLACES 16 // more invocations, each with fewer steps
#endif
#include "exact_line.glsl"

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // by z, y, x
#else
readonly buffer Columns { uvec2 quads[]; } columns; // as exact_rows writes them
#endif
#if STEP == 0
readonly buffer Marks { uint words[]; } marks; // as exact_rows writes them
#include "exact_marks.glsl"
#endif
#if STEP != 2
readonly buffer Objects { uint counts[]; } objects; // of groups of exact_rows
#define STATUS_ACCESS writeonly
#include "status.glsl"
#endif
#if FILLS
#include "exact_picture.glsl"
#else
#if STEP == 0
// By 32 columns, 1: nowhere is an object far, and exact_fill needs no hulls.
writeonly buffer Dense { uint strips[]; } dense;
#endif
writeonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
#if WHOLE
// By line across, x: a bit for each word that has corners.
writeonly buffer Filled { uint words[]; } filled;
// As hulls: the texels from which on there is another owner.
writeonly buffer Begins { uint words[]; } begins;
writeonly buffer Firsts { uint places[]; } firsts; // as hulls: who owns the first texel
#endif
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
const int kBands = kGroup / kLines; // of kWordPlaces each, in a group
const int kPlaces = kWordPlaces * kBands;
const int kBlocks = (kBands + 31) / 32; // of 32 words
const int kRounds = 16;                 // mostly enough
const int kRow = STEP == 2 ? kLines : kLines / 2; // words a place has
// Bands that a subgroup reads at a time begin in other banks of the memory.
const int kBandPitch = kWordPlaces * kRow + (kLines < 32 ? kRow : 0);

shared uint tile[kBands * kBandPitch];
// By band or block, then by line.
shared uint hull[kGroup];
shared uint filled_of[kBlocks * kLines]; // a bit for each word that has corners
shared int last_change;                  // the round in which the last corner went
#if WHOLE
shared uint begin[kGroup];
#endif
#if FILLS
shared uint first[kGroup];                // who owns a word's first texel
shared uint owners[kPlaces / 2 * kLines]; // by two places
#endif
#if STEP != 2
shared uint total;
#endif
#if STEP == 0
shared uint marked[256]; // by window of 64 rows: its marks
shared uint sparse;
#endif

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
    return STEP == 2 ? params.size.z : params.size.y;
}

// The group's part of the lines, kNowhere behind their ends.
void load_tile() {
    int own = int(gl_LocalInvocationIndex);
    int first = int(gl_WorkGroupID.z) * kPlaces;
    int across = int(gl_WorkGroupID.y);
#if STEP == 2
    const int places_at_once = kGroup / kRow;
    int column = int(gl_WorkGroupID.x) * kRow + own % kRow;
    int begin_of = across * params.size.x + column;
    int stride = params.size.y * params.size.x; // from place to place
    int left = column < params.size.x ? line_length() - first : 0;
    for (int place = own / kRow; place < kPlaces; place += places_at_once) {
        uint found = kNowhere;
        if (place < left) found = sites.words[uint(begin_of + (first + place) * stride)];
        tile[word_of(place) * kBandPitch + bit_of(place) * kRow + own % kRow] = found;
    }
#else
    const int quads = kRow / 2;
    const int places_at_once = kGroup / quads;
    int pitch = words_of_row(params.size.x) / 2;
    int column = int(gl_WorkGroupID.x) * quads + own % quads;
    int begin_of = across * params.size.y * pitch + column;
    int left = column < pitch ? line_length() - first : 0;
    for (int place = own / quads; place < kPlaces; place += places_at_once) {
        uvec2 found = uvec2(kNowhere | kNowhere << 16);
        if (place < left) found = columns.quads[uint(begin_of + (first + place) * pitch)];
        int at = word_of(place) * kBandPitch + bit_of(place) * kRow + own % quads * 2;
        tile[at] = found.x;
        tile[at + 1] = found.y;
    }
#endif
}

// Of the place `at` words behind the tile's beginning; kNoHeight where there is no site.
int height_in(int at) {
#if STEP == 2
    uint site = tile[at + line()];
    int dx = x_offset(site);
    int dy = y_offset(site);
#else
    const int dy = 0;
    int dx = bitfieldExtract(int(tile[at + line() / 2]), line() % 2 * 16, 16);
#endif
    return dx * dx + dy * dy;
}
int height_at(int place) {
    return height_in(word_of(place) * kBandPitch + bit_of(place) * kRow);
}
ivec2 point(int place) {
    return ivec2(place, height_at(place) + place * place);
}
uint corners(int word) {
    return hull[word * kLines + line()];
}
uint filled_words(int block) {
    return filled_of[block * kLines + line()];
}
void set_corners(int word, uint bits) {
    hull[word * kLines + line()] = bits;
    if (bits == 0u) atomicAnd(filled_of[(word >> 5) * kLines + line()], ~(1u << (word & 31)));
}
#include "exact_joins.glsl"
#include "exact_trim.glsl"
#if WHOLE
void set_first(int word, int place) {
#if FILLS
    first[word * kLines + line()] = uint(place);
#else
    uint words = uint(word_of(line_length() + kWordPlaces - 1));
    firsts.places[(gl_WorkGroupID.y * words + uint(word)) * uint(params.size.x) +
                  uint(line_x())] = uint(place);
#endif
}
void add_begin(int place) {
    atomicOr(begin[word_of(place) * kLines + line()], 1u << bit_of(place));
}
#include "exact_begins.glsl"
#endif

#if STEP != 2
void write_status() {
    if (gl_LocalInvocationIndex == 0u) total = 0u;
    barrier();
    uint found = 0u;
    for (int i = int(gl_LocalInvocationIndex); i < params.counts; i += kGroup)
        found += objects.counts[i];
    if (found != 0u) atomicAdd(total, found);
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    status.objects = total;
    status.background = uint(params.size.x * params.size.y * params.size.z) - total;
    status.not_finite = 0u;
    status.passes = 0u;
    status.codes = total == 0u ? params.code_without_objects : 0u;
    status.row_passes = 0u;
}
#endif

#if STEP == 0
// Whether each window of 64 rows has several marks: the lines' texels are mostly far less than 128
// rows away from an object then.
bool has_dense_lines() {
    const uint least = 3u;
    int own = int(gl_LocalInvocationIndex);
    int strip = int(gl_WorkGroupID.x) * kLines / 32;
    int windows = params.size.y / kWindowRows;
    for (int window = own; window < windows; window += kGroup)
        marked[window] = 0u;
    if (own == 0) sparse = windows == 0 ? 1u : 0u;
    barrier();
    const int parts = 8;
    for (int item = own; item < windows * parts; item += kGroup) {
        int window = item % windows;
        uint found = 0u;
        for (int i = 0; i < kMarksOfWindow / parts; ++i) {
            int pair = window * kMarksOfWindow + item / windows * (kMarksOfWindow / parts) + i;
            found += marks.words[place_of_mark(strip / 32, pair, params.size.y)] >> (strip & 31) & 1u;
        }
        if (found != 0u) atomicAdd(marked[window], found);
    }
    barrier();
    for (int window = own; window < windows; window += kGroup)
        if (marked[window] < least) atomicOr(sparse, 1u);
    barrier();
    bool found = sparse == 0u;
#if !FILLS
    if (own == 0 && gl_WorkGroupID.z == 0u && int(gl_WorkGroupID.x) * kLines % 32 == 0)
        dense.strips[strip] = found ? 1u : 0u;
#endif
    return found;
}
#endif

#if FILLS
int words_at(int place) { // of the tile
    return word_of(place) * kBandPitch + bit_of(place) * kRow;
}
ivec2 squares_of(int pair, int row) {
    uint found = kNowhere | kNowhere << 16;
    if (row >= 0 && row < kPlaces) found = tile[words_at(row) + pair];
    ivec2 dx = ivec2(x_offset(found), int(found) >> 16);
    return dx * dx;
}
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

void owners_by_corners() {
    if (line_x() >= params.size.x || band() * kWordPlaces >= params.size.y) return;
    int s = int(first[gl_LocalInvocationIndex]);
    uint begins = begin[gl_LocalInvocationIndex] & ~1u;
    for (int i = 0; i < kWordPlaces; i += 2) {
        if ((begins >> i & 1u) != 0u) s = corner_behind(s, kBands);
        int upper = s;
        if ((begins >> i & 2u) != 0u) s = corner_behind(s, kBands);
        set_owners(band() * kWordPlaces + i, line(), upper, s);
    }
}

void store_sites() {
    int column = int(gl_LocalInvocationIndex) % kLines;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int end = x < params.size.x ? params.size.y : 0;
    for (int y = int(gl_LocalInvocationIndex) / kLines; y < end; y += kGroup / kLines) {
        int s = int(half_of(owners[y / 2 * kLines + column], y));
        if (s == kNoCorner) store_no_site(ivec2(x, y));
        else store_texel(ivec2(x, y), s, x_offset(half_of(tile[words_at(s) + column / 2], column)));
    }
}
#endif

// The places of the own band that are below the lines between their neighbours, one, two, four and
// eight places away: few others are left to take off one by one.
uint convex_places() {
    const uint none = uint(kNoHeight);
    uint found = 0u;
    int start = band() * kBandPitch;
    uint heights[kWordPlaces];
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
        heights[i] = uint(height_in(start + i * kRow));
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i) {
        uint twice = 2u * heights[i];
        bool below = heights[i] < none;
        if (i >= 1 && i + 1 < kWordPlaces) below = below && heights[i - 1] + heights[i + 1] + 2u > twice;
        if (i >= 2 && i + 2 < kWordPlaces) below = below && heights[i - 2] + heights[i + 2] + 8u > twice;
        if (i >= 4 && i + 4 < kWordPlaces) below = below && heights[i - 4] + heights[i + 4] + 32u > twice;
        if (i >= 8 && i + 8 < kWordPlaces) below = below && heights[i - 8] + heights[i + 8] + 128u > twice;
        found |= below ? 1u << i : 0u;
    }
    return found;
}

// A step adds a place or takes one off, so that neighbours that do one or the other keep together.
uint hull_of_band() {
    bool near_sites = params.size.x <= 8192;
    int start = band() * kBandPitch;
    uint left = convex_places();
    uint bits = 0u;
    // Counted from the band's first place: lines through points stay what they are.
    ivec2 below = ivec2(0);
    ivec2 top = ivec2(0);
    int s = max(findLSB(left), 0);
    ivec2 added = ivec2(s, height_in(start + s * kRow) + s * s);
    while (left != 0u) {
        uint rest = bits & ~(1u << top.x); // without the top
        bool hides = rest != 0u && (near_sites ? is_hidden_near(below, top, added) : is_hidden(below, top, added));
        if (hides) {
            bits = rest;
            top = below;
            s = findMSB(rest & ~(1u << top.x));
        } else {
            bits |= 1u << added.x;
            below = top;
            top = added;
            left &= left - 1u;
            s = findLSB(left);
        }
        s = max(s, 0);
        ivec2 read = ivec2(s, height_in(start + s * kRow) + s * s);
        if (hides) below = read;
        else added = read;
    }
    return bits;
}

// Makes the line's hull of those of its words.
void join_hulls() {
    if (gl_LocalInvocationIndex == 0u) last_change = 0;
    int rounds = 0;
    barrier();
    while (rounds < kRounds && last_change == rounds) {
        rounds += 1;
        uint remaining = trimmed(band(), kBands);
        bool changed = remaining != corners(band());
        barrier();
        if (changed) {
            set_corners(band(), remaining);
            atomicMax(last_change, rounds);
        }
        barrier();
    }
    if (last_change != rounds) return; // none are left that others hide
    for (int span = 1; span < kBands; span *= 2) {
        int low = band() * 2 * span;
        if (low < kBands) join(low, low + span, low + 2 * span);
        barrier();
    }
}

void main() {
#if STEP != 2
    if (gl_WorkGroupID == uvec3(0u)) write_status();
#endif
#if STEP == 0
    bool dense_lines = has_dense_lines(); // the same for the whole group
#if !FILLS
    if (dense_lines) return;
#endif
#endif
    load_tile();
#if WHOLE
    begin[gl_LocalInvocationIndex] = 0u;
#endif
    if (gl_LocalInvocationIndex < kBlocks * kLines) filled_of[gl_LocalInvocationIndex] = 0u;
    barrier();
#if FILLS
    if (dense_lines) {
        owners_by_search();
        barrier();
        store_sites();
        return;
    }
#endif
    uint found = hull_of_band();
    hull[gl_LocalInvocationIndex] = found;
    if (found != 0u)
        atomicOr(filled_of[(band() >> 5) * kLines + line()], 1u << (band() & 31));
    join_hulls();
    bool has_line = line_x() < params.size.x;
    int word = int(gl_WorkGroupID.z) * kBands + band();
    int words = word_of(line_length() + kWordPlaces - 1);
    int across = int(gl_WorkGroupID.y);
    uint at = uint((across * words + word) * params.size.x + line_x());
#if WHOLE
    uint owning = has_line ? find_begins(band(), kBands, line_length()) : 0u;
    barrier();
    set_corners(band(), owning);
    barrier();
#if FILLS
    owners_by_corners();
    barrier();
    store_sites();
#else
    if (!has_line || word >= words) return;
    hulls.words[at] = owning;
    begins.words[at] = begin[gl_LocalInvocationIndex];
    if (word != 0) return;
    filled.words[uint(across * params.size.x + line_x())] = filled_words(0);
#endif
#else
    if (has_line && word < words) hulls.words[at] = hull[gl_LocalInvocationIndex];
#endif
}
