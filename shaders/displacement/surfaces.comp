#version 460
// What raytrace's kernels need to know of patches that paths have hit, behind the hits of all paths:
// raytrace/surface.glsl reads it. Geometry and normals are those of the mesh that
// displacement/tessellate makes, with a smooth normal at each of its points.

layout(local_size_x = 64) in;

#include "levels.glsl"
#include "normal.glsl"
#include "invocation.glsl"
#include "rays.glsl"

readonly buffer PatchMaterials { uint values[]; } patch_materials;
buffer Hits { uvec4 values[]; } hits;

readonly buffer Boxes { vec4 values[]; } boxes;

layout(constant_id = 0) const uint has_materials = 0u;
layout(constant_id = 1) const uint flat_normals = 0u;

uniform Params {
    uint ray_count;
    uint material; // of all patches, where there is no buffer of them
    uint finest;
    float scale;
    float spread;
    vec3 eye;
    uint patch_count;
} params;

const uint kSurfaceQuads = 5u;

struct Corner {
    vec3 place;
    vec3 normal;
    vec2 uv;
};

// In the world.
Corner corner_at(PatchRecord p, uvec2 at, PatchLevels levels, uint instance) {
    vec3 normal = vec3(0.0);
    if (flat_normals == 0u)
        normal = turned_out_of(instance, grid_normal(p, at, levels.level, params.scale));
    return Corner(place_out_of(instance, mesh_point(p, at, levels, params.scale)), normal,
                  map_place(p, vec2(at) / float(1u << levels.level)));
}

// Of two edges that may be small.
vec3 face_of(vec3 edge_b, vec3 edge_c, vec3 instead) {
    float largest = max(max(abs(edge_b.x), abs(edge_b.y)), abs(edge_b.z));
    if (!(largest > 0.0)) return instead;
    vec3 front = cross(edge_b / largest, edge_c / largest);
    largest = max(max(abs(front.x), abs(front.y)), abs(front.z));
    return largest > 0.0 ? normalize(front / largest) : instead;
}

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay || !(ray_to_patches(i).t_max >= 0.0)) return;
    uvec4 hit = hits.values[i];
    if (hit.y == kNoTriangle || (hit.y & kPatchBit) == 0u) return;
    PlacedPatch placed = placed_patch(hit.y & ~kPatchBit, params.patch_count);
    uint n = placed.patch_index;
    PatchRecord p = patches.elements[n];
    PatchBox box = PatchBox(boxes.values[2u * n].xyz, boxes.values[2u * n + 1u].xyz);
    Fineness fineness = Fineness(place_into(placed.instance, params.eye), params.spread);
    PatchLevels levels = levels_of(p, box, fineness, params.finest, params.scale);

    uint side = 1u << levels.level;
    vec2 at = uintBitsToFloat(hit.zw) * float(side);
    uvec2 cell = min(uvec2(at), uvec2(side - 1u));
    vec2 within = at - vec2(cell);
    bool upper = within.y > within.x; // the triangle at d
    Corner a = corner_at(p, cell, levels, placed.instance);
    Corner b = corner_at(p, cell + (upper ? uvec2(1u) : uvec2(1u, 0u)), levels, placed.instance);
    Corner c = corner_at(p, cell + (upper ? uvec2(0u, 1u) : uvec2(1u)), levels, placed.instance);
    vec3 weights = upper ? vec3(1.0 - within.y, within.x, within.y - within.x)
                         : vec3(1.0 - within.x, within.x - within.y, within.y);

    vec3 edge_b = b.place - a.place;
    vec3 edge_c = c.place - a.place;
    vec3 front = face_of(edge_b, edge_c, vec3(0.0, 1.0, 0.0));
    vec3 normal = a.normal * weights.x + b.normal * weights.y + c.normal * weights.z;
    float size = length(normal);
    normal = size > 0.0 ? normal / size : front;
    float outward = dot(normal, front) < 0.0 ? -1.0 : 1.0;

    vec2 uv_b = b.uv - a.uv;
    vec2 uv_c = c.uv - a.uv;
    float uv_area = determinant(mat2(uv_b, uv_c));
    float turn = uv_area < 0.0 ? -1.0 : 1.0;
    // As glTF has it, the second coordinate grows against the bitangent.
    vec3 along = turn * (edge_b * uv_c.y - edge_c * uv_b.y);
    uint quad = params.ray_count + kSurfaceQuads * i;
    uint material = has_materials != 0u ? patch_materials.values[n] : params.material;
    vec3 place = a.place * weights.x + b.place * weights.y + c.place * weights.z;
    hits.values[quad] = uvec4(floatBitsToUint(place), material);
    hits.values[quad + 1u] = floatBitsToUint(
        vec4(front, outward * curvature_of(edge_b, edge_c, a.normal, b.normal, c.normal)));
    hits.values[quad + 2u] = floatBitsToUint(vec4(normal * outward, abs(uv_area) / max(length(cross(edge_b, edge_c)), 1e-30)));
    hits.values[quad + 3u] = floatBitsToUint(vec4(along, -turn));
    hits.values[quad + 4u] = floatBitsToUint(
        vec4(a.uv * weights.x + b.uv * weights.y + c.uv * weights.z, 0.0, 0.0));
}
