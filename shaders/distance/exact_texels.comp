#version 460
// Finds for the texels of lines which corner of the line's hull is the nearest: see exact_hulls.comp.
// An invocation takes some places of a line. It finds the owner of the first one by bisection, then
// from corner to corner the places from which on they own, and leaves these in shared memory. Then
// the group writes texels, each by the last corner that begins before it.
//! variants STEP=0,1,2 BAND=8,32

// STEP 0: pictures, along y; 1: volumes, along y; 2: volumes, along z. BAND: places.
layout(local_size_x = 128) in;

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
// By line across, 32 words, x: a bit for each word that has corners.
readonly buffer Filled { uint words[]; } filled;
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

const int kGroup = 128;
const int kLines = 32;
const int kBands = kGroup / kLines;
const int kPlaces = kBands * BAND;
const int kMaxBlocks = 16; // of 32 words of 32 places

shared uint filled_words[kMaxBlocks * kLines]; // by block, then line
shared uint owners[kPlaces * kLines];          // by place, then line: packed, where one begins
shared uint begins[kBands * kLines];           // by band, then line: a bit for each such place

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int band() {
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

// --- corners -------------------------------------------------------------------------------------

struct Corner {
    int s;
    uint site;
    int height; // its squared distance from the line
};
Corner corner_at(int s) {
    int x = line_x();
#if STEP == 2
    uint site = sites.words[uint((s * params.size.y + line_across()) * params.size.x + x)];
    int dx = x_offset(site);
    int dy = y_offset(site);
    return Corner(s, site, dx * dx + dy * dy);
#else
    int pitch = words_of_row(params.size.x);
    uint pair = columns.pairs[uint((line_across() * params.size.y + s) * pitch + (x >> 1))];
    uint site = half_of(pair, x);
    int dx = x_offset(site);
    return Corner(s, site, dx * dx);
#endif
}
int cost(int s, int y) {
    return corner_at(s).height + (y - s) * (y - s);
}

uint corners(int word) {
    return hulls.words[uint((line_across() * word_count() + word) * params.size.x + line_x())];
}
void load_filled(bool has_line) {
    int blocks = (word_count() + 31) / 32;
    for (int block = band(); block < blocks; block += kBands) {
        int at = (line_across() * blocks + block) * params.size.x + line_x();
        filled_words[block * kLines + line()] = has_line ? filled.words[uint(at)] : 0u;
    }
}

// The first word of `low` and those behind it that has corners; one not below `end` where there is
// none before that.
int filled_from(int low, int end) {
    int block = low >> 5;
    if (low >= end) return end;
    uint words = filled_words[block * kLines + line()] & (0xffffffffu << (low & 31));
    while (words == 0u && (block + 1) * 32 < end) {
        block += 1;
        words = filled_words[block * kLines + line()];
    }
    return words == 0u ? end : first_of(block, words);
}
// The last word before `end` that has some; -1 where there is none.
int filled_before(int end) {
    int block = end >> 5;
    uint words = (end & 31) == 0 ? 0u : filled_words[block * kLines + line()] & bits_below(end);
    while (words == 0u && block > 0) {
        block -= 1;
        words = filled_words[block * kLines + line()];
    }
    return words == 0u ? -1 : last_of(block, words);
}

// A corner that lies near y; -1 where the line has none.
int some_corner(int y) {
    int words = word_count();
    int after = filled_from(y >> 5, words);
    int before = after < words ? -1 : filled_before(words);
    if (after >= words && before < 0) return -1;
    uint bits = corners(max(after < words ? after : before, 0));
    if (after >= words) return last_of(before, bits);
    uint behind = after == y >> 5 ? bits & ~bits_below(y) : bits;
    return behind != 0u ? first_of(after, behind) : last_of(after, bits);
}

// A corner, and those behind it in its word.
struct Start {
    int s;
    uint others;
};
// The corner that owns y, or one before it in the same word. No corner farther along the line than
// `some` is distant from y can own it.
Start corner_near(int y, int some) {
    int reach = int(sqrt(float(cost(some, y)))) + 2; // more than roots of floats are wrong
    int nearest = max(y - reach, 0);
    int low = nearest >> 5;
    int end = min((y + reach >> 5) + 1, word_count());
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
    uint bits = corners(low);
    if (low == nearest >> 5) bits &= ~bits_below(nearest);
    return Start(first_of(low, bits), bits & (bits - 1u));
}

// --- owners --------------------------------------------------------------------------------------

// The first place that is nearer to `next` than to `own`, which lies before it.
int takeover(Corner own, Corner next) {
    int above = next.height + next.s * next.s - own.height - own.s * own.s;
    int below = 2 * (next.s - own.s);
    int place = int(floor(float(above) / float(below))); // one off at most where it is a place
    int left = above - place * below;
    if (left < 0) place -= 1;
    else if (left >= below) place += 1;
    return place + 1;
}

// Of the site and its place along the line.
uint packed(Corner corner) {
#if STEP == 2
    return uint(x_offset(corner.site) & 1023) | uint(y_offset(corner.site) & 1023) << 10 |
           uint(corner.s) << 20;
#else
    return (corner.site & 0xffffu) | uint(corner.s) << 16;
#endif
}

void find_owners() {
    int y = (int(gl_WorkGroupID.z) * kBands + band()) * BAND;
    int end = min(y + BAND, line_length());
    int some = y < end ? some_corner(y) : -1;
    if (some < 0) {
        begins[gl_LocalInvocationIndex] = 0u;
        return;
    }
    Start start = corner_near(y, some);
    Corner own = corner_at(start.s);
    int word = own.s >> 5;
    uint bits = start.others;
    uint found = 1u;
    int place = y;
    while (place < end) {
        int at = (band() * BAND + place - y) * kLines + line();
        owners[at] = packed(own);
        found |= 1u << (place - y);
        if (bits == 0u) {
            word = filled_from(word + 1, word_count());
            bits = word < word_count() ? corners(word) : 0u;
        }
        if (bits == 0u) break;
        Corner next = corner_at(first_of(word, bits));
        bits &= bits - 1u;
        place = max(takeover(own, next), y);
        own = next;
    }
    begins[gl_LocalInvocationIndex] = found;
}

// --- texels --------------------------------------------------------------------------------------

void store(int x, int y, bool reached, uint owner) {
#if STEP == 2
    ivec3 at = ivec3(x, line_across(), y);
    int dx = bitfieldExtract(int(owner), 0, 10);
    int dy = bitfieldExtract(int(owner), 10, 10);
    int s = int(owner >> 20);
    uint place = uint(x + dx) | uint(line_across() + dy) << 10 | uint(s) << 20;
    uint squared = uint(dx * dx + dy * dy + (y - s) * (y - s));
#else
    int dx = x_offset(owner);
    int s = int(owner >> 16);
#endif
#if STEP == 0
    ivec2 at = ivec2(x, y);
    uint place = uint(x + dx) | uint(s) << 16;
    uint squared = uint(dx * dx + (y - s) * (y - s));
#elif STEP == 1
    int at = (line_across() * params.size.y + y) * params.size.x + x;
    result.words[uint(at)] = reached ? (owner & 0xffffu) | uint(s - y) << 16 : kNowhere;
#endif
#if STEP != 1
    imageStore(field, at, uvec4(reached ? squared : kUnreached, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(reached ? place : 0xffffffffu, 0u, 0u, 0u));
#endif
}

// Subgroups of 32 write two rows of 16: images lie in memory by squares.
void write_texels() {
    int own = int(gl_LocalInvocationIndex);
    int column = (own & 15) + (own >> 5 & 1) * 16;
    int x = int(gl_WorkGroupID.x) * kLines + column;
    int first = int(gl_WorkGroupID.z) * kPlaces;
    int end = x < params.size.x ? min(kPlaces, line_length() - first) : 0;
    for (int place = (own >> 4 & 1) + (own >> 6) * 2; place < end; place += 4) {
        uint begun = begins[place / BAND * kLines + column] & ~(0xfffffffeu << (place % BAND));
        int begin = place - place % BAND + max(findMSB(begun), 0);
        store(x, first + place, begun != 0u, owners[begin * kLines + column]);
    }
}

void main() {
#if STEP != 1
    // By the last kernel, which nobody culls whose field is used: rows have counted the objects.
    if (gl_GlobalInvocationID == uvec3(0u) && status.objects == 0u)
        status.codes = params.code_without_objects;
#endif
    bool has_line = line_x() < params.size.x;
    load_filled(has_line);
    barrier();
    if (has_line) find_owners();
    barrier();
    write_texels();
}
