#version 460
// Sums numbers and their weights in the cells of the bilateral grid. A group has all bins of one place:
// it reads what lies within a cell's width and adds each number to the two nearest bins, in whole
// numbers, whose sums do not depend on the order.

layout(local_size_x = 128) in;
#include "invocation.glsl"
#include "bilateral_grid.glsl"

layout(constant_id = 0) const uint border = 0u;
layout(constant_id = 1) const uint bin_count = 2u;

readonly buffer Source { float values[]; } source;
writeonly buffer Grid { vec2 sums[]; } grid; // numbers from 0 to 1, and weights

uniform Params {
    uvec4 size;
    uvec4 cells;
    uvec4 step;
    uvec4 pad;
    float low;
    float high;
    float bin;
    float unit; // of whole numbers, a weight of 1
    uint count; // cells of all arrays, without their bins
} params;

shared uint numbers[bin_count];
shared uint weights[bin_count];

void splat(float number, float weight, BilateralGrid shape) {
    if (!is_finite(number)) return;
    float at = bin_of(shape, number);
    float part = (clamp(number, shape.low, shape.high) - shape.low) / (shape.high - shape.low);
    uint low = min(uint(at), bin_count - 2u);
    for (uint i = 0u; i < 2u; ++i) {
        float share = weight * (1.0 - abs(at - float(low + i)));
        if (share <= 0.0) continue;
        atomicAdd(numbers[low + i], uint(share * part * params.unit + 0.5));
        atomicAdd(weights[low + i], uint(share * params.unit + 0.5));
    }
}

void main() {
    uint group = group_index();
    if (group >= params.count) return;
    for (uint b = gl_LocalInvocationIndex; b < bin_count; b += gl_WorkGroupSize.x) {
        numbers[b] = 0u;
        weights[b] = 0u;
    }
    barrier();

    BilateralGrid shape = BilateralGrid(params.cells, params.step, params.pad, params.low,
                                        params.high, params.bin, bin_count);
    uint first = group / count_of(params.cells) * count_of(params.size);
    uvec4 cell = place_of(group % count_of(params.cells), params.cells);
    ivec4 middle = (ivec4(cell) - ivec4(params.pad)) * ivec4(params.step);
    uvec4 reach = 2u * params.step - 1u;
    for (uint i = gl_LocalInvocationIndex; i < count_of(reach); i += gl_WorkGroupSize.x) {
        ivec4 offset = ivec4(place_of(i, reach)) - ivec4(params.step) + 1;
        vec4 near = 1.0 - vec4(abs(offset)) / vec4(params.step);
        uint at = index_read(border, middle + offset, params.size);
        splat(at == kNowhere ? 0.0 : source.values[first + at], near.x * near.y * near.z * near.w,
              shape);
    }
    barrier();
    for (uint b = gl_LocalInvocationIndex; b < bin_count; b += gl_WorkGroupSize.x)
        grid.sums[group * bin_count + b] = vec2(numbers[b], weights[b]) / params.unit;
}
