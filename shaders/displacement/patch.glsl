// Displaced patches: quads whose points are moved by what a map says at their texture coordinates.
// The C++ side is passes/displacement/surface.hpp.
//
// On a grid of 2^level cells a side, points that neighbouring patches share are the same to the bit
// where their corners, normals and texture coordinates are: sums are symmetric, and nothing is
// contracted.
#ifndef DISPLACEMENT_PATCH
#define DISPLACEMENT_PATCH

// `PatchRecord`, member by member. Corners go round: a at (0, 0), b at (1, 0), c at (1, 1), d at (0, 1).
struct PatchRecord {
    vec3 a;
    float u_a;
    vec3 b;
    float u_b;
    vec3 c;
    float u_c;
    vec3 d;
    float u_d;
    vec3 normal_a; // of any length
    float v_a;
    vec3 normal_b;
    float v_b;
    vec3 normal_c;
    float v_c;
    vec3 normal_d;
    float v_d;
};

struct PatchBox {
    vec3 low;
    vec3 high;
};

readonly buffer Patches { PatchRecord elements[]; } patches;

layout(constant_id = 40) const uint along_normal = 0u; // 1: the map's first channel, along the normal

layout(constant_id = 49) const uint map_width = 1u; // texels
layout(constant_id = 50) const uint map_height = 1u;

// What the map is outside of 0 to 1, as AddressMode of tuff/node_desc.hpp. All forms are continuous: a
// map that repeats has its first row and column for the last ones, too.
layout(constant_id = 51) const uint map_wrap = 0u;
const uint kClampMap = 0u;
const uint kRepeatMap = 1u;
const uint kMirrorMap = 2u;

// The map, row by row; zeros for what is not finite. In a buffer, because GPUs fetch texels of four
// floats at a small share of the rate at which they load them.
readonly buffer Texels { vec4 values[]; } texels;

bool is_number(vec3 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec3(0x7f800000u)));
}

vec3 texel_of_map(ivec2 at) {
    return texels.values[uint(at.y) * map_width + uint(at.x)].xyz;
}

// What to subtract of coordinates for the same place of a map that goes on: `uv` comes to lie in 0 to 2.
vec2 periods_below(vec2 uv) {
    precise vec2 below = 2.0 * floor(0.5 * uv);
    return below;
}

// Where a coordinate is among texels: 0 at the first, 1 at the last, and from there to 2 where the map
// goes on.
vec2 texels_along(vec2 uv, ivec2 size) {
    if (map_wrap != kClampMap) {
        precise vec2 within = uv - periods_below(uv);
        precise vec2 beyond = clamp(within, 0.0, 2.0) * vec2(size - 1);
        return beyond;
    }
    precise vec2 at = clamp(uv, 0.0, 1.0) * vec2(size - 1);
    return at;
}

// The texel of the map that is at a place from 0 to twice the last one, and one more.
ivec2 texel_for(ivec2 at, ivec2 last) {
    if (map_wrap == kClampMap) return clamp(at, ivec2(0), last);
    if (map_wrap == kRepeatMap) return at % max(last, ivec2(1));
    ivec2 from = at % max(2 * last, ivec2(1));
    return min(from, 2 * last - from);
}

// Linear between texels. Not by a sampler, whose weights have few bits.
vec3 map_at(vec2 uv) {
    ivec2 size = ivec2(map_width, map_height);
    vec2 at = texels_along(uv, size);
    vec2 low = floor(at);
    precise vec2 w = at - low;
    precise vec2 rest = 1.0 - w;
    ivec2 last = size - 1;
    ivec2 from = texel_for(ivec2(low), last);
    // Where cells end at texels, as in maps of 2^n + 1 texels.
    if (w == vec2(0.0)) return texel_of_map(from);
    ivec2 to = texel_for(ivec2(low) + 1, last);
    precise vec3 lower = texel_of_map(from) * rest.x + texel_of_map(ivec2(to.x, from.y)) * w.x;
    precise vec3 upper = texel_of_map(ivec2(from.x, to.y)) * rest.x + texel_of_map(to) * w.x;
    precise vec3 value = lower * rest.y + upper * w.y;
    return value;
}

vec3 between(vec3 a, vec3 b, vec3 c, vec3 d, vec2 at) {
    precise vec2 rest = 1.0 - at;
    precise vec3 lower = a * rest.x + b * at.x;
    precise vec3 upper = d * rest.x + c * at.x;
    precise vec3 value = lower * rest.y + upper * at.y;
    return value;
}

vec3 base_point(PatchRecord p, vec2 at) {
    return between(p.a, p.b, p.c, p.d, at);
}

vec2 map_place(PatchRecord p, vec2 at) {
    return between(vec3(p.u_a, p.v_a, 0.0), vec3(p.u_b, p.v_b, 0.0), vec3(p.u_c, p.v_c, 0.0),
                   vec3(p.u_d, p.v_d, 0.0), at)
        .xy;
}

vec3 base_normal(PatchRecord p, vec2 at) {
    precise vec3 normal = between(p.normal_a, p.normal_b, p.normal_c, p.normal_d, at);
    precise float size = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
    if (!(size > 1e-30)) return vec3(0.0);
    precise vec3 unit = normal / sqrt(size);
    return unit;
}

