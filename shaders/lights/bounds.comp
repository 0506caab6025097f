#version 460
// Least and greatest depth of the surfaces of each tile, of both halves of the distances between
// them, and which of 32 slices have any.
//
// METHOD: 0 by atomics on the bits of floats, which are ordered as the numbers are from 0 on; 1 by
// a tree in shared memory; 2 by subgroups.
//! variants METHOD=0,1,2

#if METHOD == 2
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels

#include "tile.glsl"

uniform sampler2D depth;
writeonly buffer Bounds { vec4 values[]; } bounds; // least; greatest of the near half; least of the
                                                   // far one; greatest
writeonly buffer Slices { uint values[]; } slices;

uniform Params {
    vec4 depth_terms;
} params;

#if METHOD == 1
shared vec2 nodes[64];
#else
shared uint least_bits;
shared uint greatest_bits;
#endif
shared uint slice_bits;

// Of all invocations of the group, for all of them.
vec2 least_and_greatest(vec2 own) {
    uint lane = gl_LocalInvocationID.x;
#if METHOD == 1
    nodes[lane] = own;
    barrier();
    for (uint half_width = 32u; half_width > 0u; half_width >>= 1u) {
        if (lane < half_width) {
            vec2 other = nodes[lane + half_width];
            nodes[lane] = vec2(min(nodes[lane].x, other.x), max(nodes[lane].y, other.y));
        }
        barrier();
    }
    vec2 result = nodes[0];
    barrier();
#else
    if (lane == 0u) {
        least_bits = floatBitsToUint(1.0);
        greatest_bits = 0u;
    }
    barrier();
    bool speaks = true;
#if METHOD == 2
    own = vec2(subgroupMin(own.x), subgroupMax(own.y));
    speaks = subgroupElect();
#endif
    if (speaks) {
        atomicMin(least_bits, floatBitsToUint(own.x));
        atomicMax(greatest_bits, floatBitsToUint(own.y));
    }
    barrier();
    vec2 result = uintBitsToFloat(uvec2(least_bits, greatest_bits));
    barrier();
#endif
    return result;
}

// 1 where there is nothing, or nothing sensible.
float depth_at(uint i) {
    uvec2 pixel = gl_WorkGroupID.xy * side + uvec2(i % side, i / side);
    if (any(greaterThanEqual(pixel, uvec2(textureSize(depth, 0))))) return 1.0;
    float value = texelFetch(depth, ivec2(pixel), 0).x;
    return shows_something(value) ? value + 0.0 : 1.0;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint pixels = side * side;
    vec2 own = vec2(1.0, 0.0);
    for (uint i = lane; i < pixels; i += 64u) {
        float value = depth_at(i);
        if (value < 1.0) own = vec2(min(own.x, value), max(own.y, value));
    }
    vec2 all_of_it = least_and_greatest(own);
    bool empty = all_of_it.x >= 1.0;

    float near = distance_of(all_of_it.x, params.depth_terms);
    float far = distance_of(all_of_it.y, params.depth_terms);
    float middle = middle_depth(all_of_it.x, all_of_it.y, params.depth_terms);
    float slices_here = slices_a_unit(near, far);
    if (lane == 0u) slice_bits = 0u;
    barrier();
    vec2 inner = vec2(1.0, 0.0); // least beyond the middle, greatest before it
    for (uint i = lane; i < pixels; i += 64u) {
        float value = depth_at(i);
        if (value >= 1.0) continue;
        if (value > middle)
            inner.x = min(inner.x, value);
        else
            inner.y = max(inner.y, value);
        atomicOr(slice_bits,
                 1u << slice_of(distance_of(value, params.depth_terms), near, slices_here));
    }
    inner = least_and_greatest(inner);
    if (lane == 0u) {
        uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        bounds.values[tile] = empty ? vec4(1.0, 0.0, 1.0, 0.0)
                                    : vec4(all_of_it.x, inner.y, inner.x, all_of_it.y);
        slices.values[tile] = slice_bits;
    }
}
