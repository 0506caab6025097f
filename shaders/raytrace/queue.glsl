// Which paths a kernel works on: all slots, or those of a queue.
#include "paths.glsl"

// The index of this invocation where groups, or with PIPELINE defined rays, are folded into two
// dimensions.
uint invocation_index() {
#if PIPELINE
    return gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x;
#else
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#endif
}

layout(constant_id = 20) const uint queued = 0u; // 1: the slots are in a queue

readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint words[]; } queue_length;

// The slot that entry `i` of the queue names, or kNoPath beyond its end; `slots`: all there are.
uint slot_at(uint i, uint slots) {
    uint length = queued != 0u ? min(queue_length.words[0], slots) : slots;
    if (i >= length) return kNoPath;
    return queued != 0u ? queue.values[i] : i;
}
