// An image's texels as an array of cells, x fastest. The kernel defines SOURCE, the type of its
// sampler, TEXEL, that of its places, and NUMBER, that of a cell.
layout(local_size_x = 256) in;

uniform Params { ivec3 cells; } params;

uniform SOURCE source;
writeonly buffer Result { NUMBER values[]; } result;

#include "cell_at.glsl"

void main() {
    int i = int(gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256u);
    ivec3 cell = cell_at(i);
    if (cell.z >= params.cells.z) return;
    result.values[i] = texelFetch(source, TEXEL(cell), 0).x;
}
