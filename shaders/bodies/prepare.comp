#version 460
// Sets up each constraint for the solvers, in their order, and looks up what it took in the step before. Copies the
// velocities, which solvers change in place, and resets what they count.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "manifold.glsl"
#include "rows.glsl"

layout(constant_id = 0) const uint has_joints = 0u;
layout(constant_id = 1) const uint has_old_pairs = 0u;
layout(constant_id = 2) const uint kBouncesApart = 0u; // not with the other constraints

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Ordered { uint values[]; } ordered;
readonly buffer OrderedBatches { uint values[]; } ordered_batches;
readonly buffer Pairs { uvec2 values[]; } pairs;
readonly buffer Manifolds { vec4 values[]; } manifolds;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Joints { vec4 values[]; } joints;
readonly buffer OldTally { uint words[]; } old_tally;
readonly buffer OldOffsets { uint values[]; } old_offsets;
readonly buffer OldPairs { uvec2 values[]; } old_pairs;
readonly buffer OldImpulses { vec4 values[]; } old_impulses; // joints, then pairs
writeonly buffer Heads { uvec4 values[]; } heads; // bodies, batch, points
writeonly buffer Rows { vec4 values[]; } rows;
writeonly buffer Impulses { vec4 values[]; } impulses;
writeonly buffer OwnMotions { vec4 values[]; } own_motions;
writeonly buffer Progress { uint words[]; } progress; // of cells: 0

uniform Params {
    uint count;
    uint joint_count;
    uint all_cells;
    uint stride;
    float inverse_dt;
    float dt;
    float correction; // share of an overlap that is mended in a step
    float slop;
    float fastest_push;
    float threshold;  // slower impacts do not bounce
    float kept;       // share of the impulses of the step before
    uint progress_words;
} params;

#include "joint.glsl"

Mass mass_at(uint body) {
    return Mass(masses.values[2u * body], masses.values[2u * body + 1u]);
}

// Of the step before: the pair's place, or ~0.
uint old_pair(uvec2 both) {
    if (has_old_pairs == 0u) return 0xffffffffu;
    uint count = old_tally.words[0];
    if (count == 0u) return 0xffffffffu;
    uint low = min(old_offsets.values[both.x], count);
    uint high = both.x + 1u < params.count ? min(old_offsets.values[both.x + 1u], count) : count;
    uint end = high;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (old_pairs.values[middle].y < both.y) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low < end && all(equal(old_pairs.values[low], both)) ? low : 0xffffffffu;
}

void put_row(uint k, uint s, vec4 value) {
    rows.values[k * params.stride + s] = value;
}

void prepare_contact(uint s, uint p, uint batch) {
    uvec2 both = pairs.values[p];
    vec4 head = manifolds.values[kManifoldQuads * p];
    vec4 first_point = manifolds.values[kManifoldQuads * p + 1u]; // while the others arrive
    uint points = floatBitsToUint(head.w);
    uvec4 features = floatBitsToUint(manifolds.values[kManifoldQuads * p + 5u]);
    vec3 n = head.xyz;
    vec3 t1;
    vec3 t2;
    across(n, t1, t2);
    Mass a = mass_at(both.x);
    Mass b = mass_at(both.y);
    vec3 place = places.values[both.x].xyz;
    vec3 apart = place - places.values[both.y].xyz;
    vec4 va = motions.values[2u * both.x];
    vec4 wa = motions.values[2u * both.x + 1u];
    vec4 vb = motions.values[2u * both.y];
    vec4 wb = motions.values[2u * both.y + 1u];
    float friction = sqrt(max(va.w * vb.w, 0.0));
    float restitution = max(wa.w, wb.w);
    put_row(0u, s, vec4(n, friction));
    put_row(1u, s, vec4(apart, restitution));
    uint old = old_pair(both);
    vec4 before[4];
    if (has_old_pairs != 0u && old != 0xffffffffu)
        for (uint k = 0u; k < kPoints; ++k)
            before[k] = old_impulses.values[kImpulseQuads * (params.joint_count + old) + k];
    for (uint k = 0u; k < points; ++k) {
        vec4 point = k == 0u ? first_point : manifolds.values[kManifoldQuads * p + 1u + k];
        vec3 ra = point.xyz - place;
        vec3 rb = ra + apart;
        float came = dot(vb.xyz + cross(wb.xyz, rb) - va.xyz - cross(wa.xyz, ra), n);
        float wanted = point.w > 0.0
                           ? point.w * params.inverse_dt
                           : max(params.correction * params.inverse_dt * min(point.w + params.slop, 0.0),
                                 -params.fastest_push);
        if (kBouncesApart == 0u && restitution > 0.0 && came < -params.threshold && came + point.w * params.inverse_dt < 0.0)
            wanted = min(wanted, restitution * came);
        put_row(2u + k, s, vec4(ra, wanted));
        // The same across both ways, so that friction is along the sliding.
        float slides = min(effective_mass(a, b, ra, rb, t1), effective_mass(a, b, ra, rb, t2));
        put_row(6u + k, s, vec4(effective_mass(a, b, ra, rb, n), slides, slides, point.w));
        vec4 impulse = vec4(0.0, 0.0, 0.0, came);
        if (has_old_pairs != 0u && old != 0xffffffffu)
            for (uint j = 0u; j < kPoints; ++j)
                if (floatBitsToUint(before[j].w) == features[k] && features[k] != 0u)
                    impulse.xyz = params.kept * before[j].xyz;
        impulses.values[k * params.stride + s] = impulse;
    }
    heads.values[s] = uvec4(both, batch, points);
}

