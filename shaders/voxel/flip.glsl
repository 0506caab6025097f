// Flips, for each column whose middle a triangle covers, the highest voxel whose middle is below.
#include "voxel/grid.glsl"
#include "columns.glsl"

buffer Words { uint values[]; } words; // of the grid
buffer Guard { uint values[]; } guard; // bits (or words) for what is below it

layout(constant_id = 1) const uint kWinding = 0u; // 1: adds 1 or -1 instead, a word for each voxel

// Words and bits along v, for the guard: a bit (or word) for each column, below the grid.
uint guard_words(uvec3 dims) {
    return to_columns(ivec3(dims)).x + 31u >> 5u;
}

// Flips the columns `bits` of the word `word` along v at (u, a), a from -1 on.
void flip(uint u, int a, uint word, uint bits, uvec3 dims) {
    if (a < 0) {
        atomicXor(guard.values[u * guard_words(dims) + word], bits);
        return;
    }
    uint x = kAxis == 0u ? uint(a) : u;
    uint y = kAxis == 0u ? u : uint(a);
    atomicXor(words.values[row_of(dims, x, y) + word], bits);
}

// Columns along z are neighbours in x: each has a word of its own.
void flip_along_z(uint x, uint y, int a, uvec3 dims) {
    if (a < 0) atomicXor(guard.values[y * guard_words(dims) + (x >> 5u)], 1u << (x & 31u));
    else atomicXor(words.values[row_of(dims, x, y) + (uint(a) >> 5u)], 1u << (a & 31));
}

// Winding numbers change by the triangle's sense; along y only. Slice 0 is below the grid.
void wind(uint x, int y, uint z, int sense, uvec3 dims) {
    uint depth = 32u * row_words(dims);
    atomicAdd(words.values[(uint(y + 1) * dims.x + x) * depth + z], uint(sense));
}

// A unit of work are the columns of the word `word` (counted from that of `low`) at u = low + row.
// These are the ones that the bounds have in common with the word, counted from `low`.
ivec2 columns_in_word(Columns c, int word) {
    int begin = 32 * ((c.low.x >> 5) + word);
    return ivec2(max(begin, c.low.x), min(begin + 31, c.high.x)) - c.low.x;
}

// Of these the ones that the triangle covers.
ivec2 covered(Columns c, int row, int word) {
    ivec2 interval = columns_in_word(c, word);
    for (int i = 0; i < 3; ++i)
        bound(interval, c.edges[i].x, add(multiply(c.edges[i].y, row), c.bases[i]));
    return interval;
}

// The same where no edge spans more than kNarrow voxels: edge functions fit 32 bits.
const int kNarrow = 1023;

ivec2 covered_by_narrow(Columns c, int row, int word) {
    ivec2 interval = columns_in_word(c, word);
    for (int i = 0; i < 3; ++i)
        bound(interval, c.edges[i].x, c.edges[i].y * row + int(c.bases[i].x));
    return interval;
}

bool is_narrow(Columns c) {
    ivec2 most = max(abs(c.edges[0]), max(abs(c.edges[1]), abs(c.edges[2])));
    return max(most.x, most.y) <= 256 * kNarrow;
}

// Flips what is covered of a unit.
void flip_unit(Columns c, int row, int word, ivec2 interval, uvec3 dims) {
    uint length = uint(to_columns(ivec3(dims)).z);
    int first_word = c.low.x >> 5;
    uint u = uint(c.low.y + row);
    int last = 0;
    uint bits = 0u;
    for (int v = interval.x; v <= interval.y; ++v) {
        int k = highest_below(c, ivec2(v, row), int(length));
        uint column = uint(c.low.x + v);
        if (kWinding != 0u) {
            wind(u, k, column, c.sense, dims);
        } else if (kAxis == 2u) {
            flip_along_z(column, u, k, dims);
        } else {
            // Neighbours that are flipped at one height are flipped together.
            if (bits != 0u && k != last) {
                flip(u, last, uint(first_word + word), bits, dims);
                bits = 0u;
            }
            last = k;
            bits |= 1u << (column & 31u);
        }
    }
    if (bits != 0u) flip(u, last, uint(first_word + word), bits, dims);
}

uvec2 units_of(Columns c) {
    if (c.sense == 0 || any(lessThan(c.high, c.low))) return uvec2(0u);
    return uvec2(c.high.y - c.low.y + 1, (c.high.x >> 5) - (c.low.x >> 5) + 1);
}
