#version 460
// The numbers of a picture or a volume, as an array of cells.
//! variants DIMENSIONS=2,3 INTEGERS=0,1

#if DIMENSIONS == 3 && INTEGERS
#define SOURCE usampler3D
#elif DIMENSIONS == 3
#define SOURCE sampler3D
#elif INTEGERS
#define SOURCE usampler2D
#else
#define SOURCE sampler2D
#endif
#if DIMENSIONS == 3
#define TEXEL ivec3
#else
#define TEXEL ivec2
#endif
#if INTEGERS
#define NUMBER uint
#else
#define NUMBER float
#endif

// An image's texels as an array of cells, x fastest. The kernel defines SOURCE, the type of its
// sampler, TEXEL, that of its places, and NUMBER, that of a cell.
layout(local_size_x = 256) in;

uniform Params { ivec3 cells; } params;

uniform SOURCE source;
writeonly buffer Result { NUMBER values[]; } result;

#include "solver/cell_at.glsl"
#include "invocation.glsl"

void main() {
    int i = int(invocation_index());
    ivec3 cell = cell_at(i, params.cells);
    if (cell.z >= params.cells.z) return;
    result.values[i] = texelFetch(source, TEXEL(cell), 0).x;
}
