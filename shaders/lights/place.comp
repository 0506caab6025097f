#version 460
// Lights in view space, once for all tiles: balls about what they reach, and their cones.

layout(local_size_x = 256) in;

layout(constant_id = 0) const uint has_nodes = 0u;

#include "invocation.glsl"
#include "light.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
readonly buffer Nodes { vec4 values[]; } nodes; // balls about 32 lights, in the world
readonly buffer Tops { vec4 values[]; } tops;   // about 1024
// About all that is lit; no radius: nothing is. Every `stride`th vector; then those of the nodes.
writeonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Cones { vec4 values[]; } cones; // two each: apex, range; axis, cosine
writeonly buffer BadCounts { uint values[]; } bad_counts; // lights that shine nowhere, a group

uniform Params {
    uint count;
    uint node_count;
    uint top_count;
    uint groups;
    uint stride; // 1, or 4 where all that is known of a light lies together
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

// A little more than it is, for places are rounded here and where surfaces are lit.
const float kRounding = 4e-6;

bool is_infinite(float v) {
    return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u;
}

vec3 seen_place(vec3 place) {
    return (params.view_from_world * vec4(place, 1.0)).xyz * vec3(1.0, 1.0, -1.0);
}

float moved_by(vec3 place) {
    return length(mat3(params.view_from_world) * place) + length(params.view_from_world[3].xyz);
}

void place_node(uint node) {
    bool top = node >= params.node_count;
    vec4 ball = top ? tops.values[node - params.node_count] : nodes.values[node];
    float room = kRounding * (moved_by(ball.xyz) + 2.0 * abs(ball.w));
    balls.values[params.stride * params.count + node] =
        vec4(seen_place(ball.xyz), ball.w > 0.0 ? ball.w + 4.0 * room : -1.0);
}

shared uint bad_lights;

// Whether the light shines.
bool place_light(uint i) {
    vec4 sphere = spheres.values[i];
    LightShade light = shades.values[i];
    bool good = shines(sphere, light);

    const float kCosineRounding = 1e-5;
    vec3 place = seen_place(sphere.xyz);
    float moved = moved_by(sphere.xyz);
    vec4 apex = vec4(place, sphere.w + kRounding * (moved + sphere.w));
    vec3 axis = mat3(params.view_from_world) * light.direction * vec3(1.0, 1.0, -1.0);
    vec4 cone = vec4(axis, light.cos_outer - kCosineRounding);
    vec4 ball = is_infinite(sphere.w) ? apex : ball_of(apex, cone);
    ball.w += kRounding * (moved + apex.w);
    uint at = params.stride * i;
    balls.values[at] = good ? ball : vec4(0.0, 0.0, 0.0, -1.0);
    if (params.stride == 4u) {
        balls.values[at + 1u] = apex;
        balls.values[at + 2u] = cone;
        balls.values[at + 3u] = vec4(light.color, light.cos_inner);
    }
    cones.values[2u * i] = apex;
    cones.values[2u * i + 1u] = cone;
    return good;
}

void main() {
    if (gl_LocalInvocationID.x == 0u) bad_lights = 0u;
    barrier();
    uint i = invocation_index();
    if (i < params.count) {
        if (!place_light(i)) atomicAdd(bad_lights, 1u);
    } else {
        uint node = i - params.count;
        if (has_nodes != 0u && node < params.node_count + params.top_count) place_node(node);
    }
    barrier();
    if (gl_LocalInvocationID.x == 0u && group_index() < params.groups)
        bad_counts.values[group_index()] = bad_lights;
}
