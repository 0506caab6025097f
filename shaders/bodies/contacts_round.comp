#version 460
// Contacts of spheres and capsules; of pairs that nobody knows, none.

layout(local_size_x = 64) in;

#include "contact.glsl"
#include "closest.glsl"

uniform Params {
    uint known; // bits of kinds: 1: polyhedra, 2: fields
} params;

Manifold touch(Pair pair) {
    Manifold m = no_manifold();
    vec3 a;
    vec3 b;
    vec3 u;
    vec3 v;
    axis_of(pair.a, pair.first, a, u);
    axis_of(pair.b, pair.second, b, v);
    float radii = pair.a.size.x + pair.b.size.x;
    vec2 shares = closest_shares(a - u, 2.0 * u, b - v, 2.0 * v);
    vec3 on_a = a + (2.0 * shares.x - 1.0) * u;
    vec3 on_b = b + (2.0 * shares.y - 1.0) * v;
    float apart = length(on_b - on_a) - radii;
    if (apart > pair.margin) return m;
    if (length(on_b - on_a) <= 1e-9) atomicAdd(status.elements[0].coincident, 1u);
    m.normal = direction_between(on_a, on_b, vec3(0.0, 1.0, 0.0));
    float half_gap = 0.5 * (pair.a.size.x - pair.b.size.x);

    float uu = dot(u, u);
    float vv = dot(v, v);
    vec3 bent = cross(u, v);
    // Side by side: both ends of where they lie along each other.
    if (uu > 1e-12 && vv > 1e-12 && dot(bent, bent) < 1e-3 * uu * vv) {
        float middle = dot(b - a, u) / uu;
        float reach = abs(dot(v, u)) / uu;
        float low = max(-1.0, middle - reach);
        float high = min(1.0, middle + reach);
        if (high - low > 1e-3) {
            for (uint k = 0u; k < 2u; ++k) {
                vec3 p = a + (k == 0u ? low : high) * u;
                float along = clamp(dot(p - b, v) / vv, -1.0, 1.0);
                vec3 q = b + along * v;
                float gap = dot(q - p, m.normal) - radii;
                if (gap <= pair.margin)
                    add_point(m, 0.5 * (p + q) + half_gap * m.normal, gap, k + 1u);
            }
            return m;
        }
    }
    add_point(m, 0.5 * (on_a + on_b) + half_gap * m.normal, apart, 1u);
    return m;
}

void main() {
    uint p = invocation_index();
    Pair pair = pair_of(p);
    if (!pair.is_there) return;
    bool others = ((params.known & 1u) != 0u &&
                   (is_polyhedron(pair.a.kind) || is_polyhedron(pair.b.kind))) ||
                  ((params.known & 2u) != 0u && (is_field(pair.a.kind) || is_field(pair.b.kind)));
    if (others) return;
    bool both = is_round(pair.a.kind) && is_round(pair.b.kind);
    put_manifold(p, both ? touch(pair) : no_manifold());
}
