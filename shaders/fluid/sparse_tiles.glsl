#ifndef FLUID_SPARSE_TILES
#define FLUID_SPARSE_TILES
// For kernels whose groups work on tiles of active bricks, so that they can share the cells around a
// tile. A tile has up to kTileX x kTileY x kTileZ cells of one brick. Include it below the layout that
// declares the size of a group.
#include "sparse/walk.glsl"

// kSparseTile in passes/sparse/store.hpp
const int kTileX = kBrickX < 32 ? kBrickX : 32;
const int kTileY = kBrickY < 16 ? kBrickY : 16;
const int kTileZ = kBrickZ < 8 ? kBrickZ : 8;
const uint kTilesX = uint((kBrickX + kTileX - 1) / kTileX);
const uint kTilesY = uint((kBrickY + kTileY - 1) / kTileY);
const uint kTilesZ = uint((kBrickZ + kTileZ - 1) / kTileZ);
const uint kTiles = kTilesX * kTilesY * kTilesZ; // of a brick

// Whether the group has a tile; the same for all of it.
bool group_has_tile() {
    return group_index() / kTiles < brick_list.count;
}
// The first cell of the group's tile. Outside of the domain where a brick of its last row ends there.
WalkedCell walked_tile() {
    uvec2 entry = brick_list.entries[group_index() / kTiles];
    uint tile = group_index() % kTiles;
    WalkedCell walked;
    walked.number = entry.x;
    walked.word = entry.y;
    walked.origin = brick_at(entry.x) * kBrick;
    walked.local = ivec3(int(tile % kTilesX) * kTileX, int(tile / kTilesX % kTilesY) * kTileY,
                         int(tile / (kTilesX * kTilesY)) * kTileZ);
    walked.index = slot_of(entry.y) * kBrickCells + cell_in_brick(walked.local);
    walked.exists = is_in_domain(walked.origin + walked.local);
    return walked;
}
// The end of that tile within its brick and the domain, counted from the brick's first cell.
ivec3 tile_end(WalkedCell tile) {
    return min(min(tile.local + ivec3(kTileX, kTileY, kTileZ), kBrick), kDomain - tile.origin);
}

#endif
