#version 460
// The running mean of the pictures since the last change.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "paths.glsl"

readonly buffer Paths { vec4 quads[]; } paths;
uniform sampler2D before;
writeonly uniform image2D after;
writeonly uniform image2D result;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint slots;
    uint samples; // of this execution
} params;

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    ivec2 pixel = pixel_of(slot, params.tiles_per_row);
    if (any(greaterThanEqual(uvec2(pixel), params.size))) return;
    vec3 found = paths.quads[2u * slot + 1u].xyz / float(params.samples);
    uint count = frame.samples;
    if (count > 0u) {
        vec3 mean = texelFetch(before, pixel, 0).xyz;
        found = mean + (found - mean) * (float(params.samples) / float(count + params.samples));
    }
    imageStore(after, pixel, vec4(found, 1.0));
    imageStore(result, pixel, vec4(found, 1.0));
}
