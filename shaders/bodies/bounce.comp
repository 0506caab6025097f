#version 460
// Impacts one after the other, before contacts are solved together: a body that is hit hits the next one. Cells and
// batches follow each other as in solve.comp.

layout(local_size_x = 64, local_size_x_id = 0) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"
#include "sets.glsl"

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
coherent buffer Motions { vec4 values[]; } motions;

uniform Params {
    uvec3 cells;
    uint set;
    uint stride;
    uint sweeps;
    float inverse_dt; // of the time in which they come together
    float threshold;
} params;

#include "apply.glsl"

// Where the points that come together are, seen from the first body's middle; w: how many.
vec4 impact_at(uint s, uint points, vec3 n, vec3 apart, Both body) {
    vec4 sum = vec4(0.0);
    for (uint k = 0u; k < points; ++k) {
        vec3 ra = row_at(2u + k, s).xyz;
        float gap = row_at(6u + k, s).w;
        float speed = dot(at_point(body.b, ra + apart) - at_point(body.a, ra), n);
        if (speed < -params.threshold && gap * params.inverse_dt + speed < 0.0) sum += vec4(ra, 1.0);
    }
    return vec4(sum.xyz / max(sum.w, 1.0), sum.w);
}

// One blow at the middle of these points, and friction within its cone: what slides is slowed, not turned.
void bounce(uint s, uvec4 head) {
    vec4 apart = row_at(1u, s); // w: restitution
    if ((head.w & kIsJoint) != 0u || apart.w <= 0.0) return;
    vec4 normal = row_at(0u, s);
    vec3 n = normal.xyz;
    Both body = both_of(head);
    vec4 impact = impact_at(s, head.w, n, apart.xyz, body);
    if (impact.w == 0.0) return;
    vec3 ra = impact.xyz;
    vec3 rb = ra + apart.xyz;
    float speed = dot(at_point(body.b, rb) - at_point(body.a, ra), n);
    float blow = -(1.0 + apart.w) * speed * effective_mass(body.ma, body.mb, ra, rb, n);
    push(body.a, body.ma, ra, -blow * n);
    push(body.b, body.mb, rb, blow * n);
    vec3 sliding = at_point(body.b, rb) - at_point(body.a, ra);
    sliding -= dot(sliding, n) * n;
    float slides = length(sliding);
    if (slides > 0.0) {
        vec3 way = sliding / slides;
        float rub = min(slides * effective_mass(body.ma, body.mb, ra, rb, way), normal.w * blow);
        push(body.a, body.ma, ra, rub * way);
        push(body.b, body.mb, rb, -rub * way);
    }
    put_velocities(head, body);
}

void main() {
    uvec3 cell = cell_of_group(group_index(), params.set, params.cells);
    if (any(greaterThanEqual(cell, params.cells))) return;
    uint index = cell_index(cell, params.cells);
    uvec2 range = ranges.values[index];
    uint batches = cell_batches.values[index];
    for (uint turn = 0u; turn < params.sweeps; ++turn) {
        uint s = range.x + gl_LocalInvocationID.x;
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y) {
                uvec4 head = heads.values[s];
                if (head.z != batch) break;
                bounce(s, head);
                s += gl_WorkGroupSize.x;
            }
            groupMemoryBarrier(); // nobody else reads them before the next dispatch
            barrier();
        }
    }
}
