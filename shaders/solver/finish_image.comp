#version 460
// The finished solution, as a picture or a volume.
//! variants DIMENSIONS=2,3

#if DIMENSIONS == 3
#define RESULT image3D
#define TEXEL ivec3
#else
#define RESULT image2D
#define TEXEL ivec2
#endif

// The finished solution, as an image. The kernel defines RESULT, the image's type, and TEXEL, that of
// its places.
layout(local_size_x = 256) in;

uniform Params {
    ivec3 cells;
    uint has_cells;
} params;

readonly buffer Cells { uint kinds[]; } cells;
readonly buffer Solution { float values[]; } solution;
uniform writeonly RESULT result;

#include "solver/cell_at.glsl"
#include "invocation.glsl"
#include "solver/finished.glsl"

void main() {
    int i = int(invocation_index());
    ivec3 cell = cell_at(i, params.cells);
    if (cell.z >= params.cells.z) return;
    bool unknown = params.has_cells == 0u || cells.kinds[i] == 0u;
    float value = solution.values[i];
    if (unknown) value -= mean_to_take_off();
    imageStore(result, TEXEL(cell), vec4(is_bad() ? 0.0 : value));
}
