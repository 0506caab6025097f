#version 460
// Adds to a target what seamless cloning has found for a box of its texels.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D target;
uniform writeonly image2D result;
readonly buffer Red { float values[]; } red;
readonly buffer Green { float values[]; } green;
readonly buffer Blue { float values[]; } blue;

uniform Params {
    ivec2 box;
    ivec2 origin; // of the box in the target
    ivec3 used;   // 1: the colour has values
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    vec4 color = texelFetch(target, texel, 0);
    ivec2 cell = texel - params.origin;
    if (all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, params.box))) {
        int i = cell.x + params.box.x * cell.y;
        // Each on its own: arrays that stand in for missing ones may hold anything.
        if (params.used.r != 0) color.r += red.values[i];
        if (params.used.g != 0) color.g += green.values[i];
        if (params.used.b != 0) color.b += blue.values[i];
    }
    imageStore(result, texel, color);
}
