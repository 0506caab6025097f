#version 460
// What solver/residual sums, on grids of many cells along z none of which is solid or fixed:
// invocations walk along z, several cells ahead of what they add, and what couples a column's cells
// along x and y is looked up once.
//
// Traffic: 8 bytes read a cell.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

layout(constant_id = 0) const uint tile_width = 32u; // columns of a group along x; 256 / that along y

uniform Params {
#include "solver/grid_params.glsl"
    uint has_status;
    int walk; // cells of a walk
} params;

writeonly buffer PartialSums { vec4 values[]; } partial_sums;
readonly buffer Source { float values[]; } source;

#include "solver/grid.glsl"
#include "solver/group_sum.glsl"
#include "rhs.glsl"

const int kAhead = 4;

// Of a column: where its neighbours along x and y are, and what couples it to them.
struct Column {
    ivec4 beside; // from its own place: below and above along x, then along y
    vec4 weights; // of these; 0 where there is a wall
    float diagonal; // without what z adds
};

Column column_at(ivec3 cell) {
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    ivec2 stride = ivec2(1, params.cells.x);
    ivec2 around = (params.cells.xy - 1) * stride;
    bvec2 first = equal(cell.xy, ivec2(0));
    bvec2 last = equal(cell.xy, params.cells.xy - 1);
    ivec2 below = mix(-stride, around, first);
    ivec2 above = mix(stride, -around, last);
    vec2 walls = vec2(1 - params.wraps.xy);
    vec2 low_read = low.xy * (1.0 - walls * vec2(first));
    vec2 high_read = high.xy * (1.0 - walls * vec2(last));
    Column column;
    column.beside = ivec4(below.x, above.x, below.y, above.y);
    column.weights = vec4(low_read.x, high_read.x, low_read.y, high_read.y);
    column.diagonal = low.x + high.x + low.y + high.y;
    return column;
}

void main() {
    ivec2 tile = ivec2(tile_width, 256u / tile_width);
    ivec2 within = ivec2(gl_LocalInvocationID.x % tile_width, gl_LocalInvocationID.x / tile_width);
    ivec2 place = ivec2(gl_WorkGroupID.xy) * tile + within;
    bool exists = all(lessThan(place, params.cells.xy));
    place = min(place, params.cells.xy - 1);
    int begin = int(gl_WorkGroupID.z) * params.walk;
    int end = min(begin + params.walk, params.cells.z);
    int slice = params.cells.x * params.cells.y;
    int wraps = params.wraps.z;
    Column column = column_at(ivec3(place, 0));
    float shift = rhs_shift(params.has_status);

    int own = index_of(ivec3(place, begin));
    float below = source.values[begin > 0 ? own - slice : own + (params.cells.z - 1) * slice];
    float center = source.values[own];
    float sum = 0.0;
    float solution = 0.0;
    for (int first = begin; first < end; first += kAhead) {
        float above[kAhead];
        vec4 beside[kAhead];
        float right_side[kAhead];
        [[unroll]] for (int k = 0; k < kAhead; ++k) {
            int z = min(first + k, params.cells.z - 1);
            int at = index_of(ivec3(place, z));
            above[k] = source.values[z + 1 < params.cells.z ? at + slice : index_of(ivec3(place, 0))];
            beside[k] = vec4(source.values[at + column.beside.x], source.values[at + column.beside.y],
                             source.values[at + column.beside.z], source.values[at + column.beside.w]);
            right_side[k] = rhs.values[at];
        }
        [[unroll]] for (int k = 0; k < kAhead; ++k) {
            int z = first + k;
            if (z >= end) break;
            float low = low_weights(ivec3(place, z)).z;
            float high = high_weights(ivec3(place, z)).z;
            float diagonal = column.diagonal + low + high;
            if (z == 0 && wraps == 0) low = 0.0;
            if (z == params.cells.z - 1 && wraps == 0) high = 0.0;
            float neighbours = dot(column.weights, beside[k]) + low * below + high * above[k];
            float r = diagonal == 0.0 ? 0.0 : right_side[k] - shift - (diagonal * center - neighbours);
            sum += r * r;
            solution += center;
            below = center;
            center = above[k];
        }
    }
    vec4 sums = group_sum(exists ? vec4(sum, solution, 0.0, 0.0) : vec4(0.0));
    uint group = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x +
                 gl_WorkGroupID.x;
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[group] = sums;
}
