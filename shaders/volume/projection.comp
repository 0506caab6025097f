#version 460
// The greatest, the least or the mean number along each ray through a volume.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kCombine = 1u; // 0: the mean, 1: the greatest, 2: the least
layout(constant_id = 1) const uint kSkips = 0u;   // 1: bricks that change nothing are stepped over

#include "volume_bricks.glsl"
#include "view_rays.glsl"
#include "volume_sampling.glsl"

uniform Params {
    ivec3 dims;
    ViewRays rays;
    float low;  // black
    float high; // white
    vec4 background;
} params;

readonly buffer Ranges { vec2 values[]; } ranges;
writeonly uniform image2D result;
writeonly uniform image2D values;

bool changes_nothing(vec2 range, float found) {
    return kCombine == 1u ? range.y <= found : range.x >= found;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    ViewRay ray = ray_through(params.rays, (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0);
    vec2 span = span_of(params.rays, ray);
    if (!(span.x < span.y)) {
        imageStore(result, texel, params.background);
        imageStore(values, texel, vec4(0.0));
        return;
    }
    vec3 direction = mat3(params.rays.texels) * ray.direction;
    vec3 entry = (params.rays.texels * vec4(ray.origin + span.x * ray.direction, 1.0)).xyz - 0.5;
    float steps = max(ceil((span.y - span.x) / params.rays.stride), 1.0);
    float stride = (span.y - span.x) / steps;
    // The mean is of the middles of steps; the others look at both ends as well.
    uint last = uint(steps) + (kCombine == 0u ? 0u : 1u);
    float shift = kCombine == 0u ? 0.5 : 0.0;
    float found = uintBitsToFloat(kCombine == 1u ? 0xff800000u : 0x7f800000u);
    uint count = 0u;
    if (kCombine == 0u) found = 0.0;
    for (uint i = 0u; i < last; ++i) {
        vec3 place = entry + (float(i) + shift) * stride * direction;
        if (kSkips != 0u) {
            uvec3 brick = brick_at(params.dims, ivec3(0), place);
            vec2 range =
                between_texels(ranges.values[brick_index(bricks_of(params.dims), brick)]);
            if (changes_nothing(range, found)) {
                float way = way_through(params.dims, ivec3(0), brick, place, direction) / stride;
                i += uint(clamp(ceil(way) - 1.0, 0.0, float(last - i)));
                continue;
            }
        }
        float number = number_at(params.dims, place);
        if (!is_number(number)) continue;
        ++count;
        found = kCombine == 0u   ? found + number
                : kCombine == 1u ? max(found, number)
                                 : min(found, number);
    }
    if (kCombine == 0u && count > 0u) found /= float(count);
    float shown = clamp((found - params.low) / (params.high - params.low), 0.0, 1.0);
    bool any_number = count > 0u;
    imageStore(result, texel, any_number ? vec4(vec3(shown), 1.0) : vec4(vec3(0.0), 1.0));
    imageStore(values, texel, vec4(any_number ? found : 0.0));
}
