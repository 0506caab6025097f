#version 460
//! variants HULLS=0,1
// Contacts of boxes and convex hulls: the axis of least overlap among normals and products of edges
// (S. Gottschalk's separating axes); then the one face cut by the sides of the other, or the closest
// points of two edges.

layout(local_size_x = 64) in;

#include "contact.glsl"
#include "solid.glsl"

struct Axis {
    vec3 normal; // from A to B
    float apart;
    uint kind; // 0: a face of A, 1: of B, 2: edges
    uint first; // face, or edges' directions
    uint second;
};

// The face of `s` that separates it best from `t`.
void try_faces(inout Axis best, Solid s, Solid t, uint kind) {
    for (uint f = 0u; f < s.faces; ++f) {
        vec4 face = local_face(s, f);
        vec3 normal = s.frame * face.xyz;
        float apart = dot(support(t, -normal) - s.place, normal) - face.w;
        if (apart > best.apart) best = Axis(kind == 0u ? normal : -normal, apart, kind, f, 0u);
    }
}

void try_edges(inout Axis best, Solid a, Solid b) {
    for (uint i = 0u; i < a.directions; ++i) {
        vec3 u = a.frame * local_direction(a, i);
        for (uint j = 0u; j < b.directions; ++j) {
            vec3 v = b.frame * local_direction(b, j);
            vec3 axis = cross(u, v);
            float size = length(axis);
            if (size < 1e-3) continue; // they are parallel: faces tell
            axis /= size;
#if HULLS
            vec2 reach_a = reach_along(a, axis);
            vec2 reach_b = reach_along(b, axis) + dot(b.place - a.place, axis);
            float ahead = reach_b.x - reach_a.y;
            float behind = reach_a.x - reach_b.y;
            if (ahead > best.apart) best = Axis(axis, ahead, 2u, i, j);
            if (behind > best.apart) best = Axis(-axis, behind, 2u, i, j);
#else
            if (dot(axis, b.place - a.place) < 0.0) axis = -axis;
            float apart = dot(support(b, -axis) - support(a, axis), axis);
            if (apart > best.apart) best = Axis(axis, apart, 2u, i, j);
#endif
        }
    }
}

const uint kMaxCut = 2u * kMaxCorners; // a cut adds a corner
vec3 cut_places[kMaxCut];
uint cut_features[kMaxCut];
uint cut_count;

// What of the polygon is behind the plane through `on` with this normal, whose length is that of an edge. Corners that
// are in front by a ten-thousandth of it are kept: where bodies of one size lie on each other, rounding would make them
// corners or cuts from step to step, and what is known by another number loses its impulses.
void cut(vec3 on, vec3 normal, uint side) {
    float slack = 1e-4 * dot(normal, normal);
    vec3 places_in[kMaxCut];
    uint features_in[kMaxCut];
    uint n = cut_count;
    for (uint k = 0u; k < n; ++k) {
        places_in[k] = cut_places[k];
        features_in[k] = cut_features[k];
    }
    uint kept = 0u;
    for (uint k = 0u; k < n; ++k) {
        uint next = k + 1u == n ? 0u : k + 1u;
        float here = dot(places_in[k] - on, normal);
        float there = dot(places_in[next] - on, normal);
        if (here <= slack && kept < kMaxCut) {
            cut_places[kept] = places_in[k];
            cut_features[kept] = features_in[k];
            ++kept;
        }
        if ((here < 0.0 && there > slack || here > slack && there < 0.0) && kept < kMaxCut) {
            cut_places[kept] = mix(places_in[k], places_in[next], here / (here - there));
            cut_features[kept] = (side + 1u) << 8u | (features_in[k] & 0xffu) | (here > 0.0 ? 128u : 0u);
            ++kept;
        }
    }
    cut_count = kept;
}

// Four of the corners that are left.
void choose(inout Manifold m, float sign, vec3 normal, vec4 plane, float margin, uint tag) {
    vec3 chosen[3];
    float side = 1.0;
    uint taken[4];
    for (uint turn = 0u; turn < kPoints; ++turn) {
        float best = turn == 0u ? -1e30 : kLeastScore;
        uint at = kMaxCut;
        for (uint k = 0u; k < cut_count; ++k) {
            float apart = dot(cut_places[k], plane.xyz) - plane.w;
            if (apart > margin) continue;
            bool again = false;
            for (uint t = 0u; t < turn; ++t)
                again = again || taken[t] == k;
            if (again) continue;
            float score = score_of(turn, vec4(cut_places[k], apart), normal, chosen[0], chosen[1], side);
            if (score > best) {
                best = score;
                at = k;
            }
        }
        if (at == kMaxCut) return;
        taken[turn] = at;
        if (turn < 3u) chosen[turn] = cut_places[at];
        if (turn == 2u) side = dot(cross(chosen[1] - chosen[0], chosen[2] - chosen[0]), normal) < 0.0 ? -1.0 : 1.0;
        float apart = dot(cut_places[at], plane.xyz) - plane.w;
        add_point(m, cut_places[at] - 0.5 * apart * plane.xyz, apart, tag | cut_features[at]);
    }
}

