#version 460
// The coarsest grids, all those that fit, in the shared memory of one group: V-cycles of two sweeps
// before and two after, the second two in reverse.
layout(local_size_x = 256) in;

const int kMostGrids = 12;
const int kMostCells = 3584; // of all grids

// Arrays have an element a grid, the finest of them first. C++: `add_coarse`.
uniform Params {
    ivec4 cells[kMostGrids]; // w: where its cells begin
    ivec4 factor[kMostGrids];
    vec4 low_first[kMostGrids];
    vec4 low_inner[kMostGrids];
    vec4 low_last[kMostGrids];
    vec4 high_inner[kMostGrids];
    vec4 high_before[kMostGrids];
    vec4 high_last[kMostGrids];
    vec4 side[kMostGrids];
    vec4 last_side[kMostGrids];
    ivec4 wraps;
    ivec4 fixed_walls;
    int grids;
    int cycles;
    int from_zero;
    int colors; // phases of a sweep, see phase_of
    float shift;
    float omega;
} given;

readonly buffer Rhs { float values[]; } rhs;
readonly buffer Source { float values[]; } source;
readonly buffer Status { uint words[]; } status;
writeonly buffer Result { float values[]; } result;

// What grid.glsl and transfer.glsl know as `params`.
struct Current {
#include "solver/grid_params.glsl"
#include "solver/transfer_params.glsl"
};
Current current;
#define params current
#include "solver/grid.glsl"
#include "solver/status.glsl"
#include "solver/transfer.glsl"

shared float shared_u[kMostCells];
shared float shared_f[kMostCells];
int base;        // of the current grid
int coarse_base; // of the next coarser one

void enter(int grid) {
    current.cells = given.cells[grid].xyz;
    current.wraps = given.wraps.xyz;
    current.low_first = given.low_first[grid].xyz;
    current.low_inner = given.low_inner[grid].xyz;
    current.low_last = given.low_last[grid].xyz;
    current.high_inner = given.high_inner[grid].xyz;
    current.high_before = given.high_before[grid].xyz;
    current.high_last = given.high_last[grid].xyz;
    current.side = given.side[grid].xyz;
    current.last_side = given.last_side[grid].xyz;
    current.factor = given.factor[grid].xyz;
    current.fixed_walls = given.fixed_walls.xyz;
    int next = min(grid + 1, given.grids - 1);
    current.coarse_cells = given.cells[next].xyz;
    current.coarse_side = given.side[next].xyz;
    current.coarse_last = given.last_side[next].xyz;
    base = given.cells[grid].w;
    coarse_base = given.cells[next].w;
}

float value_at(ivec3 cell) {
    ivec3 at = wrapped(cell);
    return is_inside(at) ? shared_u[base + index_of(at)] : 0.0;
}

// -laplace(u) is x * u - y.
vec2 stencil_of(ivec3 cell) {
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    vec3 below = vec3(value_at(cell - ivec3(1, 0, 0)), value_at(cell - ivec3(0, 1, 0)),
                      value_at(cell - ivec3(0, 0, 1)));
    vec3 above = vec3(value_at(cell + ivec3(1, 0, 0)), value_at(cell + ivec3(0, 1, 0)),
                      value_at(cell + ivec3(0, 0, 1)));
    return vec2(sum_of(low + high), dot(low, below) + dot(high, above));
}

// No two neighbours are in one phase: along a periodic axis of an odd number of cells the last one
// has the colour of the first.
int phase_of(ivec3 cell) {
    ivec3 odd_end = current.wraps * (current.cells & 1) * ivec3(equal(cell, current.cells - 1));
    return color_of(cell) + 2 * (odd_end.x + odd_end.y + odd_end.z);
}

void smooth_phase(int phase) {
    int count = cell_count();
    for (int i = int(gl_LocalInvocationIndex); i < count; i += 256) {
        ivec3 cell = cell_at(i);
        if (phase_of(cell) != phase) continue;
        vec2 s = stencil_of(cell);
        float own = shared_u[base + i];
        if (s.x > 0.0)
            shared_u[base + i] = own + given.omega * ((shared_f[base + i] + s.y) / s.x - own);
    }
    barrier();
}

void restrict_residual() {
    int count = current.coarse_cells.x * current.coarse_cells.y * current.coarse_cells.z;
    for (int i = int(gl_LocalInvocationIndex); i < count; i += 256) {
        int rows = i / current.coarse_cells.x;
        int slice = rows / current.coarse_cells.y;
        ivec3 parent = ivec3(i - rows * current.coarse_cells.x,
                             rows - slice * current.coarse_cells.y, slice);
        ivec3 first = parent * current.factor;
        ivec3 end = min(first + current.factor, current.cells);
        float sum = 0.0;
        float volume = 0.0;
        for (int z = first.z; z < end.z; ++z)
            for (int y = first.y; y < end.y; ++y)
                for (int x = first.x; x < end.x; ++x) {
                    ivec3 cell = ivec3(x, y, z);
                    vec3 sides =
                        mix(current.side, current.last_side, equal(cell, current.cells - 1));
                    float part = sides.x * sides.y * sides.z;
                    int at = base + index_of(cell);
                    vec2 s = stencil_of(cell);
                    sum += part * (shared_f[at] - (s.x * shared_u[at] - s.y));
                    volume += part;
                }
        shared_f[coarse_base + i] = sum / volume;
        shared_u[coarse_base + i] = 0.0;
    }
    barrier();
}

void correct() {
    int count = cell_count();
    for (int i = int(gl_LocalInvocationIndex); i < count; i += 256) {
        Parents p = parents_of(cell_at(i));
        float sum = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
            bvec3 far = bvec3((corner & 1) != 0, (corner & 2) != 0, (corner & 4) != 0);
            vec3 weight = mix(p.near_weight, p.far_weight, far);
            sum += weight.x * weight.y * weight.z *
                   shared_u[coarse_base + coarse_index(mix(p.near, p.far, far))];
        }
        shared_u[base + i] += sum;
    }
    barrier();
}

void main() {
    enter(0);
    int count = cell_count();
    float shift = given.shift == 0.0 ? 0.0 : given.shift * uintBitsToFloat(status.words[kShift]);
    for (int i = int(gl_LocalInvocationIndex); i < count; i += 256) {
        shared_f[i] = rhs.values[i] - shift;
        shared_u[i] = given.from_zero != 0 ? 0.0 : source.values[i];
    }
    barrier();
    // One loop over the steps of all cycles, so that each step's code is there once: down the grids
    // with the sweeps before, on the coarsest more of them, and up again.
    int last = given.grids - 1;
    int steps = 2 * last + 1;
    for (int step = 0; step < steps * given.cycles; ++step) {
        int at = step % steps;
        bool down = at < last;
        int grid = down ? at : 2 * last - at;
        enter(grid);
        if (at > last) correct();
        int phases = (at == last ? 16 : 2) * given.colors;
        for (int i = 0; i < phases; ++i) {
            bool reverse_ = at == last ? 2 * i >= phases : !down;
            int phase = i % given.colors;
            smooth_phase(reverse_ ? given.colors - 1 - phase : phase);
        }
        if (down) restrict_residual();
    }
    for (int i = int(gl_LocalInvocationIndex); i < count; i += 256)
        result.values[i] = shared_u[i];
}
