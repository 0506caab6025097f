// How a picture is cut: into units (MCU) of the blocks that the file holds side by side, luma first. As
// in passes/jpeg/encode.cpp.
#ifndef JPEG_SHAPE
#define JPEG_SHAPE
layout(constant_id = 0) const uint components = 3u; // 1: grey
layout(constant_id = 1) const uint across = 2u;     // pixels that share a value of chroma
layout(constant_id = 2) const uint down = 2u;
layout(constant_id = 3) const uint restart = 0u; // units from one restart marker to the next; 0: none

const uint kLumaBlocks = across * down;
const uint kUnitBlocks = components == 1u ? 1u : kLumaBlocks + 2u;
const uint kNoBlock = 0xffffffffu;

bool is_chroma(uint block) {
    return block % kUnitBlocks >= kLumaBlocks;
}

// The block of the same component that comes before in the file, which the first coefficient is told
// against, or kNoBlock after a restart.
uint block_before(uint block) {
    uint unit = block / kUnitBlocks;
    uint part = block % kUnitBlocks;
    if (part > 0u && part < kLumaBlocks) return block - 1u;
    if (unit == 0u || (restart != 0u && unit % restart == 0u)) return kNoBlock;
    return part == 0u ? (unit - 1u) * kUnitBlocks + kLumaBlocks - 1u : block - kUnitBlocks;
}
#endif
