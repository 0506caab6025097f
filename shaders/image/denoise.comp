#version 460
// A round of the edge-avoiding wavelet filter: a mean over 5 x 5 texels that lie `step` apart, of
// which those count little that differ in colour, normal or albedo.
// Dammertz, Sewtz, Hanika and Lensch, "Edge-Avoiding A-Trous Wavelet Transform for fast Global
// Illumination Filtering", HPG 2010.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint has_albedo = 0u;
layout(constant_id = 1) const uint has_normal = 0u;
layout(constant_id = 2) const uint kFirst = 0u; // 1: the source is not divided by the albedo yet
layout(constant_id = 3) const uint kLast = 0u;  // 1: the result is multiplied by it

uniform sampler2D source;
uniform sampler2D albedo;
uniform sampler2D normal;
uniform writeonly image2D result;

uniform Params {
    int step;
    float color;  // 1 / sigma^2 of this round
    float albedo;
    float normal;
} params;

const float kWeights[3] = float[](0.375, 0.25, 0.0625);
const float kLeastAlbedo = 1e-3;

vec3 albedo_at(ivec2 texel) {
    return has_albedo != 0u ? texelFetch(albedo, texel, 0).rgb : vec3(1.0);
}

// Light without the surface's colour.
vec3 light_at(ivec2 texel) {
    vec3 color = texelFetch(source, texel, 0).rgb;
    return kFirst != 0u ? color / max(albedo_at(texel), kLeastAlbedo) : color;
}
bool is_finite(vec3 v) {
    return !any(isnan(v)) && !any(isinf(v));
}
float square(vec3 v) {
    return dot(v, v);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 own = light_at(texel);
    bool known = is_finite(own);
    vec3 own_albedo = albedo_at(texel);
    vec3 own_normal = has_normal != 0u ? texelFetch(normal, texel, 0).xyz : vec3(0.0);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            ivec2 at = texel + params.step * ivec2(x, y);
            if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) continue;
            vec3 light = light_at(at);
            if (!is_finite(light)) continue;
            float difference = known ? params.color * square(light - own) : 0.0;
            difference += params.albedo * square(albedo_at(at) - own_albedo);
            if (has_normal != 0u)
                difference += params.normal * square(texelFetch(normal, at, 0).xyz - own_normal);
            float weight = kWeights[abs(x)] * kWeights[abs(y)] * exp(-difference);
            sum += weight * light;
            weights += weight;
        }
    vec3 light = weights > 0.0 ? sum / weights : vec3(0.0);
    if (kLast != 0u) light *= max(own_albedo, kLeastAlbedo);
    imageStore(result, texel, vec4(light, texelFetch(source, texel, 0).a));
}
