// Where the surface of a capsule, box or hull is nearest to a solid given by distances, or deepest in it: at vertices,
// within edges and within faces. Everything is in the field's frame. The includer declares `geometry`, and includes
// field.glsl, manifold.glsl and solid.glsl with HULLS.
#ifndef BODIES_FIELD_MINIMA
#define BODIES_FIELD_MINIMA

const uint kMaxMinima = 24u;
const uint kMaxVertices = 64u; // of a hull
const float kSteepest = 2.75;   // of interpolated distances, the square root of 3, and one more outside of the lattice
const float kFlat = 2e-4;       // of its length: by how much the inside of an edge must be lower than its ends
const uint kOnEdge = 0x10000u;  // numbers of points; those of vertices begin at 1
const uint kOnFace = 0x20000u;

vec4 minima[kMaxMinima]; // on the surface of the body; how far it is from the field's
uint minima_ids[kMaxMinima];
uint minima_count;
float minima_deepest; // of all that was offered
vec3 minima_normal;   // of the field there
float vertex_values[kMaxVertices];

// A point of the body's axis or surface: the field there, and the radius around it. The shallowest gives way.
void offer_minimum(vec3 place, vec4 field, float radius, float margin, uint id) {
    float apart = field.w - radius;
    if (apart > margin) return;
    uint at = minima_count;
    if (at == kMaxMinima) {
        float most = apart;
        for (uint k = 0u; k < kMaxMinima; ++k) {
            if (minima[k].w > most) {
                most = minima[k].w;
                at = k;
            }
        }
        if (at == kMaxMinima) return;
    } else {
        ++minima_count;
    }
    minima[at] = vec4(place - (radius + 0.5 * apart) * field.xyz, apart);
    minima_ids[at] = id;
    if (apart < minima_deepest) {
        minima_deepest = apart;
        minima_normal = field.xyz;
    }
}

// Within an edge, where the field along it stops falling: between places where it falls and rises, by secants.
void try_edge(Shape field, vec3 a, vec3 b, float at_a, float at_b, float radius, float margin, uint id) {
    float size = distance(a, b);
    if (size < 1e-6 || 0.5 * (at_a + at_b - kSteepest * size) - radius > margin) return;
    vec3 along = (b - a) / size;
    float lower = min(at_a, at_b) - kFlat * size;
    float best_share = 0.5;
    vec4 best = distances_at(field, 0.5 * (a + b));
    float slope = dot(best.xyz, along);
    bool rises = slope >= 0.0;
    float low = rises ? 0.0 : 0.5;
    float high = rises ? 0.5 : 1.0;
    float end_slope = dot(distances_at(field, rises ? a : b).xyz, along);
    float low_slope = rises ? end_slope : slope;
    float high_slope = rises ? slope : end_slope;
    if (low_slope < 0.0 && high_slope >= 0.0) {
        for (uint round = 0u; round < 6u; ++round) {
            float share = mix(low, high, clamp(low_slope / (low_slope - high_slope), 0.1, 0.9));
            vec4 here = distances_at(field, mix(a, b, share));
            slope = dot(here.xyz, along);
            if (here.w < best.w) {
                best = here;
                best_share = share;
            }
            if (slope >= 0.0) {
                high = share;
                high_slope = slope;
            } else {
                low = share;
                low_slope = slope;
            }
        }
    }
    if (best.w < lower) offer_minimum(mix(a, b, best_share), best, radius, margin, id);
}

// How far it is from `place` along `way` to the sides of a face; and, without a way, to the nearest side.
float way_within(Solid s, uint f, vec3 normal, vec3 place, vec3 way) {
    uint corners = corners_of(s, f);
    float room = 1e30;
    for (uint k = 0u; k < corners; ++k) {
        vec3 from = vertex_of(s, corner_of(s, f, k));
        vec3 to = vertex_of(s, corner_of(s, f, k + 1u == corners ? 0u : k + 1u));
        vec3 out_of = normalize(cross(to - from, normal));
        float left = max(dot(from - place, out_of), 0.0);
        float speed = way == vec3(0.0) ? 1.0 : dot(way, out_of);
        if (speed > 1e-6) room = min(room, left / speed);
    }
    return room;
}

