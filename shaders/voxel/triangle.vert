#version 460
// Draws the triangles of meshes, seen along an axis.

// Triangles as seen along an axis of the grid, none clipped because of its depth.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

#include "triangles.glsl"
#include "raster_axes.glsl"

layout(constant_id = 1) const uint kCounts = 1u; // 0: another direction counts what is left out


layout(location = 0) noperspective out float depth; // voxels
layout(location = 1) flat out ivec2 depth_range;    // of the triangle, voxels

void main() {
    uint triangle = uint(gl_VertexIndex) / 3u;
    uint corner = uint(gl_VertexIndex) % 3u;
    vec3 t[3];
    uint fate = place_triangle(triangle, params.vertices, t);
    bool counts = kCounts != 0u && corner == 0u;
    depth = 0.0;
    depth_range = ivec2(0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // nothing is seen of a triangle without size
    if (fate != kKept && fate != kFar) {
        if (counts) count_triangles(fate, 1u);
        return;
    }
    if (counts && fate == kKept && is_degenerate(Corners(ivec3(t[0]), ivec3(t[1]), ivec3(t[2]))))
        atomicAdd(status.degenerate, 1u);
    float least = to_view(min(t[0], min(t[1], t[2]))).z;
    float most = to_view(max(t[0], max(t[1], t[2]))).z;
    vec3 place = to_view(t[corner]) / float(kFraction);
    vec2 size = vec2(to_view(ivec3(params.dims)).xy);
    depth = place.z;
    depth_range = ivec2(clamp(vec2(least, most), -kFarthest, kFarthest)) >> 8;
    gl_Position = vec4(2.0 * place.xy / size - 1.0, 0.5, 1.0);
}
