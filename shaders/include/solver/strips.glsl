// Regular cells, as an invocation has them: of four rows a pair of neighbours along x, one red and
// one black. The four red ones are a vec4, and so are the four black ones. In this arrangement a red
// cell's neighbours are the black one in its pair, those of its pair in the rows before and after,
// and one in the pair to the left or to the right; and the other way round. What lies in other
// invocations' pairs is read from shared memory, where the cells of one colour are a `half`.
// Equations are divided by `params.unit`.
//
// The kernel has regular_params.glsl in `params`, and defines kStrips (of four rows, in a tile) and
// kHalves.
const int kPairs = 32;
const int kHalf = (4 * kStrips + 2) * kPairs; // with a row before the first and after the last

shared float halves[kHalves * kHalf];

// Four rows in a tile.
struct Strip {
    int place;  // of the first row's cell in a half
    int x;      // of the pair's first cell; it may lie beyond walls, or be turns of an axis away
    int y;      // of the first row
    ivec4 pair; // what number the pair has in its slice, in each row; less than 0: beyond a wall
};

Strip strip_at(ivec2 origin, int lane, int number) {
    Strip s;
    s.place = (4 * number + 1) * kPairs + lane;
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
    halves[at + kPairs] = values.y;
    halves[at + 2 * kPairs] = values.z;
    halves[at + 3 * kPairs] = values.w;
}

// What a half's cells add up to around cells of the other colour, along x and y. `own` are those of
// this invocation; `second` says whether the cells in question are their pair's second in the first
// row.
vec4 around(int half_, Strip s, vec4 own, bool second) {
    int at = half_ * kHalf + s.place;
    int side = second ? 1 : -1;
    vec4 beside = vec4(halves[at + side], halves[at + kPairs - side],
                       halves[at + 2 * kPairs + side], halves[at + 3 * kPairs - side]);
    vec4 before = vec4(halves[at - kPairs], own.xyz);
    vec4 after = vec4(own.yzw, halves[at + 4 * kPairs]);
    return own + beside + params.coupling.y * (before + after);
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
