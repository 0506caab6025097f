#version 460
// One axis of an exact Euclidean distance transform. A line of texels has a site at each place s,
// the nearest object of all that share s, at the squared distance h(s) from the line. The texel at y
// looks for the least h(s) + (y - s)^2, and of several the lowest s.
//
// With F(s) = h(s) + s^2 that is the least F(s) - 2ys, so only the corners of the lower convex hull
// of the points (s, F(s)) can win, and they win in their order. A group takes eight lines. Each
// invocation first finds the hulls of bands of 32 places, one bit a corner in a word; then hulls
// side by side are joined, the spans doubling, by taking the corners off that lie above the common
// tangent; last, each band finds the owner of its first texel by bisection and walks from there.
// The work depends little on how many objects there are.
//
// Traffic, bytes a texel of a picture: seed 1, columns 2 written and 2 read (half sectors of them:
// up to 4), result 8; of a volume 8 more for the sites between the axes. Heights that are read more
// than once come from caches.
//
// In one kernel a group needs all of its lines for the joins, eight columns of them: half a sector of
// memory at a time. Split in two, the second kernel has no joins, and neighbours in a row are in one
// subgroup; the hulls lie in memory between, a bit a texel.
//! variants STEP=0,1,2 PHASE=0,1,2

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z.
// PHASE 0: all; 1: the hulls alone; 2: the texels by hulls that are there.
layout(local_size_x = 256) in;

#if STEP != 1 && PHASE != 1
#include "status.glsl"
#endif

#if STEP == 2
readonly buffer Sites { uint words[]; } sites; // x | y << 16, kNowhere where there is none
#else
readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
#endif
#if PHASE == 1
writeonly buffer HullsOut { uint words[]; } hulls_out; // by line across, word, x
#elif STEP == 0
uniform writeonly uimage2D field;
uniform writeonly uimage2D site_places; // x | y << 16
#elif STEP == 1
writeonly buffer Result { uint words[]; } result;
#else
uniform writeonly uimage3D field;
uniform writeonly uimage3D site_places; // x | y << 10 | z << 20
#endif
#if PHASE == 2
readonly buffer Hulls { uint words[]; } hulls; // as phase 1 writes them
#endif

uniform Params {
    ivec3 size;
    uint code_without_objects; // of the status
} params;

#if PHASE == 2
const int kLines = 32;
#else
const int kLines = 8;
#endif
const int kWorkers = 256 / kLines; // of a line
const int kMaxWords = 512; // 16,384 places
const uint kNoColumn = 0xffffu;
const uint kNowhere = 0xffffffffu;
const uint kUnreached = 0x7fffffffu; // as in passes/distance/field.hpp

