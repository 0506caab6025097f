#version 460
//! variants VOLUME=0,1 CELLS=0,1
// The greatest absolute residual of the Poisson equation on a part, as bits of a float. CELLS: of unknown
// cells.
layout(local_size_x = 8, local_size_y = 8) in;

#include "jacobi.glsl"

buffer Greatest { uint bits; } greatest;

uniform Params {
    ivec3 halo;
    ivec3 first;
    ivec3 cells;
    ivec3 dirichlet;
    vec3 coupling; // 1 / spacing^2
} params;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#if VOLUME
    ivec3 size = textureSize(solution, 0);
#else
    ivec3 size = ivec3(textureSize(solution, 0), 1);
#endif
    PartPlace part =
        PartPlace(params.halo, params.first, params.cells, params.dirichlet);
    if (any(greaterThanEqual(texel, size)) || !lies_in_part(part, texel, size)) return;
#if CELLS
    uint open = faces_at(texel, size);
    if ((open & kAllFaces) == 0u) return;
#else
    const uint open = kAllFaces;
#endif
    float middle = solution_at(texel);
    precise float around = sum_around(part, texel, middle, params.coupling, open);
    precise float residual = around - diagonal(params.coupling) * middle - source_at(texel);
    // Floats that are not negative are in the order of their bits. NaN is greater than all.
    atomicMax(greatest.bits, floatBitsToUint(abs(residual)));
}
