// The interpolated solution of the next coarser grid, in the cells of a strip; see strips.glsl.
readonly buffer Coarse { float values[]; } coarse;

// Where a coarse cell is along an axis of so many; beyond a wall, its mirror image inside.
int coarse_place(int at, int axis) {
    int cells = params.cells[axis] / 2;
    return params.wraps[axis] != 0 ? modulo(at, cells) : clamp(at, 0, cells - 1);
}
// What the solution is to be multiplied by there.
float coarse_sign(int at, int axis) {
    bool beyond = at < 0 || at >= params.cells[axis] / 2;
    return beyond && params.wraps[axis] == 0 ? params.mirror[axis] : 1.0;
}

// The coarse cells to the left of a strip's pairs, around them and to the right; and where their
// rows begin.
struct CoarseStrip {
    ivec3 column;
    ivec4 line;
};
CoarseStrip coarse_strip(Strip s) {
    ivec2 at = ivec2(s.x, s.y) / 2; // even numbers, maybe less than 0
    int width = params.cells.x / 2;
    return CoarseStrip(ivec3(coarse_place(at.x - 1, 0), coarse_place(at.x, 0),
                             coarse_place(at.x + 1, 0)),
                       width * ivec4(coarse_place(at.y - 1, 1), coarse_place(at.y, 1),
                                     coarse_place(at.y + 1, 1), coarse_place(at.y + 2, 1)));
}

vec4 coarse_column(ivec4 begin, int column) {
    return vec4(coarse.values[begin.x + column], coarse.values[begin.y + column],
                coarse.values[begin.z + column], coarse.values[begin.w + column]);
}

// Coarse cells to the left of a strip's pairs, around them and to the right, in four coarse rows.
struct CoarseAround {
    vec4 left;
    vec4 near;
    vec4 right;
};
// As memory has them, of the coarse slice that begins at `base`.
CoarseAround coarse_around(CoarseStrip c, int base) {
    ivec4 begin = base + c.line;
    return CoarseAround(coarse_column(begin, c.column.x), coarse_column(begin, c.column.y),
                        coarse_column(begin, c.column.z));
}
// What they are beyond walls.
void mirror_coarse(inout CoarseAround c, Strip s) {
    ivec2 at = ivec2(s.x, s.y) / 2;
    vec4 rows = vec4(coarse_sign(at.y - 1, 1), coarse_sign(at.y, 1), coarse_sign(at.y + 1, 1),
                     coarse_sign(at.y + 2, 1));
    c.left *= rows * coarse_sign(at.x - 1, 0);
    c.near *= rows;
    c.right *= rows * coarse_sign(at.x + 1, 0);
}
// In the cells of the strip: a quarter of the farther row, three of the nearer, and the same along x.
Columns coarse_columns(CoarseAround c) {
    vec4 first = 0.75 * c.near + 0.25 * c.left;
    vec4 second = 0.75 * c.near + 0.25 * c.right;
    return Columns(0.75 * first.yyzz + 0.25 * first.xzyw, 0.75 * second.yyzz + 0.25 * second.xzyw);
}
