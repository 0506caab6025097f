#version 460
// Lights in view space, once for all tiles: balls about what they reach, and their cones.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "light.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
writeonly buffer Balls { vec4 values[]; } balls; // about all that is lit; no radius: nothing is
writeonly buffer Cones { vec4 values[]; } cones; // two each: apex, range; axis, cosine
buffer Status { uint bad; uint overflowed; uint most; } status;

uniform Params {
    uint count;
    mat4 view_from_world;
} params;

// The least ball about a cone with a round end.
vec4 ball_of(vec4 apex, vec4 axis) {
    const float kDiagonal = 0.70710678;
    if (axis.w <= 0.0) return apex;
    if (axis.w < kDiagonal)
        return vec4(apex.xyz + axis.xyz * (apex.w * axis.w),
                    apex.w * sqrt(max(1.0 - axis.w * axis.w, 0.0)));
    float half_way = apex.w * 0.5 / axis.w;
    return vec4(apex.xyz + axis.xyz * half_way, half_way);
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 sphere = spheres.values[i];
    LightShade light = shades.values[i];
    bool good = shines(sphere, light);
    if (!good) atomicAdd(status.bad, 1u);

    // A little more than it is, for places are rounded here and where surfaces are lit.
    const float kRounding = 4e-6;
    const float kCosineRounding = 1e-5;
    vec3 place = (params.view_from_world * vec4(sphere.xyz, 1.0)).xyz * vec3(1.0, 1.0, -1.0);
    float moved = length(mat3(params.view_from_world) * sphere.xyz) +
                  length(params.view_from_world[3].xyz);
    vec4 apex = vec4(place, sphere.w + kRounding * (moved + sphere.w));
    vec3 axis = mat3(params.view_from_world) * light.direction * vec3(1.0, 1.0, -1.0);
    vec4 cone = vec4(axis, light.cos_outer - kCosineRounding);
    bool infinite = (floatBitsToUint(sphere.w) & 0x7fffffffu) == 0x7f800000u;
    vec4 ball = infinite ? apex : ball_of(apex, cone);
    ball.w += kRounding * (moved + apex.w);
    balls.values[i] = good ? ball : vec4(0.0, 0.0, 0.0, -1.0);
    cones.values[2u * i] = apex;
    cones.values[2u * i + 1u] = cone;
}
