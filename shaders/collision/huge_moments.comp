#version 460
// Moments of the parts of nodes with very many triangles, a group each in turns.

layout(local_size_x = 64) in;

#include "fold.glsl"
#include "huge.glsl"

readonly buffer Counts { uint nodes; uint parts; } counts;
readonly buffer Huge { HugeNode elements[]; } huge;
readonly buffer Parts { uint values[]; } parts;
writeonly buffer Sums { vec4 values[]; } part_sums; // three a part

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < counts.parts; k += gl_NumWorkGroups.x) {
        HugeNode of = huge.elements[parts.values[k]];
        Range range = leaves_of(of.node);
        Bounds straight = own_bounds(of.node);
        vec3 origin = 0.5 * (straight.low + straight.high);
        float scale = scale_of(straight);
        uint first = (k - of.first_part) * kPartLeaves;
        uint end = min(first + kPartLeaves, range.count);
        Moments moments = no_moments();
        for (uint leaf = first + i; leaf < end; leaf += kMembers)
            add_moments(moments, range.first + leaf, origin, scale);
        moments = fold_moments(moments);
        if (i == 0u) {
            part_sums.values[3u * k] = vec4(moments.first, moments.area);
            part_sums.values[3u * k + 1u] = vec4(moments.diagonal, moments.mixed.x);
            part_sums.values[3u * k + 2u] = vec4(moments.mixed.yz, 0.0, 0.0);
        }
    }
}
