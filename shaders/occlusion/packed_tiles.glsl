// Blocks of packed.glsl that a group stores as texels of a volume: 8 along x by 32 rows, one of each
// of 256 invocations. Texels that are neighbours are stored next to each other, 16 by 2.
#ifndef OCCLUSION_PACKED_TILES
#define OCCLUSION_PACKED_TILES

#include "packed.glsl"

const int kTileBlocks = 8; // as in passes/occlusion/packed.cpp
const int kTileRows = 32;
const int kTileLanes = kTileBlocks * kTileRows;

// Which texel of the tile an invocation stores as its `turn`th, of kBlock.
ivec2 tile_texel(int lane, int turn) {
    return ivec2(lane & 15 | (lane >> 5 & 3) << 4, lane >> 4 & 1 | (lane >> 7) << 1 | turn << 2);
}

int tile_block(ivec2 texel) {
    return texel.y * kTileBlocks + texel.x / kBlock;
}

// The number of 16 bits that a store rounds to them, for it is off by much less than half a unit.
float number_of(uvec4 block, int texel) {
    uint word = block[texel % kBlock / 2];
    return float(texel % 2 == 0 ? word & 0xffffu : word >> 16u) * (1.0 / kOne);
}

#endif
