#ifndef VOXEL_STATUS
#define VOXEL_STATUS
// What a grid's status counts.

buffer Status { // VoxelStatus in passes/voxel/voxel_grid.hpp
    uint voxels[2];  // that are set: 64 bits, the low ones first
    uint degenerate; // triangles without area
    uint non_finite; // triangles left out: a vertex is not finite,
    uint bad_index;  // an index is that of no vertex,
    uint too_far;    // or a vertex is too far away from the grid
    uint open_columns;
    uint overflow; // triangles that found no room in the list of parts
    uint large;    // triangles that several groups share
} status;

// Counters of triangles.
const uint kDegenerate = 0u;
const uint kNonFinite = 1u;
const uint kBadIndex = 2u;
const uint kTooFar = 3u;
const uint kOverflow = 4u;
const uint kLarge = 5u;
const uint kTriangleCounters = 6u;

void count_triangles(uint counter, uint count) {
    if (counter == kDegenerate) atomicAdd(status.degenerate, count);
    else if (counter == kNonFinite) atomicAdd(status.non_finite, count);
    else if (counter == kBadIndex) atomicAdd(status.bad_index, count);
    else if (counter == kTooFar) atomicAdd(status.too_far, count);
    else if (counter == kOverflow) atomicAdd(status.overflow, count);
    else if (counter == kLarge) atomicAdd(status.large, count);
}

void count_voxels(uint count) {
    uint low = atomicAdd(status.voxels[0], count);
    if (low + count < low) atomicAdd(status.voxels[1], 1u);
}

#endif
