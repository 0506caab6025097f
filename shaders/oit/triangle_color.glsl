// How the materials blend. Declare the member `uvec4 modes[4]` of `Params`, two bits a material.
const uint kMaxModes = 256u; // materials; those beyond are blended over what lies behind

uint mode_of(uint material) {
    if (material >= kMaxModes) return 0u;
    return (params.modes[material / 64u][material / 16u % 4u] >> (2u * (material % 16u))) & 3u;
}

// The colour of a triangle where a pixel sees it. `Params` has the members of scene/mesh_params.glsl
// and the ones that surface.glsl names, `mat4 view_projection` and `uvec2 size`, of the picture.
// Textures are looked up at their finest level, and highlights are not filtered: compute kernels
// have no derivatives.
#include "raytrace/surface.glsl"
#include "scene/lighting.glsl"

// x, y and w of a triangle's corners in clip space.
vec3[3] clip_corners(uint triangle) {
    uint draw = owners.values[triangle];
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    mat4 clip = params.view_projection *
                transforms.elements[draws.elements[draw].transform].world;
    vec3 p[3];
    for (uint i = 0u; i < 3u; ++i) {
        uint vertex = uint(int(scene_indices.values[first + i]) +
                           draws.elements[draw].vertex_offset);
        p[i] = (clip * vec4(vertices.elements[vertex].position, 1.0)).xyw;
    }
    return p;
}

// Whether the side of a triangle that is seen is drawn: both of double-sided materials, else the
// one that goes around counter-clockwise on the screen, or clockwise where the draw is mirrored.
bool shows_its_face(uint triangle) {
    uint draw = owners.values[triangle];
    if ((materials.quads[kMaterialQuads * draws.elements[draw].material + 3u].y &
         kMaterialDoubleSided) != 0u)
        return true;
    vec3 p[3] = clip_corners(triangle);
    float turn = dot(p[0], cross(p[1], p[2])); // y goes down
    return (draws.elements[draw].flags & kDrawMirrored) != 0u ? turn > 0.0 : turn < 0.0;
}

// The corners' shares of the point of a triangle that is seen at a place of the picture, in clip
// units (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997).
vec2 shares_at(uint triangle, vec2 place) {
    vec3 p[3] = clip_corners(triangle);
    vec3 at = vec3(place, 1.0);
    vec3 shares = vec3(dot(cross(p[1], p[2]), at), dot(cross(p[2], p[0]), at),
                       dot(cross(p[0], p[1]), at));
    return shares.yz / (shares.x + shares.y + shares.z);
}

// The same of materials without light and textures: the colour of the corners alone.
vec4 tinted_color(uint triangle, uvec2 pixel) {
    uint draw = owners.values[triangle];
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    vec2 two = shares_at(triangle, (vec2(pixel) + 0.5) / vec2(params.size) * 2.0 - 1.0);
    vec3 shares = vec3(1.0 - two.x - two.y, two);
    vec4 tint = vec4(0.0);
    for (uint i = 0u; i < 3u; ++i) {
        uint vertex = uint(int(scene_indices.values[first + i]) +
                           draws.elements[draw].vertex_offset);
        tint += shares[i] * vertex_color(vertices.elements[vertex].color_rg,
                                         vertices.elements[vertex].color_ba);
    }
    return uintBitsToFloat(materials.quads[kMaterialQuads * draws.elements[draw].material]) * tint;
}

// Scene-linear, not multiplied by alpha.
vec4 triangle_color(uint triangle, uvec2 pixel) {
    vec2 place = (vec2(pixel) + 0.5) / vec2(params.size) * 2.0 - 1.0;
    Hit hit;
    hit.triangle = triangle;
    hit.barycentric = shares_at(triangle, place);
    // The side that is seen follows from the eye and the triangle, which both name.
    vec3 towards = vec3(0.0);
    Surface probe = surface_at(hit, towards, 0.0, params.texture_ids);
    vec3 view = normalize(params.eye.xyz - params.eye.w * probe.position);
    float side = dot(probe.face, view) < 0.0 ? -1.0 : 1.0;
    vec4 color = probe.base_color;
    if ((probe.flags & kMaterialUnlit) == 0u) {
        float roughness = probe.roughness * params.roughness_scale;
        color.rgb = lit(Lit(probe.position, probe.normal * side, probe.face * side,
                            probe.base_color.rgb, probe.metallic,
                            max(roughness * roughness, kSmoothest), probe.occlusion), view) +
                    probe.emissive;
    }
    return color;
}
