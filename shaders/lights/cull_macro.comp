#version 460
// Lists the lights that may meet what blocks of 4 x 4 tiles show, for the tiles to choose from.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels

#include "cell.glsl"
#include "view.glsl"

const uint kBlock = 4u; // tiles along a side

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Bounds { vec4 values[]; } bounds;
writeonly buffer Lists { uint values[]; } lists; // `count` a block, in no order
writeonly buffer Counts { uint values[]; } counts;

uniform Params {
    uint count; // lights
    uvec2 tiles;
    vec2 size; // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
} params;

shared uint least_bits;
shared uint greatest_bits;
shared uint found;

void main() {
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0u) {
        least_bits = floatBitsToUint(1.0);
        greatest_bits = 0u;
        found = 0u;
    }
    barrier();
    uvec2 tile = gl_WorkGroupID.xy * kBlock + uvec2(lane % kBlock, lane / kBlock);
    if (lane < kBlock * kBlock && all(lessThan(tile, params.tiles))) {
        vec4 own = bounds.values[tile.y * params.tiles.x + tile.x];
        atomicMin(least_bits, floatBitsToUint(own.x));
        atomicMax(greatest_bits, floatBitsToUint(own.w));
    }
    barrier();
    float least = uintBitsToFloat(least_bits);
    float greatest = uintBitsToFloat(greatest_bits);
    uint block = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (least < 1.0) {
        vec2 first = vec2(gl_WorkGroupID.xy * kBlock * side);
        vec2 last = min(first + float(kBlock * side), params.size) - 1.0;
        float near = distance_of(least, params.depth_terms);
        float far = distance_of(greatest, params.depth_terms);
        Cell cell = make_cell(slope_of(first, params.size, params.scale),
                              slope_of(last, params.size, params.scale),
                              near - distance_error(near), far + distance_error(far),
                              params.perspective);
        for (uint i = lane; i < params.count; i += 256u)
            if (meets(balls.values[i], cell, kBoth))
                lists.values[block * params.count + atomicAdd(found, 1u)] = i;
    }
    barrier();
    if (lane == 0u) counts.values[block] = found;
}
