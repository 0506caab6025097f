#version 460
// The light that surfaces of a picture reflect of many small lights.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint has_under = 0u;
layout(constant_id = 1) const uint has_hidden = 0u;
layout(constant_id = 2) const uint has_material = 0u;

#include "grid.glsl"
#include "view.glsl"

uniform sampler2D depth;
uniform sampler2D normal;
uniform sampler2D albedo;
uniform sampler2D material; // roughness, metallic
uniform sampler2D under;   // light that is there already
uniform usampler2D hidden; // of lights/shadows
uniform writeonly image2D result;

uniform Params {
    uint count;
    uint words;
    uint summary_words;
    uint room;
    uint side;
    uint tiles_x;
    uint lists_a_tile;
    vec2 scale;
    vec4 depth_terms;
    vec4 bin_terms;
    float perspective;
    mat4 world_from_view;
    float roughness;
    float metallic;
    vec3 ambient;
    vec4 background;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec4 below = has_under != 0u ? texelFetch(under, texel, 0) : vec4(0.0);
    float value = texelFetch(depth, texel, 0).x;
    if (!(value >= 0.0 && value < 1.0)) {
        imageStore(result, texel, has_under != 0u ? below : params.background);
        return;
    }
    Seen seen = seen_at(vec2(texel), vec2(size), value, params.scale, params.depth_terms,
                        params.perspective, params.world_from_view);
    vec3 color = texelFetch(albedo, texel, 0).rgb;
    vec2 kind = has_material != 0u ? texelFetch(material, texel, 0).xy
                                   : vec2(params.roughness, params.metallic);
    LitSurface surface = lit_surface(seen.position, texelFetch(normal, texel, 0).xyz, seen.view,
                                     color, kind.x, kind.y);
    Grid grid = Grid(params.count, params.words, params.summary_words, params.room, params.side,
                     params.tiles_x, params.lists_a_tile, params.bin_terms);
    uint dark = has_hidden != 0u ? texelFetch(hidden, texel, 0).x : 0u;
    vec3 sum = light_at(uvec2(texel), value, seen.away, surface, dark, grid);
    imageStore(result, texel, vec4(below.rgb + params.ambient * color + sum, 1.0));
}
