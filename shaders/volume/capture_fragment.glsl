// Where a face of a medium's mesh is on a texel's ray.

#include "capture_params.glsl"

#include "media.glsl"
#include "view.glsl"

layout(location = 0) flat in vec3 plane_normal;
layout(location = 1) flat in vec3 plane_point;
layout(location = 2) in vec3 place;
layout(location = 3) in vec3 normal;
layout(location = 4) flat in uint medium;

uniform sampler2D opaque;

vec3 ray_direction() {
    return ray_through(gl_FragCoord.xy, params.first, params.per_x, params.per_y);
}

float face_distance(vec3 direction) {
    precise float interpolated = length(place);
    return distance_to_plane(direction, plane_normal, plane_point, interpolated);
}

bool is_hidden(float distance) {
    if (params.depth_tested == 0u) return false;
    return distance >= opaque_distance(texelFetch(opaque, ivec2(gl_FragCoord.xy), 0).a);
}

uint pixel_number() {
    uvec2 texel = uvec2(gl_FragCoord.xy);
    return texel.y * params.size.x + texel.x;
}
