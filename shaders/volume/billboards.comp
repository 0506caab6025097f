#version 460
// Balls of media blended one after the other, each as a whole.

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 0) const uint kSoft = 1u; // 0: cut where they meet what is opaque

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint spheres;
    uint tile;
    uint tiles_per_row;
    uint entries;
    float softness;
    vec3 light;
} params;

#include "scene/environment.glsl"
#include "scene/scene_color.glsl"
#include "lists.glsl"
#include "phi.glsl"
#include "view.glsl"
#include "spheres.glsl"

uniform sampler2D opaque;
writeonly uniform image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), params.size))) return;
    vec3 direction = ray_through(vec2(texel) + 0.5, params.first, params.per_x, params.per_y);
    vec4 behind = texelFetch(opaque, texel, 0);
    float far = opaque_distance(behind.a);
    SphereList list = spheres_of(uvec2(texel));

    vec3 gained = vec3(0.0);
    vec3 through = vec3(1.0);
    for (uint i = 0u; i < list.count; ++i) {
        uint sphere = sphere_of(list, i);
        Chord chord = chord_of(sphere, params.eye, direction, params.softness);
        float thickness = chord.leaves - chord.enters;
        if (kSoft != 0u)
            thickness = min(chord.leaves, far) - max(chord.enters, 0.0);
        else if (!(0.5 * (chord.enters + chord.leaves) < far) || !(chord.leaves > 0.0))
            continue;
        if (!(thickness > 0.0)) continue;
        thickness *= chord.share;
        vec3 depth = optics.values[3u * sphere].rgb * thickness;
        vec3 fade = exp(-depth);
        vec3 source = optics.values[3u * sphere + 1u].rgb +
                      optics.values[3u * sphere + 2u].rgb * params.light;
        gained += through * source * (thickness * mean_fade(depth, fade));
        through *= fade;
    }
    imageStore(result, texel, vec4(gained + through * usable_color(behind.rgb), 1.0));
}
