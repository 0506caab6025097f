// Whether a triangle is to be cut: where its longest edge looks longer than so many pixels. Above:
// terrain/surface.glsl, bounds.glsl, bisection.glsl.
//
// Lengths are those of the surface at its longest, distances those to a bound of all points that the
// triangle's descendants have, so a triangle that is to be cut has ancestors that are, too, and what
// comes out depends on the eye alone.
#ifndef TERRAIN_BISECTION_LOD
#define TERRAIN_BISECTION_LOD

struct LodView {
    vec4 eye;   // world; w: 1, or 0 for orthographic cameras
    vec2 scale; // pixels a world unit at distance 1, over the pixels of an edge; 0
};

// About the middle of the longest edge, of which all descendants' longest edges have such a circle
// inside: 1.2071 = 1 / (2 sqrt(2) - 2).
const float kReach = 1.2072;

// Of the longest edge, over the square's side.
float edge_share(uint level) {
    uint twice = level - 2u;
    float power = uintBitsToFloat((127u - (twice >> 1u)) << 23u); // exact, as exp2 need not be
    return (twice & 1u) == 0u ? power : power * 0.70710678;
}

// Least and greatest y of the ground over the cell of the square that the triangle lies in.
vec2 triangle_bounds(Triangle t, uint level, vec2 bounds, SurfaceTerms terms) {
    uint cell_level = (level - 1u) >> 1u;
    uint size = 0x80000000u >> cell_level;
    uvec2 cell = min(t.a, min(t.b, t.c)) / size;
    precise vec2 low = vec2(cell) * (float(size) * kPlaceUnit);
    precise vec2 high = vec2(cell + 1u) * (float(size) * kPlaceUnit);
    return ground_bounds(low, high, bounds, terms);
}

float triangle_distance(Triangle t, uint level, float reach, vec3 eye, vec2 bounds,
                        SurfaceTerms terms) {
    uvec2 m = (t.a >> 1u) + (t.c >> 1u);
    vec3 to_middle = surface_base_at(t.face, m, terms) - eye;
    if (!is_ground()) {
        precise float away = sqrt(to_middle.x * to_middle.x + to_middle.y * to_middle.y +
                                  to_middle.z * to_middle.z);
        return max(away - reach, 0.0);
    }
    vec2 y = triangle_bounds(t, level, bounds, terms);
    precise float flat_distance = sqrt(to_middle.x * to_middle.x + to_middle.z * to_middle.z);
    float beside = max(flat_distance - reach, 0.0);
    float above = max(max(eye.y - y.y, y.x - eye.y), 0.0);
    precise float result = sqrt(beside * beside + above * above);
    return result;
}

bool is_to_be_cut(uint node, TreeShape shape, LodView view, vec2 bounds, SurfaceTerms terms) {
    if (!may_be_cut(node, shape)) return false;
    uint level = level_of(node, shape);
    precise float edge = edge_share(level) * surface_span(terms);
    float away = triangle_distance(triangle_of(node, shape), level, kReach * edge, view.eye.xyz,
                                   bounds, terms);
    away = view.eye.w > 0.5 ? away : 1.0;
    precise float pixels = edge * view.scale.x;
    return pixels > away;
}

#endif
