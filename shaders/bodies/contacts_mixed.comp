#version 460
//! variants HULLS=0,1
// Contacts of a sphere or capsule with a box or convex hull.

layout(local_size_x = 64) in;

#include "contact.glsl"
#include "closest.glsl"
#include "solid.glsl"

// A segment seen from the solid's frame, and a radius.
struct Rod {
    vec3 from;
    vec3 along; // to the other end
    float radius;
};

// What is nearest: on the solid, on the rod's axis, and out of which face (or kNoFace).
struct Nearest {
    float squared;
    vec3 on_solid;
    vec3 on_rod;
    uint feature;
};
const uint kNoFace = 0xffffffffu;

void offer(inout Nearest best, vec3 on_solid, vec3 on_rod, uint feature) {
    vec3 between = on_rod - on_solid;
    float squared = dot(between, between);
    if (squared < best.squared) best = Nearest(squared, on_solid, on_rod, feature);
}

// An end of the rod and the face below it.
void try_end(inout Nearest best, Solid s, uint f, vec4 plane, vec3 end) {
    float above = dot(plane.xyz, end) - plane.w;
    if (above < 0.0) return;
    uint corners = corners_of(s, f);
    for (uint k = 0u; k < corners; ++k) {
        vec3 from = local_vertex(s, corner_of(s, f, k));
        vec3 to = local_vertex(s, corner_of(s, f, k + 1u == corners ? 0u : k + 1u));
        if (dot(end - from, cross(to - from, plane.xyz)) > 0.0) return;
    }
    offer(best, end - above * plane.xyz, end, f + 1u);
}

void try_edges(inout Nearest best, Solid s, uint f, Rod rod) {
    uint corners = corners_of(s, f);
    for (uint k = 0u; k < corners; ++k) {
        uint first = corner_of(s, f, k);
        uint second = corner_of(s, f, k + 1u == corners ? 0u : k + 1u);
        if (first > second) continue; // the other face's turn
        vec3 from = local_vertex(s, first);
        vec3 edge = local_vertex(s, second) - from;
        vec2 shares = closest_shares(from, edge, rod.from, rod.along);
        offer(best, from + shares.x * edge, rod.from + shares.y * rod.along,
              0x10000u | first << 8u | second);
    }
}

// The part of the rod over face `f`; false where there is none.
bool over_face(Solid s, uint f, Rod rod, out float low, out float high) {
    vec4 plane = local_face(s, f);
    uint corners = corners_of(s, f);
    low = 0.0;
    high = 1.0;
    for (uint k = 0u; k < corners; ++k) {
        vec3 from = local_vertex(s, corner_of(s, f, k));
        vec3 to = local_vertex(s, corner_of(s, f, k + 1u == corners ? 0u : k + 1u));
        vec3 out_of = cross(to - from, plane.xyz);
        float here = dot(rod.from - from, out_of);
        float change = dot(rod.along, out_of);
        if (abs(change) < 1e-12) {
            if (here > 0.0) return false;
        } else if (change > 0.0) {
            high = min(high, -here / change);
        } else {
            low = max(low, -here / change);
        }
    }
    return high > low;
}

float highest(Solid s, vec3 along) {
    float most = -1e30;
    for (uint i = 0u; i < s.vertices; ++i)
        most = max(most, dot(local_vertex(s, i), along));
    return most;
}

// A rod that is deep in the solid may leave it past an edge sooner than through face `face`.
bool leaves_by_edge(inout Manifold m, Solid s, Rod rod, float apart) {
    float best = apart + 0.01 * min(min(s.size.x, s.size.y), s.size.z);
    bool found = false;
    for (uint e = 0u; e < s.directions; ++e) {
        vec3 edge = local_direction(s, e);
        vec3 axis = cross(edge, rod.along);
        float size = length(axis);
        if (size <= 1e-3 * length(rod.along)) continue; // or a sphere
        for (uint side = 0u; side < 2u; ++side) {
            vec3 n = (side == 0u ? axis : -axis) / size;
            float top = highest(s, n);
            float above = dot(rod.from, n) - top;
            if (above <= best) continue;
            // The edge lies where the solid is highest.
            for (uint i = 0u; i < s.vertices; ++i) {
                vec3 vertex = local_vertex(s, i);
                if (dot(vertex, n) < top - 1e-5) continue;
                float reach = 2.0 * length(s.size);
                vec2 shares = closest_shares(vertex - reach * edge, 2.0 * reach * edge, rod.from, rod.along);
                vec3 p = rod.from + shares.y * rod.along;
                float gap = above - rod.radius;
                m.normal = n;
                m.count = 0u;
                add_point(m, p - (rod.radius + 0.5 * gap) * n, gap, 0x20000u | e << 8u | side);
                best = above;
                found = true;
                break;
            }
        }
    }
    return found;
}

