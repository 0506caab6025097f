#version 460
#extension GL_EXT_control_flow_attributes : require
// A sweep over a volume of regular cells and their residual. On the way down that is the right-hand
// side of the coarser grid; on the way up the volume is first CORRECTED by it.
//! variants CORRECTED=0,1

// A cycle's work on a volume of regular cells, before the coarser grid's correction or after it: see
// regular_kernel.glsl. A group walks along z with a tile of x and y. While it takes slice z from
// memory, it relaxes the red cells of slice z - 1 and the black ones of z - 2, and looks at the
// residual of z - 3. Neighbours along z are an invocation's own; those in the slice were put into
// shared memory a step before, so that one barrier a step is enough. Equations are added up as their
// parts become known, for that takes fewer registers than to keep the parts. The tile has a halo of
// four cells (three are needed) that other groups work on as well. Slices are taken in by twos: so
// the compiler knows whether the number of one is odd, and which cell of a pair is the red one.
layout(local_size_x = 32, local_size_y = 8, local_size_x_id = 5, local_size_y_id = 6) in;

uniform Params {
#include "regular_params.glsl"
    int slices; // of a group; even
} params;

const int kPairs = int(gl_WorkGroupSize.x);
const int kStrips = int(gl_WorkGroupSize.y);
const int kHalves = 6; // each of these in turn with the next slice's: black before, red, black after
const int kBlackBefore = 0;
const int kRed = 2;
const int kBlack = 4;
const int kHalo = 4;
const ivec2 kTile = ivec2(2 * kPairs, 4 * kStrips) - 2 * kHalo;
#include "regular_kernel.glsl"

Strip strip;
bool among_walls; // the tile touches some along x or y
float shift;      // of the right-hand side, in units
bvec2 own;        // whether the first two rows are the group's, and the last two
int begin;        // slices of the group
int end;

// Of the newest slice, as read.
vec4 red_read = vec4(0.0), black_read = vec4(0.0);
// Of the slice before: red cells are relaxed, black ones are not. Of both equations what is known.
vec4 red_done = vec4(0.0), black_waiting = vec4(0.0);
vec4 red_sum = vec4(0.0), black_sum = vec4(0.0);
// Of the slice before that, what is left of the equations: of red ones as far as is known.
vec4 red_left = vec4(0.0), black_left = vec4(0.0);

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

Relaxation relaxation_at(int z, bool second) {
    bool ends = params.wraps.z == 0 && (z <= 0 || z >= params.cells.z - 1);
    if (!among_walls && !ends) return inner_relaxation();
    Relaxation r =
        wall_relaxation(strip, seconds(second), float(z == 0) + float(z == params.cells.z - 1));
    if (!is_slice(z)) r.factor = vec4(0.0);
    return r;
}

#if CORRECTED
// The newest coarse slice, and the correction of the next fine one. Fine slice 2k lies a quarter of a
// coarse cell before the middle of k.
Columns coarse_newest;
Columns correction;
CoarseStrip places;
CoarseAround coarse_coming;
vec2 squares = vec2(0.0);  // of the first two rows, and of the last two
vec2 solution = vec2(0.0);

void read_coarse(int number) {
    int slice = slice_of(2 * number) / 2;
    coarse_coming = coarse_around(places, slice * (params.cells.x * params.cells.y / 4));
}
Columns next_coarse(int number) {
    if (among_walls) mirror_coarse(coarse_coming, strip);
    Columns c = coarse_columns(coarse_coming);
    float sign_ = coarse_sign(number, 2);
    return Columns(sign_ * c.first, sign_ * c.second);
}
Columns between(Columns a, Columns b, float share) {
    return Columns(mix(a.first, b.first, share), mix(a.second, b.second, share));
}
void look_at(int z, bool odd, vec4 red_residual) {
    vec4 both = red_residual * red_residual + black_left * black_left;
    squares += both.xz + both.yw;
}
#else
vec2 restricted_sum = vec2(0.0);

void look_at(int z, bool odd, vec4 red_residual) {
    vec4 both = red_residual + black_left;
    restricted_sum += both.xz + both.yw;
    if (!odd) return;
    int width = params.cells.x / 2;
    int at = strip.x / 2 + width * (strip.y / 2 + params.cells.y / 2 * (z / 2));
    vec2 mean = restricted_sum * (0.125 * params.per_unit);
    if (own.x) restricted.values[at] = mean.x;
    if (own.y) restricted.values[at + width] = mean.y;
    restricted_sum = vec2(0.0);
}
#endif

void store(int z, Columns now) {
    int to = base_of(z);
    [[unroll]] for (int row = 0; row < 4; ++row)
        if (own[row / 2])
            result.values[to + strip.pair[row]] = vec2(now.first[row], now.second[row]);
}

