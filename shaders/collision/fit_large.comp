#version 460
// Boxes of nodes with many triangles, a group each; as many groups as there are take turns.

layout(local_size_x = 64) in;

#include "fold.glsl"

readonly buffer Large { uint count; uint nodes[]; } large;

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < large.count; k += gl_NumWorkGroups.x) {
        uint node = large.nodes[k];
        Range range = leaves_of(node);
        Bounds straight = own_bounds(node);
        Bounds turned = no_bounds();
        mat3 axes = mat3(1.0);
        if (kTurned != 0u) {
            vec3 origin = 0.5 * (straight.low + straight.high);
            float scale = scale_of(straight);
            Moments moments = no_moments();
            for (uint leaf = i; leaf < range.count; leaf += kMembers)
                add_moments(moments, range.first + leaf, origin, scale);
            axes = axes_for_all(fold_moments(moments));
            for (uint leaf = i; leaf < range.count; leaf += kMembers)
                add_bounds(turned, range.first + leaf, axes);
            turned = fold_bounds(turned);
        }
        if (i == 0u) write_box(node, straight, turned, axes);
    }
}
