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
    if (eye == 0u)
        return is_large(node,
                        Eye(params.eye_cell, params.eye_rest, params.eye_height, params.eye_world),
                        params.ratio, surface_terms());
    vec4 place = eyes.values[eye - 1u];
    return place.w != 0.0 && is_large(node, eye_of(place.xyz, params.ground, params.units),
                                      params.ratio, surface_terms());
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

#include "hidden.glsl"

#endif
