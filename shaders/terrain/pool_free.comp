#version 460
// Lists the free slots of a pool.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint capacity;
} params;

readonly buffer Free { uint words[]; } free; // 1: no leaf is there
readonly buffer Offsets { uint words[]; } offsets;
writeonly buffer List { uint slots[]; } list;

void main() {
    uint i = invocation_index();
    if (i < params.capacity && free.words[i] != 0u) list.slots[offsets.words[i]] = i;
}
