#version 460
// A rectangle about what a light may reach in the picture; the instance index is the light's.

#include "light.glsl"
#include "volume_params.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;

layout(location = 0) flat out uint light;

// Of x / z for x in a range and z in another, both above 0: the least and the greatest.
vec2 ratio_range(float middle, float radius, float near, float far) {
    float low = middle - radius;
    float high = middle + radius;
    return vec2(low < 0.0 ? low / near : low / far, high < 0.0 ? high / far : high / near);
}

void main() {
    light = uint(gl_InstanceIndex);
    vec4 sphere = spheres.values[light];
    vec2 corner = vec2(uvec2(0x2cu >> gl_VertexIndex, 0x32u >> gl_VertexIndex) & 1u);
    vec4 box = vec4(-1.0, -1.0, 1.0, 1.0); // all of the picture
    bool seen = sphere.w > 0.0;
    if (is_finite(sphere)) {
        vec3 place = (params.view_from_world * vec4(sphere.xyz, 1.0)).xyz * vec3(1.0, 1.0, -1.0);
        float radius = 1.0001 * sphere.w + 1e-5 * length(place); // a little more than it is
        if (place.z + radius < params.near) seen = false;
        vec4 bounds = vec4(place.xy - radius, place.xy + radius);
        bool whole = params.perspective > 0.5 && place.z - radius < params.near;
        if (params.perspective > 0.5) {
            vec2 x = ratio_range(place.x, radius, max(place.z - radius, params.near),
                                 place.z + radius);
            vec2 y = ratio_range(place.y, radius, max(place.z - radius, params.near),
                                 place.z + radius);
            bounds = vec4(x.x, y.x, x.y, y.y);
        }
        // `scale.y` is negative where the picture's y points down.
        vec4 clip = bounds / params.scale.xyxy;
        if (!whole) box = vec4(min(clip.xy, clip.zw), max(clip.xy, clip.zw));
    }
    // Nothing is drawn of a rectangle without area.
    gl_Position = vec4(seen ? clamp(mix(box.xy, box.zw, corner), -1.0, 1.0) : vec2(2.0), 0.0, 1.0);
}
