// What a ray has hit: geometry, material and textures. In C++, `bind_surfaces` of
// passes/raytrace/surfaces.hpp binds what this declares, and sets the members
// `uint first_material`, `uint end_material` and `ivec4 texture_ids[3]` of the kernel's `Params`.
//
// A kernel shades a batch of materials at a time, from `first_material` up to `end_material`. Core
// devices choose among few textures by constants: `texture_ids` says which the kernel has. With
// TEXTURE_ARRAY, which the kernel defines and asks GL_EXT_nonuniform_qualifier for, they are an array
// of any length, from the texture `texture_ids[0].x` on. Both forms look up the same, to the bit.
#ifndef RAYTRACE_SURFACE
#define RAYTRACE_SURFACE

#include "bvh/ray.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer SceneIndices { uint values[]; } scene_indices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Starts { uvec2 values[]; } starts;
readonly buffer Owners { uint values[]; } owners; // the draw of a triangle
readonly buffer Transforms { SceneTransform elements[]; } transforms;
readonly buffer Materials { uvec4 quads[]; } materials;

#if TEXTURE_ARRAY
layout(constant_id = 22) const uint texture_count = 1u;
uniform sampler2D textures[texture_count];
#else
const int kTextures = 12; // as in passes/raytrace/surfaces.hpp
uniform sampler2D textures[kTextures];
#endif

// A material by quads: the struct of scene.glsl.
const uint kMaterialQuads = 14u;
const uint kFirstSlotQuad = 4u; // then two quads a slot
const uint kSlots = 5u;         // base colour, metallic and roughness, normal, occlusion, emission

struct Surface {
    vec3 position;
    vec3 face;   // normal of the triangle, on the side that the ray came from
    vec3 normal; // interpolated and as the normal map tilts it, on the same side
    vec4 base_color;
    vec3 emissive;
    float metallic;
    float roughness; // perceptual
    float occlusion;
    float curvature; // of the interpolated normals: 1 / radius of a ball seen from outside
    float alpha_cutoff;
    uint alpha_mode; // kAlpha...
    uint flags;      // kMaterial...
};

uint material_of(uint triangle) {
    return draws.elements[owners.values[triangle]].material;
}

const float kCoarsest = 16.0;

// The level at which a texel is as large as a footprint of this area in texture coordinates; the
// finest where it is smaller, or 0. `texels` is log2 of how many the texture has.
float level_of(float area, float texels) {
    return area > 0.0 ? clamp(0.5 * (log2(area) + texels), 0.0, kCoarsest) : 0.0;
}

// log2 of the texels of a slot's texture, from the last two words of a material's fourth quad: ten bits
// each, as engine/scene/scene_resources.cpp writes them. Not every device tells the size of a texture
// that is chosen by number.
float texels_of(uvec2 sizes, uint slot) {
    uint bits = (slot < 3u ? sizes.x : sizes.y) >> (10u * (slot % 3u)) & 1023u;
    return float(bits) / 32.0;
}

vec4 texel_of(int texture_id, ivec4 texture_ids[3], vec2 uv, float level) {
#if TEXTURE_ARRAY
    uint i = min(uint(texture_id - texture_ids[0].x), texture_count - 1u);
    return textureLod(textures[nonuniformEXT(i)], uv, level);
#else
    vec4 texel = vec4(1.0);
#define TUFF_TEXTURE(i)                                                                            \
    if (texture_ids[i / 4][i % 4] == texture_id) texel = textureLod(textures[i], uv, level);
    TUFF_TEXTURE(0)
    TUFF_TEXTURE(1)
    TUFF_TEXTURE(2)
    TUFF_TEXTURE(3)
    TUFF_TEXTURE(4)
    TUFF_TEXTURE(5)
    TUFF_TEXTURE(6)
    TUFF_TEXTURE(7)
    TUFF_TEXTURE(8)
    TUFF_TEXTURE(9)
    TUFF_TEXTURE(10)
    TUFF_TEXTURE(11)
#undef TUFF_TEXTURE
    return texel;
#endif
}

// The normal of the front as the normal map tilts it; as it is where there are no tangents.
vec3 tilted(vec3 normal, vec4 tangent, vec2 tilt, float z) {
    vec3 along = tangent.xyz - normal * dot(normal, tangent.xyz);
    float size = length(along);
    if (size <= 1e-6 * length(tangent.xyz)) return normal;
    along /= size;
    vec3 across = cross(normal, along) * sign(tangent.w);
    return normalize(along * tilt.x + across * tilt.y + normal * z);
}

