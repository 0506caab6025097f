#version 460
// Relaxes a grid, first CORRECTED by the coarser one. ROWS: a picture, whose second axis is z. CELLS:
// with solid or fixed cells, of which each takes its coarse cell's correction.
//! variants CELLS=0,1 CORRECTED=0,1 ROWS=0,1

#if ROWS
#define TILE_X 512
#define TILE_Y 1
#define RIM_Y 0
#else
#define TILE_X 32
#define TILE_Y 16
#define RIM_Y 2
#endif

// One red-black Gauss-Seidel sweep, both colours in one pass over memory: a group takes a tile of
// x and y through some slices along z, with a halo of two cells that it relaxes as its neighbours
// do. It is two slices behind what it reads with the first colour's updates, and three with the
// second's. Along a periodic axis of an odd number of cells the first and the last have one colour:
// in x and y each then reads the other's former value.
//
// The kernel defines TILE_X, TILE_Y and RIM_Y, and perhaps CELLS, or CORRECTED: what is relaxed
// is the source plus the interpolated solution of the coarser grid.
layout(local_size_x = 256) in;

const int kHalo = 2;
const int kWidth = TILE_X + 2 * kHalo;
const int kHeight = TILE_Y + 2 * RIM_Y;
const int kPlane = kWidth * kHeight;
const int kSlots = (kPlane + 255) / 256; // cells of a plane that an invocation has
const int kPlanes = 5;

uniform Params {
#include "solver/grid_params.glsl"
    float omega;
    uint has_status;
    int first_color;
    uint has_source; // 0: it counts as 0
    int slices;    // of a group
#if CORRECTED
#include "solver/transfer_params.glsl"
#endif
} params;

writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"
#include "rhs.glsl"
#include "stencil.glsl"
#if CORRECTED
readonly buffer Coarse { float values[]; } coarse;
#include "solver/transfer.glsl"

#if CELLS
float correction_at(ivec3 cell) {
    return coarse.values[coarse_index(cell / params.factor)];
}
#else
float correction_at(ivec3 cell) {
    Parents p = parents_of(cell);
    float sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        bvec3 far = bvec3((corner & 1) != 0, (corner & 2) != 0, (corner & 4) != 0);
        vec3 weight = mix(p.near_weight, p.far_weight, far);
        sum += weight.x * weight.y * weight.z * coarse.values[coarse_index(mix(p.near, p.far, far))];
    }
    return sum;
}
#endif
#endif

shared float planes[kPlanes * kPlane];

// Where a slice begins; `slice` may be a few less than 0.
int plane_of(int slice) {
    return (slice + 4 * kPlanes) % kPlanes * kPlane;
}

// What an invocation knows of its places in every plane.
int column[kSlots];    // number of the cell in its slice; less than 0: beyond a wall, or no place
bool own[kSlots];      // in the tile: the group says what it becomes
bool surrounded[kSlots]; // its neighbours are in the plane
int color[kSlots];     // in slice 0
#if !CELLS
vec4 beside[kSlots];   // quotients to the neighbours below and above along x, and along y
#endif

void prepare(ivec2 origin) {
    for (int slot = 0; slot < kSlots; ++slot) {
        int place = int(gl_LocalInvocationIndex) + slot * 256;
        int y = place / kWidth;
        int x = place - y * kWidth;
        ivec2 at = origin + ivec2(x - kHalo, y - RIM_Y);
        ivec3 cell = wrapped(ivec3(at, 0));
        bool exists = place < kPlane && is_inside(cell);
        column[slot] = exists ? index_of(cell) : -1;
        color[slot] = color_of(cell);
        surrounded[slot] = x > 0 && x < kWidth - 1 && (RIM_Y == 0 || (y > 0 && y < kHeight - 1));
        // A periodic axis may lead back to the same cell: it is the one without a turn that counts.
        own[slot] = x >= kHalo && x < kWidth - kHalo && y >= RIM_Y && y < kHeight - RIM_Y &&
                    at.x < params.cells.x && at.y < params.cells.y;
#if !CELLS
        vec3 low = low_weights(cell);
        vec3 high = high_weights(cell);
        beside[slot] = vec4(low.x, high.x, low.y, high.y);
#endif
    }
}