// Rotation from a quaternion, as axis times angle, the short way.
vec3 turn_of(vec4 q) {
    if (q.w < 0.0) q = -q;
    float size = length(q.xyz);
    return size < 1e-9 ? 2.0 * q.xyz : q.xyz * (2.0 * atan(size, q.w) / size);
}

void prepare_joint(uint s, uint j, uint batch) {
    uvec4 head = joint_head(j);
    vec4 qa = turns.values[head.x];
    vec4 qb = turns.values[head.y];
    vec4 first = joint_quad(j, 1u);
    vec4 second = joint_quad(j, 2u);
    vec4 axis_a = joint_quad(j, 3u);
    vec4 axis_b = joint_quad(j, 4u);
    vec4 rest = joint_quad(j, 5u);
    vec3 ra = rotated(qa, first.xyz);
    vec3 rb = rotated(qb, second.xyz);
    vec3 apart = places.values[head.y].xyz + rb - places.values[head.x].xyz - ra;
    vec3 axis = rotated(qa, axis_a.xyz);
    // How far the second is turned from where it was at rest, in the world.
    vec4 wanted = product(qa, rest);
    vec3 turn = turn_of(product(qb, vec4(-wanted.xyz, wanted.w)));
    float along = head.z == kHinge ? dot(turn, axis) : dot(apart, axis);
    vec3 wrong = turn;
    if (head.z == kHinge) wrong = cross(axis, rotated(qb, axis_b.xyz));
    put_row(0u, s, vec4(ra, uintBitsToFloat(head.z)));
    put_row(1u, s, vec4(rb, uintBitsToFloat(head.w)));
    put_row(2u, s, vec4(apart, along));
    put_row(3u, s, vec4(axis, axis_a.w));
    put_row(4u, s, vec4(wrong, axis_b.w * params.dt));
    put_row(5u, s, vec4(first.w, second.w, 0.0, 0.0));
    for (uint k = 0u; k < 3u; ++k) {
        vec4 impulse = vec4(0.0);
        if (has_old_pairs != 0u && old_tally.words[1] != 0u)
            impulse = params.kept * old_impulses.values[kImpulseQuads * j + k];
        impulses.values[k * params.stride + s] = impulse;
    }
    heads.values[s] = uvec4(head.xy, batch, kIsJoint);
}

void main() {
    uint s = invocation_index();
    // What arrives together, and while velocities are copied.
    uint at = min(s, params.stride - 1u);
    uint count = tally.words[1];
    uint key = keys.values[at];
    uint c = ordered.values[at];
    uint batch = ordered_batches.values[at];
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
    for (uint i = s; i < 2u * params.count; i += stride)
        own_motions.values[i] = motions.values[i];
    for (uint i = s; i < params.progress_words; i += stride)
        progress.words[i] = 0u;
    if (s >= count || key >= params.all_cells) return;
    if (has_joints != 0u && c < params.joint_count) {
        prepare_joint(s, c, batch);
    } else {
        prepare_contact(s, c - params.joint_count, batch);
    }
}
