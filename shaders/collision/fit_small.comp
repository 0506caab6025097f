#version 460
// Boxes of nodes with few triangles, an invocation each. Those with more are listed for fit_large.

layout(local_size_x = 64) in;

#include "fit.glsl"
#include "invocation.glsl"

uniform Params {
    uint triangle_count; // of the mesh
    uint most;           // triangles below a node that one invocation takes
} params;

readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
buffer Large { uint count; uint nodes[]; } large;

void main() {
    uint node = invocation_index();
    if (node >= params.triangle_count || node >= bvh_status.elements[0].nodes) return;
    Range range = leaves_of(node);
    if (range.count > params.most) {
        large.nodes[atomicAdd(large.count, 1u)] = node;
        return;
    }
    Bounds straight = own_bounds(node);
    vec3 origin = 0.5 * (straight.low + straight.high);
    float scale = scale_of(straight);
    Moments moments = no_moments();
    for (uint i = 0u; i < range.count && kTurned != 0u; ++i)
        add_moments(moments, range.first + i, origin, scale);
    mat3 axes = principal_axes(moments);
    Bounds turned = no_bounds();
    for (uint i = 0u; i < range.count && kTurned != 0u; ++i)
        add_bounds(turned, range.first + i, axes);
    write_box(node, straight, turned, axes);
}