// Within a face, where the field stops falling: downhill in steps that become shorter.
void try_face(Shape field, Solid s, uint f, float margin) {
    uint corners = corners_of(s, f);
    vec3 place = vec3(0.0);
    float lower = 1e30;
    for (uint k = 0u; k < corners; ++k) {
        uint vertex = corner_of(s, f, k);
        place += vertex_of(s, vertex) / float(corners);
        lower = min(lower, vertex_values[vertex]);
    }
    float size = 0.0;
    for (uint k = 0u; k < corners; ++k)
        size = max(size, distance(place, vertex_of(s, corner_of(s, f, k))));
    vec4 best = distances_at(field, place);
    if (best.w - kSteepest * size > margin) return;
    vec3 normal = s.frame * local_face(s, f).xyz;
    float step = 0.5 * size;
    for (uint round = 0u; round < 12u; ++round) {
        vec3 way = dot(best.xyz, normal) * normal - best.xyz;
        float steep = length(way);
        if (steep < 1e-4) break;
        way /= steep;
        vec3 there = place + min(step, way_within(s, f, normal, place, way)) * way;
        vec4 here = distances_at(field, there);
        if (here.w < best.w) {
            best = here;
            place = there;
        } else {
            step *= 0.5;
        }
    }
    // At the sides it is the edges' turn.
    if (best.w < lower - kFlat * size && way_within(s, f, normal, place, vec3(0.0)) > 1e-3 * size)
        offer_minimum(place, best, 0.0, margin, kOnFace | f);
}

// A corner of a polyhedron, or an end of a capsule's axis, which is its only edge.
vec3 end_of(Shape shape, Solid s, uint i) {
    if (shape.kind != kCapsule) return vertex_of(s, i);
    return s.place + (i == 0u ? -shape.size.y : shape.size.y) * s.frame[1];
}

void find_minima(Shape shape, Shape field, Solid s, float margin) {
    minima_count = 0u;
    minima_deepest = 1e30;
    minima_normal = vec3(0.0, 1.0, 0.0);
    bool rod = shape.kind == kCapsule;
    float radius = rod ? shape.size.x : 0.0;
    uint ends = rod ? 2u : min(s.vertices, kMaxVertices);
    for (uint i = 0u; i < ends; ++i) {
        vec3 place = end_of(shape, s, i);
        vec4 at = distances_at(field, place);
        vertex_values[i] = at.w;
        offer_minimum(place, at, radius, margin, i + 1u);
    }
    uint faces = rod ? 1u : s.faces;
    for (uint f = 0u; f < faces; ++f) {
        uint corners = rod ? 1u : corners_of(s, f);
        for (uint k = 0u; k < corners; ++k) {
            uint first = rod ? 0u : corner_of(s, f, k);
            uint second = rod ? 1u : corner_of(s, f, k + 1u == corners ? 0u : k + 1u);
            if (first > second) continue; // the other face's turn
            try_edge(field, end_of(shape, s, first), end_of(shape, s, second), vertex_values[first],
                     vertex_values[second], radius, margin, kOnEdge | f << 4u | k);
        }
        if (!rod) try_face(field, s, f, margin);
    }
}

// Four of them, in the field's frame; the normal is out of the field.
Manifold manifold_of_minima() {
    Manifold m = no_manifold();
    m.normal = minima_normal;
    vec3 chosen[3];
    uint taken[4];
    float side = 1.0;
    for (uint t = 0u; t < kPoints; ++t) {
        float best = t == 0u ? -1e30 : kLeastScore;
        uint at = kMaxMinima;
        for (uint i = 0u; i < minima_count; ++i) {
            bool again = false;
            for (uint k = 0u; k < t; ++k)
                again = again || taken[k] == i;
            if (again) continue;
            float score = score_of(t, minima[i], minima_normal, chosen[0], chosen[1], side);
            if (score > best) {
                best = score;
                at = i;
            }
        }
        if (at == kMaxMinima) break;
        taken[t] = at;
        if (t < 3u) chosen[t] = minima[at].xyz;
        if (t == 2u)
            side = dot(cross(chosen[1] - chosen[0], chosen[2] - chosen[0]), minima_normal) < 0.0 ? -1.0 : 1.0;
        add_point(m, minima[at].xyz, minima[at].w, minima_ids[at]);
    }
    return m;
}
#endif
