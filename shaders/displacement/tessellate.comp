#version 460
// The triangles of all cells of a level: what rays meet, as a mesh.

layout(local_size_x = 64) in;

#include "patch.glsl"
#include "invocation.glsl"

writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;

uniform Params {
    uint count; // patches
    uint level;
    float scale;
} params;

void main() {
    uint side = 1u << params.level;
    uint points = (side + 1u) * (side + 1u);
    uint i = invocation_index();
    if (i / points >= params.count) return;
    uint patch_index = i / points;
    uvec2 at = uvec2(i % points % (side + 1u), i % points / (side + 1u));
    vec3 place = grid_point(patches.elements[patch_index], at, params.level, params.scale);
    for (uint k = 0u; k < 3u; ++k)
        positions.values[3u * i + k] = place[k];
    if (at.x == side || at.y == side) return;
    uint cell = patch_index * side * side + at.y * side + at.x;
    uint c = i + side + 2u; // the cell's far corner
    uint corners[6] = uint[6](i, i + 1u, c, i, c, c - 1u);
    for (uint k = 0u; k < 6u; ++k)
        indices.values[6u * cell + k] = corners[k];
}
