// Finds the nearest triangle of each pixel by 64-bit atomics.
buffer Keys { uint64_t values[]; } keys; // depth in the upper half, so that nearest is least

void store_fragment(uint pixel, uint depth, uint triangle) {
    uint64_t key = packUint2x32(uvec2(triangle, depth));
    atomicMin(keys.values[pixel], key);
}
