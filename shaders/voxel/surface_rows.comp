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

#include "invocation.glsl"
#include "voxel/grid.glsl"
#include "triangles.glsl"
#include "overlap.glsl"

// The same as overlap.glsl for triangles no larger than kNarrow voxels: edge functions fit 32 bits.
// Many invocations read the numbers of a triangle from shared memory.

struct NarrowOverlap {
    ivec3 edges[3];
    ivec3 sense;
    int bases[9];
    uvec2 normal[3];
    uvec2 above;
    uvec2 below;
};

ivec2 met_in_row(NarrowOverlap o, ivec2 b, int depth) {
    for (int i = 0; i < 3; ++i) {
        ivec3 d = o.edges[i];
        if (o.sense.z * (d.x * b.y - d.y * b.x) + o.bases[3 * i + 2] < 0) return ivec2(0, -1);
    }
    ivec2 interval = ivec2(0, depth - 1);
    for (int i = 0; i < 3; ++i) {
        ivec3 d = o.edges[i];
        bound(interval, o.sense.x * d.y, o.bases[3 * i] - o.sense.x * d.z * b.y);
        bound(interval, -o.sense.y * d.x, o.bases[3 * i + 1] + o.sense.y * d.z * b.x);
    }
    uvec2 value = add(multiply(o.normal[0], b.x), multiply(o.normal[1], b.y));
    bound(interval, o.normal[2], add(value, o.above));
    bound(interval, negate(o.normal[2]), subtract(o.below, value));
    return interval;
}

layout(constant_id = 3) const uint kTriangles = 8u; // of a group: 128 at most

const uint kGroup = gl_WorkGroupSize.x;
const uint kNumbers = 31u;
shared int kept[kNumbers][kTriangles];
shared uint ends[kTriangles]; // rows of this triangle and all before it

#include "add_parts.glsl"
#include "set_voxels.glsl"

// Triangles whose rows of voxels the invocations of a group share out among themselves: what of each
// is kept in the shared array `kept`. After narrow_overlap.glsl and set_voxels.glsl.

// The words in which a row is kept, by what they hold.
const uint kCorners = 0u;
const uint kBases = 9u;
const uint kNormal = 18u;
const uint kPlane = 24u;
const uint kPlace = 28u;

void keep_corners(uint t, Corners local) {
    for (int axis = 0; axis < 3; ++axis) {
        kept[kCorners + uint(axis)][t] = local.a[axis];
        kept[kCorners + 3u + uint(axis)][t] = local.b[axis];
        kept[kCorners + 6u + uint(axis)][t] = local.c[axis];
    }
}

void keep_box(uint t, Box box) {
    kept[kPlace][t] = box.low.x | box.low.y << 16;
    kept[kPlace + 1u][t] = box.low.z | (box.high.z - box.low.z + 1) << 16;
    kept[kPlace + 2u][t] = box.high.y - box.low.y + 1;
}

void keep(uint t, Corners local, Overlap o, Box box) {
    keep_corners(t, local);
    for (int axis = 0; axis < 3; ++axis) {
        kept[kNormal + 2u * uint(axis)][t] = int(o.normal[axis].x);
        kept[kNormal + 2u * uint(axis) + 1u][t] = int(o.normal[axis].y);
    }
    for (int i = 0; i < 9; ++i) kept[kBases + uint(i)][t] = int(o.bases[i].x);
    kept[kPlane][t] = int(o.above.x);
    kept[kPlane + 1u][t] = int(o.above.y);
    kept[kPlane + 2u][t] = int(o.below.x);
    kept[kPlane + 3u][t] = int(o.below.y);
    keep_box(t, box);
}

ivec3 kept_corner(uint i, uint t) {
    return ivec3(kept[kCorners + 3u * i][t], kept[kCorners + 3u * i + 1u][t],
                 kept[kCorners + 3u * i + 2u][t]);
}

uvec2 kept_wide(uint i, uint t) {
    return uvec2(uint(kept[i][t]), uint(kept[i + 1u][t]));
}

NarrowOverlap kept_overlap(uint t) {
    NarrowOverlap o;
    ivec3 a = kept_corner(0u, t);
    ivec3 b = kept_corner(1u, t);
    ivec3 c = kept_corner(2u, t);
    o.edges = ivec3[3](b - a, c - b, a - c);
    for (int axis = 0; axis < 3; ++axis) {
        o.normal[axis] = kept_wide(kNormal + 2u * uint(axis), t);
        o.sense[axis] = is_negative(o.normal[axis]) ? -1 : 1;
    }
    for (int i = 0; i < 9; ++i) o.bases[i] = kept[kBases + uint(i)][t];
    o.above = kept_wide(kPlane, t);
    o.below = kept_wide(kPlane + 2u, t);
    return o;
}

void set_row(uint t, uint row) {
    int height = kept[kPlace + 2u][t];
    // Rows and heights are below 2^12: exact, but for the rounding that half a row makes harmless.
    int x = int((float(row) + 0.5) / float(height));
    int y = int(row) - x * height;
    int place = kept[kPlace][t];
    int deep = kept[kPlace + 1u][t];
    ivec2 met = met_in_row(kept_overlap(t), ivec2(x, y), deep >> 16);
    if (met.x > met.y) return;
    met += deep & 0xffff;
    uint first = row_of(params.dims, uint((place & 0xffff) + x), uint((place >> 16) + y));
    set_interval(first, uvec2(met));
}

void add_large(uint triangle, uint count) {
    add_parts(triangle, count, params.room, parts_of_far(params.dims));
}

// The rows that the invocation's triangle brings to the group.
uint take_triangle(uint triangle) {
    if (triangle >= params.triangles) return 0u;
    Corners corners;
    uint fate = load_triangle(triangle, params.vertices, corners);
    if (fate == kFar) {
        add_large(triangle, parts_of_far(params.dims));
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
        add_large(triangle, parts_of(size));
        return 0u;
    }
    keep(gl_LocalInvocationIndex, local, o, box);
    return uint(size.x * size.y);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    begin_counting();
    uint group = group_index();
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
