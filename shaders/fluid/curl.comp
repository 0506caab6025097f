#version 460
// The curl of a flow, and its length in the fourth number.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    ivec3 dims;
    uint faces;
} params;

#include "fluid/solid.glsl"
#include "fluid/flow.glsl"

writeonly buffer Curl { vec4 cells[]; } curl;

vec3 slope(ivec3 cell, int axis) {
    if (params.dims[axis] == 1) return vec3(0.0);
    ivec3 step_along = ivec3(0);
    step_along[axis] = 1;
    return 0.5 * (flow_in(cell + step_along) - flow_in(cell - step_along));
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    vec3 x = slope(cell, 0);
    vec3 y = slope(cell, 1);
    vec3 z = slope(cell, 2);
    vec3 whirl = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
    curl.cells[cell_index(cell)] = vec4(whirl, length(whirl));
}
