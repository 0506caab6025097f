// A cycle's work on a volume of regular cells, before the coarser grid's correction or after it: see
// regular_kernel.glsl. A group walks along z with a tile of x and y. While it takes slice z from
// memory, it relaxes the red cells of slice z - 1 and the black ones of z - 2, and looks at the
// residual of z - 3. Neighbours along z are an invocation's own; those in the slice were put into
// shared memory a step before, so that one barrier a step is enough. The tile has a rim of four
// cells (three are needed) that other groups work on as well.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/regular_params.glsl"
    int slices; // of a group; even
} params;

const int kStrips = 8;
const int kHalves = 6; // each of these in turn with the next slice's: black before, red, black after
const int kBlackBefore = 0;
const int kRed = 2;
const int kBlack = 4;
const int kRim = 4;
const ivec2 kTile = ivec2(64, 32) - 2 * kRim;
#include "solver/regular_kernel.glsl"

Strip strip;
bool among_walls; // the tile touches some along x or y

// A slice that a periodic axis leads to, or beyond a wall the last one. There are four or more.
int slice_of(int z) {
    if (params.wraps.z == 0) return clamp(z, 0, params.cells.z - 1);
    z += z < 0 ? params.cells.z : 0;
    return z < params.cells.z ? z : z - params.cells.z;
}
bool is_slice(int z) {
    return params.wraps.z != 0 || (z >= 0 && z < params.cells.z);
}
// Where a slice's pairs begin.
int base_of(int z) {
    return slice_of(z) * (params.cells.x * params.cells.y / 2);
}

// In the first row, is the red cell the second of its pair?
bool red_second(int z) {
    return ((z + params.first_color) & 1) != 0;
}

Relaxation relaxation_at(int z, bool second) {
    bool ends = params.wraps.z == 0 && (z <= 0 || z >= params.cells.z - 1);
    if (!among_walls && !ends) return inner_relaxation();
    Relaxation r =
        wall_relaxation(strip, seconds(second), float(z == 0) + float(z == params.cells.z - 1));
    if (!is_slice(z)) r.factor = vec4(0.0);
    return r;
}

#ifdef CORRECTED
// Between coarse slices: fine slice 2k lies a quarter of a coarse cell before the middle of k.
Columns coarse_before;
Columns coarse_after;

CoarseStrip places;

void next_coarse(int number) {
    int slice = slice_of(2 * number) / 2;
    coarse_before = coarse_after;
    coarse_after =
        coarse_columns(strip, places, slice * (params.cells.x * params.cells.y / 4));
    float sign_ = coarse_sign(number, 2);
    coarse_after.first *= sign_;
    coarse_after.second *= sign_;
}

Columns corrected(Columns c, int z) {
    float after = (z & 1) == 0 ? 0.75 : 0.25;
    return Columns(c.first + mix(coarse_before.first, coarse_after.first, after),
                   c.second + mix(coarse_before.second, coarse_after.second, after));
}
#endif

