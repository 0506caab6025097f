// Finds the least depth of each pixel.
buffer Keys { uint words[]; } keys; // for each pixel a triangle and the bits of its depth

void store_fragment(uint pixel, uint depth, uint triangle) {
    atomicMin(keys.words[2u * pixel + 1u], depth);
}
