#version 460
// Candidates whose triangles meet, exactly. Keys sort the pairs: the first mesh's triangle, then the
// second's.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kSelf = 0u;

#include "exact.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "status.glsl"

uniform Params {
    uint room;       // for candidates
    uint pair_room;
    uint bits_b;     // of a number of the second mesh's triangles
} params;

readonly buffer LeavesA { uvec4 values[]; } leaves_a;
readonly buffer LeavesB { uvec4 values[]; } leaves_b;
readonly buffer Frame { PairFrame elements[]; } frame;
readonly buffer Candidates { uvec2 values[]; } candidates;
buffer CollisionStatus { SearchStatus elements[]; } collision_status;
writeonly buffer Keys { uvec2 values[]; } keys; // the low word first
buffer TouchedA { uint values[]; } touched_a;
buffer TouchedB { uint values[]; } touched_b;

Triangle triangle_a(uint leaf, PairFrame f) {
    Triangle t;
    for (uint i = 0u; i < 3u; ++i)
        t.corners[i] = lattice_point(f, uintBitsToFloat(leaves_a.values[3u * leaf + i].xyz));
    return t;
}

Triangle triangle_b(uint leaf, PairFrame f) {
    Triangle t;
    for (uint i = 0u; i < 3u; ++i) {
        vec3 point = uintBitsToFloat(leaves_b.values[3u * leaf + i].xyz);
        if (kSelf == 0u) point = moved(f.rows, point);
        t.corners[i] = lattice_point(f, point);
    }
    return t;
}

void main() {
    uint i = invocation_index();
    if (i >= min(collision_status.elements[0].candidates, params.room)) return;
    PairFrame f = frame.elements[0];
    uvec2 pair = candidates.values[i];
    Triangle a = triangle_a(pair.x, f);
    Triangle b = triangle_b(pair.y, f);
    if (has_no_area(a) || has_no_area(b)) return;
    if (!triangles_meet(a, b, kSelf != 0u)) return;
    uint number_a = leaves_a.values[3u * pair.x].w;
    uint number_b = leaves_b.values[3u * pair.y].w;
    if (kSelf != 0u && number_a > number_b) {
        uint swapped = number_a;
        number_a = number_b;
        number_b = swapped;
    }
    atomicAdd(touched_a.values[number_a], 1u);
    if (kSelf != 0u) atomicAdd(touched_a.values[number_b], 1u);
    else atomicAdd(touched_b.values[number_b], 1u);
    uint place = atomicAdd(collision_status.elements[0].pairs, 1u);
    if (place >= params.pair_room) return;
    uint high = params.bits_b == 0u ? 0u : number_a >> (32u - params.bits_b);
    keys.values[place] = uvec2((number_a << params.bits_b) | number_b, high);
}
