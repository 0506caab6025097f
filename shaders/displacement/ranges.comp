#version 460
// Where the pairs of each patch begin and end, among pairs sorted by patch.

layout(local_size_x = 256) in;

#include "status.glsl"
#include "invocation.glsl"

readonly buffer Status { CastStatus elements[]; } status;
readonly buffer PairPatches { uint values[]; } pair_patches;
buffer Ranges { uvec2 values[]; } ranges; // first and end; (0, 0) before

uniform Params {
    uint room;
} params;

void main() {
    uint count = min(status.elements[0].pairs, params.room);
    uint i = invocation_index();
    if (i >= count) return;
    uint patch_index = pair_patches.values[i];
    if (i == 0u || pair_patches.values[i - 1u] != patch_index) ranges.values[patch_index].x = i;
    if (i + 1u == count || pair_patches.values[i + 1u] != patch_index)
        ranges.values[patch_index].y = i + 1u;
}
