#version 460
//! variants FIELD=0,1,2
// Which blocks of points the surface goes through: those with points on both sides, the layer behind
// a block included. The one pass over the whole field, and so as light as can be.

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "grid.glsl"
#include "status.glsl"

writeonly buffer BlockUsed { uint flags[]; } block_used;
writeonly buffer BlockSlots { uint slots[]; } block_slots;
buffer Status { SurfaceStatus elements[]; } surface_status;

const uint kNoSlot = 0xffffffffu;
const uint kSomeInside = 1u;
const uint kSomeOutside = 2u;
const uint kNoNumber = 4u;

shared uint has_inside; // 1: some point of the block is
shared uint has_outside;

uint side_of(ivec3 point) {
    if (any(greaterThanEqual(point, lattice()))) return 0u;
    float height = field_at(point);
    if (!is_number(height)) return kNoNumber;
    return height > 0.0 ? kSomeInside : kSomeOutside;
}

bool is_texel(ivec3 point) {
    ivec3 texel = point - params.shell;
    return all(greaterThanEqual(texel, ivec3(0))) && all(lessThan(texel, params.dims));
}

void main() {
    ivec3 block = ivec3(gl_WorkGroupID);
    ivec3 first = block * kBlock;
    if (gl_LocalInvocationIndex == 0u) {
        has_inside = 0u;
        has_outside = 0u;
    }
    barrier();
    uint has = 0u;
    uint missing = 0u;
    for (int z = 0; z < kBlock.z; ++z) {
        ivec3 point = first + column() + ivec3(0, 0, z);
        uint side = side_of(point);
        if (side == kNoNumber && is_texel(point)) ++missing;
        has |= side;
    }
    if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
    has |= side_of(first + column() + ivec3(0, 0, kBlock.z));
    // Behind it along x and y: 9 + 32 points of each of 5 layers.
    const int kBehind = kBlock.y + 1 + kBlock.x;
    int i = int(gl_LocalInvocationIndex);
    if (i < kBehind * (kBlock.z + 1)) {
        int of_layer = i % kBehind;
        ivec3 at = of_layer <= kBlock.y ? ivec3(kBlock.x, of_layer, i / kBehind)
                                        : ivec3(of_layer - kBlock.y - 1, kBlock.y, i / kBehind);
        has |= side_of(first + at);
    }
    if ((has & kSomeInside) != 0u) has_inside = 1u;
    if ((has & kSomeOutside) != 0u) has_outside = 1u;
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    uint number = block_number(block, lattice());
    block_used.flags[number] = has_inside & has_outside;
    block_slots.slots[number] = kNoSlot;
}
