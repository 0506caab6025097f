// Shadow rays past what is cut away or seen through: a walk from one thing in the way to the next.
// In C++, `bind_see_through` of passes/raytrace/see_through.hpp binds what this declares, and sets the
// members of `Params` that `SeeThroughBatch` is made of.
#ifndef RAYTRACE_SEE_THROUGH
#define RAYTRACE_SEE_THROUGH

#include "bvh/traverse.glsl"
#include "paths.glsl"

// What of a triangle decides how much light it lets through; four quads, written by
// see_through.comp: whether there is any (`kWhole` if not), material, texture or -1, cutoff;
// texture coordinates of its corners; alpha of the material and of the corners.
readonly buffer SeeThrough { uvec4 quads[]; } see_through;

const uint kWhole = 0u;  // lets nothing through
const uint kCut = 1u;    // where alpha is below the cutoff, all
const uint kVeils = 2u;  // the share 1 - alpha

// As in raytrace/surface.glsl.
#if TEXTURE_ARRAY
layout(constant_id = 22) const uint texture_count = 1u;
uniform sampler2D textures[texture_count];
#else
const int kAlphaTextures = 12;
uniform sampler2D textures[kAlphaTextures];
#endif

// Materials whose textures are bound.
struct SeeThroughBatch {
    uint first_material;
    uint end_material;
    ivec4 texture_ids[3];
};

// At the finest level, however wide the ray is. Core devices choose among textures by constants.
float alpha_texel(int texture_id, ivec4 texture_ids[3], vec2 uv) {
#if TEXTURE_ARRAY
    uint i = min(uint(texture_id - texture_ids[0].x), texture_count - 1u);
    return textureLod(textures[nonuniformEXT(i)], uv, 0.0).a;
#else
    float alpha = 1.0;
#define TUFF_ALPHA(i)                                                                              \
    if (texture_ids[i / 4][i % 4] == texture_id) alpha = textureLod(textures[i], uv, 0.0).a;
    TUFF_ALPHA(0)
    TUFF_ALPHA(1)
    TUFF_ALPHA(2)
    TUFF_ALPHA(3)
    TUFF_ALPHA(4)
    TUFF_ALPHA(5)
    TUFF_ALPHA(6)
    TUFF_ALPHA(7)
    TUFF_ALPHA(8)
    TUFF_ALPHA(9)
    TUFF_ALPHA(10)
    TUFF_ALPHA(11)
#undef TUFF_ALPHA
    return alpha;
#endif
}

// The share of the triangle that is there.
float covered(Hit hit, uvec4 kind, ivec4 texture_ids[3]) {
    uint quad = 4u * hit.triangle;
    vec4 uv_ab = uintBitsToFloat(see_through.quads[quad + 1u]);
    vec4 uv_c = uintBitsToFloat(see_through.quads[quad + 2u]);
    vec4 alphas = uintBitsToFloat(see_through.quads[quad + 3u]);
    vec3 weights = vec3(1.0 - hit.barycentric.x - hit.barycentric.y, hit.barycentric);
    float alpha = alphas.x * dot(alphas.yzw, weights);
    if (int(kind.z) >= 0) {
        vec2 uv = uv_ab.xy * weights.x + uv_ab.zw * weights.y + uv_c.xy * weights.z;
        alpha *= alpha_texel(int(kind.z), texture_ids, uv);
    }
    if (kind.x == kCut) return alpha < uintBitsToFloat(kind.w) ? 0.0 : 1.0;
    return clamp(alpha, 0.0, 1.0);
}

// Light that is lost is counted in parts of halvings, whose sum does not depend on their order: the
// picture is the same however many materials are looked at at a time.
const float kHalving = 16777216.0;
const uint kAllLost = 126u << 24u; // less would be no normal number

uint lost_by(float coverage) {
    if (coverage >= 1.0) return kAllLost;
    return uint(max(-log2(1.0 - coverage), 0.0) * kHalving + 0.5);
}

vec3 left_of(vec3 light, uint lost) {
    if (lost == 0u) return light;
    return lost < kAllLost ? light * exp2(-float(lost) / kHalving) : vec3(0.0);
}

// The unit normal of a triangle of these edges, which may be small.
vec3 normal_of(vec3 b, vec3 c) {
    float largest = max(max(abs(b.x), abs(b.y)), abs(b.z));
    vec3 normal = cross(b / largest, c / largest);
    return normalize(normal / max(max(abs(normal.x), abs(normal.y)), abs(normal.z)));
}

const uint kMaxLayers = 4096u; // so that rays which rounding holds at one place end

// What is lost of light along the ray, after `lost` before: by materials of the batch, and by all that
// lets nothing through. Of triangles at one place one counts, as for those who look through.
uint lost_along(Ray ray, MeshSize mesh, SeeThroughBatch batch, uint lost) {
    for (uint layer = 0u; layer < kMaxLayers; ++layer) {
        Hit hit = closest_hit(ray, mesh);
        if (hit.triangle == kNoTriangle) return lost;
        uvec4 kind = see_through.quads[4u * hit.triangle];
        if (kind.x == kWhole) return kAllLost;
        if (kind.y >= batch.first_material && kind.y < batch.end_material) {
            lost += lost_by(covered(hit, kind, batch.texture_ids));
            if (lost >= kAllLost) return kAllLost;
        }
        Corners corners = mesh_triangle(hit.triangle, mesh.vertices);
        vec3 b = corners.b - corners.a;
        vec3 c = corners.c - corners.a;
        vec3 far_side = normal_of(b, c);
        if (dot(far_side, ray.direction) < 0.0) far_side = -far_side;
        vec3 place = corners.a + b * hit.barycentric.x + c * hit.barycentric.y;
        ray = Ray(off_surface(place, far_side), ray.t_max - hit.t, ray.direction, hit.triangle);
    }
    return kAllLost;
}

#endif