const float kLeastCosine = 1.0 / 1024.0; // between a ray and a triangle's normal

// The share of a parallelogram of these edges that a ray of this width covers, along the longer axis
// of its ellipse both ways.
float covered_share(vec3 edge_b, vec3 edge_c, float cosine, float width) {
    float largest = max(max(abs(edge_b.x), abs(edge_b.y)), abs(edge_b.z)); // small ones must not vanish
    float across = width / (largest * max(abs(cosine), kLeastCosine));
    return across * across / length(cross(edge_b / largest, edge_c / largest));
}

// Where a surface is hit: all that its material does not say.
struct Geometry {
    vec3 position;
    vec3 front;       // unit normal of the side from which corners go round counterclockwise
    vec3 normal;      // interpolated, on the same side
    vec4 tangent;     // only where the material has a normal map
    vec4 coordinates; // both sets
    vec2 areas;       // of both sets that the ray covers
    vec4 tint;
    float curvature; // of the interpolated normals, seen from the front
    uint material;
};

bool has_normal_map(uint material) {
    return int(materials.quads[kMaterialQuads * material + kFirstSlotQuad + 5u].z) >= 0;
}

// Of a triangle that is hit along `direction`, of unit length, by a ray that is `width` wide there; 0:
// textures will be looked up at the finest level.
Geometry triangle_geometry(Hit hit, vec3 direction, float width) {
    uint draw = owners.values[hit.triangle];
    uint first = draws.elements[draw].first_index + 3u * (hit.triangle - starts.values[draw].y);
    int offset = draws.elements[draw].vertex_offset;
    uint ia = uint(int(scene_indices.values[first]) + offset);
    uint ib = uint(int(scene_indices.values[first + 1u]) + offset);
    uint ic = uint(int(scene_indices.values[first + 2u]) + offset);
    vec3 weights = vec3(1.0 - hit.barycentric.x - hit.barycentric.y, hit.barycentric);
    uint transform = draws.elements[draw].transform;
    mat4 world = transforms.elements[transform].world;
    mat3 normal_world = mat3(transforms.elements[transform].normal);

    vec3 a = (world * vec4(vertices.elements[ia].position, 1.0)).xyz;
    vec3 b = (world * vec4(vertices.elements[ib].position, 1.0)).xyz;
    vec3 c = (world * vec4(vertices.elements[ic].position, 1.0)).xyz;
    Geometry geometry;
    geometry.material = draws.elements[draw].material;
    geometry.position = a * weights.x + b * weights.y + c * weights.z;
    // A transform that mirrors turns triangles around.
    bool mirrored = (draws.elements[draw].flags & kDrawMirrored) != 0u;
    vec3 edge_b = b - a;
    vec3 edge_c = c - a;
    float largest = max(max(abs(edge_b.x), abs(edge_b.y)), abs(edge_b.z));
    vec3 front = cross(edge_b / largest, edge_c / largest); // small triangles must not vanish
    front = normalize(front / max(max(abs(front.x), abs(front.y)), abs(front.z)));
    if (mirrored) front = -front;

    vec3 normal_a = vertices.elements[ia].normal;
    vec3 normal_b = vertices.elements[ib].normal;
    vec3 normal_c = vertices.elements[ic].normal;
    vec3 normal =
        normal_world * (normal_a * weights.x + normal_b * weights.y + normal_c * weights.z);
    float size = length(normal);
    normal = size > 0.0 ? normal / size : front;
    // The direction of single-sided normals may contradict the order of corners.
    float outward = dot(normal, front) < 0.0 ? -1.0 : 1.0;
    geometry.front = front;
    geometry.normal = normal * outward;

    vec4 uv_a = vec4(vertices.elements[ia].uv0, vertices.elements[ia].uv1);
    vec4 uv_b = vec4(vertices.elements[ib].uv0, vertices.elements[ib].uv1);
    vec4 uv_c = vec4(vertices.elements[ic].uv0, vertices.elements[ic].uv1);
    geometry.coordinates = uv_a * weights.x + uv_b * weights.y + uv_c * weights.z;
    geometry.areas = vec2(0.0);
    geometry.curvature = 0.0;
    if (width > 0.0) {
        float share = covered_share(edge_b, edge_c, dot(front, direction), width);
        geometry.areas =
            share * abs(vec2(determinant(mat2(uv_b.xy - uv_a.xy, uv_c.xy - uv_a.xy)),
                             determinant(mat2(uv_b.zw - uv_a.zw, uv_c.zw - uv_a.zw))));
        geometry.curvature =
            outward * curvature_of(edge_b, edge_c, normal_world * normal_a,
                                   normal_world * normal_b, normal_world * normal_c);
    }
    geometry.tint =
        vertex_color(vertices.elements[ia].color_rg, vertices.elements[ia].color_ba) * weights.x +
        vertex_color(vertices.elements[ib].color_rg, vertices.elements[ib].color_ba) * weights.y +
        vertex_color(vertices.elements[ic].color_rg, vertices.elements[ic].color_ba) * weights.z;
    geometry.tangent = vec4(0.0);
    if (has_normal_map(geometry.material)) {
        vec4 tangent = vertices.elements[ia].tangent * weights.x +
                       vertices.elements[ib].tangent * weights.y +
                       vertices.elements[ic].tangent * weights.z;
        geometry.tangent = vec4(mat3(world) * tangent.xyz, (mirrored ? -1.0 : 1.0) * tangent.w);
    }
    return geometry;
}

