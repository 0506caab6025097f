// The discrete Laplacian on a rank's part of a grid. Needs part.glsl.
readonly buffer Source { float values[]; } source;

// The quotients of a cell, and the neighbours' part of -laplace(source).
struct Stencil {
    float diagonal; // 0: nothing to solve
    float around;
};

Stencil stencil_at(ivec3 place, ivec3 cell) {
    int own = index_at(place);
    Neighbours n = neighbours_of(own, cell);
#if CELLS
    Weights w = weights_at(own, n);
    vec3 low = w.low;
    vec3 high = w.high;
    float diagonal = w.diagonal;
#else
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    float diagonal = sum_of(low + high);
#endif
    vec3 below = vec3(source.values[n.below.x], source.values[n.below.y], source.values[n.below.z]);
    vec3 above = vec3(source.values[n.above.x], source.values[n.above.y], source.values[n.above.z]);
    // Not by a factor of 0: what is beyond walls may be NaN.
    below = mix(vec3(0.0), below, n.has_below);
    above = mix(vec3(0.0), above, n.has_above);
    return Stencil(diagonal, dot(low, below) + dot(high, above));
}
