#version 460
// Sets all voxels that triangles meet. A group sets up a few triangles; then each invocation takes a
// row of voxels of any of them at a time, so that none waits for one that has a larger triangle. A
// row's voxels are an interval: one atomic operation for each word.

layout(local_size_x = 128) in;

uniform Params {
    uvec3 dims;
    uint triangles;
    uint vertices;
    uint room; // for parts
} params;

#include "voxel/grid.glsl"
#include "triangles.glsl"
#include "overlap.glsl"
#include "narrow_overlap.glsl"
#include "large_surface.glsl"

buffer Words { uint values[]; } words;
buffer Status { uint counters[]; } status;
buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;

layout(constant_id = 3) const uint kTriangles = 8u; // of a group: 128 at most

const uint kGroup = 128u;
const uint kNumbers = 31u;
shared int kept[kNumbers][kTriangles];
shared uint ends[kTriangles]; // rows of this triangle and all before it
shared uint counters[16];

#include "count_triangles.glsl"
#include "add_parts.glsl"
#include "set_voxels.glsl"
#include "kept_rows.glsl"

// The rows that the invocation's triangle brings to the group.
uint take_triangle(uint triangle) {
    if (triangle >= params.triangles) return 0u;
    Corners corners;
    uint fate = load_triangle(triangle, params.vertices, corners);
    if (fate == kFar) {
        add_parts(triangle, parts_of_far(params.dims));
        return 0u;
    }
    if (fate != kKept) {
        atomicAdd(counters[fate], 1u);
        return 0u;
    }
    Box whole = bounds_of(corners);
    Box box = clipped(whole, params.dims);
    ivec3 origin = 256 * box.low;
    Corners local = Corners(corners.a - origin, corners.b - origin, corners.c - origin);
    // Also those outside the grid count where they are without area.
    Overlap o = overlap_of(local);
    if (is_degenerate(corners)) atomicAdd(counters[kDegenerate], 1u);
    if (is_empty(box)) return 0u;
    ivec3 size = box.high - box.low + 1;
    if (is_large(whole, size)) {
        add_parts(triangle, parts_of(size));
        return 0u;
    }
    keep(gl_LocalInvocationIndex, local, o, box);
    return uint(size.x * size.y);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    begin_counting();
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group == 0u && lane == 0u) begin_parts();
    bool takes = lane < kTriangles;
    if (takes) ends[lane] = take_triangle(group * kTriangles + lane);
    barrier();
    for (uint step = 1u; step < kTriangles; step *= 2u) {
        uint before = takes && lane >= step ? ends[lane - step] : 0u;
        barrier();
        if (takes) ends[lane] += before;
        barrier();
    }
    uint all = ends[kTriangles - 1u];
    for (uint row = lane; row < all; row += kGroup) {
        uint t = 0u; // the first triangle that ends behind the row
        for (uint step = kTriangles / 2u; step > 0u; step /= 2u)
            if (ends[t + step - 1u] <= row) t += step;
        set_row(t, row - (t == 0u ? 0u : ends[t - 1u]));
    }
    end_counting();
}
