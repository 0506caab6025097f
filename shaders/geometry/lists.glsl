// Lists of fragments: `FragmentLists` in passes/geometry/compute_raster.hpp. Before the include,
// declare
//
//     readonly buffer Offsets { uint words[]; } offsets;
//
// and a block `params` with `uint capacity`.

// First and end of a pixel's fragments; none if not all of them found room.
uvec2 list_of(uint pixel) {
    uint first = offsets.words[pixel];
    uint end = offsets.words[pixel + 1u];
    return end <= params.capacity && first <= end ? uvec2(first, end) : uvec2(0u);
}
