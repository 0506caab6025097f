// A rank's part of a grid, in an array. A place is counted in the array, a cell in the grid. The
// kernel has solver/grid_params.glsl and part_params.glsl in `params`. CELLS: some are solid or fixed.
#include "solver/grid.glsl"

int index_at(ivec3 place) {
    return place.x + params.size.x * (place.y + params.size.y * place.z);
}

ivec3 cell_of(ivec3 place) {
    return wrapped(params.first + place - params.halo);
}

// Whether a place holds a cell of the part, or one of the grid at most `reach` cells beside it.
bool is_within(ivec3 place, int reach) {
    ivec3 margin = params.halo - min(params.halo, ivec3(reach));
    return all(greaterThanEqual(place, margin)) && all(lessThan(place, params.size - margin)) &&
           is_inside(cell_of(place));
}

// The place of the part's cell number `i`.
ivec3 own_place(int i) {
    return cell_at(i, params.size - 2 * params.halo) + params.halo;
}
int own_count() {
    ivec3 own = params.size - 2 * params.halo;
    return own.x * own.y * own.z;
}

// Where the neighbours of a cell are in the array, which has the cell at `own`. Beyond walls there are
// none: something else is there.
struct Neighbours {
    ivec3 below;
    ivec3 above;
    bvec3 has_below;
    bvec3 has_above;
};

Neighbours neighbours_of(int own, ivec3 cell) {
    ivec3 stride = ivec3(1, params.size.x, params.size.x * params.size.y);
    ivec3 around = (params.size - 1) * stride;
    bvec3 low_end = equal(cell, ivec3(0));
    bvec3 high_end = equal(cell, params.cells - 1);
    // An array of the whole axis has the neighbour at its other end.
    ivec3 whole = ivec3(equal(params.halo, ivec3(0)));
    Neighbours n;
    n.below = own + mix(-stride, around, bvec3(whole * ivec3(low_end)));
    n.above = own + mix(stride, -around, bvec3(whole * ivec3(high_end)));
    bvec3 wraps = notEqual(params.wraps, ivec3(0));
    n.has_below = bvec3(ivec3(wraps) + ivec3(not(low_end)));
    n.has_above = bvec3(ivec3(wraps) + ivec3(not(high_end)));
    return n;
}

#if CELLS
// What couples cells, four numbers each: the quotients to the neighbours below along x, y and z, and
// what ties the cell to 0; less than 0: the cell is no unknown.
readonly buffer CellWeights { vec4 values[]; } weights;

struct Weights {
    vec3 low;
    vec3 high;
    float diagonal; // 0: nothing to solve
};

Weights weights_at(int index, Neighbours n) {
    vec4 own = weights.values[index];
    vec3 above = vec3(weights.values[n.above.x].x, weights.values[n.above.y].y,
                      weights.values[n.above.z].z);
    Weights w;
    w.low = own.xyz;
    w.high = mix(vec3(0.0), above, n.has_above);
    w.diagonal = own.w < 0.0 ? 0.0 : sum_of(w.low + w.high) + own.w;
    return w;
}
#endif
