#version 460
// Counts the places of the map that hold a brick, and those whose brick has a slot.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/map.glsl"

buffer Counts { // AuditCounts in passes/sparse/audit.cpp
    uint broken;
    uint active_places;
    uint used_places;
} counts;

shared uint active_here;
shared uint used_here;

void main() {
    if (gl_LocalInvocationID.x == 0u) {
        active_here = 0u;
        used_here = 0u;
    }
    barrier();
    uint place = invocation_index();
    uint width = kTableBits == 0u ? 1u : 2u;
    if (place < brick_map.words.length() / width) {
        uint word = brick_map.words[width * place + width - 1u];
        if (is_active(word)) atomicAdd(active_here, 1u);
        if (brick_map.words[width * place] != kNoBrick) atomicAdd(used_here, 1u);
    }
    barrier();
    if (gl_LocalInvocationID.x > 0u) return;
    if (active_here > 0u) atomicAdd(counts.active_places, active_here);
    if (used_here > 0u) atomicAdd(counts.used_places, used_here);
}
