#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
// Joins what the groups of a step know.

layout(local_size_x = 256) in;

#define WIDE 0
#define FLOW 0
#include "sparse_columns.glsl"
#include "sparse_events.glsl"

readonly buffer Parts { StatusPart parts[]; } status_parts;

shared uint slowed, rested, filled, fastest;
// Of amounts, the low and the high 16 bits: so many do not overflow.
shared uint mass_low, mass_high, fading_low, fading_high;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        slowed = rested = filled = fastest = 0u;
        mass_low = mass_high = fading_low = fading_high = 0u;
    }
    uint first = group_index() * 256u, count = brick_list.count * kColumnGroups;
    if (first >= count) return;
    barrier();
    StatusPart part = StatusPart(0u, 0.0, 0u);
    uint i = invocation_index();
    if (i < count) part = status_parts.parts[i];
    bool empty = i >= count || (part.flags & kEmptyPart) != 0u;
    uint units = uint(clamp(part.mass, 0.0, 262143.0) * 16384.0);
    uint part_slowed = subgroupAdd(part.flags & 0xffffu);
    uint part_rested = subgroupAdd(part.flags >> 16 & 0x7fffu);
    uint part_filled = subgroupAdd(uint(!empty));
    uint part_fastest = subgroupMax(part.fastest);
    uint low = subgroupAdd(units & 0xffffu), high = subgroupAdd(units >> 16);
    uint low_fading = subgroupAdd(empty ? units & 0xffffu : 0u);
    uint high_fading = subgroupAdd(empty ? units >> 16 : 0u);
    if (subgroupElect()) {
        atomicAdd(slowed, part_slowed);
        atomicAdd(rested, part_rested);
        atomicAdd(filled, part_filled);
        atomicMax(fastest, part_fastest);
        atomicAdd(mass_low, low);
        atomicAdd(mass_high, high);
        atomicAdd(fading_low, low_fading);
        atomicAdd(fading_high, high_fading);
    }
    barrier();
    if (gl_LocalInvocationIndex > 0u) return;
    if (slowed > 0u) atomicAdd(status.clamped_speeds, slowed);
    if (rested > 0u) atomicAdd(status.not_finite, rested);
    if (filled > 0u) atomicAdd(status.filled, filled);
    if (fastest > 0u) atomicMax(status.fastest, fastest);
    uint all = mass_low + (mass_high << 16);
    uint above = (mass_high + (mass_low >> 16)) >> 16;
    uint before = atomicAdd(status.mass[0], all);
    above += uint(before + all < before);
    if (above > 0u) atomicAdd(status.mass[1], above);
    all = fading_low + (fading_high << 16);
    above = (fading_high + (fading_low >> 16)) >> 16;
    if ((all | above) == 0u) return;
    before = atomicAdd(status.fading[0], all);
    above += uint(before + all < before);
    if (above > 0u) atomicAdd(status.fading[1], above);
}
