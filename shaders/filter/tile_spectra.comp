#version 460
// Spectra of kernels' slices for filter/tiles_fft: a group transforms one.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "tile_steps.glsl"

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Spectra { vec2 values[]; } spectra;

uniform Params {
    uvec2 size;    // of a slice
    uint slices;   // of a kernel
    uint turned;
    uint count;    // slices of all kernels
    float scale;
} params;

// The last weight along an axis lies at place 0, those before it at the tile's end.
float weight_at(uint slice, uvec2 place) {
    uvec2 weight = (place + params.size - 1u) % side;
    if (any(greaterThanEqual(weight, params.size))) return 0.0;
    uint taps = params.size.x * params.size.y * params.slices;
    uint tap = (slice % params.slices * params.size.y + weight.y) * params.size.x + weight.x;
    if (params.turned != 0u) tap = taps - 1u - tap;
    return kernel.values[slice / params.slices * taps + tap];
}

void main() {
    uint slice = group_index();
    if (slice >= params.count) return; // the whole group
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        value[e] = vec2(weight_at(slice, uvec2(own_line(), place_of_eight(e / 8u, e % 8u))), 0.0);
    transform_tile();
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        spectra.values[spectrum_place(slice, e)] = params.scale * value[e];
}
