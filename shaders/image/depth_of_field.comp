#version 460
// Depth of field: each texel is the mean over a box as large as its circle of confusion.

layout(local_size_x = 8, local_size_y = 8) in;

#include "clip_depth.glsl"
#include "summed_area.glsl"

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
    float strength;   // radius in texels that the distances below are multiplied by
    uint confusion;
    float max_radius; // texels
} params;

// A radius that nobody sees, and more than depths are rounded by: what is less is in focus, where the
// difference of large sums would not give a small texel back.
const float kSharp = 1e-3;

const uint kLinear = 1u; // as in passes/image/depth_of_field.hpp

const int kProbes = 8; // distances at which a cross is looked at

// Of a texel `z` away, in texels: that of a thin lens is proportional to |z - focus| / z, a linear one to
// |z - focus|.
float confusion_radius(ivec2 texel) {
    float z = view_depth(texelFetch(depth, texel, 0).r, params.near_plane, params.far_plane);
    float away = abs(z - params.focus);
    if (params.confusion != kLinear) away /= z;
    return min(params.strength * away, params.max_radius);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    float radius = confusion_radius(texel);
    // A blurred texel must not draw in what is sharp beside it: along a cross, its box ends before
    // what is less blurred. (A bound that grows with the distance leaves no seams.)
    float widest = radius;
    for (int i = 0; i < 4 * kProbes && radius > 0.0; ++i) {
        int away = int(ceil(widest * float(i / 4 + 1) / float(kProbes)));
        float before = ceil(widest * float(i / 4) / float(kProbes)); // as far as has been looked
        ivec2 towards = ivec2((i & 2) == 0 ? away : 0, (i & 2) == 0 ? 0 : away);
        ivec2 other = clamp((i & 1) == 0 ? texel + towards : texel - towards, ivec2(0), size - 1);
        radius = min(radius, max(confusion_radius(other), before));
    }
    vec4 color = texelFetch(source, texel, 0);
    if (radius > kSharp)
        color = box_mean(sums, texel, vec2(radius), params.origin) + mean.value;
    imageStore(result, texel, color);
}
