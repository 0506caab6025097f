// An image's texels as an array of cells, x fastest. The kernel defines SOURCE, the type of its
// sampler, TEXEL, that of its places, and NUMBER, that of a cell.
layout(local_size_x = 256) in;

uniform Params { ivec3 cells; } params;

uniform SOURCE source;
writeonly buffer Result { NUMBER values[]; } result;

void main() {
    int i = int(gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256u);
    int rows = i / params.cells.x;
    int slice = rows / params.cells.y;
    if (slice >= params.cells.z) return;
    ivec3 cell = ivec3(i - rows * params.cells.x, rows - slice * params.cells.y, slice);
    result.values[i] = texelFetch(source, TEXEL(cell), 0).x;
}