// A slice, and where periodic axes lead; less than 0: beyond a wall.
int slice_number(int slice) {
    if (slice >= 0 && slice < params.cells.z) return slice;
    return params.wraps.z == 0 ? -1 : modulo(slice, params.cells.z);
}

#if CELLS || CORRECTED
ivec3 cell_in(int column_, int z) {
    int y = column_ / params.cells.x;
    return ivec3(column_ - y * params.cells.x, y, z);
}
#endif

void load(int slice) {
    int plane = plane_of(slice);
    int z = slice_number(slice);
    int base = z * params.cells.x * params.cells.y;
    for (int slot = 0; slot < kSlots; ++slot) {
        int place = int(gl_LocalInvocationIndex) + slot * 256;
        if (place >= kPlane) break;
        float value = 0.0;
        if (z >= 0 && column[slot] >= 0) {
            if (params.has_source != 0u) value = source.values[base + column[slot]];
#if CORRECTED
#if CELLS
            if (weights.values[base + column[slot]].w >= 0.0)
#endif
                value += correction_at(cell_in(column[slot], z));
#endif
        }
        planes[plane + place] = value;
    }
}

// Relaxes the cells of one colour in a slice; `keeps`: its own cells are then final.
void relax(int slice, int of_color, bool keeps) {
    int z = slice_number(slice);
    if (z < 0) return;
    int base = z * params.cells.x * params.cells.y;
    int plane = plane_of(slice);
    int below = plane_of(slice - 1);
    int above = plane_of(slice + 1);
    float shift = rhs_shift(params.has_status);
#if !CELLS
    float low_z = low_weights(ivec3(0, 0, z)).z;
    float high_z = high_weights(ivec3(0, 0, z)).z;
#endif
    float fresh[kSlots];
    bool changes[kSlots];
    for (int slot = 0; slot < kSlots; ++slot) {
        int place = int(gl_LocalInvocationIndex) + slot * 256;
        changes[slot] = false;
        if (column[slot] < 0 || !surrounded[slot]) continue;
        int at = plane + place;
        float value = planes[at];
        if (((color[slot] + z) & 1) == of_color) {
#if CELLS
            Stencil s = stencil_at(cell_in(column[slot], z));
            vec4 side = vec4(s.low.x, s.high.x, s.low.y, s.high.y);
            float low_z = s.low.z;
            float high_z = s.high.z;
            float diagonal = s.diagonal;
#else
            vec4 side = beside[slot];
            float diagonal = side.x + side.y + side.z + side.w + low_z + high_z;
#endif
            float around = side.x * planes[at - 1] + side.y * planes[at + 1] +
                           low_z * planes[below + place] + high_z * planes[above + place];
#if RIM_Y > 0
            around += side.z * planes[at - kWidth] + side.w * planes[at + kWidth];
#endif
            if (diagonal > 0.0) {
                float f = rhs.values[base + column[slot]] - shift;
                value += params.omega * ((f + around) / diagonal - value);
                changes[slot] = true;
            }
        }
        fresh[slot] = value;
        if (keeps && own[slot]) result.values[base + column[slot]] = value;
    }
    // Along a periodic axis of an odd number of cells, neighbours of one colour.
    if (any(notEqual(params.wraps.xy * (params.cells.xy & 1), ivec2(0)))) barrier();
    for (int slot = 0; slot < kSlots; ++slot)
        if (changes[slot]) planes[plane + int(gl_LocalInvocationIndex) + slot * 256] = fresh[slot];
}

void main() {
    ivec3 group = ivec3(gl_WorkGroupID);
    prepare(group.xy * ivec2(TILE_X, TILE_Y));
    int begin = group.z * params.slices;
    int end = min(begin + params.slices, params.cells.z);
    for (int slice = begin - kHalo; slice < end + kHalo; ++slice) {
        load(slice);
        barrier();
        if (slice >= begin) relax(slice - 1, params.first_color, false);
        barrier();
        if (slice - kHalo >= begin) relax(slice - kHalo, 1 - params.first_color, true);
    }
}
