#version 460
// A triangle for each body whose box holds the body's: what bvh/lbvh_build sorts. Bodies that take no
// part have none that is finite.

layout(local_size_x = 256) in;

#include "bvh/box_triangle.glsl"
#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 low = boxes.values[2u * i].xyz;
    vec4 high = boxes.values[2u * i + 1u];
    // The box of a line or a point has no triangle with an area, and others are left out. A little
    // more does no harm: pairs are those of the boxes themselves.
    vec3 room = 4e-7 * max(abs(low), abs(high.xyz)) + 1e-9;
    vec3 corners[3] = box_triangle(low - room, high.xyz + room);
    bool is_there = (floatBitsToUint(high.w) & 2u) != 0u;
    if (!is_there) corners[0].x = uintBitsToFloat(0x7fc00000u);
    for (uint corner = 0u; corner < 3u; ++corner) {
        for (uint k = 0u; k < 3u; ++k)
            positions.values[9u * i + 3u * corner + k] = corners[corner][k];
        indices.values[3u * i + corner] = 3u * i + corner;
    }
}
