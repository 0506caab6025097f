#version 460
// Matrix product, one invocation for each element of the result: its row of A and its column of B
// are read from memory for every element again.

layout(local_size_x = 16, local_size_y = 16) in;

#include "matmul.glsl"
#include "matmul_place.glsl"

writeonly buffer Product { float values[]; } product;

void main() {
    uvec2 element = own_element(params.tiles);
    if (!is_inside(element, params.columns, params.rows)) return;
    float sum = 0.0;
    for (uint k = 0u; k < params.inner; ++k)
        sum = fma(left_element(element.y, k), right_element(k, element.x), sum);
    product.values[element.y * params.columns + element.x] = sum;
}
