#version 460
// Depth of field: each texel is the mean over a box as large as its circle of confusion.

layout(local_size_x = 8, local_size_y = 8) in;

#include "clip_depth.glsl"
#include "primitives/summed_area.glsl"

uniform sampler2D source;
uniform sampler2D depth;
uniform sampler2D sums;
readonly buffer Mean { vec4 value; } mean; // that was taken from every texel
uniform writeonly image2D result;

uniform Params {
    ivec2 origin;
    float near_plane;
    float far_plane;
    float focus;      // depth that is sharp
    float strength;   // radius in texels of what is infinitely far, for the thin lens
    float max_radius; // texels
} params;

// Of a texel `z` away, in texels: that of a thin lens is proportional to |z - focus| / z.
float confusion_radius(ivec2 texel) {
    float z = view_depth(texelFetch(depth, texel, 0).r, params.near_plane, params.far_plane);
    return min(params.strength * abs(z - params.focus) / z, params.max_radius);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    float radius = confusion_radius(texel);
    // A blurred texel must not draw in what is sharp beside it: the least of the radii at a cross
    // of neighbours as far away as the radius bounds it.
    int reach = int(ceil(radius));
    for (int i = 0; i < 4 && reach > 0; ++i) {
        ivec2 step_to = ivec2(i < 2 ? (i == 0 ? reach : -reach) : 0,
                              i < 2 ? 0 : (i == 2 ? reach : -reach));
        ivec2 other = clamp(texel + step_to, ivec2(0), size - 1);
        radius = min(radius, max(confusion_radius(other), 0.25 * radius));
    }
    vec4 color = texelFetch(source, texel, 0);
    if (radius > 0.0)
        color = box_mean(sums, texel, vec2(radius), params.origin) + mean.value;
    imageStore(result, texel, color);
}
