#version 460
// Reads the bilateral grid at the place of each number and at the number itself, between cells by
// linear interpolation along all axes.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "bilateral_grid.glsl"

readonly buffer Source { float values[]; } source;
readonly buffer Grid { vec2 sums[]; } grid;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec4 cells;
    uvec4 step;
    uvec4 pad;
    float low;
    float high;
    float bin;
    uint bins;
    uint count;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint array = index / results;
    uvec4 place = params.first + place_of(index % results, params.result_size);
    float number = source.values[array * count_of(params.size) + index_of(place, params.size)];
    if (!is_finite(number)) {
        result.values[index] = number;
        return;
    }
    BilateralGrid shape = BilateralGrid(params.cells, params.step, params.pad, params.low,
                                        params.high, params.bin, params.bins);
    float bin = bin_of(shape, number);
    uint low_bin = min(uint(bin), params.bins - 2u);
    float part = bin - float(low_bin);
    uvec4 cell = place / params.step + params.pad;
    vec4 beyond = vec4(place % params.step) / vec4(params.step);
    vec2 sum = vec2(0.0);
    for (uint corner = 0u; corner < 16u; ++corner) {
        uvec4 side = uvec4(corner, corner >> 1, corner >> 2, corner >> 3) & 1u;
        vec4 near = mix(1.0 - beyond, beyond, equal(side, uvec4(1u)));
        float weight = near.x * near.y * near.z * near.w;
        if (weight == 0.0) continue;
        uint at = (array * count_of(params.cells) + index_of(cell + side, params.cells)) *
                      params.bins + low_bin;
        sum += weight * mix(grid.sums[at], grid.sums[at + 1u], part);
    }
    result.values[index] =
        sum.y > 0.0 ? params.low + (params.high - params.low) * (sum.x / sum.y) : number;
}
