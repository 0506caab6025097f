// What the kernels on regular grids have in common. They relax once or more, red before black, and
// look at the residual that this leaves. With CORRECTED, what is relaxed is the source plus the
// interpolated solution of the coarser grid, and of the residual and the solution there are sums;
// else the residual becomes the coarser grid's right-hand side.
layout(constant_id = 1) const uint kFirstColor = 0u; // 1: black first

readonly buffer Source { vec2 values[]; } source;
writeonly buffer Result { vec2 values[]; } result;
#if CORRECTED
writeonly buffer Parts { vec4 values[]; } parts; // of a group: squares of the residual, solution
#else
writeonly buffer Restricted { float values[]; } restricted;
#endif

#include "modulo.glsl"
#include "status.glsl"

// Regular cells, as an invocation has them: of four rows a pair of neighbours along x, one red and
// one black. The four red ones are a vec4, and so are the four black ones. In this arrangement a red
// cell's neighbours are the black one in its pair, those of its pair in the rows before and after,
// and one in the pair to the left or to the right; and the other way round. What lies in other
// invocations' pairs is read from shared memory, where the cells of one colour are a `half`.
// Equations are divided by `params.unit`.
//
// The kernel has regular_params.glsl in `params`, and defines kPairs (along x, in a tile), kStrips (of
// four rows) and kHalves.
const int kRow = kPairs * kStrips; // of a half: the first rows of all strips, then the second ones
const int kHalf = 4 * kRow;

shared float halves[kHalves * kHalf + 2]; // the first cell has one to its left, the last to its right

// Four rows in a tile.
struct Strip {
    int place;  // of the first row's cell in a half
    int x;      // of the pair's first cell; it may lie beyond walls, or be turns of an axis away
    int y;      // of the first row
    ivec4 pair; // what number the pair has in its slice, in each row; less than 0: beyond a wall
};

Strip strip_at(ivec2 origin, int lane, int number) {
    Strip s;
    s.place = 1 + number * kPairs + lane;
    s.x = origin.x + 2 * lane;
    s.y = origin.y + 4 * number;
    bool outside = params.wraps.x == 0 && (s.x < 0 || s.x >= params.cells.x);
    int x = params.wraps.x == 0 ? s.x : modulo(s.x, params.cells.x);
    [[unroll]] for (int row = 0; row < 4; ++row) {
        int y = s.y + row;
        bool off = params.wraps.y == 0 && (y < 0 || y >= params.cells.y);
        if (params.wraps.y != 0) y = modulo(y, params.cells.y);
        s.pair[row] = outside || off ? -1 : (x + y * params.cells.x) / 2;
    }
    return s;
}

// The first cells of a strip's pairs, and the second ones.
struct Columns {
    vec4 first;
    vec4 second;
};

// Whether the second cell of a pair is the red one; `first` says it of the first row.
bvec4 seconds(bool first) {
    return bvec4(first, !first, first, !first);
}

void put(int half_, Strip s, vec4 values) {
    int at = half_ * kHalf + s.place;
    halves[at] = values.x;
    halves[at + kRow] = values.y;
    halves[at + 2 * kRow] = values.z;
    halves[at + 3 * kRow] = values.w;
}

// What cells add up to around those of the other colour, along x and y: an invocation's own.
vec4 beside(vec4 own) {
    return own + params.coupling.y * (vec4(0.0, own.xyz) + vec4(own.yzw, 0.0));
}
// The others, of a half. `second` says whether the cells in question are their pair's second in the
// first row. At the rim of a tile there is something, which comes from elsewhere in the tile.
vec4 around(int half_, Strip s, bool second) {
    int at = half_ * kHalf + s.place;
    int side = second ? 1 : -1;
    float before = halves[at + 3 * kRow - kPairs];
    float after = halves[at + kPairs];
    return vec4(halves[at + side] + params.coupling.y * before, halves[at + kRow - side],
                halves[at + 2 * kRow + side],
                halves[at + 3 * kRow - side] + params.coupling.y * after);
}

// What the four cells of a colour are relaxed with.
struct Relaxation {
    vec4 diagonal;
    vec4 factor; // omega / diagonal; 0 beyond walls
};

// Away from walls.
Relaxation inner_relaxation() {
    return Relaxation(vec4(params.diagonal), vec4(params.omega / params.diagonal));
}

// Anywhere; `walls` of the cells' faces along z are walls.
Relaxation wall_relaxation(Strip s, bvec4 second, float walls) {
    bool low = s.x == 0;
    bool high = s.x + 2 == params.cells.x;
    vec4 along_x = mix(vec4(low), vec4(high), second);
    ivec4 y = s.y + ivec4(0, 1, 2, 3);
    vec4 along_y = vec4(equal(y, ivec4(0))) + vec4(equal(y, ivec4(params.cells.y - 1)));
    Relaxation r;
    r.diagonal = params.diagonal - params.loss.x * along_x - params.loss.y * along_y -
                 params.loss.z * walls;
    r.factor = mix(params.omega / r.diagonal, vec4(0.0), lessThan(s.pair, ivec4(0)));
    return r;
}

#if CORRECTED
#include "group_sum.glsl"

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
// In the cells of the strip: a quarter of the farther row, three of the nearer, and likewise along x.
Columns coarse_columns(CoarseAround c) {
    vec4 first = 0.75 * c.near + 0.25 * c.left;
    vec4 second = 0.75 * c.near + 0.25 * c.right;
    return Columns(0.75 * first.yyzz + 0.25 * first.xzyw, 0.75 * second.yyzz + 0.25 * second.xzyw);
}
#endif

readonly buffer Rhs { vec2 values[]; } rhs;
readonly buffer Status { uint words[]; } status;

// As in rhs.glsl.
float rhs_shift() {
    return params.shift == 0.0 ? 0.0 : params.shift * uintBitsToFloat(status.words[kShift]);
}

// Of a strip in a slice whose pairs begin at `base`: as memory has them. Beyond walls there is
// something: reads have no branches around them, lest one waits for the other.
Columns source_columns(Strip s, int base) {
    ivec4 at = base + max(s.pair, 0);
    vec2 a = source.values[at.x];
    vec2 b = source.values[at.y];
    vec2 c = source.values[at.z];
    vec2 d = source.values[at.w];
    return Columns(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
}
Columns rhs_columns(Strip s, int base) {
    ivec4 at = base + max(s.pair, 0);
    vec2 a = rhs.values[at.x];
    vec2 b = rhs.values[at.y];
    vec2 c = rhs.values[at.z];
    vec2 d = rhs.values[at.w];
    return Columns(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
}

// Cells that exist.
bvec4 inside(Strip s) {
    return greaterThanEqual(s.pair, ivec4(0));
}
// What `c` is where `counts`, else 0.
Columns where(Columns c, bvec4 counts) {
    return Columns(mix(vec4(0.0), c.first, counts), mix(vec4(0.0), c.second, counts));
}
