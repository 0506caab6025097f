// What couples the cells of a rank's part where some are solid or fixed, four numbers a cell: the
// quotients to the neighbours below along x, y and z, and what ties the cell to 0; less than 0: the
// cell is no unknown. Needs part.glsl.
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
