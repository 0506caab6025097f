#version 460
// Boxes of nodes with very many triangles from the bounds of their parts, a group each in turns.

layout(local_size_x = 64) in;

#include "fold.glsl"
#include "huge.glsl"

readonly buffer Counts { uint nodes; uint parts; } counts;
readonly buffer Huge { HugeNode elements[]; } huge;
readonly buffer Axes { vec4 values[]; } axes_of;
readonly buffer PartBounds { vec4 values[]; } part_bounds;

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < counts.nodes; k += gl_NumWorkGroups.x) {
        HugeNode of = huge.elements[k];
        uint count = parts_of(count_of(of.node));
        Bounds bounds = no_bounds();
        for (uint part = of.first_part + i; part < of.first_part + count; part += kMembers) {
            bounds.low = min(bounds.low, part_bounds.values[2u * part].xyz);
            bounds.high = max(bounds.high, part_bounds.values[2u * part + 1u].xyz);
        }
        bounds = fold_bounds(bounds);
        vec3 x = axes_of.values[2u * k].xyz;
        vec3 y = axes_of.values[2u * k + 1u].xyz;
        if (i == 0u) write_box(of.node, own_bounds(of.node), bounds, mat3(x, y, cross(x, y)));
    }
}
