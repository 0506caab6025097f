// How much hair lies between a place and the light: C++: `HairShadow` of passes/hair/shadow.hpp.
#ifndef HAIR_SHADOW
#define HAIR_SHADOW

const uint kNoShadow = 0u;
const uint kOpacityMap = 1u;
const uint kShadowLists = 2u;
const float kWholeDepth = 1024.0; // optical depths are whole numbers of 1/1024
const uint kNoNode = 0xffffffffu;

layout(constant_id = 30) const uint kShadow = 0u;
layout(constant_id = 31) const uint kLayers = 8u;

struct ShadowView {
    mat4 light_from_world; // x, y: texels; z: world units along the light
    uint side; // texels
    float thickness; // of a layer, world units
};

// Opacity maps: the least distance of a texel, as bits, and what each layer holds. Lists: the first
// node of a texel; nodes have distance, optical depth and the next node.
readonly buffer ShadowFirst { uint values[]; } shadow_first;
readonly buffer ShadowWords { uint values[]; } shadow_words;

float layers_before(uint texel, float along, float thickness) {
    uint bits = shadow_first.values[texel];
    if (bits == 0xffffffffu) return 0.0;
    float layer = (along - uintBitsToFloat(bits)) / thickness;
    float sum = 0.0;
    for (uint i = 0u; i < kLayers; ++i)
        sum += clamp(layer - float(i), 0.0, 1.0) * float(shadow_words.values[texel * kLayers + i]);
    return sum / kWholeDepth;
}

float list_before(uint texel, float along) {
    uint sum = 0u;
    uint node = shadow_first.values[texel];
    for (uint round = 0u; round < 4096u && node != kNoNode; ++round) {
        if (uintBitsToFloat(shadow_words.values[3u * node]) < along)
            sum += shadow_words.values[3u * node + 1u];
        node = shadow_words.values[3u * node + 2u];
    }
    return float(sum) / kWholeDepth;
}

// Optical depth towards the light, between the four texels around.
float depth_towards_light(vec3 x, ShadowView view, float bias) {
    if (kShadow == kNoShadow) return 0.0;
    vec3 place = (view.light_from_world * vec4(x, 1.0)).xyz;
    vec2 at = place.xy - 0.5;
    ivec2 low = ivec2(floor(at));
    vec2 share = at - vec2(low);
    float sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 texel = low + ivec2(i & 1, i >> 1);
        if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, ivec2(view.side)))) continue;
        uint index = uint(texel.y) * view.side + uint(texel.x);
        vec2 s = mix(1.0 - share, share, vec2(i & 1, i >> 1));
        sum += s.x * s.y * (kShadow == kOpacityMap ? layers_before(index, place.z - bias, view.thickness)
                                                   : list_before(index, place.z - bias));
    }
    return sum;
}

#endif
