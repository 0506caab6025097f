#version 460
// Joins the islands of bodies that touch or have a joint.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "manifold.glsl"

layout(constant_id = 0) const uint has_joints = 0u;

readonly buffer Tally { uint words[]; } tally;
readonly buffer Pairs { uvec2 values[]; } pairs;
readonly buffer Manifolds { vec4 values[]; } manifolds;
readonly buffer Places { vec4 values[]; } places;
readonly buffer Joints { vec4 values[]; } joints;
coherent buffer Roots { uint values[]; } roots;

uniform Params {
    uint count;
    uint joint_count;
} params;

#include "islands.glsl"
#include "joint.glsl"

void join(uint first, uint second) {
    first = root_of(first);
    second = root_of(second);
    while (first != second) {
        uint low = min(first, second);
        uint high = max(first, second);
        if (atomicCompSwap(roots.values[high], high, low) == high) return;
        first = root_of(low);
        second = root_of(high);
    }
}

void main() {
    uint c = invocation_index();
    if (c >= tally.words[1]) return;
    uvec2 both;
    if (has_joints != 0u && c < params.joint_count) {
        both = joint_head(c).xy;
        if (max(both.x, both.y) >= params.count) return;
    } else {
        uint p = c - params.joint_count;
        if (floatBitsToUint(manifolds.values[kManifoldQuads * p].w) == 0u) return;
        both = pairs.values[p];
    }
    if (places.values[both.x].w > 0.0 && places.values[both.y].w > 0.0) join(both.x, both.y);
}
