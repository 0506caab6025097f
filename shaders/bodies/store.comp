#version 460
// What each constraint took, by its number, for the next step.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "manifold.glsl"
#include "rows.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Ordered { uint values[]; } ordered;
readonly buffer Order { uint values[]; } order;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Manifolds { vec4 values[]; } manifolds;
readonly buffer Impulses { vec4 values[]; } impulses;
writeonly buffer Kept { vec4 values[]; } kept; // four quads a constraint

uniform Params {
    uint joint_count;
    uint all_cells;
    uint stride;
} params;

void main() {
    uint s = invocation_index();
    // What arrives together, whether or not it is there.
    uint at = min(s, params.stride - 1u);
    uint key = keys.values[at];
    uvec2 numbers = uvec2(order.values[at], ordered.values[at]);
    uint parts = heads.values[at].w;
    vec4 first = impulses.values[at];
    if (s >= tally.words[1]) return;
    bool is_live = key < params.all_cells;
    uint c = is_live ? numbers.y : numbers.x;
    uint points = is_live ? parts : 0u;
    bool is_joint = c < params.joint_count;
    uvec4 features = uvec4(0u);
    if (!is_joint)
        features = floatBitsToUint(manifolds.values[kManifoldQuads * (c - params.joint_count) + 5u]);
    for (uint k = 0u; k < kImpulseQuads; ++k) {
        bool used = is_live && (is_joint ? k < 3u : k < points);
        vec4 impulse = vec4(0.0);
        if (used) impulse = k == 0u ? first : impulses.values[k * params.stride + s];
        if (!is_joint) impulse.w = used ? uintBitsToFloat(features[k]) : 0.0;
        kept.values[kImpulseQuads * c + k] = impulse;
    }
}
