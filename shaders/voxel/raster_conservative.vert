#version 460
// Draws triangles so that every column that they touch gets a fragment: those that look most along
// the axis, as they are for a device that rasterizes conservatively, or made larger by more than
// half a voxel all around (J. Hasselgren, T. Akenine-Moeller and L. Ohlsson, "Conservative
// Rasterization", GPU Gems 2, 2005). Corners of slivers would go far away: instead of these their
// bounding boxes are drawn. Six vertices a triangle.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

#include "triangles.glsl"
#include "raster_axes.glsl"

layout(constant_id = 1) const uint kCounts = 1u;  // 0: another direction counts what is left out
layout(constant_id = 3) const uint kDilates = 1u; // 0: the device does


layout(location = 0) flat out ivec3 corner_a;
layout(location = 1) flat out ivec3 corner_b;
layout(location = 2) flat out ivec3 corner_c;

// Voxels: half of one, and what devices with four bits of sub-texel precision may move vertices by.
const float kReach = 0.5 + 0.125;
const float kSliver = 0.1; // sine of the least angle of what is no sliver

// The axis nearest to the normal; where there is none, the third.
uint main_axis(vec3 normal) {
    vec3 size = abs(normal);
    return size.z >= size.x && size.z >= size.y ? 2u : size.x >= size.y ? 0u : 1u;
}

float cross_of(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

bool is_sliver(vec2 p[3]) {
    for (int i = 0; i < 3; ++i) {
        vec2 to = p[(i + 1) % 3] - p[i];
        vec2 from = p[(i + 2) % 3] - p[i];
        float area = cross_of(to, from);
        if (!(abs(area) > kSliver * length(to) * length(from))) return true;
    }
    return false;
}

// A corner of the larger triangle: where the edges that meet in it do, once they have moved.
vec2 moved_corner(vec2 p[3], int i, float reach) {
    float sense = cross_of(p[1] - p[0], p[2] - p[0]) < 0.0 ? -1.0 : 1.0;
    vec2 into = p[i] - p[(i + 2) % 3];
    vec2 out_of = p[(i + 1) % 3] - p[i];
    vec2 n = sense * vec2(into.y, -into.x); // outwards
    vec2 m = sense * vec2(out_of.y, -out_of.x);
    float by_n = reach * (abs(n.x) + abs(n.y));
    float by_m = reach * (abs(m.x) + abs(m.y));
    // n * d = by_n and m * d = by_m
    return p[i] + vec2(by_n * m.y - by_m * n.y, n.x * by_m - m.x * by_n) / cross_of(n, m);
}

// A corner of the bounding box, of two triangles.
vec2 box_corner(vec2 p[3], uint vertex, float reach) {
    vec2 low = min(p[0], min(p[1], p[2])) - reach;
    vec2 high = max(p[0], max(p[1], p[2])) + reach;
    uint corner = vertex < 3u ? vertex : vertex - 2u;
    return vec2((corner & 1u) != 0u ? high.x : low.x, (corner & 2u) != 0u ? high.y : low.y);
}

void main() {
    uint triangle = uint(gl_VertexIndex) / 6u;
    uint vertex = uint(gl_VertexIndex) % 6u;
    bool counts = kCounts != 0u && vertex == 0u;
    corner_a = corner_b = corner_c = ivec3(0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // nothing is seen of a triangle without size
    vec3 t[3];
    uint fate = place_triangle(triangle, params.vertices, t);
    if (fate != kKept) {
        if (counts) count_triangles(fate == kFar ? kTooFar : fate, 1u);
        return;
    }
    Corners corners = Corners(ivec3(t[0]), ivec3(t[1]), ivec3(t[2]));
    if (counts && is_degenerate(corners)) atomicAdd(status.degenerate, 1u);
    vec3 normal = cross(vec3(corners.b - corners.a), vec3(corners.c - corners.a));
    if (main_axis(normal) != kAxis) return;
    corner_a = corners.a;
    corner_b = corners.b;
    corner_c = corners.c;
    // From the first corner on, which keeps small triangles exact.
    vec2 origin = vec2(to_view(corners.a).xy) / float(kFraction);
    vec2 p[3] = vec2[3](vec2(0.0), vec2(to_view(corners.b - corners.a).xy) / float(kFraction),
                        vec2(to_view(corners.c - corners.a).xy) / float(kFraction));
    float reach = kDilates != 0u ? kReach : 0.0;
    vec2 place;
    if (is_sliver(p)) place = box_corner(p, vertex, max(reach, 1.0 / 256.0));
    else if (vertex >= 3u) return;
    else place = kDilates != 0u ? moved_corner(p, int(vertex), reach) : p[vertex];
    vec2 size = vec2(to_view(ivec3(params.dims)).xy);
    gl_Position = vec4(2.0 * (origin + place) / size - 1.0, 0.5, 1.0);
}
