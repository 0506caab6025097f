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

// By the triangle's plane, which knows more digits than what is interpolated, unless it is seen
// edge on.
float face_distance(vec3 direction) {
    const float kEdgeOn = 1e-2;
    precise float facing = dot(plane_normal, direction);
    precise float along = dot(plane_normal, plane_point);
    precise float interpolated = length(place);
    precise float exact = along / facing;
    bool steep = abs(facing) > kEdgeOn * length(plane_normal);
    float distance = steep ? exact : interpolated;
    return is_number(distance) ? max(distance, 0.0) : 0.0;
}

bool is_hidden(float distance) {
    if (params.depth_tested == 0u) return false;
    return distance >= opaque_distance(texelFetch(opaque, ivec2(gl_FragCoord.xy), 0).a);
}

uint pixel_number() {
    uvec2 texel = uvec2(gl_FragCoord.xy);
    return texel.y * params.size.x + texel.x;
}
