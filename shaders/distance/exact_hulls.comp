#version 460
// One axis of an exact Euclidean distance transform. A line of texels has a site at each place s,
// the nearest object of all that share s, at the squared distance h(s) from the line. The texel at y
// looks for the least h(s) + (y - s)^2, and of several the lowest s.
//
// With F(s) = h(s) + s^2 that is the least F(s) - 2ys, so only the corners of the lower convex hull
// of the points (s, F(s)) can win, and they win in their order. This kernel finds the hulls, one bit
// a corner. Invocations find those of bands of 32 places; then hulls side by side are joined, the
// spans doubling, by taking the corners off that lie above the common tangent. A group has a few
// lines of some length in shared memory; where lines are longer a second kernel joins what the
// groups have found. The work depends little on how many objects there are.
//! variants STEP=0,1,2 LINES=8,16,32 except 1,8

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
writeonly buffer Hulls { uint words[]; } hulls; // by line across, word, x
// By line across, x: a bit for each word that has corners, where a group has whole lines.
writeonly buffer Filled { uint words[]; } filled;

uniform Params {
    ivec3 size;
    uint whole; // 1: a group has whole lines
} params;

const int kLines = LINES; // of a group, side by side in x
const int kGroup = STEP == 2 ? 128 : 256;
const int kBands = kGroup / kLines; // of 32 places, in a group
const int kPlaces = 32 * kBands;
const int kRow = STEP == 2 ? kLines : kLines / 2; // words a place has
// Bands that a subgroup reads at a time begin in other banks of the memory.
const int kBandPitch = 32 * kRow + (kLines < 32 ? 8 : 0);

shared uint tile[kBands * kBandPitch];
shared uint hull[kGroup]; // by band, then by line

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
    const int places_at_once = kGroup / kRow;
    int own = int(gl_LocalInvocationIndex);
    int pitch = STEP == 2 ? params.size.x : words_of_row(params.size.x);
    int column = int(gl_WorkGroupID.x) * kRow + own % kRow;
    int first = int(gl_WorkGroupID.z) * kPlaces;
    int across = int(gl_WorkGroupID.y);
    int stride = STEP == 2 ? params.size.y * pitch : pitch; // from place to place
    int begin = STEP == 2 ? across * pitch : across * params.size.y * pitch;
    int left = column < pitch ? line_length() - first : 0;
    for (int place = own / kRow; place < kPlaces; place += places_at_once) {
        uint found = kNowhere | (STEP == 2 ? 0u : kNowhere << 16);
        uint at = uint(begin + (first + place) * stride + column);
#if STEP == 2
        if (place < left) found = sites.words[at];
#else
        if (place < left) found = columns.pairs[at];
#endif
        tile[(place >> 5) * kBandPitch + (place & 31) * kRow + own % kRow] = found;
    }
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
    return height_in((place >> 5) * kBandPitch + (place & 31) * kRow);
}
ivec2 point(int place) {
    return ivec2(place, height_at(place) + place * place);
}
uint corners(int word) {
    return hull[word * kLines + line()];
}
void set_corners(int word, uint bits) {
    hull[word * kLines + line()] = bits;
}
#include "exact_joins.glsl"

// The places of the own band that are below the lines between their neighbours, one and two places
// away: few others are left to take off one by one.
uint convex_places() {
    const uint none = uint(kNoHeight);
    uint found = 0u;
    int start = band() * kBandPitch;
    uint far_before = none;
    uint before = none;
    uint own = uint(height_in(start));
    uint next = uint(height_in(start + kRow));
    for (int i = 0; i < 32; ++i) {
        uint far_next = i < 30 ? uint(height_in(start + (i + 2) * kRow)) : none;
        bool below = own < none && before + next + 2u > 2u * own &&
                     far_before + far_next + 8u > 2u * own;
        found |= below ? 1u << i : 0u;
        far_before = before;
        before = own;
        own = next;
        next = far_next;
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

void main() {
    load_tile();
    barrier();
    hull[gl_LocalInvocationIndex] = hull_of_band();
    for (int span = 1; span < kBands; span *= 2) {
        barrier();
        if (band() % (2 * span) == 0) join(band(), band() + span, band() + 2 * span);
    }
    barrier();
    int word = int(gl_WorkGroupID.z) * kBands + band();
    int words = (line_length() + 31) / 32;
    if (line_x() >= params.size.x || word >= words) return;
    int across = int(gl_WorkGroupID.y);
    uint at = uint((across * words + word) * params.size.x + line_x());
    hulls.words[at] = hull[gl_LocalInvocationIndex];
    if (word % 32 != 0 || params.whole == 0u) return;
    at = uint((across * ((words + 31) / 32) + word / 32) * params.size.x + line_x());
    uint found = 0u;
    for (int i = 0; i < kBands; ++i)
        found |= corners(i) != 0u ? 1u << i : 0u;
    filled.words[at] = found;
}
