#version 460
// Where the cells of each brick of a sparse store begin, so that the search for a surface finds them
// without the store's table.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/map.glsl"

writeonly buffer BrickBases { uint elements[]; } brick_bases; // by brick, x fastest

uniform Params { uint bricks; } params;

void main() {
    uint number = invocation_index();
    if (number >= params.bricks) return;
    uint word = find_brick(number);
    brick_bases.elements[number] = is_active(word) ? slot_of(word) * kBrickCells : kNoBrick;
}
