// Writes the fragments of each pixel to the room that its list has.
buffer Counts { uint words[]; } counts; // fragments of each pixel that are not written yet
readonly buffer Offsets { uint words[]; } offsets;
readonly buffer Stored { uint word; } stored; // fragments that there are and that there is room for
writeonly buffer Fragments { uvec2 values[]; } fragments;

void store_fragment(uint pixel, uint depth, uint triangle) {
    uint left = atomicAdd(counts.words[pixel], 0xffffffffu);
    uint slot = offsets.words[pixel] + left - 1u;
    if (slot < stored.word) fragments.values[slot] = uvec2(triangle, depth);
}
