#version 460
// What the pressure has to take away, and which cells have none.

layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
    ivec3 dims;
    uint faces;
} params;

#include "fluid/solid.glsl"
#include "fluid/faces.glsl"

readonly buffer Velocities { vec4 cells[]; } velocities;
writeonly buffer Rhs { float values[]; } rhs;
writeonly buffer Kinds { uint values[]; } kinds; // 1: solid

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    uint index = cell_index(cell);
    bool solid_cell = is_obstacle(cell);
    float divergence = 0.0;
    if (!solid_cell) {
        vec4 low = velocities.cells[index];
        for (int axis = 0; axis < axes(); ++axis) {
            ivec3 beside = cell;
            beside[axis] += 1;
            float high = is_inside(beside) ? velocities.cells[cell_index(beside)][axis] : 0.0;
            divergence += high - low[axis];
        }
    }
    rhs.values[index] = -divergence;
    if (kMasked != 0u) kinds.values[index] = solid_cell ? 1u : 0u;
}
