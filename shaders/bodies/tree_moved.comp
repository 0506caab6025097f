#version 460
// How much bodies have moved since the tree of their boxes was built: how many by more than a share of
// their box, and how many have come or gone.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
readonly buffer Built { vec4 values[]; } built; // middles of the boxes then; w: 1 for those that were there
buffer Moved { uint words[]; } moved; // far; come or gone

uniform Params {
    uint count;
    float share; // of a box's longest side
} params;

shared uint far;
shared uint others;

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationID.x == 0u) {
        far = 0u;
        others = 0u;
    }
    barrier();
    if (i < params.count) {
        vec3 low = boxes.values[2u * i].xyz;
        vec4 high = boxes.values[2u * i + 1u];
        vec4 then = built.values[i];
        bool is_there = (floatBitsToUint(high.w) & 2u) != 0u;
        if (is_there != (then.w != 0.0)) atomicAdd(others, 1u);
        vec3 way = abs(0.5 * (low + high.xyz) - then.xyz);
        vec3 size = high.xyz - low;
        float longest = max(max(size.x, size.y), size.z);
        if (is_there && max(max(way.x, way.y), way.z) > params.share * longest) atomicAdd(far, 1u);
    }
    barrier();
    if (gl_LocalInvocationID.x != 0u) return;
    if (far > 0u) atomicAdd(moved.words[0], far);
    if (others > 0u) atomicAdd(moved.words[1], others);
}