// What material and textures make of it, as seen along `direction`. Textures are looked up at the
// level whose texels are as large as the ray, along the longer axis of the ellipse that it makes on the
// triangle (Akenine-Moeller and others, "Texture Level of Detail Strategies for Real-Time Ray Tracing",
// Ray Tracing Gems, chapter 20, 2019).
Surface surface_of(Geometry geometry, vec3 direction, ivec4 texture_ids[3]) {
    uint quad = kMaterialQuads * geometry.material;
    vec4 emission = uintBitsToFloat(materials.quads[quad + 1u]); // and metallic
    vec4 numbers = uintBitsToFloat(materials.quads[quad + 2u]);
    uvec4 kinds = materials.quads[quad + 3u];
    vec4 texels[kSlots];
    bool tilts = false;
    for (uint slot = 0u; slot < kSlots; ++slot) {
        uint at = quad + kFirstSlotQuad + 2u * slot;
        uvec4 place = materials.quads[at + 1u];
        int texture_id = int(place.z);
        texels[slot] = vec4(1.0);
        if (texture_id < 0) continue;
        if (slot == 2u) tilts = true;
        vec4 columns = uintBitsToFloat(materials.quads[at]);
        mat2 matrix = mat2(columns.xy, columns.zw);
        bool first_set = place.w == 0u;
        vec2 uv = matrix * (first_set ? geometry.coordinates.xy : geometry.coordinates.zw) +
                  uintBitsToFloat(place.xy);
        float area =
            (first_set ? geometry.areas.x : geometry.areas.y) * abs(determinant(matrix));
        float level = level_of(area, texels_of(kinds.zw, slot));
        texels[slot] = texel_of(texture_id, texture_ids, uv, level);
    }
    vec3 normal = geometry.normal;
    if (tilts) {
        vec3 texel = texels[2].xyz * 2.0 - 1.0;
        normal = tilted(normal, geometry.tangent, texel.xy * numbers.y, texel.z);
    }
    float side = dot(geometry.front, direction) > 0.0 ? -1.0 : 1.0;
    Surface surface;
    surface.position = geometry.position;
    surface.face = geometry.front * side;
    surface.normal = normal * side;
    surface.curvature = geometry.curvature * side;
    surface.base_color = uintBitsToFloat(materials.quads[quad]) * geometry.tint * texels[0];
    surface.metallic = emission.w * texels[1].b;
    surface.roughness = numbers.x * texels[1].g;
    surface.occlusion = mix(1.0, texels[3].r, numbers.z);
    surface.emissive = emission.xyz * texels[4].rgb;
    surface.alpha_cutoff = numbers.w;
    surface.alpha_mode = kinds.x;
    surface.flags = kinds.y;
    return surface;
}

Surface surface_at(Hit hit, vec3 direction, float width, ivec4 texture_ids[3]) {
    return surface_of(triangle_geometry(hit, direction, width), direction, texture_ids);
}

// The share of a surface that is there: less than 1 where it is cut away or seen through.
float coverage(Surface surface) {
    if (surface.alpha_mode == kAlphaOpaque) return 1.0;
    if (surface.alpha_mode == kAlphaMask)
        return surface.base_color.a < surface.alpha_cutoff ? 0.0 : 1.0;
    return clamp(surface.base_color.a, 0.0, 1.0);
}

#ifdef RAYTRACE_SHADING
// Kernels that shade paths also meet what `RayShapes` of passes/raytrace/shapes.hpp finds beside the
// triangles. The number of such a hit has its highest bit set, and what is known of the surface lies
// behind the hits of all slots.
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

#endif
