// How a flow's velocity changes from cell to cell, by central differences.
#include "flow.glsl"

vec3 slope(ivec3 cell, int axis) {
    int size = grid.dims[axis];
    if (size == 1) return vec3(0.0);
    if (kParts == 0u && cell[axis] > 0 && cell[axis] < size - 1) { // most are
        uint stride = axis == 0 ? 1u : uint(grid.dims.x) * (axis == 1 ? 1u : uint(grid.dims.y));
        uint own = cell_index(cell);
        return 0.5 * (flow_of(own + stride) - flow_of(own - stride));
    }
    ivec3 step_along = ivec3(0);
    step_along[axis] = 1;
    return 0.5 * (flow_in(cell + step_along) - flow_in(cell - step_along));
}

// From the slopes along the three axes.
vec3 curl_of(vec3 x, vec3 y, vec3 z) {
    return vec3(y.z - z.y, z.x - x.z, x.y - y.x);
}
