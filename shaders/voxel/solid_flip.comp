#version 460
// The first phase of solid voxelization: triangles flip the highest voxel below them. A group sets
// up a triangle in each invocation; then each takes the columns of a word, of any of them.

layout(local_size_x = 128) in;

uniform Params {
    uvec3 dims;
    uint triangles;
    uint vertices;
    uint room; // for parts
} params;

#include "invocation.glsl"
#include "triangles.glsl"
#include "columns.glsl"

const uint kGroup = gl_WorkGroupSize.x;
const uint kNumbers = 21u;
shared int kept[kNumbers][kGroup];
shared uint ends[kGroup]; // units of this triangle and all before it

#include "add_parts.glsl"
#include "flip.glsl"

void keep(uint t, Columns c, uvec2 units) {
    for (uint i = 0u; i < 3u; ++i) {
        kept[2u * i][t] = c.edges[i].x;
        kept[2u * i + 1u][t] = c.edges[i].y;
        kept[6u + i][t] = int(c.bases[i].x);
        kept[9u + 2u * i][t] = int(c.slope[i].x);
        kept[10u + 2u * i][t] = int(c.slope[i].y);
    }
    kept[15][t] = int(c.height.x);
    kept[16][t] = int(c.height.y);
    kept[17][t] = c.low.x | c.low.y << 16;
    kept[18][t] = c.high.x | c.high.y << 16;
    kept[19][t] = c.sense;
    kept[20][t] = int(units.y);
}

Columns kept_columns(uint t) {
    Columns c;
    for (uint i = 0u; i < 3u; ++i) {
        c.edges[i] = ivec2(kept[2u * i][t], kept[2u * i + 1u][t]);
        c.bases[i] = wide(kept[6u + i][t]);
        c.slope[i] = uvec2(ivec2(kept[9u + 2u * i][t], kept[10u + 2u * i][t]));
    }
    c.height = uvec2(ivec2(kept[15][t], kept[16][t]));
    c.low = ivec2(kept[17][t] & 0xffff, kept[17][t] >> 16);
    c.high = ivec2(kept[18][t] & 0xffff, kept[18][t] >> 16);
    c.sense = kept[19][t];
    return c;
}

void add_large(uint triangle, uint count) {
    add_parts(triangle, count, params.room, parts_of_far(params.dims));
}

// The units that the invocation's triangle brings to the group.
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
    if (is_degenerate(corners)) atomicAdd(counters[kDegenerate], 1u);
    Columns c = columns_of(
        ivec3[3](to_columns(corners.a), to_columns(corners.b), to_columns(corners.c)), params.dims);
    uvec2 units = units_of(c);
    if (units.x * units.y == 0u) return 0u;
    if (is_large(units) || !is_narrow(c)) {
        add_large(triangle, parts_of(units));
        return 0u;
    }
    keep(gl_LocalInvocationIndex, c, units);
    return units.x * units.y;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    begin_counting();
    uint triangle = invocation_index();
    if (triangle == 0u) begin_parts();
    ends[lane] = take_triangle(triangle);
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
        uint width = uint(kept[20][t]);
        Columns c = kept_columns(t);
        int row = int(own / width);
        int word = int(own % width);
        flip_unit(c, row, word, covered_by_narrow(c, row, word), params.dims);
    }
    end_counting();
}
