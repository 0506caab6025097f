#version 460
#extension GL_EXT_control_flow_attributes : require
// Sweeps over a picture of regular cells and their residual. On the way down that is the right-hand
// side of the coarser grid; on the way up the picture is first CORRECTED by it.
//! variants CORRECTED=0,1

// A cycle's work on a picture of regular cells, before the coarser grid's correction or after it: see
// regular_kernel.glsl. A group takes a tile, an invocation two strips of it; sweeps read memory once.
// Each colour that is relaxed, and the residual, needs one cell more around the tile, which other
// groups work on as well.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "regular_params.glsl"
    int sweeps;
    int halo; // cells around a tile: even, 2 * sweeps + 1 or more
} params;

const int kSide = 64; // of a tile with its halo
const int kPairs = kSide / 2;
const int kStrips = kSide / 4;
const int kHalves = 2;
const int kRed = 0;
const int kBlack = 1;
#include "regular_kernel.glsl"

void main() {
    ivec2 origin = ivec2(gl_WorkGroupID.xy) * (kSide - 2 * params.halo) - params.halo;
    bool flip = kFirstColor != 0u; // in even rows, the red cell is the second of its pair
    float shift = rhs_shift();
    Strip strip[2];
    Columns u[2];
    Columns f[2];
#if CORRECTED
    Columns corrections[2];
#endif
    Relaxation red_relaxation[2];
    Relaxation black_relaxation[2];
    vec4 red[2];
    vec4 black[2];
    vec4 red_rhs[2];
    vec4 black_rhs[2];
    vec4 black_left[2];
    [[unroll]] for (int i = 0; i < 2; ++i) {
        strip[i] = strip_at(origin, int(gl_LocalInvocationID.x), int(gl_LocalInvocationID.y) + 8 * i);
        u[i] = source_columns(strip[i], 0);
        f[i] = rhs_columns(strip[i], 0);
#if CORRECTED
        CoarseAround coarse_cells = coarse_around(coarse_strip(strip[i]), 0);
        mirror_coarse(coarse_cells, strip[i]);
        corrections[i] = coarse_columns(coarse_cells);
#endif
    }
    [[unroll]] for (int i = 0; i < 2; ++i) {
        if (params.from_zero != 0) u[i] = Columns(vec4(0.0), vec4(0.0));
#if CORRECTED
        u[i].first += corrections[i].first;
        u[i].second += corrections[i].second;
#endif
        u[i] = where(u[i], inside(strip[i]));
        bvec4 second = seconds(flip);
        red[i] = mix(u[i].first, u[i].second, second);
        black[i] = mix(u[i].second, u[i].first, second);
        red_rhs[i] = params.unit * (mix(f[i].first, f[i].second, second) - shift);
        black_rhs[i] = params.unit * (mix(f[i].second, f[i].first, second) - shift);
        red_relaxation[i] = wall_relaxation(strip[i], second, 0.0);
        black_relaxation[i] = wall_relaxation(strip[i], not(second), 0.0);
        put(kBlack, strip[i], black[i]);
    }
    barrier();
    for (int sweep = 0; sweep < params.sweeps; ++sweep) {
        [[unroll]] for (int i = 0; i < 2; ++i) {
            vec4 left = red_rhs[i] - red_relaxation[i].diagonal * red[i] +
                        beside(black[i]) + around(kBlack, strip[i], flip);
            red[i] += red_relaxation[i].factor * left;
            put(kRed, strip[i], red[i]);
        }
        barrier();
        [[unroll]] for (int i = 0; i < 2; ++i) {
            vec4 left = black_rhs[i] - black_relaxation[i].diagonal * black[i] +
                        beside(red[i]) + around(kRed, strip[i], !flip);
            black[i] += black_relaxation[i].factor * left;
            black_left[i] = left * (1.0 - params.omega);
            put(kBlack, strip[i], black[i]);
        }
        barrier();
    }

    int lane = 2 * int(gl_LocalInvocationID.x);
#if CORRECTED
    float squares = 0.0;
    float solution = 0.0;
#endif
    [[unroll]] for (int i = 0; i < 2; ++i) {
        vec4 red_left = red_rhs[i] - red_relaxation[i].diagonal * red[i] +
                        beside(black[i]) + around(kBlack, strip[i], flip);
        bvec4 second = seconds(flip);
        vec4 first_cells = mix(red[i], black[i], second);
        vec4 second_cells = mix(black[i], red[i], second);
        bool own_x = lane >= params.halo && lane < kSide - params.halo && strip[i].x < params.cells.x;
        // Rows are the group's in pairs, since the halo and the picture have an even number. A periodic
        // axis may lead back to the same cell: it is the one without a turn that counts.
        [[unroll]] for (int row = 0; row < 4; row += 2) {
            int y = strip[i].y + row;
            int off = y - origin.y;
            bool own_y = off >= params.halo && off < kSide - params.halo && y < params.cells.y;
            if (own_x && own_y) {
                result.values[strip[i].pair[row]] = vec2(first_cells[row], second_cells[row]);
                result.values[strip[i].pair[row + 1]] =
                    vec2(first_cells[row + 1], second_cells[row + 1]);
                vec4 left = vec4(red_left[row], black_left[i][row], red_left[row + 1],
                                 black_left[i][row + 1]);
#if CORRECTED
                squares += dot(left, left);
                solution += first_cells[row] + second_cells[row] + first_cells[row + 1] +
                            second_cells[row + 1];
#else
                int at = strip[i].x / 2 + params.cells.x / 2 * (y / 2);
                restricted.values[at] = 0.25 * params.per_unit * dot(left, vec4(1.0));
#endif
            }
        }
    }
#if CORRECTED
    vec4 sums =
        group_sum(vec4(squares * params.per_unit * params.per_unit, solution, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u)
        partial_sums.values[gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y] = sums;
#endif
}