// Points and normals in the solid's frame; the normal is out of the solid.
Manifold touch(Solid s, Rod rod, float margin) {
    Manifold m = no_manifold();
    vec3 ends[2] = vec3[2](rod.from, rod.from + rod.along);
    // The face that is best at keeping them apart, and whether the axis enters the solid.
    float apart = -1e30;
    uint face = 0u;
    float enters = 0.0;
    float leaves = 1.0;
    for (uint f = 0u; f < s.faces; ++f) {
        vec4 plane = local_face(s, f);
        float a = dot(plane.xyz, ends[0]) - plane.w;
        float b = dot(plane.xyz, ends[1]) - plane.w;
        if (min(a, b) > apart) {
            apart = min(a, b);
            face = f;
        }
        if (a > 0.0 && b > 0.0) {
            leaves = -1.0;
        } else if (a > 0.0) {
            enters = max(enters, a / (a - b));
        } else if (b > 0.0) {
            leaves = min(leaves, a / (a - b));
        }
    }
    if (apart > rod.radius + margin) return m;

    bool has_face = true;
    if (enters <= leaves) {
        if (leaves_by_edge(m, s, rod, apart)) return m;
        m.normal = local_face(s, face).xyz; // deep: out by the nearest face
    } else {
        Nearest best = Nearest(1e30, vec3(0.0), vec3(0.0), 0u);
        for (uint f = 0u; f < s.faces; ++f) {
            vec4 plane = local_face(s, f);
            try_end(best, s, f, plane, ends[0]);
            if (dot(rod.along, rod.along) > 0.0) try_end(best, s, f, plane, ends[1]);
            try_edges(best, s, f, rod);
        }
        float distance = sqrt(best.squared);
        if (distance > rod.radius + margin) return m;
        m.normal = direction_between(best.on_solid, best.on_rod, local_face(s, face).xyz);
        has_face = dot(m.normal, local_face(s, face).xyz) > 0.999;
        if (!has_face || dot(rod.along, rod.along) == 0.0) {
            float gap = distance - rod.radius;
            add_point(m, best.on_solid + 0.5 * gap * m.normal, gap, best.feature);
            return m;
        }
        m.normal = local_face(s, face).xyz;
    }
    // Over a face: where the axis comes over it and where it goes.
    vec4 plane = local_face(s, face);
    float low;
    float high;
    if (dot(rod.along, rod.along) == 0.0 || !over_face(s, face, rod, low, high)) {
        float a = dot(plane.xyz, ends[0]) - plane.w;
        float b = dot(plane.xyz, ends[1]) - plane.w;
        low = a <= b ? 0.0 : 1.0;
        if (enters <= leaves) low = a <= b ? enters : leaves; // within the solid
        high = low;
    }
    for (uint k = 0u; k < (high > low ? 2u : 1u); ++k) {
        vec3 p = rod.from + (k == 0u ? low : high) * rod.along;
        float gap = dot(plane.xyz, p) - plane.w - rod.radius;
        if (gap <= margin)
            add_point(m, p - (rod.radius + 0.5 * gap) * plane.xyz, gap, (face + 1u) << 8u | k);
    }
    return m;
}

void main() {
    uint p = invocation_index();
    Pair pair = pair_of(p);
    if (!pair.is_there) return;
    bool round_first = is_round(pair.a.kind) && is_polyhedron(pair.b.kind);
    if (!round_first && !(is_polyhedron(pair.a.kind) && is_round(pair.b.kind))) return;
    uint round_body = round_first ? pair.first : pair.second;
    uint solid_body = round_first ? pair.second : pair.first;
    Shape round_shape = pair.a;
    Shape solid_shape = pair.b;
    if (!round_first) {
        round_shape = pair.b;
        solid_shape = pair.a;
    }
    vec3 middle;
    vec3 half_axis;
    axis_of(round_shape, round_body, middle, half_axis);
    Solid s = solid_of(solid_shape, places.values[solid_body].xyz, turns.values[solid_body]);
    vec3 local = (middle - s.place) * s.frame;
    vec3 axis = half_axis * s.frame;
    Manifold m = touch(s, Rod(local - axis, 2.0 * axis, round_shape.size.x), pair.margin);
    m.normal = s.frame * m.normal * (round_first ? -1.0 : 1.0);
    for (uint k = 0u; k < m.count; ++k)
        m.points[k].xyz = s.place + s.frame * m.points[k].xyz;
    put_manifold(p, m);
}
