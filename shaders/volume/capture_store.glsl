// Writes a fragment. Include volume/capture_fragment.glsl before.

#include "fragment_lists.glsl"
#include "reflection.glsl"

buffer Counts { uint values[]; } counts; // fragments of each pixel that are not written yet
readonly buffer Heads { uint values[]; } heads;
writeonly buffer Fragments { uint words[]; } fragments;

void store_fragment(float distance, vec3 direction) {
    uint pixel = pixel_number();
    uint left = atomicAdd(counts.values[pixel], 0xffffffffu);
    uint first = heads.values[pixel];
    uint at = place_of_fragment(first, left);
    // Should more be drawn than were counted, none of them lies among its neighbour's.
    if (left - 1u >= heads.values[pixel + 1u] - first || at >= params.fragment_room) return;
    at *= kFaceWords;
    fragments.words[at] = floatBitsToUint(distance);
    fragments.words[at + 1u] = 2u * medium + (gl_FrontFacing ? 0u : 1u);
    fragments.words[at + 2u] =
        pack_shared(reflected_radiance(direction, normal, params.extinction[medium].w));
}
