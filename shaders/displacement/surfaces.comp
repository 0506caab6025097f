#version 460
// What raytrace's kernels need to know of patches that paths have hit, behind the hits of all paths:
// shaders/raytrace/shapes.glsl reads it. Geometry and normals are those of the mesh that
// displacement/tessellate makes, with a smooth normal at each of its points.

layout(local_size_x = 64) in;

#include "normal.glsl"
#include "invocation.glsl"
#include "raytrace/curvature.glsl"
#include "rays.glsl"

readonly buffer PatchMaterials { uint values[]; } patch_materials;
buffer Hits { uvec4 values[]; } hits;

layout(constant_id = 0) const uint has_materials = 0u;

uniform Params {
    uint ray_count;
    uint material; // of all patches, where there is no buffer of them
    uint level;
    float scale;
} params;

const uint kSurfaceQuads = 5u;

struct Corner {
    vec3 place;
    vec3 normal;
    vec2 uv;
};

Corner corner_at(PatchRecord p, uvec2 at) {
    return Corner(grid_point(p, at, params.level, params.scale),
                  grid_normal(p, at, params.level, params.scale),
                  map_place(p, vec2(at) / float(1u << params.level)));
}

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay || !(ray_to_patches(i).t_max >= 0.0)) return;
    uvec4 hit = hits.values[i];
    if (hit.y == kNoTriangle || (hit.y & kPatchBit) == 0u) return;
    uint patch_index = hit.y & ~kPatchBit;
    PatchRecord p = patches.elements[patch_index];

    uint side = 1u << params.level;
    vec2 at = uintBitsToFloat(hit.zw) * float(side);
    uvec2 cell = min(uvec2(at), uvec2(side - 1u));
    vec2 within = at - vec2(cell);
    bool upper = within.y > within.x; // the triangle at d
    Corner a = corner_at(p, cell);
    Corner b = corner_at(p, cell + (upper ? uvec2(1u) : uvec2(1u, 0u)));
    Corner c = corner_at(p, cell + (upper ? uvec2(0u, 1u) : uvec2(1u)));
    vec3 weights = upper ? vec3(1.0 - within.y, within.x, within.y - within.x)
                         : vec3(1.0 - within.x, within.x - within.y, within.y);

    vec3 edge_b = b.place - a.place;
    vec3 edge_c = c.place - a.place;
    float largest = max(max(abs(edge_b.x), abs(edge_b.y)), max(abs(edge_b.z), 1e-30));
    vec3 front = cross(edge_b / largest, edge_c / largest); // small triangles must not vanish
    float area = length(front) * largest * largest;
    front = normalize(front / max(max(abs(front.x), abs(front.y)), max(abs(front.z), 1e-30)));
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
    uint material = has_materials != 0u ? patch_materials.values[patch_index] : params.material;
    vec3 place = a.place * weights.x + b.place * weights.y + c.place * weights.z;
    hits.values[quad] = uvec4(floatBitsToUint(place), material);
    hits.values[quad + 1u] = floatBitsToUint(
        vec4(front, outward * curvature_of(edge_b, edge_c, a.normal, b.normal, c.normal)));
    hits.values[quad + 2u] = floatBitsToUint(vec4(normal * outward, abs(uv_area) / max(area, 1e-30)));
    hits.values[quad + 3u] = floatBitsToUint(vec4(along, -turn));
    hits.values[quad + 4u] = floatBitsToUint(
        vec4(a.uv * weights.x + b.uv * weights.y + c.uv * weights.z, 0.0, 0.0));
}
