// What the kernels that build trees have in common: their parameters, which nodes are divided, what
// is hidden, and how coarse the neighbours are. Include this below the layout of the group.
#ifndef TERRAIN_TREE
#define TERRAIN_TREE

#include "lod.glsl"

layout(constant_id = 20) const uint has_eyes = 0u;
layout(constant_id = 21) const uint has_hidden_by = 0u;
layout(constant_id = 22) const uint drop = 0u; // 1: what lies outside the view is left out

readonly buffer Eyes { vec4 values[]; } eyes; // of the world; w 0: none
readonly buffer HiddenBy { vec2 values[]; } hidden_by; // least and greatest depths: range_level.comp
readonly buffer SeenView { mat4 clip_from_world; } seen_view; // of the picture that `hidden_by` is of

uniform Params {
    vec4 ground;
    vec4 shape;
    vec2 bounds;     // as `ground_bounds` takes them
    uvec2 eye_cell;  // the camera's eye, as Eye
    vec2 eye_rest;
    float eye_height;
    vec3 eye_world;
    float units;     // a world unit, in units of 2^-31 of the side
    float ratio;     // (c / k)^2
    uint eye_count;  // further ones
    uint max_level;
    uint faces;
    uint capacity;   // leaves that there is room for
    vec4 planes[6];  // of the view: n and d, inside where dot(n, p) + d >= 0
    uvec2 seen_size; // of the picture that `hidden_by` is of
    uint reset;      // another number than before: begin with the root
    uint level;      // of expand.comp
    uvec4 windows[29]; // first group, cells along a side, their half, 0
} params;

SurfaceTerms surface_terms() {
    return SurfaceTerms(params.ground, params.shape);
}

// The camera's, then the further ones.
bool is_large_from(uint eye, Node node) {
    Eye from = Eye(params.eye_cell, params.eye_rest, params.eye_height, params.eye_world);
    if (eye > 0u) {
        vec4 place = eyes.values[eye - 1u];
        if (place.w == 0.0) return false;
        from = eye_of(place.xyz, params.ground, params.units);
    }
    return is_large(node, from, params.ratio, surface_terms());
}

// Whether the node is divided in the tree that all eyes want.
bool is_divided(Node node) {
    if (node.level >= params.max_level) return false;
    uint count = has_eyes != 0u ? params.eye_count : 0u;
    for (uint eye = 0u; eye <= count; ++eye)
        if (is_large_from(eye, node)) return true;
    return false;
}

// How many levels coarser the leaves beyond the sides are, four bits a side; of the tree that is
// wanted, which need not be the one there is.
uint coarser_by(Node node) {
    uint result = 0u;
    for (uint side = 0u; side < kSides; ++side) {
        Node beyond;
        if (!neighbour_of(node, side, beyond)) continue;
        uint steps = 0u;
        Node above = parent_of(beyond);
        // A sibling is as fine as the node, for their parent is divided.
        while (steps < node.level && !same_node(above, parent_of(node)) && !is_divided(above)) {
            ++steps;
            above = parent_of(above);
        }
        result |= steps << (4u * side);
    }
    return result;
}

// Whether a node can be seen: its box against the view, and against the depths of a picture before.
struct Box {
    vec3 centre;
    vec3 half_size;
};

// First element of a level of the ranges of a picture: level m has ceil(size / 2^m) elements a side.
uint first_of_level(uvec2 size, uint level) {
    uint first = 0u;
    for (uint m = 0u; m < level; ++m) {
        uvec2 of_level = (size + (1u << m) - 1u) >> m;
        first += of_level.x * of_level.y;
    }
    return first;
}

// Of the ground a box, of other surfaces the cube about nine points.
Box box_of(Node node) {
    float side = uintBitsToFloat((127u - node.level) << 23u);
    SurfaceTerms terms = surface_terms();
    if (is_ground()) {
        vec2 low = vec2(node.cell) * side;
        vec2 y = ground_bounds(low, low + side, params.bounds, terms);
        vec3 a = ground_base(low, terms);
        vec3 b = ground_base(low + side, terms);
        vec3 centre = 0.5 * vec3(a.x + b.x, y.x + y.y, a.z + b.z);
        // For the rounding of whatever is drawn.
        vec3 allowance = 1e-6 * (abs(centre) + params.ground.x);
        return Box(centre, 0.5 * vec3(b.x - a.x, y.y - y.x, b.z - a.z) + allowance);
    }
    uint unit = 1u << (30u - node.level); // half a side
    uvec2 low = node.cell << (31u - node.level);
    vec3 centre = vec3(0.0);
    float radius = 0.0;
    for (uint i = 0u; i < 9u; ++i) { // from the middle on
        uint at = (i + 4u) % 9u;
        vec3 point = surface_at(node.face, low + uvec2(at % 3u, at / 3u) * unit, terms);
        if (i == 0u) centre = point;
        radius = max(radius, distance(point, centre));
    }
    // A planet's mountains may lie between the points.
    float more = surface_kind == kSurfacePlanet ? params.bounds.y - params.bounds.x : 0.0;
    return Box(centre, vec3(1.25 * radius + min(more, 4.0 * radius)));
}

bool is_outside(Box box) {
    for (uint i = 0u; i < 6u; ++i) {
        vec4 plane = params.planes[i];
        if (dot(plane.xyz, box.centre) + dot(abs(plane.xyz), box.half_size) < -plane.w) return true;
    }
    return false;
}

// Whether the picture before had something nearer all over where the box was.
bool is_behind(Box box) {
    if (has_hidden_by == 0u) return false;
    vec2 low = vec2(1.0);
    vec2 high = vec2(-1.0);
    float nearest = 1.0;
    for (uint i = 0u; i < 8u; ++i) {
        vec3 corner = box.centre + box.half_size * (vec3(i & 1u, i >> 1u & 1u, i >> 2u) * 2.0 - 1.0);
        vec4 clip = seen_view.clip_from_world * vec4(corner, 1.0);
        if (!(clip.w > 0.0) || clip.z < 0.0) return false;
        vec3 at = clip.xyz / clip.w;
        low = min(low, at.xy);
        high = max(high, at.xy);
        nearest = min(nearest, at.z);
    }
    // What the picture does not show, it does not hide.
    if (any(lessThan(low, vec2(-1.0))) || any(greaterThan(high, vec2(1.0)))) return false;
    vec2 last = vec2(params.seen_size - 1u);
    uvec2 first = uvec2(clamp(floor((low * 0.5 + 0.5) * vec2(params.seen_size) - 0.5), vec2(0.0), last));
    uvec2 end = uvec2(clamp(floor((high * 0.5 + 0.5) * vec2(params.seen_size) + 0.5), vec2(0.0), last));
    uint widest = max(end.x - first.x, end.y - first.y);
    uint level = widest < 2u ? 0u : uint(findMSB(widest)) + 1u;
    uint start = first_of_level(params.seen_size, level);
    uint row = (params.seen_size.x + (1u << level) - 1u) >> level;
    first >>= level;
    end >>= level;
    float farthest = 0.0;
    for (uint i = 0u; i < 4u; ++i) {
        uvec2 at = uvec2((i & 1u) == 0u ? first.x : end.x, i < 2u ? first.y : end.y);
        farthest = max(farthest, hidden_by.values[start + at.y * row + at.x].y);
    }
    return nearest > farthest;
}

bool is_hidden(Node node) {
    if (drop == 0u) return false;
    Box box = box_of(node);
    return is_outside(box) || is_behind(box);
}

#endif
