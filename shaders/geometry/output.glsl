// What the fragments of a triangle come to, by the kernel's variant OUTPUT, and what takes them.

#if OUTPUT_depths
// Finds the least depth of each pixel.
buffer Keys { uint words[]; } keys; // for each pixel a triangle and the bits of its depth

void store_fragment(uint pixel, uint depth, uint triangle) {
    atomicMin(keys.words[2u * pixel + 1u], depth);
}
#elif OUTPUT_count
// Counts the fragments of each pixel.
buffer Counts { uint words[]; } counts; // one for each pixel

void store_fragment(uint pixel, uint depth, uint triangle) {
    atomicAdd(counts.words[pixel], 1u);
}
#elif OUTPUT_fill
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
#elif OUTPUT_numbers
// Finds, of the triangles that are nearest in a pixel, that of the least number.
buffer Keys { uint words[]; } keys; // for each pixel a triangle and the bits of its depth

void store_fragment(uint pixel, uint depth, uint triangle) {
    if (keys.words[2u * pixel + 1u] == depth) atomicMin(keys.words[2u * pixel], triangle);
}
#elif OUTPUT_keys
// Finds the nearest triangle of each pixel by 64-bit atomics.
buffer Keys { uint64_t values[]; } keys; // depth in the upper half, so that nearest is least

void store_fragment(uint pixel, uint depth, uint triangle) {
    uint64_t key = packUint2x32(uvec2(triangle, depth));
    atomicMin(keys.values[pixel], key);
}
#else
#error "OUTPUT is not one of these"
#endif
