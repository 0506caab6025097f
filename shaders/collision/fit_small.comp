#version 460
// Boxes of nodes with few triangles, an invocation each. Those with more are listed for fit_large, and
// those with very many for huge_moments, with their parts.

layout(local_size_x = 64) in;

#include "fit.glsl"
#include "huge.glsl"
#include "invocation.glsl"

uniform Params {
    uint triangle_count; // of the mesh
    uint most;           // triangles below a node that one invocation takes
    uint most_large;     // and that one group does
} params;

readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
buffer Large { uint count; uint nodes[]; } large;
buffer Counts { uint nodes; uint parts; } counts;
writeonly buffer Huge { HugeNode elements[]; } huge;
writeonly buffer Parts { uint values[]; } parts;

void list_huge(uint node, uint leaves) {
    uint number = atomicAdd(counts.nodes, 1u);
    uint count = parts_of(leaves);
    uint first = atomicAdd(counts.parts, count);
    huge.elements[number] = HugeNode(node, first);
    for (uint i = 0u; i < count; ++i) parts.values[first + i] = number;
}

void main() {
    uint node = invocation_index();
    if (node >= params.triangle_count || node >= bvh_status.elements[0].nodes) return;
    Range range = leaves_of(node);
    if (range.count > params.most_large) {
        list_huge(node, range.count);
        return;
    }
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
