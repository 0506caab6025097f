#version 460
//! variants MINIMA=0,1
// Contacts of anything that moves with a half-space, a height field or a solid given by distances: of
// points of its surface. With MINIMA, against distances, also of where its edges and faces are nearest.

layout(local_size_x = 64) in;

#define HULLS 1
#include "contact.glsl"
#include "field.glsl"
#include "solid.glsl"
#if MINIMA
#include "field_minima.glsl"
#endif

// Points of the body that may touch: the ends of an axis and three between them; corners of a
// polyhedron and, against what is curved, the middles of a box's edges and faces.
const uint kBoxPoints = 26u;

uint probes_of(Shape shape, Solid s, bool curved) {
    if (shape.kind == kSphere) return 1u;
    if (shape.kind == kCapsule) return curved ? 5u : 2u;
    return s.is_box && curved ? kBoxPoints : s.vertices;
}

vec3 probe_of(Shape shape, Solid s, uint i, bool curved) {
    if (shape.kind == kSphere) return s.place;
    if (shape.kind == kCapsule) {
        float along = i == 0u ? -1.0 : i == 1u ? 1.0 : float(i) * 0.5 - 1.5;
        return s.place + s.frame[1] * (along * shape.size.y);
    }
    if (s.is_box && curved) {
        uint k = i < 13u ? i : i + 1u; // the middle is none
        vec3 place = vec3(float(k % 3u), float(k / 3u % 3u), float(k / 9u)) - 1.0;
        return s.place + s.frame * (s.size * place);
    }
    return vertex_of(s, i);
}

Manifold touch(Pair pair) {
    Manifold m = no_manifold();
    vec4 turn = turns.values[pair.second];
    vec3 origin = places.values[pair.second].xyz;
    Solid s = solid_of(pair.a, places.values[pair.first].xyz, turns.values[pair.first]);
    float radius = is_round(pair.a.kind) ? pair.a.size.x : 0.0;
    bool curved = pair.b.kind != kPlane;
    uint probes = probes_of(pair.a, s, curved);
    vec3 chosen[3];
    uint taken[4];
    float side = 1.0;
    vec3 normal = vec3(0.0, 1.0, 0.0);
    for (uint t = 0u; t < kPoints; ++t) {
        float best = t == 0u ? -1e30 : kLeastScore;
        vec4 found = vec4(0.0);
        vec3 found_normal = normal;
        uint at = probes;
        for (uint i = 0u; i < probes; ++i) {
            bool again = false;
            for (uint k = 0u; k < t; ++k)
                again = again || taken[k] == i;
            if (again) continue;
            vec3 probe = probe_of(pair.a, s, i, curved);
            vec4 field = field_at(pair.b, rotated_back(turn, probe - origin));
            float apart = field.w - radius;
            if (apart > pair.margin) continue;
            vec3 up = rotated(turn, field.xyz);
            vec4 candidate = vec4(probe - (radius + 0.5 * apart) * up, apart);
            float score = score_of(t, candidate, normal, chosen[0], chosen[1], side);
            if (score > best) {
                best = score;
                found = candidate;
                found_normal = up;
                at = i;
            }
        }
        if (at == probes) break;
        taken[t] = at;
        if (t < 3u) chosen[t] = found.xyz;
        if (t == 0u) normal = found_normal;
        if (t == 2u)
            side = dot(cross(chosen[1] - chosen[0], chosen[2] - chosen[0]), normal) < 0.0 ? -1.0 : 1.0;
        add_point(m, found.xyz, found.w, at + 1u);
    }
    m.normal = -normal; // the field is the second body
    return m;
}

#if MINIMA
Manifold touch_distances(Pair pair) {
    vec4 turn = turns.values[pair.second];
    vec3 origin = places.values[pair.second].xyz;
    Solid s = solid_of(pair.a, places.values[pair.first].xyz, turns.values[pair.first]);
    s.place = rotated_back(turn, s.place - origin);
    s.frame = transpose(frame_of(turn)) * s.frame;
    find_minima(pair.a, pair.b, s, pair.margin);
    Manifold m = manifold_of_minima();
    m.normal = -rotated(turn, m.normal); // the field is the second body
    for (uint k = 0u; k < m.count; ++k)
        m.points[k].xyz = origin + rotated(turn, m.points[k].xyz);
    return m;
}
#endif

void main() {
    uint p = invocation_index();
    Pair pair = pair_of(p);
    if (!pair.is_there || !is_field(pair.b.kind) || is_field(pair.a.kind)) return;
#if MINIMA
    if (pair.b.kind == kDistances && pair.a.kind != kSphere) {
        put_manifold(p, touch_distances(pair));
        return;
    }
#endif
    put_manifold(p, touch(pair));
}
