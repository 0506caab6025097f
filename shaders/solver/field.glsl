// The Laplacian of an array `source`; the kernel has it, and grid.glsl and stencil.glsl.

// The neighbours' part of -laplace(source) at a cell.
float neighbours_at(ivec3 cell, Stencil s) {
    int own = index_of(cell);
    ivec3 stride = ivec3(1, params.cells.x, params.cells.x * params.cells.y);
    ivec3 around = (params.cells - 1) * stride;
    bvec3 first = equal(cell, ivec3(0));
    bvec3 last = equal(cell, params.cells - 1);
    ivec3 below = own + mix(-stride, around, first);
    ivec3 above = own + mix(stride, -around, last);
    vec3 low = vec3(source.values[below.x], source.values[below.y], source.values[below.z]);
    vec3 high = vec3(source.values[above.x], source.values[above.y], source.values[above.z]);
    // Beyond walls the function is 0, or it does not count.
    vec3 walls = vec3(1 - params.wraps);
    low *= 1.0 - walls * vec3(first);
    high *= 1.0 - walls * vec3(last);
    return dot(s.low, low) + dot(s.high, high);
}
