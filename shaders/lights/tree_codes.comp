#version 460
// The place of each light along a Morton curve through the box of all; lights without an end come
// after them, and those that shine nowhere last.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "tree.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
readonly buffer Box { uint words[]; } box;
writeonly buffer Codes { uint values[]; } codes;

uniform Params {
    uint count;
} params;

// Bits 0 to 9 to every third bit.
uvec3 spread(uvec3 v) {
    v = (v | v << 16u) & 0x030000ffu;
    v = (v | v << 8u) & 0x0300f00fu;
    v = (v | v << 4u) & 0x030c30c3u;
    return (v | v << 2u) & 0x09249249u;
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 sphere = spheres.values[i];
    uint code = 0x7fffffffu;
    if (shines(sphere, shades.values[i])) {
        vec3 low = from_ordered(~uvec3(box.words[0], box.words[1], box.words[2]));
        vec3 high = from_ordered(uvec3(box.words[3], box.words[4], box.words[5]));
        // Cells are cubes, so that neighbours along the curve lie in small balls.
        float side = max(high.x - low.x, max(high.y - low.y, high.z - low.z));
        vec3 share = side > 0.0 ? (sphere.xyz - low) / side : vec3(0.0);
        uvec3 bits = spread(uvec3(clamp(share * 1024.0, vec3(0.0), vec3(1023.0))));
        code = is_infinite_range(sphere.w) ? 0x40000000u : bits.x << 2u | bits.y << 1u | bits.z;
    }
    codes.values[i] = code;
}
