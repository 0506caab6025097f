#version 460
// Goes through the groups in order and decodes those again that do not begin where the group before
// ended. After the rounds there is seldom one, but any stream may have as many as it has groups.

layout(local_size_x = 256) in;

#include "decode_settle.glsl"

coherent buffer States { uvec4 states[]; } states;
buffer Completed { uint words[]; } completed;

shared uint first_wrong;

bool is_wrong(uint group) {
    uint subsequence = group * kStride;
    return begins_elsewhere(subsequence, states.states[subsequence].xy,
                            states.states[subsequence - 1u].zw);
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint count = params.subsequences;
    uint groups = (count + kStride - 1u) / kStride;
    uint from = 1u;
    for (uint round = 0u; round < groups; ++round) {
        if (lane == 0u) first_wrong = groups;
        barrier();
        for (uint group = from + lane; group < groups; group += kGroup)
            if (is_wrong(group)) atomicMin(first_wrong, group);
        barrier();
        uint group = first_wrong;
        barrier();
        if (group >= groups) return;

        if (round == 0u) load_tables();
        uint subsequence = group * kStride + lane - kWarmUp;
        bool own = lane >= kWarmUp && subsequence < count;
        uint place = min(subsequence, count - 1u);
        uvec4 state = states.states[place];
        ends[lane] = uvec3(state.zw, completed.words[place]);
        uvec2 start = settle(place, own, state.xy);
        if (own) {
            states.states[subsequence] = uvec4(start, ends[lane].xy);
            completed.words[subsequence] = ends[lane].z;
        }
        memoryBarrierBuffer();
        barrier();
        from = group + 1u;
    }
}
