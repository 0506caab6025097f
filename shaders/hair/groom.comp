#version 460
// Grows strands on a part of a sphere: out along its normal, over to the direction in which they
// fall, around the sphere, and through a tie where there is one; with waves or curls.

layout(local_size_x = 64) in;

#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Points { vec4 values[]; } points;
writeonly buffer Groups { uint values[]; } groups;

const uint kStraight = 0u;
const uint kWavy = 1u;
const uint kHelix = 2u;
const float kTurn = 6.283185307;

uniform Params {
    uint count;
    uint vertices;
    uint seed;
    uint group;
    vec3 center;
    float radius;
    vec3 axis;       // of unit length: the middle of the part
    vec2 cosines;    // of the angles from the axis within which roots are
    float strand_length;
    float length_spread;
    vec3 fall;       // of unit length
    float bend;      // length over which strands turn to it
    float cover;     // how far above the sphere the highest strands lie
    uint shape;
    float amplitude;
    float pitch;
    float disorder;
    float clump;     // share by which tips are drawn together
    float clump_size; // of a clump on the sphere of radius 1
    vec4 tie;        // place and radius; radius 0: none
} params;

struct Tip {
    vec3 x;
    vec3 heading;
    bool tied;
};

vec3 any_side(vec3 v) {
    return normalize(cross(v, abs(v.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
}

// The next point of a strand that lies `lift` above the sphere.
Tip grown(Tip tip, float along, float lift, vec3 astray) {
    vec3 goal = normalize(params.fall + astray);
    if (params.tie.w > 0.0 && !tip.tied) {
        vec3 to = params.tie.xyz + astray * params.tie.w - tip.x;
        tip.tied = length(to) < max(params.tie.w, along);
        if (!tip.tied) goal = normalize(to);
    }
    float turn = 1.0 - exp(-along / max(params.bend, 1e-6));
    vec3 heading = normalize(mix(tip.heading, goal, turn) + 1e-6 * goal);
    vec3 x = tip.x + heading * along;
    vec3 from = x - params.center;
    float away = length(from);
    float least = params.radius + min(lift, length(tip.x - params.center) - params.radius + 0.5 * along);
    if (away < least && away > 0.0) {
        x = params.center + from * (least / away);
        heading = normalize(x - tip.x);
        x = tip.x + heading * along;
    }
    return Tip(x, heading, tip.tied);
}

void main() {
    uint strand = invocation_index();
    if (strand >= params.count) return;
    groups.values[strand] = params.group;
    vec3 r = random_numbers(strand, params.seed, 1u);
    vec3 more = random_numbers(strand, params.seed, 2u);
    // A spiral of even steps in height: every root has as much room as the others.
    float share = (float(strand) + r.x) / float(params.count);
    float height = mix(params.cosines.x, params.cosines.y, share);
    float angle = kTurn * fract(float(strand) * 0.618033988749 + 0.3 * r.y / sqrt(float(params.count)));
    vec3 side = any_side(params.axis);
    vec3 other = cross(params.axis, side);
    vec3 normal = normalize(params.axis * height + sqrt(max(1.0 - height * height, 0.0)) *
                                                       (cos(angle) * side + sin(angle) * other));
    vec3 cell = floor(normal / params.clump_size);
    vec3 middle = normalize((cell + 0.5) * params.clump_size + 1e-4);
    uvec3 of_cell = pcg3d(uvec3(ivec3(cell) + 1024) + uvec3(0u, params.seed, 0u));
    vec3 chance = unit_interval(of_cell);

    float size = params.strand_length * (1.0 + params.length_spread * (2.0 * r.z - 1.0));
    float along = size / float(params.vertices - 1u);
    vec3 astray = params.disorder * (2.0 * more - 1.0);
    float lift = params.cover * more.z;
    Tip tip = Tip(params.center + normal * params.radius, normal, false);
    Tip center = Tip(params.center + middle * params.radius, middle, false);
    vec3 across = any_side(normal);
    for (uint v = 0u; v < params.vertices; ++v) {
        float way = float(v) / float(params.vertices - 1u);
        vec3 x = mix(tip.x, center.x, params.clump * way);
        across = normalize(across - tip.heading * dot(across, tip.heading) + 1e-6);
        float phase = kTurn * (float(v) * along / params.pitch + chance.x + 0.15 * params.disorder * more.x);
        float wide = params.amplitude * smoothstep(0.05, 0.5, way) * (0.8 + 0.4 * chance.y);
        if (params.shape == kWavy) x += across * (wide * sin(phase));
        if (params.shape == kHelix)
            x += wide * (across * cos(phase) + cross(tip.heading, across) * sin(phase));
        points.values[strand * params.vertices + v] = vec4(x, 1.0);
        tip = grown(tip, along, lift, astray);
        center = grown(center, along, 0.5 * params.cover, vec3(0.0));
    }
}
