// Which spheres a texel's ray may meet, in the order of their nearest distances. Declare in
// `Params`: uint spheres, tile, tiles_per_row, entries. C++: `bind_lists`.

layout(constant_id = 21) const uint has_tiles = 0u; // 0: all of them
readonly buffer TileCounts { uint values[]; } tile_counts;
readonly buffer TileStarts { uint values[]; } tile_starts;
readonly buffer TileSpheres { uint values[]; } tile_spheres;
readonly buffer Dropped { uint values[]; } dropped; // the first word: spheres that are none

struct SphereList {
    uint first;
    uint count;
    bool tiled;
};

SphereList spheres_of(uvec2 texel) {
    SphereList all = SphereList(0u, params.spheres - min(dropped.values[0], params.spheres), false);
    if (has_tiles == 0u) return all;
    uint tile = texel.y / params.tile * params.tiles_per_row + texel.x / params.tile;
    SphereList list = SphereList(tile_starts.values[tile], tile_counts.values[tile], true);
    // A list that found no room: its rays try all spheres, and the picture is the same.
    return list.first + list.count > params.entries ? all : list;
}

uint sphere_of(SphereList list, uint i) {
    return list.tiled ? tile_spheres.values[list.first + i] : i;
}
