#ifndef VOXEL_STATUS
#define VOXEL_STATUS
// What a grid's status counts; the numbers are those of passes/voxel/voxel_grid.hpp.
const uint kVoxelsLow = 0u; // set voxels, 64 bits
const uint kVoxelsHigh = 1u;
const uint kDegenerate = 2u; // triangles without area
const uint kNonFinite = 3u;  // triangles left out: a vertex is not finite,
const uint kBadIndex = 4u;   // an index is that of no vertex,
const uint kTooFar = 5u;     // or a vertex is too far away from the grid
const uint kOpenColumns = 6u;
const uint kOverflow = 7u; // triangles that found no room in the list of parts
const uint kLarge = 8u;    // triangles that several groups share

#endif
