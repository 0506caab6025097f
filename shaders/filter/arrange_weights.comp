#version 460
// Puts the weights of kernels where filter/tiled reads them: in the order in which they meet the source
// (turned, unless the problem is a correlation), each row filled up with zeros to whole vectors, and the
// same rows of the kernels that share a tile one behind the other.

layout(local_size_x = 64) in;
#include "invocation.glsl"

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Weights { vec4 rows[]; } weights;

uniform Params {
    uvec4 kernel_size;
    uint filters;
    uint together;  // filters that share a tile
    uint row_quads; // vectors of a row
    uint quads;     // in all; behind the last kernel lie zeros
    uint correlate;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.quads) return;
    uvec4 taps = params.kernel_size;
    uint rows = taps.y * taps.z * taps.w;
    uint x = index % params.row_quads * 4u;
    uint line = index / params.row_quads; // of all kernels
    uint row = line / params.together % rows;
    uint block = line / params.together / rows;
    uint filter_index = block * params.together + line % params.together;

    vec4 quad = vec4(0.0);
    for (uint i = 0u; i < 4u; ++i) {
        if (filter_index >= params.filters || x + i >= taps.x) break;
        uint at = row * taps.x + x + i;
        if (params.correlate == 0u) at = rows * taps.x - 1u - at;
        quad[i] = kernel.values[filter_index * rows * taps.x + at];
    }
    weights.rows[index] = quad;
}
