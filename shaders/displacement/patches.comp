#version 460
// Quads over hills or around a trunk.

layout(local_size_x = 64) in;

#include "patch.glsl"
#include "invocation.glsl"

writeonly buffer Result { PatchRecord elements[]; } result;

layout(constant_id = 0) const uint around = 0u; // 1: a trunk about the y axis

uniform Params {
    uvec2 count; // columns, rows
    vec2 size;   // along x and z; of a trunk radius and height
    float hills; // how high
    float waves; // along a side
    uvec2 repeats; // maps around a trunk, and up
} params;

struct Place {
    vec3 point;
    vec3 normal;
};

const float kTurn = 6.28318530717959;

Place place_at(uvec2 at) {
    vec2 share = vec2(at) / vec2(params.count);
    if (around != 0u) {
        // The last column ends where the first begins, to the bit.
        float angle = kTurn * float(at.x % params.count.x) / float(params.count.x);
        vec3 out_from = vec3(sin(angle), 0.0, cos(angle));
        float radius = params.size.x * (1.0 + params.hills * sin(kTurn * params.waves * share.y));
        return Place(out_from * radius + vec3(0.0, params.size.y * share.y, 0.0), out_from);
    }
    vec2 at_ground = (share - 0.5) * vec2(params.size.x, -params.size.y);
    vec2 phase = kTurn * params.waves * share;
    float height = params.hills * sin(phase.x + 0.7) * sin(phase.y + 0.3);
    vec2 slope = params.hills * kTurn * params.waves / vec2(params.size.x, -params.size.y) *
                 vec2(cos(phase.x + 0.7) * sin(phase.y + 0.3), sin(phase.x + 0.7) * cos(phase.y + 0.3));
    return Place(vec3(at_ground.x, height, at_ground.y), normalize(vec3(-slope.x, 1.0, -slope.y)));
}

void main() {
    uint i = invocation_index();
    if (i >= params.count.x * params.count.y) return;
    uvec2 at = uvec2(i % params.count.x, i / params.count.x);
    Place a = place_at(at);
    Place b = place_at(at + uvec2(1u, 0u));
    Place c = place_at(at + 1u);
    Place d = place_at(at + uvec2(0u, 1u));
    vec2 from = vec2(0.0);
    vec2 to = vec2(1.0);
    if (around != 0u) {
        uvec2 first = at * params.repeats % params.count;
        from = vec2(first) / vec2(params.count);
        to = vec2(first + params.repeats) / vec2(params.count);
    }
    PatchRecord p;
    p.a = a.point;
    p.u_a = from.x;
    p.b = b.point;
    p.u_b = to.x;
    p.c = c.point;
    p.u_c = to.x;
    p.d = d.point;
    p.u_d = from.x;
    p.normal_a = a.normal;
    p.v_a = from.y;
    p.normal_b = b.normal;
    p.v_b = from.y;
    p.normal_c = c.normal;
    p.v_c = to.y;
    p.normal_d = d.normal;
    p.v_d = to.y;
    result.elements[i] = p;
}
