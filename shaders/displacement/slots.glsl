// The slots of paths whose rays are traced, an invocation each.
#ifndef DISPLACEMENT_SLOTS
#define DISPLACEMENT_SLOTS

layout(constant_id = 46) const uint has_queue = 0u;
readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint words[]; } queue_length;

const uint kNoSlot = 0xffffffffu;

uint slot_of(uint i, uint slots) {
    if (has_queue == 0u) return i < slots ? i : kNoSlot;
    return i < min(queue_length.words[0], slots) ? queue.values[i] : kNoSlot;
}

// As in raytrace/surface.glsl.
const uint kShapeBit = 0x80000000u;
const uint kNothing = 0xffffffffu;

bool is_shape(uint number) {
    return number != kNothing && (number & kShapeBit) != 0u;
}

#endif
