#version 460
// One pass of the matrix product in passes: adds `block` products to every element of the result.
// The sum lies in memory between the passes.

layout(local_size_x = 16, local_size_y = 16) in;

#include "matmul_block.glsl"
#include "matmul_place.glsl"

buffer Product { float values[]; } product;

void main() {
    uvec2 element = own_element(params.tiles);
    if (!is_inside(element, params.columns, params.rows)) return;
    uint at = element.y * params.columns + element.x;
    product.values[at] = product.values[at] + block_sum(element, params.first);
}
