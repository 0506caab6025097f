#version 460
// Convolution with several kernels that are all even, or all odd: turned about its middle each is itself,
// or its negative. Numbers that meet a weight and its opposite are added, or subtracted, once for all
// kernels, which leaves half the products. F weights and m kernels take F / 2 additions and m F / 2
// products a result, instead of m F.
//
// Of the weights there are those of the first half of the slices, and of the middle one. In the row of
// the middle the weights behind the middle are 0, and that of the middle is halved.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "tile.glsl"

layout(constant_id = 12) const uint odd = 0u;

readonly buffer Weights { vec4 rows[]; } weights;

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec2 tiles; // along x and y
    uint groups;
    uint all_filters;
    uvec4 chosen[2]; // which of them these are
} params;

float window[kWindow];
float opposite[kWindow];

struct Task {
    uint array;
    uvec4 place; // of the first result
};

Task own_task(uint index) {
    Task task;
    task.place.x = index % params.tiles.x * kTileWidth;
    index /= params.tiles.x;
    task.place.y = index % params.tiles.y * kTileHeight;
    index /= params.tiles.y;
    task.place.z = index % params.result_size.z;
    index /= params.result_size.z;
    task.place.w = index % params.result_size.w;
    task.array = index / params.result_size.w;
    return task;
}

void read_windows(uint row, uint opposite_tile, uint opposite_row) {
    [[unroll]] for (uint q = 0u; q < kWindowQuads; ++q) {
        vec4 quad = window_quad(0u, row, q);
        vec4 other = window_quad(opposite_tile, opposite_row, q);
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            if (4u * q + i < kWindow) {
                window[4u * q + i] = quad[i];
                opposite[4u * q + i] = other[i];
            }
    }
}

// Applies component `i` of the weights to the numbers of column `x` and their opposites.
void add_column(uint x, vec4 quad[filters], uint i) {
    [[unroll]] for (uint r = 0u; r < results; ++r) {
        float other = opposite[r + kernel_x - 1u - x];
        float both = odd != 0u ? window[r + x] - other : window[r + x] + other;
        [[unroll]] for (uint f = 0u; f < filters; ++f)
            sums[f * results + r] += both * quad[f][i];
    }
}

void add_row(uint line) {
    [[unroll]] for (uint q = 0u; q < kWeightQuads; ++q) {
        vec4 quad[filters];
        [[unroll]] for (uint f = 0u; f < filters; ++f)
            quad[f] = weights.rows[(line * filters + f) * kWeightQuads + q];
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            if (4u * q + i < kernel_x) add_column(4u * q + i, quad, i);
    }
}

// Slice `volume` of the kernels, in the first half or the middle, with its opposite.
void add_slice(uint volume, uint opposite_tile, uint row_count) {
    [[dont_unroll]] for (uint row = 0u; row < row_count; ++row) {
        read_windows(own_row() + row, opposite_tile, own_row() + kernel_y - 1u - row);
        add_row(volume * kernel_y + row);
    }
}

// Slice `volume` of those that the results meet, among all of the source.
uint source_slice(Task task, ivec4 corner, uint volume) {
    uint z = place_read(border, corner.z + int(volume % kernel_z), params.source_size.z);
    uint w = place_read(border, corner.w + int(volume / kernel_z), params.source_size.w);
    if (z == kNowhere || w == kNowhere) return kNowhere;
    return (task.array * params.source_size.w + w) * params.source_size.z + z;
}

void march(Task task) {
    ivec4 corner = ivec4(params.first + task.place) -
                   ivec4(kernel_x / 2u, kernel_y / 2u, kernel_z / 2u, kernel_w / 2u);
    const uint kMiddle = kernel_z * kernel_w / 2u;
    take_columns(corner.x, params.source_size.x);
    for (uint volume = 0u; volume <= kMiddle; ++volume) {
        uint slice = source_slice(task, corner, volume);
        uint other = source_slice(task, corner, 2u * kMiddle - volume);
        if (slice == kNowhere && other == kNowhere) continue;
        load_tile(0u, slice, corner.y, params.source_size.xy);
        if (volume < kMiddle) load_tile(tiles - 1u, other, corner.y, params.source_size.xy);
        barrier();
        if (volume < kMiddle) add_slice(volume, tiles - 1u, kernel_y);
        else add_slice(volume, 0u, kernel_y / 2u + 1u);
        barrier();
    }
}

void main() {
    uint index = group_index();
    if (index >= params.groups) return;
    clear_sums();
    Task task = own_task(index);
    march(task);
    [[unroll]] for (uint f = 0u; f < filters; ++f) {
        uint volume = task.array * params.all_filters + params.chosen[f / 4u][f % 4u];
        uint slice = (volume * params.result_size.w + task.place.w) * params.result_size.z;
        store_slice(f, 0u, slice + task.place.z, task.place.xy, params.result_size.xy);
    }
}
