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
// WEIGHTS: in a uniform block, whose numbers are operands, up to 16 KiB; in a buffer beyond.
//! variants WEIGHTS=uniform,storage
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "border.glsl"

layout(constant_id = 1) const uint border = 0u;
layout(constant_id = 2) const uint kernel_x = 1u;
layout(constant_id = 3) const uint kernel_y = 1u;
layout(constant_id = 4) const uint kernel_z = 1u;
layout(constant_id = 5) const uint kernel_w = 1u;
layout(constant_id = 6) const uint columns = 16u; // invocations along x
layout(constant_id = 7) const uint lines = 16u;   // and along y
layout(constant_id = 8) const uint results = 4u;  // a multiple of 4
layout(constant_id = 9) const uint rows = 1u;
layout(constant_id = 10) const uint slices = 1u;
layout(constant_id = 11) const uint filters = 1u;
layout(constant_id = 12) const uint unroll_rows = 0u;

readonly buffer Source { float values[]; } source;
#if WEIGHTS_uniform
uniform Weights { vec4 rows[1024]; } weights; // as filter/arrange_weights has them
#else
readonly buffer Weights { vec4 rows[]; } weights;
#endif
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec3 tiles; // along x, y and z
    uint groups;
    uint all_filters;
} params;

const uint kGroup = columns * lines;
const uint kTileWidth = columns * results; // results of a slice
const uint kTileHeight = lines * rows;
const uint kLoadedWidth = kTileWidth + kernel_x - 1u; // numbers that these meet
const uint kLoadedHeight = kTileHeight + kernel_y - 1u;
const uint kWindow = results + kernel_x - 1u; // numbers that a row of results meets
const uint kWindowQuads = (kWindow + 3u) / 4u;
const uint kWeightQuads = (kernel_x + 3u) / 4u;
const uint kFetches = 4u; // of the source that an invocation has in flight

// A row of the tile has its vectors in `kPlanes` parts, vector q in part q % kPlanes: an invocation
// begins at every kPlanes-th vector, and so neighbours read neighbours, without bank conflicts.
const uint kPlanes = results / 4u;
const uint kPlane = ((columns - 1u) * kPlanes + kWindowQuads + kPlanes - 1u) / kPlanes;
const uint kPitch = kPlane * kPlanes;
shared vec4 tile[kPitch * kLoadedHeight];

float window[kWindow];
float sums[filters * slices * rows * results];

uint slot(uint row, uint quad) {
    return row * kPitch + quad % kPlanes * kPlane + quad / kPlanes;
}

struct Task {
    uint array;
    uint block; // of filters
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
    uint blocks = (params.all_filters + filters - 1u) / filters;
    task.block = index % blocks;
    task.array = index / blocks;
    return task;
}

float number_at(uint slice, ivec2 corner, uint i) {
    uvec2 size = params.source_size.xy;
    uint y = place_read(border, corner.y + int(i / kLoadedWidth), size.y);
    uint x = place_read(border, corner.x + int(i % kLoadedWidth), size.x);
    return x == kNowhere || y == kNowhere ? 0.0 : source.values[(slice + y) * size.x + x];
}

void load_tile(uint slice, ivec2 corner) {
    const uint kCount = kLoadedWidth * kLoadedHeight;
    for (uint i = gl_LocalInvocationIndex; i < kCount; i += kFetches * kGroup) {
        float fetched[kFetches];
        [[unroll]] for (uint j = 0u; j < kFetches; ++j)
            if (i + j * kGroup < kCount) fetched[j] = number_at(slice, corner, i + j * kGroup);
        [[unroll]] for (uint j = 0u; j < kFetches; ++j) {
            uint at = i + j * kGroup;
            uint x = at % kLoadedWidth;
            if (at < kCount) tile[slot(at / kLoadedWidth, x / 4u)][x % 4u] = fetched[j];
        }
    }
}

void read_window(uint row) {
    uint first = row * kPitch + gl_LocalInvocationIndex % columns;
    [[unroll]] for (uint q = 0u; q < kWindowQuads; ++q) {
        vec4 quad = tile[first + q % kPlanes * kPlane + q / kPlanes];
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

// Row `row` of those that the invocation's results meet, in slice `slice` of those that they meet.
// `volume` is that of the weights, among all.
void add_row(uint volume, uint slice, uint row) {
    read_window(gl_LocalInvocationIndex / columns * rows + row);
    [[unroll]] for (uint s = 0u; s < slices; ++s) {
        if (slices > 1u && slice - s >= kernel_z) continue;
        [[unroll]] for (uint y = 0u; y < rows; ++y) {
            if (rows > 1u && row - y >= kernel_y) continue;
            uint line = (volume * kernel_z + slice - s) * kernel_y + row - y;
            [[unroll]] for (uint f = 0u; f < filters; ++f)
                add_weights((line * filters + f) * kWeightQuads,
                            ((f * slices + s) * rows + y) * results);
        }
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
    [[dont_unroll]] for (uint w = 0u; w < kernel_w; ++w) {
        uint source_w = place_read(border, corner.w + int(w), params.source_size.w);
        if (source_w == kNowhere) continue;
        [[dont_unroll]] for (uint slice = 0u; slice < kernel_z + slices - 1u; ++slice) {
            uint source_z = place_read(border, corner.z + int(slice), params.source_size.z);
            if (source_z == kNowhere) continue;
            uint source_slice =
                (task.array * params.source_size.w + source_w) * params.source_size.z + source_z;
            load_tile(source_slice * params.source_size.y, corner.xy);
            barrier();
            add_slice(task.block * kernel_w + w, slice);
            barrier();
        }
    }
}

// Through shared memory, so that neighbours write neighbours.
void store_slice(Task task, uint f, uint s) {
    uint filter_index = task.block * filters + f;
    uint z = task.place.z + s;
    if (filter_index >= params.all_filters || z >= params.result_size.z) return;
    uint column = gl_LocalInvocationIndex % columns;
    uint first_row = gl_LocalInvocationIndex / columns * rows;
    [[unroll]] for (uint y = 0u; y < rows; ++y)
        [[unroll]] for (uint q = 0u; q < kPlanes; ++q) {
            uint sum = ((f * slices + s) * rows + y) * results + 4u * q;
            tile[(first_row + y) * kPitch + q * kPlane + column] =
                vec4(sums[sum], sums[sum + 1u], sums[sum + 2u], sums[sum + 3u]);
        }
    barrier();
    uint slice = task.array * params.all_filters + filter_index;
    slice = (slice * params.result_size.w + task.place.w) * params.result_size.z + z;
    for (uint i = gl_LocalInvocationIndex; i < kTileWidth * kTileHeight; i += kGroup) {
        uvec2 within = uvec2(i % kTileWidth, i / kTileWidth);
        uvec2 place = task.place.xy + within;
        if (any(greaterThanEqual(place, params.result_size.xy))) continue;
        result.values[(slice * params.result_size.y + place.y) * params.result_size.x + place.x] =
            tile[slot(within.y, within.x / 4u)][within.x % 4u];
    }
    barrier();
}

void main() {
    uint index = group_index();
    if (index >= params.groups) return;
    [[unroll]] for (uint i = 0u; i < filters * slices * rows * results; ++i)
        sums[i] = 0.0;
    Task task = own_task(index);
    march(task);
    [[unroll]] for (uint f = 0u; f < filters; ++f)
        [[unroll]] for (uint s = 0u; s < slices; ++s)
            store_slice(task, f, s);
}
