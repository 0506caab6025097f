#version 460
// What depth cameras see of a room with a striped sphere and a box: a point a ray, with noise.
layout(local_size_x = 64) in;
#include "hash.glsl"
#include "invocation.glsl"

struct OctreePoint {
    vec3 position;
    uint color; // RGBA8
};
writeonly buffer Points { OctreePoint values[]; } points;

uniform Params {
    uint columns; //! default 640, doc rays along a row of a camera's picture
    uint rows;    //! default 480, doc rows
    float noise;  //! range 0..0.1, default 0.005, doc standard deviation of a depth, as a part of it
    uint frame;   //! doc seed of the noise
    uint cameras; //! range 1..3, default 3, doc how many look at the room
} params;

const vec3 kSphere = vec3(0.18, -0.4, -0.15);
const float kRadius = 0.5;
const vec3 kBoxLow = vec3(-0.78, -0.9, 0.12);
const vec3 kBoxHigh = vec3(-0.38, -0.35, 0.5);
const float kWall = 0.9;

struct Surface {
    float t;
    vec3 color;
};

void meet_wall(inout Surface nearest, vec3 from, vec3 way, int axis) {
    float t = (-kWall - from[axis]) / way[axis];
    if (!(t > 0.0) || t >= nearest.t) return;
    vec3 at = from + t * way;
    if (any(greaterThan(abs(at), vec3(kWall + 1e-3)))) return;
    vec2 on = axis == 0 ? at.yz : axis == 1 ? at.xz : at.xy;
    bool odd = ((int(floor(on.x * 5.0)) + int(floor(on.y * 5.0))) & 1) != 0;
    vec3 paint = axis == 0 ? vec3(0.75, 0.62, 0.4) : axis == 1 ? vec3(0.62, 0.5, 0.4)
                                                               : vec3(0.4, 0.55, 0.68);
    nearest = Surface(t, paint * (axis == 1 && odd ? 0.55 : 0.9 + 0.1 * on.y));
}

void meet_sphere(inout Surface nearest, vec3 from, vec3 way) {
    vec3 to = kSphere - from;
    float along = dot(to, way);
    float rest = kRadius * kRadius - (dot(to, to) - along * along);
    if (rest < 0.0) return;
    float t = along - sqrt(rest);
    if (!(t > 0.0) || t >= nearest.t) return;
    vec3 at = (from + t * way - kSphere) / kRadius;
    bool stripe = fract(at.y * 3.5) < 0.5;
    nearest = Surface(t, (stripe ? vec3(0.86, 0.26, 0.16) : vec3(0.92, 0.88, 0.8)) *
                             (0.72 + 0.28 * at.y));
}

void meet_box(inout Surface nearest, vec3 from, vec3 way) {
    vec3 a = (kBoxLow - from) / way;
    vec3 b = (kBoxHigh - from) / way;
    vec3 first = min(a, b);
    vec3 last = max(a, b);
    float t = max(first.x, max(first.y, first.z));
    if (!(t > 0.0) || t >= min(last.x, min(last.y, last.z)) || t >= nearest.t) return;
    nearest = Surface(t, t == first.y ? vec3(0.3, 0.62, 0.36) : vec3(0.2, 0.46, 0.28));
}

void main() {
    uint i = invocation_index();
    uint rays = params.columns * params.rows;
    if (i >= rays * params.cameras) return;
    const vec3 kEyes[3] = vec3[3](vec3(0.85, 0.55, 1.1), vec3(-0.75, 0.75, 1.1),
                                  vec3(0.05, -0.15, 1.2));
    vec3 eye = kEyes[i / rays];
    vec3 forward = normalize(vec3(0.0, -0.3, -0.2) - eye);
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    vec2 at = (vec2(i % params.columns, i % rays / params.columns) + 0.5) /
                  vec2(params.columns, params.rows) * 2.0 - 1.0;
    vec3 way = normalize(forward + 0.95 * at.x * right + 0.8 * at.y * up);

    Surface nearest = Surface(1e9, vec3(0.0));
    for (int axis = 0; axis < 3; ++axis)
        meet_wall(nearest, eye, way, axis);
    meet_sphere(nearest, eye, way);
    meet_box(nearest, eye, way);
    vec3 random = random_numbers(i, params.frame, 18u);
    float error = sqrt(-2.0 * log(max(random.x, 1e-7))) * cos(6.2831853 * random.y);
    bool hits = nearest.t < 1e8;
    float t = hits ? nearest.t * (1.0 + params.noise * error) : 3.0;
    uvec3 bytes = uvec3(clamp(nearest.color, 0.0, 1.0) * 255.0 + 0.5);
    points.values[i] = OctreePoint(eye + t * way, bytes.x | bytes.y << 8u | bytes.z << 16u |
                                                      (hits ? 0xff000000u : 0u));
}
