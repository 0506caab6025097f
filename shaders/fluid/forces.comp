#version 460
// Vorticity confinement, e (N x w) with N along the gradient of |w|, and buoyancy by a dye's heat.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uint has_dye;
    int scale; // of the dye's cells to those of the flow
    float confinement;
    vec3 buoyancy;
} params;

#include "solid.glsl"

readonly buffer Curl { vec4 cells[]; } curl;
readonly buffer Dye { vec4 cells[]; } dye;
writeonly buffer Forces { vec4 cells[]; } forces;

float whirl_at(ivec3 cell) {
    return curl.cells[cell_index(nearest_cell(cell))].w;
}

float heat_at(ivec3 cell) {
    if (params.has_dye == 0u) return 0.0;
    int along_z = grid.dims.z == 1 ? 1 : params.scale;
    ivec2 size = held_dims().xy * params.scale;
    ivec3 own = ivec3(held_at(0, cell.x, 1), held_at(1, cell.y, 1), held_at(2, cell.z, 1));
    float sum = 0.0;
    for (int z = 0; z < along_z; ++z)
        for (int y = 0; y < params.scale; ++y)
            for (int x = 0; x < params.scale; ++x) {
                ivec3 fine = ivec3(own.xy * params.scale + ivec2(x, y), own.z * along_z + z);
                sum += dye.cells[uint((fine.z * size.y + fine.y) * size.x + fine.x)].w;
            }
    return sum / float(params.scale * params.scale * along_z);
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, ivec3(1))) return;
    ivec3 cell = cell_taken(invocation, ivec3(1));
    vec3 force = vec3(0.0);
    if (!is_obstacle(cell)) {
        force = params.buoyancy * heat_at(cell);
        if (params.confinement > 0.0) {
            vec3 gradient = vec3(0.0);
            for (int axis = 0; axis < 3; ++axis) {
                if (grid.dims[axis] == 1) continue;
                ivec3 step_along = ivec3(0);
                step_along[axis] = 1;
                gradient[axis] = 0.5 * (whirl_at(cell + step_along) - whirl_at(cell - step_along));
            }
            vec3 towards = gradient / (length(gradient) + 1e-5);
            force += params.confinement * cross(towards, curl.cells[cell_index(cell)].xyz);
        }
    }
    forces.cells[cell_index(cell)] = vec4(force, 0.0);
}
