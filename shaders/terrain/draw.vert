#version 460
// A vertex of a leaf's grid. The instance is the leaf, or its place in a list of leaves.

#include "patch.glsl"
#include "surface.glsl"

layout(constant_id = 32) const uint has_order = 0u;
layout(constant_id = 33) const uint key_words = 1u;
readonly buffer Keys { uint words[]; } keys;
readonly buffer Edges { uint values[]; } edges;
readonly buffer Order { uint values[]; } order; // leaves by their edges

uniform Params {
    mat4 clip_from_world;
    vec4 ground;
    vec4 shape;
    vec3 eye;
    float reach;     // k / (2 tan(fov / 2))
    vec2 morph;      // where it begins and ends: shares of the distance at which the parent divides
    vec3 sun;        // towards it
    float light;     // share of what it does
    float tint;      // share of the levels' colours
    float wire;      // share of the wires
    float haze;      // a world unit
    vec4 background; // linear
    vec4 color;      // of the ground, where `natural` is 0
    float natural;   // share of colours by height and slope
    vec2 bounds;     // of y
} params;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 cell; // in cells of the grid
layout(location = 3) flat out uint level;

invariant gl_Position;

// On the ground, which is all that is morphed.
float morph_part(Node node, uvec2 grid) {
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    vec3 flat_point = ground_base(vec2(place_of_vertex(node, grid)) * kPlaceUnit, terms);
    precise vec3 apart = flat_point - (params.eye - vec3(0.0, params.ground.z, 0.0));
    precise float away = sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z);
    float side = uintBitsToFloat((127u - node.level) << 23u) * surface_span(terms);
    precise float share = away / (2.0 * params.reach * side);
    return node.level == 0u
               ? 0.0
               : clamp((share - params.morph.x) / (params.morph.y - params.morph.x), 0.0, 1.0);
}

void main() {
    uint leaf = uint(gl_InstanceIndex);
    if (has_order != 0u) leaf = order.values[leaf];
    Node node;
    if (key_words == 2u)
        node = node_of_wide(uvec2(keys.words[2u * leaf], keys.words[2u * leaf + 1u]));
    else
        node = node_of_narrow(keys.words[leaf]);
    uvec2 grid = uvec2(uint(gl_VertexIndex) % (patch_side + 1u),
                       uint(gl_VertexIndex) / (patch_side + 1u));
    uvec2 place = place_of_vertex(node, grid);
    if (stitching == kStitchSnap) place = snapped_place(node, grid, edges.values[leaf]);
    if (stitching == kStitchMorph) place = morphed_place(node, grid, morph_part(node, grid));
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    bool smoothed = params.light > 0.0 || params.natural > 0.0;
    int step = int((1u << (31u - node.level)) / patch_side);
    SurfacePoint here = surface_point_at(node.face, place, step, smoothed, terms);
    world = here.point;
    normal = smoothed ? here.normal : vec3(0.0, 1.0, 0.0);
    cell = vec2(grid);
    level = node.level;
    gl_Position = params.clip_from_world * vec4(here.point, 1.0);
}
