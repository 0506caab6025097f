#version 460
// Collects the slots that no brick has.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params { uint capacity; } params;

readonly buffer Owners { uint numbers[]; } owners; // by slot
buffer FreeSlots {
    uint count;
    uint slots[];
} free_slots;

void main() {
    uint slot = invocation_index();
    if (slot >= params.capacity || owners.numbers[slot] != 0xffffffffu) return;
    free_slots.slots[atomicAdd(free_slots.count, 1u)] = slot;
}
