#version 460
// Collects the slots that no brick has. EVICT: and those of bricks below the cut.
//! variants EVICT=0,1

layout(local_size_x = 256) in;

#include "invocation.glsl"
#if EVICT
#include "weights.glsl"
readonly buffer Cut { uvec2 weight_and_number; } cut; // of the last claim that gets a slot
#endif

uniform Params { uint capacity; } params;

readonly buffer Owners { uint numbers[]; } owners; // by slot
buffer FreeSlots {
    uint count;
    uint slots[];
} free_slots;

void main() {
    uint slot = invocation_index();
    if (slot >= params.capacity) return;
    uint number = owners.numbers[slot];
    bool taken = number != 0xffffffffu;
#if EVICT
    taken = taken && is_chosen(number, weight_of(number), cut.weight_and_number);
#endif
    if (taken) return;
    free_slots.slots[atomicAdd(free_slots.count, 1u)] = slot;
}
