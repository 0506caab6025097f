// The bilateral grid: cells along four axes, each with bins of the numbers' range, bins fastest.
#ifndef FILTER_BILATERAL_GRID
#define FILTER_BILATERAL_GRID
#include "indices.glsl"

struct BilateralGrid {
    uvec4 cells;
    uvec4 step; // places between cells
    uvec4 pad;  // cells before place 0
    float low;  // end of the range
    float high;
    float bin; // width
    uint bins;
};

// Compilers may take it for granted that isnan and isinf are false.
bool is_finite(float number) {
    return (floatBitsToUint(number) & 0x7f800000u) != 0x7f800000u;
}

// From 0 to bins - 2.
float bin_of(BilateralGrid grid, float number) {
    return min((clamp(number, grid.low, grid.high) - grid.low) / grid.bin, float(grid.bins - 1u));
}
#endif
