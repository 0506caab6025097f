#version 460
// A plane through a volume, or the numbers across a slab about it.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kCombine = 0u; // 0: the mean, 1: the greatest, 2: the least
layout(constant_id = 1) const uint kColor = 0u;   // 1: red, green and blue of the texels

#include "volume_sampling.glsl"

uniform Params {
    ivec3 dims;
    vec3 origin;  // of the middle of the upper left texel of the picture; texels of the volume
    vec3 right;   // to the next one
    vec3 down;
    vec3 across;  // from one layer of the slab to the next
    uint layers;  // at least 1
    float low;    // black
    float high;   // white
    vec4 background;
} params;

writeonly uniform image2D result;
writeonly uniform image2D values;

const float kNearBox = 1e-3; // texels by which places are rounded out of the volume

vec4 color_at(vec3 place) {
    if (kFilter == 2u) return textureLod(source, (place + 0.5) / vec3(params.dims), 0.0);
    vec3 inside = clamp(place, vec3(0.0), vec3(params.dims - 1));
    if (kFilter == 0u) inside = floor(inside + 0.5);
    ivec3 low = ivec3(inside);
    vec3 share = inside - vec3(low);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        float weight = part.x * part.y * part.z;
        if (weight > 0.0)
            sum += weight * texelFetch(source, min(low + side, params.dims - 1), 0);
    }
    return sum;
}

vec4 combine(vec4 a, vec4 b) {
    return kCombine == 0u ? a + b : kCombine == 1u ? max(a, b) : min(a, b);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec3 middle = params.origin + float(texel.x) * params.right + float(texel.y) * params.down;
    vec4 all = vec4(0.0);
    uint count = 0u;
    bool inside = false;
    for (uint i = 0u; i < params.layers; ++i) {
        vec3 place = middle + (float(i) - 0.5 * float(params.layers - 1u)) * params.across;
        if (any(lessThan(place, vec3(-0.5 - kNearBox))) ||
            any(greaterThan(place, vec3(params.dims) - 0.5 + kNearBox)))
            continue;
        inside = true;
        vec4 here = kColor != 0u ? color_at(place) : vec4(number_at(params.dims, place));
        if (!is_number(here.r + here.g + here.b)) continue;
        all = count == 0u ? here : combine(all, here);
        ++count;
    }
    if (kCombine == 0u && count > 1u) all /= float(count);
    vec4 shown = (all - params.low) / (params.high - params.low);
    shown = kColor != 0u ? vec4(clamp(shown.rgb, 0.0, 1.0), 1.0)
                         : vec4(vec3(clamp(shown.r, 0.0, 1.0)), 1.0);
    if (count == 0u) shown = inside ? vec4(vec3(0.0), 1.0) : params.background;
    imageStore(result, texel, shown);
    imageStore(values, texel, count > 0u ? vec4(all.r) : vec4(0.0));
}
