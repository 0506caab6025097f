#version 460
// Matrix product by 16x16 tiles: a group loads a tile of A and one of B into shared memory, and each
// invocation, which owns one element of the result, reads them from there.

const uint kTile = 16u;
layout(local_size_x = 16, local_size_y = 16) in;

#include "matmul.glsl"
#include "matmul_place.glsl"

writeonly buffer Product { float values[]; } product;

shared float left_tile[kTile][kTile + 1u]; // a column more, against bank conflicts
shared float right_tile[kTile][kTile + 1u];

void main() {
    uvec2 local = gl_LocalInvocationID.xy;
    uvec2 element = own_element(params.tiles);
    float sum = 0.0;
    for (uint first = 0u; first < params.inner; first += kTile) {
        // Zero beyond the edges: it adds nothing.
        uint left_k = first + local.x;
        uint right_k = first + local.y;
        bool in_left = element.y < params.rows && left_k < params.inner;
        bool in_right = right_k < params.inner && element.x < params.columns;
        left_tile[local.y][local.x] = in_left ? left_element(element.y, left_k) : 0.0;
        right_tile[local.y][local.x] = in_right ? right_element(right_k, element.x) : 0.0;
        barrier();
        for (uint k = 0u; k < kTile; ++k)
            sum = fma(left_tile[local.y][k], right_tile[k][local.x], sum);
        barrier();
    }
    if (is_inside(element, params.columns, params.rows)) product.values[element.y * params.columns + element.x] = sum;
}
