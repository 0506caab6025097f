#version 460
// How many bytes lie between two restart markers, with two that keep the place of the one that follows.

layout(local_size_x = 64) in;

uniform Params {
    uint segments;
    uint blocks;
} params;

readonly buffer Offsets { uint bits[]; } offsets;
readonly buffer Total { uint bits; } total; // of all blocks
writeonly buffer Lengths { uint bytes[]; } lengths;

#include "shape.glsl"
#include "invocation.glsl"

void main() {
    uint segment = invocation_index();
    if (segment >= params.segments) return;
    uint blocks = restart * kUnitBlocks;
    bool last = segment == params.segments - 1u;
    uint end = last ? total.bits : offsets.bits[(segment + 1u) * blocks];
    uint bits = end - offsets.bits[segment * blocks];
    lengths.bytes[segment] = (bits + 7u) / 8u + (last ? 0u : 2u);
}