// The point at `at`, each of 0 to 1, times `scale`.
vec3 displaced_point(PatchRecord p, vec2 at, float scale) {
    vec3 moved = map_at(map_place(p, at));
    if (along_normal != 0u) {
        precise vec3 along = base_normal(p, at) * moved.x;
        moved = along;
    }
    precise vec3 place = base_point(p, at) + moved * scale;
    return place;
}

// Point (i, j) of the grid of a level.
vec3 grid_point(PatchRecord p, uvec2 at, uint level, float scale) {
    return displaced_point(p, vec2(at) * uintBitsToFloat(127u - level << 23u), scale);
}

PatchBox cell_box(PatchRecord p, uvec2 cell, uint level, float scale) {
    vec3 a = grid_point(p, cell, level, scale);
    vec3 b = grid_point(p, cell + uvec2(1u, 0u), level, scale);
    vec3 c = grid_point(p, cell + 1u, level, scale);
    vec3 d = grid_point(p, cell + uvec2(0u, 1u), level, scale);
    return PatchBox(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}

// --- boxes in whole steps --------------------------------------------------------------------------
// Of a box around them, which they never reach out of by rounding.

layout(constant_id = 48) const uint bytes = 0u; // 1: 8 bits a side of a box, not 16

struct Steps {
    vec3 low;
    vec3 size; // of a step
    float most;
};

Steps steps_of(PatchBox box) {
    float most = bytes != 0u ? 255.0 : 65535.0;
    precise vec3 size = max((box.high - box.low) / (most - 1.0), vec3(1e-30));
    return Steps(box.low, size, most);
}

vec3 place_of_step(Steps steps, uvec3 step_number) {
    precise vec3 place = steps.low + vec3(step_number) * steps.size;
    return place;
}

// Never less than the box: what rounding has put too near is a step further.
uvec3 steps_below(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(floor((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = greaterThan(place_of_step(steps, number), at);
    return number - mix(uvec3(0u), min(number, uvec3(1u)), inside);
}
uvec3 steps_above(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(ceil((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = lessThan(place_of_step(steps, number), at);
    return min(number + mix(uvec3(0u), uvec3(1u), inside), uvec3(steps.most));
}

// --- bounds of the map ----------------------------------------------------------------------------
// The least and greatest displacements of the parts of a map: depth 0 is the whole map, and each depth
// halves its parts along both texture coordinates, as long as they are larger than the squares between
// four texels. All are in one buffer, depth after depth and row by row. displacement/map_bounds writes
// them.

// Parts along each side at the last depth, as powers of two.
uvec2 part_bits() {
    uvec2 size = max(uvec2(map_width, map_height), uvec2(2u));
    return uvec2(findMSB(size - 2u) + 1);
}
uint last_part_depth() {
    uvec2 bits = part_bits();
    return max(bits.x, bits.y);
}
// Parts along each side at a depth, as powers of two.
uvec2 part_bits_at(uint depth) {
    return min(uvec2(depth), part_bits());
}

uint first_part(uint depth) {
    uvec2 bits = part_bits();
    uint shortest = min(bits.x, bits.y);
    uint square = min(depth, shortest); // as long as both sides are halved
    uint squares = 0x55555555u & (1u << 2u * square) - 1u;
    return bits.x == bits.y ? squares : squares + ((1u << depth) - (1u << square) << shortest);
}
uint part_number(uvec2 at, uint depth) {
    return first_part(depth) + (at.y << part_bits_at(depth).x) + at.x;
}
// Of the part that holds a square of 2^depth squares a side.
uint part_around(uvec2 at, uint depth) {
    return part_number(at >> depth - part_bits_at(depth), depth);
}

// A part of a map that goes on, by its place in that, of which the map has 2^bits a side; `odd` is 1
// where the map is seen in the other direction.
uvec2 part_of_map(uvec2 place, uvec2 bits, out uvec2 odd) {
    uvec2 last = (uvec2(1u) << bits) - 1u;
    odd = map_wrap == kMirrorMap ? place >> bits & 1u : uvec2(0u);
    return (place & last) ^ odd * last;
}
uvec2 part_of_map(uvec2 place, uvec2 bits) {
    uvec2 odd;
    return part_of_map(place, bits, odd);
}

// The first and the last part between two coordinates of a map that goes on, of `parts` a map.
void parts_between(vec2 low_uv, vec2 high_uv, vec2 parts, out uvec2 from, out uvec2 to) {
    vec2 below = periods_below(low_uv);
    vec2 low = clamp(low_uv - below, 0.0, 2.0);
    vec2 high = clamp(high_uv - below, low, low + 2.0); // after two maps, all parts have come
    from = uvec2(low * parts);
    to = max(uvec2(ceil(high * parts)), from + 1u) - 1u;
}

// The upper halves of floats, rounded down and up.
uvec3 halves_below(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return bits + mix(uvec3(0u), uvec3(0xffffu), greaterThan(bits, uvec3(0x7fffffffu))) >> 16u;
}
uvec3 halves_above(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return bits + mix(uvec3(0xffffu), uvec3(0u), greaterThan(bits, uvec3(0x7fffffffu))) >> 16u;
}

// A word an axis: the least displacement in its low half, the greatest in its high one.
uvec4 packed_bounds(vec3 least, vec3 most) {
    return uvec4(halves_below(least) | halves_above(most) << 16u, 0u);
}
vec3 least_of(uvec4 part) {
    return uintBitsToFloat(part.xyz << 16u);
}
vec3 most_of(uvec4 part) {
    return uintBitsToFloat(part.xyz & 0xffff0000u);
}

#endif
