#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Normals, colours and materials of visible triangles: pictures of surfaces without the device's
// rasterizer.

layout(local_size_x = 16, local_size_y = 16) in;

#include "view.glsl"
#include "triangle_surface.glsl"

readonly buffer Keys { uvec2 values[]; } keys; // triangle, bits of depth
uniform writeonly image2D normal;
uniform writeonly image2D albedo;
uniform writeonly image2D material; // roughness, metallic

uniform Params {
    uvec2 size;
    vec2 scale;
    vec4 depth_terms;
    float perspective;
    mat4 world_from_view;
    uint first_material;
    uint end_material;
    ivec4 texture_ids[3];
} params;

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, params.size))) return;
    uvec2 key = keys.values[pixel.y * params.size.x + pixel.x];
    vec4 looks = vec4(0.0);
    vec4 color = vec4(1.0, 1.0, 1.0, 0.0);
    vec4 kind = vec4(1.0, 0.0, 0.0, 0.0);
    if (key.x != 0xffffffffu) {
        Seen seen = seen_at(vec2(pixel), vec2(params.size), uintBitsToFloat(key.y), params.scale,
                            params.depth_terms, params.perspective, params.world_from_view);
        Surface surface =
            triangle_surface(key.x, seen.position, -normalize(seen.view), params.texture_ids);
        looks = vec4(surface.normal, 1.0);
        color = vec4(surface.base_color.rgb, 1.0);
        kind = vec4(surface.roughness, surface.metallic, 0.0, 1.0);
    }
    imageStore(normal, ivec2(pixel), looks);
    imageStore(albedo, ivec2(pixel), color);
    imageStore(material, ivec2(pixel), kind);
}
