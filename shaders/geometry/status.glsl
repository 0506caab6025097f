#ifndef GEOMETRY_STATUS
#define GEOMETRY_STATUS
// The words of the rasterizer's status: `RasterStatus` in passes/geometry/compute_raster.hpp.
const uint kNeeded = 0u;
const uint kStored = 1u;
const uint kOverflowed = 2u;
const uint kDegenerate = 3u;
const uint kNotFinite = 4u;
const uint kBadIndex = 5u;
const uint kClipped = 6u;
const uint kLarge = 7u;
const uint kUnshared = 8u;
const uint kStatusWords = 16u;

#endif
