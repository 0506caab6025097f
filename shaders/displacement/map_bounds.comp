#version 460
//! variants FIRST=0,1
// The least and greatest displacements of the parts of a map at its last depth, from texels (FIRST), or
// at the one before, from up to four parts. FIRST also stores the texels, with zeros for those that are
// not finite, and counts these. The last row and column of a map that repeats are the first ones.

layout(local_size_x = 16, local_size_y = 16) in;

#include "patch.glsl"

uniform Params {
    uvec2 size; // of the depth
    uint depth;
} params;

#if FIRST
buffer Status { uint not_finite; } status; // texels
uniform sampler2D source;
writeonly buffer Stored { vec4 values[]; } stored_texels;
writeonly buffer Bounds { uvec4 values[]; } bounds;
#else
buffer Bounds { uvec4 values[]; } bounds;
#endif

vec3 least = vec3(3.4e38);
vec3 most = vec3(-3.4e38);

void add(vec3 low, vec3 high) {
    least = min(least, low);
    most = max(most, high);
}

#if FIRST
void take(uvec2 texel, bool mine) {
    uvec2 from = texel;
    if (map_wrap == kRepeatMap) from %= max(uvec2(map_width, map_height) - 1u, uvec2(1u));
    vec3 value = texelFetch(source, ivec2(from), 0).xyz;
    if (along_normal != 0u) value = vec3(value.x, 0.0, 0.0);
    bool finite = is_number(value);
    value = finite ? value : vec3(0.0);
    add(value, value);
    if (!mine) return;
    stored_texels.values[texel.y * map_width + texel.x] = vec4(value, 0.0);
    if (!finite && from == texel) atomicAdd(status.not_finite, 1u);
}

// A part has one texel between its sides at most. It stores the texels from its low sides up to the
// next part's; the last also those on its high sides.
void take_texels(uvec2 at) {
    uvec2 bits = part_bits();
    uvec2 last = uvec2(map_width, map_height) - 1u;
    uvec2 before_end = (uvec2(1u) << bits) - 1u;
    uvec2 low = at * last >> bits;
    uvec2 high = (at + 1u) * last + before_end >> bits;
    uvec2 begin = at * last + before_end >> bits;
    uvec2 end = high + uvec2(equal(at, before_end));
    for (uint y = low.y; y <= high.y; ++y)
        for (uint x = low.x; x <= high.x; ++x) {
            uvec2 texel = uvec2(x, y);
            take(texel, all(greaterThanEqual(texel, begin)) && all(lessThan(texel, end)));
        }
}
#else
void take_part(uvec2 at) {
    uvec4 part = bounds.values[part_number(at, params.depth + 1u)];
    add(least_of(part), most_of(part));
}

void take_parts(uvec2 at) {
    uvec2 more = part_bits_at(params.depth + 1u) - part_bits_at(params.depth); // 1: halved
    uvec2 from = at << more;
    take_part(from);
    take_part(from + uvec2(more.x, 0u));
    take_part(from + uvec2(0u, more.y));
    take_part(from + more);
}
#endif

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.size))) return;
#if FIRST
    take_texels(at);
#else
    take_parts(at);
#endif
    bounds.values[part_number(at, params.depth)] = packed_bounds(least, most);
}