// Cuts the face of `t` that looks most against `normal` (out of `s`) by the sides of face `f` of `s`.
void touch_faces(inout Manifold m, Solid s, Solid t, uint f, vec3 normal, float margin, uint tag) {
    float least = 1e30;
    uint facing = 0u;
    for (uint g = 0u; g < t.faces; ++g) {
        float along = dot(t.frame * local_face(t, g).xyz, normal);
        if (along < least) {
            least = along;
            facing = g;
        }
    }
    cut_count = corners_of(t, facing);
    for (uint k = 0u; k < cut_count; ++k) {
        uint vertex = corner_of(t, facing, k);
        cut_places[k] = vertex_of(t, vertex);
        cut_features[k] = vertex;
    }
    uint corners = corners_of(s, f);
    for (uint k = 0u; k < corners; ++k) {
        vec3 from = vertex_of(s, corner_of(s, f, k));
        vec3 to = vertex_of(s, corner_of(s, f, k + 1u == corners ? 0u : k + 1u));
        cut(from, cross(to - from, normal), k);
    }
    vec4 plane = vec4(normal, dot(normal, s.place) + local_face(s, f).w);
    choose(m, 1.0, normal, plane, margin, tag | f << 16u);
}

// The lines of edges that are almost parallel meet far away, edges do not: what is beyond the solid's box is
// taken to its side.
vec3 within(Solid s, vec3 point) {
    return s.place + s.frame * clamp((point - s.place) * s.frame, -s.size, s.size);
}

void touch_edges(inout Manifold m, Solid a, Solid b, Axis axis) {
    vec3 u = a.frame * local_direction(a, axis.first);
    vec3 v = b.frame * local_direction(b, axis.second);
    vec3 p = support(a, axis.normal);
    vec3 q = support(b, -axis.normal);
    float uv = dot(u, v);
    float pu = dot(q - p, u);
    float pv = dot(q - p, v);
    float across = max(1.0 - uv * uv, 1e-9);
    vec3 on_a = within(a, p + (pu - uv * pv) / across * u);
    vec3 on_b = within(b, q + (uv * pu - pv) / across * v);
    add_point(m, 0.5 * (on_a + on_b), axis.apart, 0x80000000u | axis.first << 8u | axis.second);
}

Manifold touch(Pair pair) {
    Manifold m = no_manifold();
    Solid a = solid_of(pair.a, places.values[pair.first].xyz, turns.values[pair.first]);
    Solid b = solid_of(pair.b, places.values[pair.second].xyz, turns.values[pair.second]);
    Axis of_a = Axis(vec3(0.0, 1.0, 0.0), -1e30, 0u, 0u, 0u);
    Axis of_b = of_a;
    try_faces(of_a, a, b, 0u);
    if (of_a.apart > pair.margin) return m;
    try_faces(of_b, b, a, 1u);
    if (of_b.apart > pair.margin) return m;
    // A face of the other, or edges, must be better by more than noise, so that the choice lasts.
    float tolerance = 0.01 * min(min(a.size.x, a.size.y), a.size.z);
    Axis best = of_b.apart > of_a.apart + 0.1 * tolerance ? of_b : of_a;
    Axis edges = of_a;
    edges.apart = max(of_a.apart, of_b.apart);
    edges.kind = 3u;
    try_edges(edges, a, b);
    if (edges.apart > pair.margin) return m;
    if (edges.kind == 2u && edges.apart > best.apart + tolerance) {
        m.normal = edges.normal;
        touch_edges(m, a, b, edges);
        return m;
    }
    m.normal = best.normal;
    if (best.kind == 0u) {
        touch_faces(m, a, b, best.first, best.normal, pair.margin, 0x20000000u); // never 0, which is nobody
    } else {
        touch_faces(m, b, a, best.first, -best.normal, pair.margin, 0x40000000u);
    }
    return m;
}

void main() {
    uint p = invocation_index();
    Pair pair = pair_of(p);
    if (!pair.is_there || !is_polyhedron(pair.a.kind) || !is_polyhedron(pair.b.kind)) return;
    put_manifold(p, touch(pair));
}
