#version 460
//! variants VOLUME=0,1
// The greatest absolute residual of the Poisson equation on a part, as bits of a float.
layout(local_size_x = 8, local_size_y = 8) in;

#include "jacobi.glsl"

#if VOLUME
uniform sampler3D solution;
uniform sampler3D source;
#else
uniform sampler2D solution;
uniform sampler2D source;
#endif
buffer Greatest { uint bits; } greatest;

uniform Params {
    ivec3 halo;
    ivec3 first;
    ivec3 cells;
    ivec3 dirichlet;
    float cell_area; // of a side of a cell
} params;

#if VOLUME
float solution_at(ivec3 texel) { return texelFetch(solution, texel, 0).r; }
float source_at(ivec3 texel) { return texelFetch(source, texel, 0).r; }
#else
float solution_at(ivec3 texel) { return texelFetch(solution, texel.xy, 0).r; }
float source_at(ivec3 texel) { return texelFetch(source, texel.xy, 0).r; }
#endif

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#if VOLUME
    ivec3 size = textureSize(solution, 0);
    const int kAxes = 3;
#else
    ivec3 size = ivec3(textureSize(solution, 0), 1);
    const int kAxes = 2;
#endif
    PartPlace part =
        PartPlace(params.halo, params.first, params.cells, params.dirichlet);
    if (any(greaterThanEqual(texel, size)) || !lies_in_part(part, texel, size)) return;
    float middle = solution_at(texel);
    precise float around = 0.0;
    for (int axis = 0; axis < kAxes; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            ivec3 other = texel;
            other[axis] += side;
            around += mirrors(part, texel, axis, side) ? -middle : solution_at(other);
        }
    precise float residual =
        (around - float(2 * kAxes) * middle) / params.cell_area - source_at(texel);
    // Floats that are not negative are in the order of their bits. NaN is greater than all.
    atomicMax(greatest.bits, floatBitsToUint(abs(residual)));
}
