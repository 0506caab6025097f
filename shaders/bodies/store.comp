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
    if (s >= tally.words[1]) return;
    bool is_live = keys.values[s] < params.all_cells;
    uint c = is_live ? ordered.values[s] : order.values[s];
    uint points = is_live ? heads.values[s].w : 0u;
    bool is_joint = c < params.joint_count;
    uvec4 features = uvec4(0u);
    if (!is_joint)
        features = floatBitsToUint(manifolds.values[kManifoldQuads * (c - params.joint_count) + 5u]);
    for (uint k = 0u; k < kImpulseQuads; ++k) {
        bool used = is_live && (is_joint ? k < 3u : k < points);
        vec4 impulse = used ? impulses.values[k * params.stride + s] : vec4(0.0);
        if (!is_joint) impulse.w = used ? uintBitsToFloat(features[k]) : 0.0;
        kept.values[kImpulseQuads * c + k] = impulse;
    }
}
