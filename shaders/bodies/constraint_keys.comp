#version 460
// The cell of each constraint, joints before pairs: that of a point that both bodies reach, for then two
// constraints of a body are in one cell or in neighbours. Constraints that move nothing come behind the
// last cell.

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

void main() {
    uint c = invocation_index();
    if (c >= tally.words[1]) return;
    uvec2 both;
    vec3 point = vec3(0.0);
    bool is_live = true;
    if (has_joints != 0u && c < params.joint_count) {
        both = joint_head(c).xy;
        is_live = both.x != both.y && max(both.x, both.y) < params.count;
        if (is_live) {
            uint body = moves(both.x) ? both.x : both.y;
            vec3 anchor = joint_quad(c, body == both.x ? 1u : 2u).xyz;
            point = places.values[body].xyz + rotated(turns.values[body], anchor);
            is_live = is_finite(point);
        }
    } else {
        uint p = c - params.joint_count;
        both = pairs.values[p];
        uint points = floatBitsToUint(manifolds.values[kManifoldQuads * p].w);
        is_live = points > 0u;
        for (uint k = 0u; k < points; ++k)
            point += manifolds.values[kManifoldQuads * p + 1u + k].xyz / float(points);
    }
    bool first = is_live && moves(both.x);
    bool second = is_live && moves(both.y);
    uint all = params.cells.x * params.cells.y * params.cells.z;
    uvec3 cell = uvec3(clamp(floor((point - params.origin) * params.per_unit), vec3(0.0),
                             vec3(params.cells - 1u)));
    keys.values[c] = first || second ? cell_index(cell, params.cells) : all;
    ends.values[c] = uvec2(both.x | (first ? 0u : kFixed), both.y | (second ? 0u : kFixed));
}
