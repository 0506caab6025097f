// Counts the fragments of each pixel.
buffer Counts { uint words[]; } counts; // one for each pixel

void store_fragment(uint pixel, uint depth, uint triangle) {
    atomicAdd(counts.words[pixel], 1u);
}