#if PHASE != 2
shared uint hull[kMaxWords * kLines]; // by word, then by line
#endif

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int worker() {
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

// What lies at place s of the own line, kNowhere where the site is missing.
uint site_at(int s) {
    int x = line_x();
#if STEP == 2
    return sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
#else
    int pitch = (params.size.x + 1) / 2;
    uint pair = columns.pairs[uint((line_across() * params.size.y + s) * pitch + (x >> 1))];
    uint column = (x & 1) == 0 ? pair & 0xffffu : pair >> 16;
    return column == kNoColumn ? kNowhere : column;
#endif
}

// Its squared distance from the line.
int height_of(uint site) {
    int dx = line_x() - int(site & 0xffffu);
#if STEP == 2
    int dy = line_across() - int(site >> 16);
    return dx * dx + dy * dy;
#else
    return dx * dx;
#endif
}
int cost(int s, int y) {
    return height_of(site_at(s)) + (y - s) * (y - s);
}

// The point (s, F(s)) of a place that has a site.
ivec2 point(int s) {
    return ivec2(s, height_of(site_at(s)) + s * s);
}

// Whether b lies on or above the line from a to c. Products reach 2^44, hence two words.
bool is_hidden(ivec2 a, ivec2 b, ivec2 c) {
    int high_before, low_before, high_after, low_after;
    imulExtended(b.y - a.y, c.x - b.x, high_before, low_before);
    imulExtended(c.y - b.y, b.x - a.x, high_after, low_after);
    return high_before > high_after ||
           (high_before == high_after && uint(low_before) >= uint(low_after));
}

// --- the hull, by words --------------------------------------------------------------------------

#if PHASE != 0
uint place_of_hull(int word) {
    return uint((line_across() * word_count() + word) * params.size.x + line_x());
}
#endif
#if PHASE == 2
uint corners(int word) {
    return hulls.words[place_of_hull(word)];
}
#else
uint corners(int word) {
    return hull[word * kLines + line()];
}
void set_corners(int word, uint bits) {
    hull[word * kLines + line()] = bits;
}
#endif
int first_of(int word, uint bits) {
    return word * 32 + findLSB(bits);
}
int last_of(int word, uint bits) {
    return word * 32 + findMSB(bits);
}

// The last corner in the words from `low` up to, but without, `end`; -1 where there is none.
int last_in(int low, int end) {
    int word = end - 1;
    uint bits = word >= low ? corners(word) : 0u;
    while (bits == 0u && word > low) {
        word -= 1;
        bits = corners(word);
    }
    return bits == 0u ? -1 : last_of(word, bits);
}
// The first one of them.
int first_in(int low, int end) {
    int word = low;
    uint bits = word < end ? corners(word) : 0u;
    while (bits == 0u && word < end - 1) {
        word += 1;
        bits = corners(word);
    }
    return bits == 0u ? -1 : first_of(word, bits);
}
// The corner after s in the words before `end`.
int corner_after(int s, int end) {
    int word = s >> 5;
    uint bits = corners(word) & ~(0xffffffffu >> (31 - (s & 31)));
    return bits != 0u ? first_of(word, bits) : first_in(word + 1, end);
}

#if PHASE != 2
// The last two corners stay in registers: most places look at no others.
uint hull_of_band(int word) {
    uint bits = 0u;
    ivec2 top = ivec2(0);
    ivec2 below = ivec2(0);
    int first = word * 32;
    int count = min(32, line_length() - first);
    for (int i = 0; i < count; ++i) {
        uint site = site_at(first + i);
        if (site == kNowhere) continue;
        ivec2 added = ivec2(first + i, height_of(site) + (first + i) * (first + i));
        int corner_count = bitCount(bits);
        bool popping = corner_count > 1 && is_hidden(below, top, added);
        while (popping) {
            bits ^= 1u << findMSB(bits);
            corner_count -= 1;
            top = below;
            popping = corner_count > 1;
            if (popping) {
                below = point(first + findMSB(bits ^ (1u << findMSB(bits))));
                popping = is_hidden(below, top, added);
            }
        }
        below = top;
        top = added;
        bits |= 1u << i;
    }
    return bits;
}

// Takes corners off the end of the hull in words `low` up to that of `last` that are hidden from
// `seen`, a corner behind them, and returns the last one that stays. Along a hull those that are
// hidden are all at its end, so a word whose first corner goes is gone whole: a join takes at
// most as many steps as there are words, and 32.
int retreat(int last, int seen, int low) {
    ivec2 target = point(seen);
    bool whole = true;
    while (whole) {
        int word = last >> 5;
        uint bits = corners(word);
        int first = first_of(word, bits);
        int before = last_in(low, word);
        whole = before >= 0 && is_hidden(point(before), point(first), target);
        if (whole) {
            set_corners(word, 0u);
            last = before;
        }
    }
    int word = last >> 5;
    uint bits = corners(word);
    bool popping = true;
    while (popping && bitCount(bits) > 1) {
        uint rest = bits ^ (1u << findMSB(bits));
        popping = is_hidden(point(last_of(word, rest)), point(last_of(word, bits)), target);
        if (popping) bits = rest;
    }
    set_corners(word, bits);
    return last_of(word, bits);
}

// The same at the beginning of the hull that ends before word `end`.
int advance(int first, int seen, int end) {
    ivec2 target = point(seen);
    bool whole = true;
    while (whole) {
        int word = first >> 5;
        int last = last_of(word, corners(word));
        int after = first_in(word + 1, end);
        whole = after >= 0 && is_hidden(target, point(last), point(after));
        if (whole) {
            set_corners(word, 0u);
            first = after;
        }
    }
    int word = first >> 5;
    uint bits = corners(word);
    bool popping = true;
    while (popping && bitCount(bits) > 1) {
        uint rest = bits & (bits - 1u);
        popping = is_hidden(target, point(first_of(word, bits)), point(first_of(word, rest)));
        if (popping) bits = rest;
    }
    set_corners(word, bits);
    return first_of(word, bits);
}

// Makes one hull of those in words low to middle and middle to end.
void join(int low, int middle, int end) {
    int left = last_in(low, middle);
    int right = first_in(middle, end);
    bool moves = left >= 0 && right >= 0;
    while (moves) {
        left = retreat(left, right, low);
        int head = advance(right, left, end);
        moves = head != right; // else `left` has been looked at from here
        right = head;
    }
}

#endif

#if PHASE != 1
// --- texels --------------------------------------------------------------------------------------

// The corner that owns y, or one before it in the same word; -1 where the line has none.
int corner_near(int y) {
    int low = 0;
    int end = word_count();
    while (end - low > 1) {
        int middle = (low + end) / 2;
        int left = last_in(low, middle);
        int right = first_in(middle, end);
        bool later = right >= 0 && (left < 0 || cost(right, y) < cost(left, y));
        if (later) low = middle;
        else end = middle;
    }
    return first_in(low, end);
}

void store(int y, int s, uint site, int least) {
    uint value = s < 0 ? kUnreached : uint(least);
#if STEP == 0
    ivec2 at = ivec2(line_x(), y);
    imageStore(field, at, uvec4(value, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(s < 0 ? kNowhere : site | uint(s) << 16, 0u, 0u, 0u));
#elif STEP == 1
    int at = (line_across() * params.size.y + y) * params.size.x + line_x();
    result.words[uint(at)] = s < 0 ? kNowhere : site | uint(s) << 16;
#else
    ivec3 at = ivec3(line_x(), line_across(), y);
    uint place = (site & 0xffffu) | (site >> 16) << 10 | uint(s) << 20;
    imageStore(field, at, uvec4(value, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(s < 0 ? kNowhere : place, 0u, 0u, 0u));
#endif
}

// A corner of the hull, kept in registers while it is the nearest or the next one.
struct Corner {
    int s; // -1: none
    uint site;
    int height;
};
Corner corner_at(int s) {
    uint site = s < 0 ? kNowhere : site_at(s);
    return Corner(s, site, s < 0 ? 0 : height_of(site));
}
int cost_of(Corner corner, int y) {
    return corner.height + (y - corner.s) * (y - corner.s);
}

void color_band(int word) {
    int end = min(word * 32 + 32, line_length());
    Corner own = corner_at(corner_near(word * 32));
    Corner next = corner_at(own.s < 0 ? -1 : corner_after(own.s, word_count()));
    for (int y = word * 32; y < end; ++y) {
        int least = cost_of(own, y);
        bool walking = next.s >= 0;
        while (walking) {
            int other = cost_of(next, y);
            walking = other < least;
            if (walking) {
                own = next;
                least = other;
                next = corner_at(corner_after(own.s, word_count()));
                walking = next.s >= 0;
            }
        }
        store(y, own.s, own.site, least);
    }
}

#endif

#if PHASE != 2
// Leaves the hulls of the group's lines in shared memory, each by its word.
void make_hulls(bool has_line) {
    int words = word_count();
    for (int word = worker(); word < words; word += kWorkers)
        set_corners(word, has_line ? hull_of_band(word) : 0u);
    for (int span = 1; span < words; span *= 2) {
        barrier();
        for (int low = worker() * 2 * span; low + span < words; low += kWorkers * 2 * span)
            join(low, low + span, min(low + 2 * span, words));
    }
    barrier();
}
#endif

void main() {
#if STEP != 1 && PHASE != 1
    // By the last kernel, which nobody culls whose field is used: rows have counted the objects.
    if (gl_GlobalInvocationID == uvec3(0u) && status.objects == 0u)
        status.codes = params.code_without_objects;
#endif
    bool has_line = line_x() < params.size.x;
#if PHASE == 2
    int own = int(gl_WorkGroupID.z) * kWorkers + worker();
    if (has_line && own < word_count()) color_band(own);
#else
    make_hulls(has_line);
    if (!has_line) return;
    for (int word = worker(); word < word_count(); word += kWorkers) {
#if PHASE == 1
        hulls_out.words[place_of_hull(word)] = corners(word);
#else
        color_band(word);
#endif
    }
#endif
}
