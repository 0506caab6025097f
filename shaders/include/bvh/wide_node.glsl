// Wide nodes: up to eight children whose boxes are told in steps of a grid of the node's own
// (H. Ylitie, T. Karras and S. Laine, "Efficient Incoherent Ray Traversal on GPUs Through
// Compressed Wide BVHs", HPG 2017). Six quads: the grid's origin and the exponents of its steps;
// references of the children, two quads, kNoNode where there is none; then, a byte a child, low
// corners x, y, z and high corners x, y, z, two words each.
//
// A child is at the place that its position has along the diagonals: bit 0, 1 and 2 of the place are
// set where it is on the far side along x, y and z. Places in order of `place ^ octant` are then
// about front to back for rays whose direction is negative along the axes of `octant`.
const uint kWideChildren = 8u;
const uint kWideQuads = 6u;

// A step of the grid: a power of two.
float step_of(uint exponent) {
    return uintBitsToFloat(exponent << 23u);
}

// Where step `steps` is: the product is exact.
float place_of(float origin, uint steps, float size) {
    precise float place = origin + float(steps) * size;
    return place;
}
