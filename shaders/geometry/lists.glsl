// Lists of fragments: `FragmentLists` in passes/geometry/compute_raster.hpp.

readonly buffer Offsets { uint words[]; } offsets;

// First and end of a pixel's fragments; none if not all of them found room among `capacity`.
uvec2 list_of(uint pixel, uint capacity) {
    uint first = offsets.words[pixel];
    uint end = offsets.words[pixel + 1u];
    return end <= capacity && first <= end ? uvec2(first, end) : uvec2(0u);
}
