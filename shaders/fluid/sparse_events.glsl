#ifndef FLUID_SPARSE_EVENTS
#define FLUID_SPARSE_EVENTS
// What a step of smoke reports, and what is done with numbers that cells cannot hold. After cells.glsl.

buffer Status { // SmokeStatus in passes/fluid/sparse.hpp
    uint clamped_speeds;
    uint not_finite;
    uint fastest; // bits of a float
    uint filled;
    uint mass[2]; // 2^-14 each, the low word first
    uint fading[2];
    uint evicted[2];
    uint clamped_dye;
} status;

#ifdef StoredCell
// The largest number in a cell. Of 32 bits it leaves room for sums and differences of cells.
#if HALF
const float kMostInCell = 65504.0;
#else
const float kMostInCell = 1e29;
#endif

// Whether a cell had one of these.
struct Held {
    bool lost; // not a number: is 0 now
    bool high; // too large: is the largest number now
};

// By the bits: compilers may assume that there are no NaNs.
Held hold(inout vec4 cell) {
    uvec4 bits = floatBitsToUint(cell) & 0x7fffffffu;
    if (all(lessThanEqual(bits, uvec4(floatBitsToUint(kMostInCell))))) return Held(false, false);
    bvec4 lost = greaterThan(bits, uvec4(0x7f800000u));
    bool high = any(greaterThan(mix(bits, uvec4(0u), lost), uvec4(floatBitsToUint(kMostInCell))));
    cell = mix(clamp(cell, vec4(-kMostInCell), vec4(kMostInCell)), vec4(0.0), lost);
    return Held(any(lost), high);
}

// Speeds that are too large are counted where they are held to what fluid may cross.
void hold_state(inout vec4 velocity, inout vec4 dye) {
    // Nearly always both are left as they are.
    uvec4 bits = max(floatBitsToUint(velocity) & 0x7fffffffu, floatBitsToUint(dye) & 0x7fffffffu);
    if (all(lessThanEqual(bits, uvec4(floatBitsToUint(kMostInCell))))) return;
    Held speed = hold(velocity);
    Held smoke = hold(dye);
    if (speed.lost || smoke.lost) atomicAdd(status.not_finite, 1u);
    if (smoke.high) atomicAdd(status.clamped_dye, 1u);
}
#endif

#endif
