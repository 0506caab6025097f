#version 460
// A virtual hare in the picture of a depth camera, behind what is nearer.
#include "camera.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D depth;
uniform sampler2D color;
readonly buffer CameraPose { vec4 rows[]; } camera_pose;
uniform sampler2D map_geometry;
layout(constant_id = 0) const uint has_map_geometry = 0;
writeonly uniform image2D result;

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec3 place; // of the feet
    float height;
    vec3 hue;
    float margin;
    float turn; // radians
} params;

const int kMaxSteps = 96;
const float kHit = 1e-3; // of its height

float ellipsoid(vec3 p, vec3 radii) {
    float k = length(p / radii);
    return k * (k - 1.0) / max(length(p / (radii * radii)), 1e-6);
}

// Polynomial smooth minimum.
float joined(float a, float b, float width) {
    float h = max(width - abs(a - b), 0.0) / width;
    return min(a, b) - 0.25 * h * h * width;
}

// A hare of height 1 that looks along x. Mirrored at its middle plane.
float hare(vec3 p) {
    p.z = abs(p.z);
    float d = ellipsoid(p - vec3(-0.05, 0.26, 0.0), vec3(0.3, 0.25, 0.22));          // body
    d = joined(d, ellipsoid(p - vec3(0.2, 0.52, 0.0), vec3(0.17, 0.15, 0.14)), 0.12); // head
    d = joined(d, ellipsoid(p - vec3(-0.12, 0.14, 0.16), vec3(0.2, 0.14, 0.09)), 0.06); // thigh
    d = joined(d, ellipsoid(p - vec3(0.2, 0.12, 0.08), vec3(0.07, 0.16, 0.06)), 0.08);  // foreleg
    d = joined(d, ellipsoid(p - vec3(-0.35, 0.22, 0.0), vec3(0.09)), 0.05);             // tail
    vec3 ear = p - vec3(0.12, 0.8, 0.07);
    ear.xz += vec2(0.25, -0.15) * ear.y; // they lean back and apart
    return joined(d, ellipsoid(ear, vec3(0.05, 0.21, 0.035)), 0.05);
}

vec3 normal_of(vec3 p) {
    vec2 e = vec2(1e-3, -1e-3);
    return normalize(e.xyy * hare(p + e.xyy) + e.yyx * hare(p + e.yyx) + e.yxy * hare(p + e.yxy) +
                     e.xxx * hare(p + e.xxx));
}

// World to the hare's own lengths and axes.
vec3 to_own(vec3 v) {
    float c = cos(params.turn);
    float s = sin(params.turn);
    return vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x) / params.height;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, params.size))) return;
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    vec3 shown = texelFetch(color, texel, 0).rgb;
    if (pose.known) {
        float nearest = texelFetch(depth, texel, 0).r;
        if (has_map_geometry != 0u) {
            float mapped = texelFetch(map_geometry, texel, 0).w;
            if (!(nearest > 0.0)) nearest = mapped;
        }
        vec3 ray = ray_of(params.intrinsics, vec2(texel));
        vec3 origin = to_own(pose.place - params.place);
        vec3 direction = to_own(pose.turn * ray); // of one metre of depth
        float step = length(direction);
        float z = 0.0;
        float away = 1.0;
        for (int i = 0; i < kMaxSteps && z < 100.0; ++i) {
            away = hare(origin + z * direction);
            if (away < kHit) break;
            z += away / step;
        }
        bool hidden = nearest > 0.0 && nearest < z - params.margin;
        if (away < kHit && !hidden) {
            vec3 normal = normal_of(origin + z * direction);
            shown = params.hue * (0.35 + 0.65 * max(dot(normal, normalize(vec3(0.2, 1.0, 0.3))), 0.0));
        } else if (nearest > 0.0) {
            // What it stands on gets less light from above.
            vec3 ground = origin + nearest * direction;
            if (abs(ground.y) < 0.1) shown *= 1.0 - 0.5 * exp(-4.0 * max(hare(vec3(ground.x, 0.0, ground.z)), 0.0) / 0.3);
        }
    }
    imageStore(result, texel, vec4(shown, 1.0));
}
