// Surfaces that paths have hit: of triangles, or of what `RayShapes` of passes/raytrace/shapes.hpp finds
// beside them. The number of such a hit has its highest bit set, and what is known of the surface lies
// behind the hits of all slots. Included after raytrace/surface.glsl and shading.glsl.
#ifndef RAYTRACE_SHAPES
#define RAYTRACE_SHAPES

layout(constant_id = 23) const uint has_shapes = 0u;

const uint kShapeBit = 0x80000000u;
// Quads of a surface: position and material; front and curvature, as in `Geometry`; normal and the area
// of texture coordinates over that of the surface; tangent; texture coordinates.
const uint kShapeQuads = 5u;

bool is_shape(Hit hit) {
    return has_shapes != 0u && hit.triangle != kNoTriangle && (hit.triangle & kShapeBit) != 0u;
}

uint shape_material(uint slot, uint slots) {
    // One that does not exist must belong to some batch, or the slot would not be written.
    return min(hits.quads[slots + kShapeQuads * slot].w,
               uint(materials.quads.length()) / kMaterialQuads - 1u);
}

uint material_at(Hit hit, uint slot, uint slots) {
    return is_shape(hit) ? shape_material(slot, slots) : material_of(hit.triangle);
}

Geometry shape_geometry(uint slot, uint slots, vec3 direction, float width) {
    uint at = slots + kShapeQuads * slot;
    vec4 quads[kShapeQuads];
    for (uint k = 0u; k < kShapeQuads; ++k)
        quads[k] = uintBitsToFloat(hits.quads[at + k]);
    Geometry geometry;
    geometry.material = shape_material(slot, slots);
    geometry.position = quads[0].xyz;
    geometry.front = quads[1].xyz;
    geometry.curvature = quads[1].w;
    geometry.normal = quads[2].xyz;
    geometry.tangent = quads[3];
    geometry.coordinates = quads[4].xyxy;
    float across = width / max(abs(dot(geometry.front, direction)), kLeastCosine);
    geometry.areas = vec2(quads[2].w * across * across);
    geometry.tint = vec4(1.0);
    return geometry;
}

// As `surface_at`, of what the path of this slot has hit; `slots`: all there are.
Surface surface_of_hit(Hit hit, uint slot, uint slots, vec3 direction, float width,
                       ivec4 texture_ids[3]) {
    if (is_shape(hit))
        return surface_of(shape_geometry(slot, slots, direction, width), direction, texture_ids);
    return surface_at(hit, direction, width, texture_ids);
}

#endif
