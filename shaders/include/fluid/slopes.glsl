// How a flow's velocity changes from cell to cell, by central differences. After fluid/flow.glsl.
vec3 slope(ivec3 cell, int axis) {
    if (params.dims[axis] == 1) return vec3(0.0);
    ivec3 step_along = ivec3(0);
    step_along[axis] = 1;
    return 0.5 * (flow_in(cell + step_along) - flow_in(cell - step_along));
}

// From the slopes along the three axes.
vec3 curl_of(vec3 x, vec3 y, vec3 z) {
    return vec3(y.z - z.y, z.x - x.z, x.y - y.x);
}
