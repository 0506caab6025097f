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
// first row. At the halo of a tile there is something, which comes from elsewhere in the tile.
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
