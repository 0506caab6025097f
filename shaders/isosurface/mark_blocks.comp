#version 460
// Which blocks of points the surface goes through: those with points on both sides, the layer behind
// a block included.

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "invocation.glsl"
#include "sides.glsl"

uniform Params {
    ivec3 lattice; // points
} params;

readonly buffer BlockSides { uint sides[]; } block_sides;
writeonly buffer BlockUsed { uint flags[]; } block_used;
writeonly buffer BlockSlots { uint slots[]; } block_slots;

const uint kNoSlot = 0xffffffffu;

void main() {
    uint number = invocation_index();
    ivec3 grid = block_grid(params.lattice);
    if (number >= uint(grid.x * grid.y * grid.z)) return;
    ivec3 block = block_of(number, params.lattice);
    uint has = 0u;
    for (int i = 0; i < 8; ++i) {
        ivec3 ahead = ivec3(i & 1, i >> 1 & 1, i >> 2);
        ivec3 at = block + ahead;
        if (any(greaterThanEqual(at, grid))) continue;
        uint shift = uint(ahead.x) * kFirstX + uint(ahead.y) * kFirstY + uint(ahead.z) * kFirstZ;
        has |= block_sides.sides[block_number(at, params.lattice)] >> shift;
    }
    const uint kBoth = kSomeInside | kSomeOutside;
    block_used.flags[number] = (has & kBoth) == kBoth ? 1u : 0u;
    block_slots.slots[number] = kNoSlot;
}