// Takes slice z in; `odd` is whether z is. `coming` is that slice and `f` the right-hand side of the
// one before, which have been on their way for two steps; now those of two slices on are sent for.
void advance(int z, bool odd, inout Columns coming, inout Columns f) {
    bool flip = odd == (kFirstColor != 0u); // in the first row of z - 1 the second cell is red
    bvec4 second = seconds(flip);
    vec4 red_rhs = params.unit * mix(f.first, f.second, second) - shift;
    vec4 black_rhs = params.unit * mix(f.second, f.first, second) - shift;
    if (params.from_zero != 0) coming = Columns(vec4(0.0), vec4(0.0));
#if CORRECTED
    if (odd) { // it is behind the middle of coarse slice z / 2
        Columns after = next_coarse((z >> 1) + 1);
        correction = between(coarse_newest, after, 0.25);
        coming.first += correction.first;
        coming.second += correction.second;
        correction = between(coarse_newest, after, 0.75);
        coarse_newest = after;
    } else {
        coming.first += correction.first;
        coming.second += correction.second;
    }
#endif
    if (among_walls || !is_slice(z))
        coming = where(coming, is_slice(z) ? inside(strip) : bvec4(false));
    vec4 red_new = mix(coming.second, coming.first, second);
    vec4 black_new = mix(coming.first, coming.second, second);
    coming = source_columns(strip, base_of(z + 2));
    f = rhs_columns(strip, base_of(z + 1));
#if CORRECTED
    if (!odd) read_coarse((z >> 1) + 1);
#endif

    // All that the step before has put there, before anything is put: so the reads overlap.
    int turn = int(odd);
    vec4 around1 = around(kBlackBefore + 1 - turn, strip, flip);
    vec4 around2 = around(kRed + turn, strip, flip);
    vec4 around3 = around(kBlack + 1 - turn, strip, flip);
    put(kBlackBefore + turn, strip, black_new);

    Relaxation r = relaxation_at(z - 1, flip);
    vec4 left = red_rhs - r.diagonal * red_read + params.coupling.z * (black_new + black_waiting) +
                beside(black_read) + around1;
    vec4 red_now = red_read + r.factor * left;
    put(kRed + 1 - turn, strip, red_now);
    vec4 red_known = red_rhs - r.diagonal * red_now;
    r = relaxation_at(z - 1, !flip);
    vec4 black_known = black_rhs - r.diagonal * black_read + params.coupling.z * red_done;

    r = relaxation_at(z - 2, flip);
    left = black_sum + params.coupling.z * red_now + around2;
    vec4 black_now = black_waiting + r.factor * left;
    put(kBlack + turn, strip, black_now);
    if (z - 2 >= begin && z - 2 < end) {
        second = seconds(!flip);
        store(z - 2, Columns(mix(red_done, black_now, second), mix(black_now, red_done, second)));
#if CORRECTED
        vec4 both = red_done + black_now;
        solution += both.xz + both.yw;
#endif
    }
    if (z - 3 >= begin) look_at(z - 3, !odd, red_left + params.coupling.z * black_now + around3);

    red_left = red_sum + beside(black_now);
    black_left = left * (1.0 - params.omega); // for its neighbours stay as they are
    red_sum = red_known + params.coupling.z * black_now;
    black_sum = black_known + beside(red_now);
    red_done = red_now;
    black_waiting = black_read;
    red_read = red_new;
    black_read = black_new;
    barrier();
}

void main() {
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * kTile;
    strip = strip_at(tile - kHalo, int(gl_LocalInvocationID.x), int(gl_LocalInvocationID.y));
    bvec2 touches = bvec2(tile.x <= kHalo || tile.x + kTile.x + kHalo >= params.cells.x,
                          tile.y <= kHalo || tile.y + kTile.y + kHalo >= params.cells.y);
    among_walls = any(bvec2(touches.x && params.wraps.x == 0, touches.y && params.wraps.y == 0));
    // A periodic axis may lead back to the same cell: it is the one without a turn that counts.
    ivec2 off = ivec2(strip.x, strip.y) - tile;
    bool own_x = off.x >= 0 && off.x < kTile.x && strip.x < params.cells.x;
    bool own_y = off.y >= 0 && off.y < kTile.y;
    own = bvec2(own_x && own_y && strip.y < params.cells.y,
                own_x && own_y && strip.y + 2 < params.cells.y);
    shift = params.unit * rhs_shift();
    begin = int(gl_WorkGroupID.z) * params.slices;
    end = min(begin + params.slices, params.cells.z);

    Columns coming_odd = source_columns(strip, base_of(begin - 3));
    Columns coming_even = source_columns(strip, base_of(begin - 2));
    Columns f_odd = rhs_columns(strip, base_of(begin - 4));
    Columns f_even = rhs_columns(strip, base_of(begin - 3));
#if CORRECTED
    places = coarse_strip(strip);
    read_coarse(begin / 2 - 2);
    coarse_newest = next_coarse(begin / 2 - 2);
    read_coarse(begin / 2 - 1);
#endif
    for (int z = begin - 3; z < end + 3; z += 2) {
        advance(z, true, coming_odd, f_odd);
        advance(z + 1, false, coming_even, f_even);
    }
#if CORRECTED
    squares = mix(vec2(0.0), squares, own);
    solution = mix(vec2(0.0), solution, own);
    vec4 sums = group_sum(vec4((squares.x + squares.y) * params.per_unit * params.per_unit,
                               solution.x + solution.y, 0.0, 0.0));
    uvec3 groups = gl_NumWorkGroups;
    uint group = gl_WorkGroupID.x + groups.x * (gl_WorkGroupID.y + groups.y * gl_WorkGroupID.z);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[group] = sums;
#endif
}
