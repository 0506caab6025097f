#version 460
//! variants VOLUME=0,1 CELLS=0,1
// A step of the damped Jacobi method for the Poisson equation, on the cells of a part that need no
// halo, or on the others. CELLS: there are solid or fixed ones.
layout(local_size_x = 8, local_size_y = 8) in;

#include "jacobi.glsl"

#if VOLUME
uniform writeonly image3D result;
#else
uniform writeonly image2D result;
#endif

uniform Params {
    ivec3 halo;
    ivec3 first;
    ivec3 cells;
    ivec3 dirichlet;
    int border;       // 1: only the cells that touch the halo
    float omega;      // damping
    vec3 coupling;    // 1 / spacing^2
} params;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#if VOLUME
    ivec3 size = imageSize(result);
#else
    ivec3 size = ivec3(imageSize(result), 1);
#endif
    if (any(greaterThanEqual(texel, size))) return;
    PartPlace part =
        PartPlace(params.halo, params.first, params.cells, params.dirichlet);
    bool inside = lies_in_part(part, texel, size);
    bool of_border = inside && touches_halo(part, texel, size);
    if (params.border == 1 && !of_border) return;
    float value = 0.0;
    if (inside && (params.border == 1 || !of_border)) {
        float middle = solution_at(texel);
#if CELLS
        uint open = faces_at(texel, size);
#else
        const uint open = kAllFaces;
#endif
        precise float around = sum_around(part, texel, middle, params.coupling, open);
        precise float relaxed = (around - source_at(texel)) / diagonal(params.coupling);
        value = middle + params.omega * (relaxed - middle);
#if CELLS
        if ((open & kAllFaces) == 0u) value = open == kSolidCell ? 0.0 : middle;
#endif
    }
#if VOLUME
    imageStore(result, texel, vec4(value, 0.0, 0.0, 1.0));
#else
    imageStore(result, texel.xy, vec4(value, 0.0, 0.0, 1.0));
#endif
}
