#version 460
// Convolution in two to four dimensions by tiles in shared memory and blocks of results in registers.
//
// An invocation makes `results` numbers of a row, in `rows` rows, of `slices` slices, for `filters`
// kernels. A group marches through the slices of the source that its results meet: it loads the tile of
// a slice, remapped by the border, so that the loops behind know of no border; then each row of the tile
// that an invocation needs is read into registers once, and every weight that meets it is applied.
// A row of F weights takes (F + results - 1) / 4 reads of shared memory for
// F * results * rows * slices * filters products at most.
//
// WEIGHTS: in a uniform block, whose numbers are operands, of 16 KiB; of 64 KiB (large), which GPUs
// have; in a buffer beyond.
//! variants WEIGHTS=uniform,large,storage
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "tile.glsl"

layout(constant_id = 12) const uint unroll_rows = 0u;
layout(constant_id = 14) const uint blocks = 1u; // of filters; where there is one, the compiler knows

#if WEIGHTS_uniform
uniform Weights { vec4 rows[1024]; } weights; // as filter/arrange_weights has them
#elif WEIGHTS_large
uniform Weights { vec4 rows[4096]; } weights;
#else
readonly buffer Weights { vec4 rows[]; } weights;
#endif

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec3 tiles; // along x, y and z
    uint groups;
    uint all_filters;
} params;

float window[kWindow];

struct Task {
    uint array;
    uint block;  // of filters
    uvec4 place; // of the first result
};

Task own_task(uint index) {
    Task task;
    task.place.x = index % params.tiles.x * kTileWidth;
    index /= params.tiles.x;
    task.place.y = index % params.tiles.y * kTileHeight;
    index /= params.tiles.y;
    task.place.z = index % params.tiles.z * slices;
    index /= params.tiles.z;
    task.place.w = index % params.result_size.w;
    index /= params.result_size.w;
    task.block = index % blocks;
    task.array = index / blocks;
    return task;
}

void read_window(uint row) {
    [[unroll]] for (uint q = 0u; q < kWindowQuads; ++q) {
        vec4 quad = window_quad(0u, row, q);
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            if (4u * q + i < kWindow) window[4u * q + i] = quad[i];
    }
}

// Applies a row of weights to the window, for the results from `first_sum` on.
void add_weights(uint first_weight, uint first_sum) {
    [[unroll]] for (uint q = 0u; q < kWeightQuads; ++q) {
        vec4 quad = weights.rows[first_weight + q];
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            if (4u * q + i < kernel_x)
                [[unroll]] for (uint r = 0u; r < results; ++r)
                    sums[first_sum + r] += window[r + 4u * q + i] * quad[i];
    }
}

// Row `row` and slice `slice`, both counted from the first that the invocation's results meet.
// `volume` is that of the weights, among all.
void add_row(uint volume, uint slice, uint row) {
    read_window(own_row() + row);
    [[unroll]] for (uint s = 0u; s < slices; ++s)
        if (slices == 1u || slice - s < kernel_z)
            [[unroll]] for (uint y = 0u; y < rows; ++y)
                if (rows == 1u || row - y < kernel_y) {
                    uint line = (volume * kernel_z + slice - s) * kernel_y + row - y;
                    [[unroll]] for (uint f = 0u; f < filters; ++f)
                        add_weights((line * filters + f) * kWeightQuads, sum_slot(f, s, y));
                }
}

void add_slice(uint volume, uint slice) {
    const uint kRows = kernel_y + rows - 1u;
    if (unroll_rows != 0u) {
        [[unroll]] for (uint row = 0u; row < kRows; ++row)
            add_row(volume, slice, row);
    } else {
        [[dont_unroll]] for (uint row = 0u; row < kRows; ++row)
            add_row(volume, slice, row);
    }
}

void march(Task task) {
    ivec4 corner = ivec4(params.first + task.place) -
                   ivec4(kernel_x / 2u, kernel_y / 2u, kernel_z / 2u, kernel_w / 2u);
    take_columns(corner.x, params.source_size.x);
    for (uint w = 0u; w < kernel_w; ++w) {
        uint source_w = place_read(border, corner.w + int(w), params.source_size.w);
        if (source_w == kNowhere) continue;
        for (uint slice = 0u; slice < kernel_z + slices - 1u; ++slice) {
            uint source_z = place_read(border, corner.z + int(slice), params.source_size.z);
            if (source_z == kNowhere) continue;
            uint source_slice =
                (task.array * params.source_size.w + source_w) * params.source_size.z + source_z;
            load_tile(0u, source_slice, corner.y, params.source_size.xy);
            barrier();
            add_slice(task.block * kernel_w + w, slice);
            barrier();
        }
    }
}

void store(Task task, uint f, uint s) {
    uint filter_index = task.block * filters + f;
    uint z = task.place.z + s;
    if (filter_index >= params.all_filters || z >= params.result_size.z) return;
    uint volume = (task.array * params.all_filters + filter_index) * params.result_size.w;
    store_slice(f, s, (volume + task.place.w) * params.result_size.z + z, task.place.xy,
                params.result_size.xy);
}

void main() {
    uint index = group_index();
    if (index >= params.groups) return;
    clear_sums();
    Task task = own_task(index);
    march(task);
    [[unroll]] for (uint f = 0u; f < filters; ++f)
        [[unroll]] for (uint s = 0u; s < slices; ++s)
            store(task, f, s);
}
