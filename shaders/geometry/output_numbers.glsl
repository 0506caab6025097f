// Finds, of the triangles that are nearest in a pixel, that of the least number.
buffer Keys { uint words[]; } keys; // for each pixel a triangle and the bits of its depth

void store_fragment(uint pixel, uint depth, uint triangle) {
    if (keys.words[2u * pixel + 1u] == depth) atomicMin(keys.words[2u * pixel], triangle);
}