void main() {
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * kTile;
    strip = strip_at(tile - kRim, int(gl_LocalInvocationID.x), int(gl_LocalInvocationID.y));
    bvec2 touches = bvec2(tile.x <= kRim || tile.x + kTile.x + kRim >= params.cells.x,
                          tile.y <= kRim || tile.y + kTile.y + kRim >= params.cells.y);
    among_walls = any(bvec2(touches.x && params.wraps.x == 0, touches.y && params.wraps.y == 0));
    // A periodic axis may lead back to the same cell: it is the one without a turn that counts.
    ivec2 off = ivec2(strip.x, strip.y) - tile;
    bool own_x = off.x >= 0 && off.x < kTile.x && strip.x < params.cells.x;
    bool own_y = off.y >= 0 && off.y < kTile.y;
    ivec4 rows = strip.y + ivec4(0, 1, 2, 3);
    bvec4 own = bvec4(own_x && own_y && rows.x < params.cells.y,
                      own_x && own_y && rows.y < params.cells.y,
                      own_x && own_y && rows.z < params.cells.y,
                      own_x && own_y && rows.w < params.cells.y);
    float shift = rhs_shift();
    int begin = int(gl_WorkGroupID.z) * params.slices;
    int end = min(begin + params.slices, params.cells.z);

    // By how many slices before the newest.
    vec4 red0 = vec4(0.0), red1 = vec4(0.0), red2 = vec4(0.0), red3 = vec4(0.0);
    vec4 black0 = vec4(0.0), black1 = vec4(0.0), black2 = vec4(0.0), black3 = vec4(0.0);
    vec4 black4 = vec4(0.0);
    vec4 red_rhs1 = vec4(0.0), red_rhs2 = vec4(0.0), red_rhs3 = vec4(0.0);
    vec4 black_rhs1 = vec4(0.0), black_rhs2 = vec4(0.0);
    vec4 black_left2 = vec4(0.0), black_left3 = vec4(0.0); // residual
#ifdef CORRECTED
    float squares = 0.0;
    float solution = 0.0;
    places = coarse_strip(strip);
    coarse_after = Columns(vec4(0.0), vec4(0.0));
    next_coarse((begin - kRim) / 2);
#else
    vec2 restricted_sum = vec2(0.0);
#endif
    bvec4 exists = inside(strip);
    Columns coming = Columns(vec4(0.0), vec4(0.0));
    Columns f = Columns(vec4(0.0), vec4(0.0));
    for (int z = begin - kRim; z < end + 3; ++z) {
        // What the step before has read: slice z, and the right-hand side before it.
        bvec4 second = seconds(red_second(z - 1));
        red_rhs3 = red_rhs2, red_rhs2 = red_rhs1;
        black_rhs2 = black_rhs1;
        red_rhs1 = params.unit * (mix(f.first, f.second, second) - shift);
        black_rhs1 = params.unit * (mix(f.second, f.first, second) - shift);
        second = not(second);
        if (params.from_zero != 0) coming = Columns(vec4(0.0), vec4(0.0));
#ifdef CORRECTED
        if ((z & 1) != 0) next_coarse((z >> 1) + 1); // it is behind the middle of coarse slice z / 2
        coming = corrected(coming, z);
#endif
        if (among_walls || !is_slice(z))
            coming = where(coming, is_slice(z) ? exists : bvec4(false));
        red3 = red2, red2 = red1, red1 = red0;
        black4 = black3, black3 = black2, black2 = black1, black1 = black0;
        black_left3 = black_left2;
        red0 = mix(coming.first, coming.second, second);
        black0 = mix(coming.second, coming.first, second);

        coming = source_columns(strip, base_of(z + 1));
        f = rhs_columns(strip, base_of(z));

        // All that the step before has put there, before anything is put: so the reads overlap.
        bool flip = red_second(z - 1);
        vec4 around1 = around(kBlackBefore + ((z - 1) & 1), strip, black1, flip);
        vec4 around2 = around(kRed + (z & 1), strip, red2, flip);
        vec4 around3 = around(kBlack + ((z - 3) & 1), strip, black3, flip);
        put(kBlackBefore + (z & 1), strip, black0);

        Relaxation r = relaxation_at(z - 1, flip);
        vec4 left =
            red_rhs1 - r.diagonal * red1 + params.coupling.z * (black0 + black2) + around1;
        red1 += r.factor * left;
        put(kRed + ((z - 1) & 1), strip, red1);

        flip = !flip;
        r = relaxation_at(z - 2, !flip);
        left = black_rhs2 - r.diagonal * black2 + params.coupling.z * (red1 + red3) + around2;
        black2 += r.factor * left;
        put(kBlack + (z & 1), strip, black2);
        black_left2 = left * (1.0 - params.omega); // for its neighbours stay as they are
        if (z - 2 >= begin && z - 2 < end) {
            Columns now = Columns(mix(red2, black2, seconds(flip)), mix(black2, red2, seconds(flip)));
            int to = base_of(z - 2);
            [[unroll]] for (int row = 0; row < 4; ++row)
                if (own[row])
                    result.values[to + strip.pair[row]] = vec2(now.first[row], now.second[row]);
#ifdef CORRECTED
            solution += dot(mix(vec4(0.0), red2 + black2, own), vec4(1.0));
#endif
        }

        if (z - 3 >= begin) {
            r = relaxation_at(z - 3, !flip);
            left = red_rhs3 - r.diagonal * red3 + params.coupling.z * (black2 + black4) + around3;
#ifdef CORRECTED
            squares +=
                dot(mix(vec4(0.0), left * left + black_left3 * black_left3, own), vec4(1.0));
#else
            vec4 pairs = left + black_left3;
            restricted_sum += vec2(pairs.x + pairs.y, pairs.z + pairs.w);
            if (((z - 3) & 1) != 0) {
                ivec3 coarse = ivec3(strip.x, strip.y, z - 3) / 2;
                ivec3 coarse_cells = params.cells / 2;
                int at = coarse.x + coarse_cells.x * (coarse.y + coarse_cells.y * coarse.z);
                vec2 mean = restricted_sum * (0.125 * params.per_unit);
                if (own.x) restricted.values[at] = mean.x;
                if (own.z) restricted.values[at + coarse_cells.x] = mean.y;
                restricted_sum = vec2(0.0);
            }
#endif
        }
        barrier();
    }
#ifdef CORRECTED
    vec4 sums =
        group_sum(vec4(squares * params.per_unit * params.per_unit, solution, 0.0, 0.0));
    uvec3 groups = gl_NumWorkGroups;
    uint group = gl_WorkGroupID.x + groups.x * (gl_WorkGroupID.y + groups.y * gl_WorkGroupID.z);
    if (gl_LocalInvocationIndex == 0u) parts.values[group] = sums;
#endif
}
