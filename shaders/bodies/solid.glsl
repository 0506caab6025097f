// Boxes and convex hulls as polyhedra. The includer declares `readonly buffer Geometry { vec4 values[]; }
// geometry;` and defines HULLS: 0 where there are boxes alone.
#ifndef BODIES_SOLID
#define BODIES_SOLID

#if HULLS
const uint kMaxCorners = 15u; // of a face
#else
const uint kMaxCorners = 4u;
#endif

struct Solid {
    vec3 place;
    mat3 frame;
    vec3 size; // half sides, of a hull of the box around it
    bool is_box;
    uint first;      // its quads: see `Hull::quads`
    uint vertices;
    uint faces;
    uint directions; // of edges
};

Solid solid_of(Shape shape, vec3 place, vec4 turn) {
    Solid solid = Solid(place, frame_of(turn), shape.size, true, 0u, 8u, 6u, 3u);
#if HULLS
    if (shape.kind == kHull) {
        uvec4 head = floatBitsToUint(geometry.values[shape.geometry]);
        solid.is_box = false;
        solid.first = shape.geometry + 1u;
        solid.vertices = head.x;
        solid.faces = head.y;
        solid.directions = head.z;
    }
#endif
    return solid;
}

// The solid's own frame is meant by everything that is called local.
vec3 local_vertex(Solid s, uint i) {
#if HULLS
    if (!s.is_box) return geometry.values[s.first + i].xyz;
#endif
    return s.size * vec3((i & 1u) != 0u ? 1.0 : -1.0, (i & 2u) != 0u ? 1.0 : -1.0,
                         (i & 4u) != 0u ? 1.0 : -1.0);
}
vec3 vertex_of(Solid s, uint i) {
    return s.place + s.frame * local_vertex(s, i);
}

// Normal and distance from the solid's place.
vec4 local_face(Solid s, uint f) {
#if HULLS
    if (!s.is_box) return geometry.values[s.first + s.vertices + f];
#endif
    uint axis = f >> 1u;
    vec3 normal = vec3(0.0);
    normal[axis] = (f & 1u) != 0u ? -1.0 : 1.0;
    return vec4(normal, s.size[axis]);
}

uint corners_of(Solid s, uint f) {
#if HULLS
    if (!s.is_box)
        return floatBitsToUint(geometry.values[s.first + s.vertices + s.faces + f].w) >> 24u;
#endif
    return 4u;
}

// Anticlockwise from outside.
uint corner_of(Solid s, uint f, uint k) {
#if HULLS
    if (!s.is_box) {
        uvec4 bytes = floatBitsToUint(geometry.values[s.first + s.vertices + s.faces + f]);
        return (bytes[k >> 2u] >> (8u * (k & 3u))) & 0xffu;
    }
#endif
    uint axis = f >> 1u;
    bool low = (f & 1u) != 0u;
    uint u = 1u << ((axis + 1u) % 3u);
    uint v = 1u << ((axis + 2u) % 3u);
    uint turn = low ? 3u - k : k;
    uint vertex = low ? 0u : 1u << axis;
    if (turn == 1u || turn == 2u) vertex |= u;
    if (turn >= 2u) vertex |= v;
    return vertex;
}

vec3 local_direction(Solid s, uint e) {
#if HULLS
    if (!s.is_box) return geometry.values[s.first + s.vertices + 2u * s.faces + e].xyz;
#endif
    vec3 direction = vec3(0.0);
    direction[e] = 1.0;
    return direction;
}

// From its place, how far the solid reaches along a direction of the world: least and most. Four vertices a round,
// for llvmpipe ends loops after 65,536 rounds, and all pairs of edges of two hulls ask for this.
vec2 reach_along(Solid s, vec3 direction) {
    vec3 local = direction * s.frame;
#if HULLS
    if (!s.is_box) {
        vec2 reach = vec2(1e30, -1e30);
        uint last = s.first + s.vertices - 1u;
        for (uint i = s.first; i <= last; i += 4u) {
            vec4 along = vec4(dot(geometry.values[i].xyz, local),
                              dot(geometry.values[min(i + 1u, last)].xyz, local),
                              dot(geometry.values[min(i + 2u, last)].xyz, local),
                              dot(geometry.values[min(i + 3u, last)].xyz, local));
            reach.x = min(reach.x, min(min(along.x, along.y), min(along.z, along.w)));
            reach.y = max(reach.y, max(max(along.x, along.y), max(along.z, along.w)));
        }
        return reach;
    }
#endif
    float most = dot(abs(local), s.size);
    return vec2(-most, most);
}

// The vertex farthest along a direction of the world.
vec3 support(Solid s, vec3 direction) {
    vec3 local = direction * s.frame;
#if HULLS
    if (!s.is_box) {
        float best = -1e30;
        vec3 found = vec3(0.0);
        for (uint i = 0u; i < s.vertices; ++i) {
            vec3 vertex = geometry.values[s.first + i].xyz;
            float along = dot(vertex, local);
            if (along > best) {
                best = along;
                found = vertex;
            }
        }
        return s.place + s.frame * found;
    }
#endif
    return s.place + s.frame * (s.size * vec3(local.x >= 0.0 ? 1.0 : -1.0, local.y >= 0.0 ? 1.0 : -1.0,
                                              local.z >= 0.0 ? 1.0 : -1.0));
}
#endif
