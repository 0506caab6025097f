#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Colours for fragments that are known by their triangle only: one invocation a pixel.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    mat4 view_projection;
    mat4 light_view_projection; // world to the shadow map's clip space
    vec4 eye;                   // w 1: position of the camera; w 0: direction towards it
    vec3 light_direction;       // unit, towards the light
    float light_texel;          // world units a texel of the shadow map covers
    vec3 light_irradiance;      // on a surface that faces the light
    float environment_rotation; // degrees
    vec3 environment_scale;     // multiplies the environment's radiance
    float roughness_scale;      // of all materials
    uint shadows;               // 1: the shadow map is looked at
    uint first_material;
    uint end_material;
    ivec4 texture_ids[3];
    uvec2 size;
    uint capacity;
    uvec4 modes[4]; // two bits a material: how it is blended
} params;

#include "fragment.glsl"
#include "triangle_color.glsl"

readonly buffer Heads { uint values[]; } heads;
readonly buffer Captured { uvec2 values[]; } captured; // triangle, bits of depth
writeonly buffer Fragments { uint words[]; } fragments;
uniform sampler2D opaque_depth;

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, params.size))) return;
    uint number = pixel.y * params.size.x + pixel.x;
    uvec2 list = whole_list(heads.values[number], heads.values[number + 1u], params.capacity);
    float nearest_opaque = texelFetch(opaque_depth, ivec2(pixel), 0).r;
    for (uint i = list.x; i < list.y; ++i) {
        uint triangle = captured.values[i].x;
        uint material = material_of(triangle);
        float depth = clamp(uintBitsToFloat(captured.values[i].y), 0.0, 1.0);
        Fragment f = Fragment(vec4(0.0), depth, triangle, 1u, mode_of(material));
        // Other surfaces than blended ones are in the picture behind already. What lies behind it,
        // or turns away, oit/capture does not keep.
        if (materials.quads[kMaterialQuads * material + 3u].x == kAlphaBlend &&
            f.depth < nearest_opaque && shows_its_face(triangle))
            f.color = triangle_color(triangle, pixel);
        f.color = mix(f.color, vec4(0.0), isnan(f.color));
        f.color = clamp(f.color, vec4(0.0), vec4(vec3(kPayload == kHdr ? 65504.0 : 1.0), 1.0));
        uvec4 words = packed(f);
        uint at = i * kStride;
        fragments.words[at] = words.x;
        fragments.words[at + 1u] = words.y;
        if (kWords > 2u) fragments.words[at + 2u] = words.z;
        if (kWords > 3u) fragments.words[at + 3u] = words.w;
    }
}
