// A share of a matrix product: the `block` products of the inner dimension from `first` on.
#include "matmul.glsl"

layout(constant_id = 2) const uint block = 1u; // known to the compiler, which can unroll the loop

float block_sum(uvec2 element, uint first) {
    float sum = 0.0;
    for (uint l = 0u; l < block; ++l) {
        uint k = first + l;
        if (k >= params.inner) break;
        sum = fma(left_element(element.y, k), right_element(k, element.x), sum);
    }
    return sum;
}
