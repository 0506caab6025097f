#version 460
// Sets all voxels that triangles meet. A group sets up a triangle in each invocation; then each
// invocation takes a strip of any small one at a time: the rows of voxels along z at one x, of which
// it visits only those that the triangle covers, seen along z. What depends on x alone is found
// once for a strip, and the rest goes on from row to row by additions. Triangles that are not small
// are shared out row by row. One atomic operation for each word.

layout(local_size_x = 128) in;

uniform Params {
    uvec3 dims;
    uint triangles;
    uint vertices;
    uint room; // for parts
} params;

#include "voxel/grid.glsl"
#include "voxel/triangles.glsl"
#include "voxel/overlap.glsl"
#include "voxel/narrow_overlap.glsl"
#include "voxel/small_overlap.glsl"
#include "voxel/large_surface.glsl"

buffer Words { uint values[]; } words;
buffer Status { uint counters[]; } status;
buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;

const uint kGroup = 128u;
const uint kNumbers = 31u;
shared int kept[kNumbers][kGroup];
shared uint ends[kGroup]; // strips or rows of this triangle and all before it
shared uint counters[16];

#include "voxel/count_triangles.glsl"
#include "voxel/add_parts.glsl"
#include "voxel/set_voxels.glsl"
#include "voxel/kept_rows.glsl"

const int kIsSmall = 1 << 16; // in the word of the height

void keep_small(uint t, Corners local, SmallOverlap o, Box box) {
    keep_corners(t, local);
    for (int i = 0; i < 9; ++i) kept[kBases + uint(i)][t] = o.bases[i];
    for (int axis = 0; axis < 3; ++axis) kept[kNormal + uint(axis)][t] = o.normal[axis];
    kept[kPlane][t] = o.above;
    kept[kPlane + 1u][t] = o.below;
    keep_box(t, box);
    kept[kPlace + 2u][t] |= kIsSmall;
}

void set_strip(uint t, int x, int height) {
    ivec3 a = kept_corner(0u, t);
    ivec3 b = kept_corner(1u, t);
    ivec3 c = kept_corner(2u, t);
    ivec3 edges[3] = ivec3[3](b - a, c - b, a - c);
    ivec3 normal = ivec3(kept[kNormal][t], kept[kNormal + 1u][t], kept[kNormal + 2u][t]);
    ivec3 sense = mix(ivec3(1), ivec3(-1), lessThan(normal, ivec3(0)));
    int place = kept[kPlace][t];
    int deep = kept[kPlace + 1u][t];

    // By the projections along z and y: the rows, and what of them there is at x.
    ivec2 rows = ivec2(0, height - 1);
    ivec2 all = ivec2(0, (deep >> 16) - 1);
    for (int i = 0; i < 3; ++i) {
        ivec3 d = edges[i];
        bound(rows, divisor_of(sense.z * d.x),
              kept[kBases + uint(3 * i + 2)][t] - sense.z * d.y * x);
        bound(all, divisor_of(-sense.y * d.x),
              kept[kBases + uint(3 * i + 1)][t] + sense.y * d.z * x);
    }
    if (rows.x > rows.y || all.x > all.y) return;
    // By the projection along x and by the plane: from row to row.
    Divisor slopes[3];
    int values[3];
    int steps[3];
    for (int i = 0; i < 3; ++i) {
        slopes[i] = divisor_of(sense.x * edges[i].y);
        steps[i] = -sense.x * edges[i].z;
        values[i] = kept[kBases + uint(3 * i)][t] + steps[i] * rows.x;
    }
    Divisor up = divisor_of(normal.z);
    Divisor down = Divisor(up.size, up.inverse, -up.sense);
    int plane = normal.x * x + normal.y * rows.x;
    int above = kept[kPlane][t] + plane;
    int below = kept[kPlane + 1u][t] - plane;
    uint stride = params.dims.x * row_words(params.dims);
    uint first = row_of(params.dims, uint((place & 0xffff) + x), uint((place >> 16) + rows.x));
    for (int y = rows.x; y <= rows.y; ++y) {
        ivec2 met = all;
        bound(met, slopes[0], values[0]);
        bound(met, slopes[1], values[1]);
        bound(met, slopes[2], values[2]);
        bound(met, up, above);
        bound(met, down, below);
        if (met.x <= met.y) set_interval(first, uvec2(met + (deep & 0xffff)));
        for (int i = 0; i < 3; ++i) values[i] += steps[i];
        above += normal.y;
        below -= normal.y;
        first += stride;
    }
}

// The strips or rows that the invocation's triangle brings to the group.
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
    ivec3 size = box.high - box.low + 1;
    ivec3 origin = 256 * box.low;
    Corners local = Corners(corners.a - origin, corners.b - origin, corners.c - origin);
    if (is_small(whole) && !is_empty(box)) {
        SmallOverlap o = small_overlap_of(local);
        if (o.normal == ivec3(0)) atomicAdd(counters[kDegenerate], 1u);
        keep_small(gl_LocalInvocationIndex, local, o, box);
        return uint(size.x);
    }
    // Also those outside the grid count where they are without area.
    if (is_degenerate(corners)) atomicAdd(counters[kDegenerate], 1u);
    if (is_empty(box)) return 0u;
    if (is_large(whole, size)) {
        add_parts(triangle, parts_of(size));
        return 0u;
    }
    keep(gl_LocalInvocationIndex, local, overlap_of(local), box);
    return uint(size.x * size.y);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    begin_counting();
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group == 0u && lane == 0u) begin_parts();
    ends[lane] = take_triangle(group * kGroup + lane);
    barrier();
    for (uint step = 1u; step < kGroup; step *= 2u) {
        uint before = lane >= step ? ends[lane - step] : 0u;
        barrier();
        ends[lane] += before;
        barrier();
    }
    uint all = ends[kGroup - 1u];
    for (uint unit = lane; unit < all; unit += kGroup) {
        uint t = 0u; // the first triangle that ends behind the unit
        for (uint step = kGroup / 2u; step > 0u; step /= 2u)
            if (ends[t + step - 1u] <= unit) t += step;
        uint own = unit - (t == 0u ? 0u : ends[t - 1u]);
        int height = kept[kPlace + 2u][t];
        if ((height & kIsSmall) != 0) set_strip(t, int(own), height & 0xffff);
        else set_row(t, own);
    }
    end_counting();
}
