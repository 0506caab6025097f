// Between a grid and the next coarser one. Cell i of an axis that is coarsened by `factor` lies in
// coarse cell i / factor. Sides are in units of the finest grid's, so that places are exact.
// Needs grid.glsl; the kernel has the members for the next coarser grid in `params`.

vec3 centres(ivec3 cell, ivec3 cells, vec3 side, vec3 last) {
    vec3 regular = (vec3(cell) + 0.5) * side;
    return mix(regular, vec3(cells - 1) * side + 0.5 * last, equal(cell, cells - 1));
}

int coarse_index(ivec3 cell) {
    return cell.x + params.coarse_cells.x * (cell.y + params.coarse_cells.y * cell.z);
}

// A cell's parent, the parent's neighbour on the cell's side, and the weights of both in linear
// interpolation. At a wall a share of the function is gone: `low_drop`, `high_drop`.
struct Parents {
    ivec3 near;
    ivec3 far;
    vec3 near_weight;
    vec3 far_weight;
};

Parents parents_of(ivec3 cell) {
    Parents p;
    p.near = cell / params.factor;
    vec3 at = centres(cell, params.cells, params.side, params.last_side);
    vec3 near_at = centres(p.near, params.coarse_cells, params.coarse_side, params.coarse_last);
    vec3 off = at - near_at;
    p.far = p.near + ivec3(sign(off));
    bvec3 below = lessThan(p.far, ivec3(0));
    bvec3 above = greaterThanEqual(p.far, params.coarse_cells);
    bvec3 outside = bvec3(below.x || above.x, below.y || above.y, below.z || above.z);
    vec3 near_side = mix(params.coarse_side, params.coarse_last,
                         equal(p.near, params.coarse_cells - 1));
    // A wrapped neighbour is the last cell or the first.
    bvec3 wraps = notEqual(params.wraps, ivec3(0));
    p.far = mix(p.far, mix(p.far, params.coarse_cells - 1, below), wraps);
    p.far = mix(p.far, mix(p.far, ivec3(0), above), wraps);
    vec3 far_side = mix(params.coarse_side, params.coarse_last,
                        equal(p.far, params.coarse_cells - 1));
    vec3 distance_ = 0.5 * (near_side + far_side);
    bvec3 wall = bvec3(outside.x && !wraps.x, outside.y && !wraps.y, outside.z && !wraps.z);
    distance_ = mix(distance_, 0.5 * near_side, wall);
    vec3 t = abs(off) / distance_;
    // At a wall: nothing is left at a Dirichlet face, all at a Neumann face.
    t *= mix(vec3(1.0), mix(params.high_drop, params.low_drop, below), wall);
    p.near_weight = 1.0 - t;
    p.far_weight = mix(t, vec3(0.0), wall);
    p.far = mix(p.far, p.near, wall);
    return p;
}
