#version 460
// Bodies as a smooth surface, in the light that hair leaves them: spheres are traced along each
// pixel's ray until the surface is near (Hart, "Sphere Tracing", The Visual Computer 12, 1996).

layout(local_size_x = 8, local_size_y = 8) in;

#include "shadow.glsl"
#include "turn.glsl"

readonly buffer Capsules { vec4 values[]; } capsules;
uniform writeonly image2D color;
uniform writeonly image2D depth;

uniform Params {
    uint count;
    vec4 turn; // of the head
    vec3 shift;
    uint attached;
    mat4 clip_from_world;
    mat4 world_from_clip;
    vec3 skin;
    vec3 background_low;
    vec3 background_high;
    vec3 to_light;
    vec3 light;
    vec3 ambient;
    float blend; // width over which bodies flow into each other
    float reach; // of all bodies from the head
    mat4 light_from_world;
    uint side;
    float thickness;
    float bias;
} params;

const uint kMaxSteps = 64u;

shared vec4 ends[32];

float capsule_distance(vec3 x, uint i) {
    vec4 a = ends[2u * i];
    vec4 b = ends[2u * i + 1u];
    vec3 axis = b.xyz - a.xyz;
    float squared = dot(axis, axis);
    float share = squared > 0.0 ? clamp(dot(x - a.xyz, axis) / squared, 0.0, 1.0) : 0.0;
    return distance(x, a.xyz + share * axis) - mix(a.w, b.w, share);
}

float distance_at(vec3 x) {
    float nearest = 1e9;
    for (uint i = 0u; i < params.count; ++i) {
        float one = capsule_distance(x, i);
        float share = clamp(0.5 + 0.5 * (one - nearest) / max(params.blend, 1e-9), 0.0, 1.0);
        nearest = mix(one, nearest, share) - params.blend * share * (1.0 - share);
    }
    return nearest;
}

vec3 slope_at(vec3 x) {
    const float kStep = 1e-3;
    vec2 e = vec2(kStep, -kStep);
    return normalize(e.xyy * distance_at(x + e.xyy) + e.yyx * distance_at(x + e.yyx) +
                     e.yxy * distance_at(x + e.yxy) + e.xxx * distance_at(x + e.xxx));
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 2u * params.count && lane < 32u) {
        vec4 end = capsules.values[lane];
        Place head = Place(params.turn, params.shift);
        ends[lane] = params.attached != 0u ? vec4(placed(head, end.xyz), end.w) : end;
    }
    barrier();
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(color);
    if (any(greaterThanEqual(pixel, size))) return;
    vec2 place = (vec2(pixel) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec4 near = params.world_from_clip * vec4(place, 0.0, 1.0);
    vec4 far = params.world_from_clip * vec4(place, 1.0, 1.0);
    vec3 eye = near.xyz / near.w;
    vec3 to = far.xyz / far.w - eye;
    float farthest = length(to);
    to /= farthest;
    // Only near the bodies.
    vec3 from = eye - params.shift;
    float middle = -dot(from, to);
    float off = dot(from, from) - middle * middle;
    float half_way = sqrt(max(params.reach * params.reach - off, 0.0));
    float way = max(middle - half_way, 0.0);
    float end = min(middle + half_way, farthest);
    bool hit = false;
    for (uint i = 0u; i < kMaxSteps && way < end && off < params.reach * params.reach; ++i) {
        float away = distance_at(eye + way * to);
        if (away < 2e-4) {
            hit = true;
            break;
        }
        way += away;
    }
    float height = 0.5 - 0.5 * place.y;
    vec3 shown = mix(params.background_low, params.background_high, height * height) *
                 (1.0 - 0.25 * dot(place, place));
    float clip_depth = 1.0;
    if (hit) {
        vec3 x = eye + way * to;
        vec3 normal = slope_at(x);
        float facing = dot(normal, params.to_light);
        // Light that hair sends on falls on skin, too: shadows of hair are not black.
        float through = exp(-0.4 * depth_towards_light(
            x, ShadowView(params.light_from_world, params.side, params.thickness), params.bias));
        // Skin lets some light around its terminator, red most.
        vec3 wrap = clamp((facing + vec3(0.35, 0.12, 0.06)) / (1.0 + vec3(0.35, 0.12, 0.06)), 0.0, 1.0);
        float shine = pow(max(dot(reflect(to, normal), params.to_light), 0.0), 24.0);
        vec3 sky = params.ambient * (0.6 + 0.4 * normal.y);
        shown = params.skin * (params.light * wrap * through / 3.14159265 + sky) +
                0.02 * params.light * shine * through;
        vec4 clip = params.clip_from_world * vec4(x, 1.0);
        clip_depth = clamp(clip.z / clip.w, 0.0, 1.0);
    }
    imageStore(color, pixel, vec4(shown, 1.0));
    imageStore(depth, pixel, vec4(clip_depth));
}
