#version 460
// Bounds along the axes of their node of the parts of nodes with very many triangles.

layout(local_size_x = 64) in;

#include "fold.glsl"
#include "huge.glsl"

readonly buffer Counts { uint nodes; uint parts; } counts;
readonly buffer Huge { HugeNode elements[]; } huge;
readonly buffer Parts { uint values[]; } parts;
readonly buffer Axes { vec4 values[]; } axes_of;
writeonly buffer PartBounds { vec4 values[]; } part_bounds; // two a part

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < counts.parts; k += gl_NumWorkGroups.x) {
        uint number = parts.values[k];
        HugeNode of = huge.elements[number];
        Range range = leaves_of(of.node);
        vec3 x = axes_of.values[2u * number].xyz;
        vec3 y = axes_of.values[2u * number + 1u].xyz;
        uint first = (k - of.first_part) * kPartLeaves;
        uint end = min(first + kPartLeaves, range.count);
        Bounds bounds = no_bounds();
        for (uint leaf = first + i; leaf < end; leaf += kMembers)
            add_bounds(bounds, range.first + leaf, mat3(x, y, cross(x, y)));
        bounds = fold_bounds(bounds);
        if (i < 2u) part_bounds.values[2u * k + i] = vec4(i == 0u ? bounds.low : bounds.high, 0.0);
    }
}
