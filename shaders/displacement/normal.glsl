// The direction that a displaced surface faces.
#ifndef DISPLACEMENT_NORMAL
#define DISPLACEMENT_NORMAL
#include "patch.glsl"

// Of the quad. Where the normals of its corners cancel, across its diagonals.
vec3 quad_normal(PatchRecord p, vec2 at) {
    vec3 normal = base_normal(p, at);
    if (normal != vec3(0.0)) return normal;
    vec3 across = cross(p.c - p.a, p.d - p.b);
    float size = length(across);
    return size > 1e-20 ? across / size : vec3(0.0);
}

// At `at`, from points half a cell of `level` away: smooth, towards the side of the quad's normal
// where nothing hangs over.
vec3 displaced_normal(PatchRecord p, vec2 at, uint level, float scale) {
    float apart = 0.5 / float(1u << level);
    vec2 low = max(at - apart, 0.0);
    vec2 high = min(at + apart, 1.0);
    vec3 along = displaced_point(p, vec2(high.x, at.y), scale) -
                 displaced_point(p, vec2(low.x, at.y), scale);
    vec3 across = displaced_point(p, vec2(at.x, high.y), scale) -
                  displaced_point(p, vec2(at.x, low.y), scale);
    vec3 normal = cross(along, across);
    float size = length(normal);
    return size > 1e-20 ? normal / size : quad_normal(p, at);
}

// How large a cell of `level` is at `at`, where the map may stretch the quad.
float displaced_cell(PatchRecord p, vec2 at, uint level, float scale) {
    float apart = 0.5 / float(1u << level);
    vec2 low = max(at - apart, 0.0);
    vec2 high = min(at + apart, 1.0);
    return distance(displaced_point(p, high, scale), displaced_point(p, low, scale));
}

// At point (i, j) of a level's grid, from its neighbours.
vec3 grid_normal(PatchRecord p, uvec2 at, uint level, float scale) {
    uvec2 low = at - min(at, uvec2(1u));
    uvec2 high = min(at + 1u, uvec2(1u << level));
    vec3 along = grid_point(p, uvec2(high.x, at.y), level, scale) -
                 grid_point(p, uvec2(low.x, at.y), level, scale);
    vec3 across = grid_point(p, uvec2(at.x, high.y), level, scale) -
                  grid_point(p, uvec2(at.x, low.y), level, scale);
    vec3 normal = cross(along, across);
    float size = length(normal);
    return size > 1e-20 ? normal / size : quad_normal(p, vec2(at) / float(1u << level));
}

#endif
