// Shapes, and in kernels that define it a picture, as a mask of solid cells. Before it:
// `is_drawn(cell)`.

void main() {
    ivec3 cell = first_cell(gl_WorkGroupSize.x);
    if (cell.z >= params.dims.z) return;
    uint word = word_of(cell);
    uint bits = 0u;
    int cells = min(params.dims.x - cell.x, 32);
    for (int i = 0; i < cells; ++i) {
        vec3 middle = vec3(cell + ivec3(i, 0, 0)) + 0.5;
        vec3 from_center = middle - params.center;
        if (params.dims.z == 1) from_center.z = 0.0;
        bool in_box = all(greaterThanEqual(middle.xy, params.low.xy)) &&
                      all(lessThan(middle.xy, params.high.xy)) &&
                      (params.dims.z == 1 ||
                       middle.z >= params.low.z && middle.z < params.high.z);
        bool in_ball = dot(from_center, from_center) < params.radius * params.radius;
        if (in_box || in_ball || is_drawn(cell + ivec3(i, 0, 0))) bits |= 1u << uint(i);
    }
    words.values[word] = bits;
}
