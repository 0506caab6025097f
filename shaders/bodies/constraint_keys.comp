#version 460
//! variants COUNTS=0,1
// The cell of each constraint, joints before pairs: that of a point that both bodies reach, for then two
// constraints of a body are in one cell or in neighbours. Constraints that move nothing come behind the
// last cell. With COUNTS it also counts the constraints of each cell, and gives each a place among them, in any
// order.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "grid.glsl"
#include "invocation.glsl"
#include "manifold.glsl"

layout(constant_id = 0) const uint has_joints = 0u;

readonly buffer Tally { uint words[]; } tally;
readonly buffer Pairs { uvec2 values[]; } pairs;
readonly buffer Manifolds { vec4 values[]; } manifolds;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Joints { vec4 values[]; } joints;
writeonly buffer Keys { uint values[]; } keys;
#if COUNTS
buffer Counts { uint values[]; } counts; // of a cell
writeonly buffer Ranks { uint values[]; } ranks; // of a constraint among those of its cell
#endif
writeonly buffer Ends { uvec2 values[]; } ends; // bodies, with kFixed where a constraint cannot move it

uniform Params {
    uint count; // bodies
    uint joint_count;
    vec3 origin;
    vec3 per_unit;
    uvec3 cells;
} params;

#include "joint.glsl"

const uint kFixed = 0x80000000u;

bool moves(uint body) {
    return body < params.count && masses.values[2u * body].w > 0.0;
}

#if COUNTS
shared uint idle;
shared uint first_idle;

// Adds to the counts. Those that move nothing may be many, of one cell: a group adds them at once.
void count_cell(uint c, uint cell, uint all) {
    bool is_idle = cell == all;
    if (gl_LocalInvocationID.x == 0u) idle = 0u;
    barrier();
    uint rank = 0u;
    if (is_idle) {
        rank = atomicAdd(idle, 1u);
    } else if (cell < all) {
        rank = atomicAdd(counts.values[cell], 1u);
    }
    barrier();
    if (gl_LocalInvocationID.x == 0u && idle != 0u) first_idle = atomicAdd(counts.values[all], idle);
    barrier();
    if (cell <= all) ranks.values[c] = is_idle ? first_idle + rank : rank;
}
#endif

// The cell of a constraint, which is one behind the last if it moves nothing.
uint cell_of_constraint(uint c, uint all) {
    uvec2 both;
    bvec2 moving;
    vec3 point = vec3(0.0);
    bool is_live = true;
    if (has_joints != 0u && c < params.joint_count) {
        both = joint_head(c).xy;
        moving = bvec2(moves(both.x), moves(both.y));
        is_live = both.x != both.y && max(both.x, both.y) < params.count;
        if (is_live) {
            uint body = moving.x ? both.x : both.y;
            vec3 anchor = joint_quad(c, body == both.x ? 1u : 2u).xyz;
            point = places.values[body].xyz + rotated(turns.values[body], anchor);
            is_live = is_finite(point);
        }
    } else {
        uint p = c - params.joint_count;
        both = pairs.values[p];
        vec4 head = manifolds.values[kManifoldQuads * p];
        vec4 first_point = manifolds.values[kManifoldQuads * p + 1u]; // while the others arrive
        moving = bvec2(moves(both.x), moves(both.y));
        uint points = floatBitsToUint(head.w);
        is_live = points > 0u;
        for (uint k = 0u; k < points; ++k)
            point += (k == 0u ? first_point : manifolds.values[kManifoldQuads * p + 1u + k]).xyz / float(points);
    }
    bool first = is_live && moving.x;
    bool second = is_live && moving.y;
    uvec3 cell = uvec3(clamp(floor((point - params.origin) * params.per_unit), vec3(0.0),
                             vec3(params.cells - 1u)));
    ends.values[c] = uvec2(both.x | (first ? 0u : kFixed), both.y | (second ? 0u : kFixed));
    return first || second ? cell_index(cell, params.cells) : all;
}

void main() {
    uint c = invocation_index();
    uint all = params.cells.x * params.cells.y * params.cells.z;
    uint cell = all + 1u;
    if (c < tally.words[1]) {
        cell = cell_of_constraint(c, all);
        keys.values[c] = cell;
    }
#if COUNTS
    count_cell(c, cell, all);
#endif
}
