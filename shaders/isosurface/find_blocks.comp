#version 460
//! variants FIELD=0,1,2,3
// Which blocks of points the surface goes through: those with points on both sides, the layer behind
// a block included. The one pass over the whole field, and so as light as can be.

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "grid.glsl"
#include "status.glsl"

writeonly buffer BlockUsed { uint flags[]; } block_used;
writeonly buffer BlockSlots { uint slots[]; } block_slots;
#if FIELD != 3 // there they are cells that nobody knows
buffer Status { SurfaceStatus elements[]; } surface_status;
#endif

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

#if FIELD == 3
shared uint has_brick; // 1: some brick that the block reaches into has memory

// Ends with a barrier.
void look_for_bricks(ivec3 first) {
    if (gl_LocalInvocationIndex == 0u) has_brick = 0u;
    barrier();
    ivec3 low = clamp(first - params.shell, ivec3(0), params.dims - 1) / kSlot;
    ivec3 high = clamp(first + kBlock - params.shell, ivec3(0), params.dims - 1) / kSlot;
    ivec3 size = high - low + 1;
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y * size.z; i += int(kGroup)) {
        ivec3 step = ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
        if (base_of_brick(low + step) != kNoElement) has_brick = 1u;
    }
    barrier();
}
#endif

bool is_texel(ivec3 point) {
    ivec3 texel = point - params.shell;
    return all(greaterThanEqual(texel, ivec3(0))) && all(lessThan(texel, params.dims));
}

void leave_out(ivec3 block) {
    uint number = block_number(block, lattice());
    block_used.flags[number] = 0u;
    block_slots.slots[number] = kNoSlot;
}

void main() {
    ivec3 block = ivec3(gl_WorkGroupID);
    ivec3 first = block * kBlock;
    if (gl_LocalInvocationIndex == 0u) {
        has_inside = 0u;
        has_outside = 0u;
    }
    barrier();
#if FIELD == 3
    look_for_bricks(first);
    if (has_brick == 0u) {
        if (gl_LocalInvocationIndex == 0u) leave_out(block);
        return;
    }
#endif
    uint has = 0u;
    uint missing = 0u;
    for (int z = 0; z < kBlock.z; ++z) {
        ivec3 point = first + column() + ivec3(0, 0, z);
        uint side = side_of(point);
        if (side == kNoNumber && is_texel(point)) ++missing;
        has |= side;
    }
#if FIELD != 3
    if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
#endif
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
