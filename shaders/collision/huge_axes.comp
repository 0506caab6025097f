#version 460
// Axes of nodes with very many triangles from the moments of their parts, a group each in turns.

layout(local_size_x = 64) in;

#include "fold.glsl"
#include "huge.glsl"

readonly buffer Counts { uint nodes; uint parts; } counts;
readonly buffer Huge { HugeNode elements[]; } huge;
readonly buffer Sums { vec4 values[]; } part_sums;
writeonly buffer Axes { vec4 values[]; } axes_of; // two a node

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < counts.nodes; k += gl_NumWorkGroups.x) {
        HugeNode of = huge.elements[k];
        uint count = parts_of(count_of(of.node));
        Moments moments = no_moments();
        for (uint part = of.first_part + i; part < of.first_part + count; part += kMembers) {
            vec4 a = part_sums.values[3u * part];
            vec4 b = part_sums.values[3u * part + 1u];
            vec4 c = part_sums.values[3u * part + 2u];
            moments.area += a.w;
            moments.first += a.xyz;
            moments.diagonal += b.xyz;
            moments.mixed += vec3(b.w, c.xy);
        }
        mat3 axes = axes_for_all(fold_moments(moments));
        if (i < 2u) axes_of.values[2u * k + i] = vec4(i == 0u ? axes[0] : axes[1], 0.0);
    }
}
