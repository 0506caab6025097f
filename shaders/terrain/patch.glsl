// Vertices of the grid that a leaf is drawn as: kSide x kSide cells, kSide a power of two. C++:
// passes/terrain/patch.hpp.
#ifndef TERRAIN_PATCH
#define TERRAIN_PATCH

#include "key.glsl"

layout(constant_id = 30) const uint patch_side = 8u; // cells along a side
layout(constant_id = 31) const uint stitching = 0u;

const uint kStitchSnap = 0u;    // vertices at the edge of a coarser leaf move to one of its vertices
const uint kStitchIndices = 1u; // triangles leave those vertices out
const uint kStitchMorph = 2u;   // all vertices move there, the farther away the more
const uint kStitchNone = 3u;

// Places are in units of 2^-31 of the square.
uvec2 place_of_vertex(Node node, uvec2 grid) {
    uint step = (1u << (31u - node.level)) / patch_side;
    return (node.cell << (31u - node.level)) + grid * step;
}

// Moves a vertex at the edge of a coarser leaf back to the last vertex that the coarser one has
// there. `edges`: levels that the neighbours beyond -x, +x, -y, +y are coarser by, four bits each.
uvec2 snapped_place(Node node, uvec2 grid, uint edges) {
    uvec2 place = place_of_vertex(node, grid);
    uint step = (1u << (31u - node.level)) / patch_side;
    uint along_y = grid.x == 0u ? edges & 15u : grid.x == patch_side ? edges >> 4u & 15u : 0u;
    uint along_x = grid.y == 0u ? edges >> 8u & 15u : grid.y == patch_side ? edges >> 12u & 15u : 0u;
    return place & ~((uvec2(step) << uvec2(along_x, along_y)) - 1u);
}

// Between a vertex and the one that the parent's grid has before it, which is itself where its
// number is even. `part` 0 to 1.
uvec2 morphed_place(Node node, uvec2 grid, float part) {
    uint step = (1u << (31u - node.level)) / patch_side;
    precise float back = part * float(step);
    return place_of_vertex(node, grid) - (grid & 1u) * min(uint(back), step);
}

#endif
