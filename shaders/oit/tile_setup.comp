#version 460
// Brings the transparent triangles of a scene to the screen, cut off where they leave it.

layout(local_size_x = 256) in;

uniform Params {
    mat4 view_projection;
    uvec2 size;         // of the picture
    uint triangle_count;
    uint capacity;      // records that there is room for
    float guard;        // triangles are cut off at this many times the picture's half
} params;

layout(constant_id = 10) const uint kPacking = 0u; // of colours: 0 8 bits, 1 half floats
const uint kHdrColors = 1u;

#include "invocation.glsl"
#include "record.glsl"
#include "scene/scene.glsl"

readonly buffer Positions { float values[]; } positions; // of geometry/triangles
readonly buffer Corners { uint values[]; } corners;
readonly buffer Owners { uint values[]; } owners;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Starts { uvec2 values[]; } starts;
readonly buffer SceneIndices { uint values[]; } scene_indices;
readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Materials { SceneMaterial elements[]; } materials;

writeonly buffer Records { uvec4 quads[]; } records;
writeonly buffer Colors { uvec2 values[]; } colors; // of triangles of one colour; see below
buffer Count { uint triangles; uint needed; uint bins; uint bin_room; } count; // OitComputeStatus

const uint kMaxCorners = 10u;
const uint kManyColors = 0x7fff7fffu; // stands for a colour that must be computed

vec4 polygon[kMaxCorners];
vec4 cut[kMaxCorners];

float distance_of(vec4 p, uint plane) {
    float reach = params.guard * p.w;
    if (plane == 0u) return p.z;
    if (plane == 1u) return p.w - p.z;
    if (plane == 2u) return reach + p.x;
    if (plane == 3u) return reach - p.x;
    return plane == 4u ? reach + p.y : reach - p.y;
}

// Sutherland and Hodgman: the part of the polygon on the inner side of a plane.
uint cut_off(uint corner_count, uint plane) {
    uint kept = 0u;
    for (uint i = 0u; i < corner_count; ++i) {
        vec4 from = polygon[i];
        vec4 to = polygon[(i + 1u) % corner_count];
        float a = distance_of(from, plane);
        float b = distance_of(to, plane);
        if (a >= 0.0 && kept < kMaxCorners) cut[kept++] = from;
        if ((a >= 0.0) != (b >= 0.0) && kept < kMaxCorners)
            cut[kept++] = mix(from, to, a / (a - b));
    }
    for (uint i = 0u; i < kept; ++i) polygon[i] = cut[i];
    return kept;
}

ivec2 on_screen(vec4 p) {
    vec2 place = (p.xy / p.w * 0.5 + 0.5) * vec2(params.size);
    return ivec2(round(place * float(kSubpixels)));
}

void add_record(vec4 pa, vec4 pb, vec4 pc, uint triangle, uint sides) {
    ivec2 a = on_screen(pa);
    ivec2 b = on_screen(pb);
    ivec2 c = on_screen(pc);
    int high;
    uint low;
    cross_words(b.x - a.x, c.y - a.y, b.y - a.y, c.x - a.x, high, low);
    if (high == 0 && low == 0u) return;
    bool clockwise = high >= 0; // on the screen, where y goes down
    if ((sides & (clockwise ? 2u : 1u)) == 0u) return;
    vec3 z = vec3(pa.z / pa.w, pb.z / pb.w, pc.z / pc.w);
    if (any(isnan(z))) return;
    if (!clockwise) {
        ivec2 other = b;
        b = c;
        c = other;
        z = z.xzy;
    }
    ivec2 low_corner = min(a, min(b, c));
    ivec2 high_corner = max(a, max(b, c));
    // Pixels whose middle lies between; the last one is never beyond the right edge's.
    ivec2 first = max((low_corner + kSubpixels / 2 - 1) >> 8, ivec2(0));
    ivec2 last = min((high_corner - kSubpixels / 2) >> 8, ivec2(params.size) - 1);
    if (any(lessThan(last, first))) return;

    vec2 ab = vec2(b - a) / float(kSubpixels);
    vec2 ac = vec2(c - a) / float(kSubpixels);
    float area = ab.x * ac.y - ab.y * ac.x;
    vec2 slope = vec2((z.y - z.x) * ac.y - (z.z - z.x) * ab.y,
                      (z.z - z.x) * ab.x - (z.y - z.x) * ac.x) / area;
    uint at = atomicAdd(count.needed, 1u);
    if (at >= params.capacity) return;
    atomicAdd(count.triangles, 1u);
    at *= kRecordQuads;
    records.quads[at] = uvec4(uvec2(a), uvec2(b));
    records.quads[at + 1u] = uvec4(uvec2(c), triangle, floatBitsToUint(z.x));
    records.quads[at + 2u] =
        uvec4(floatBitsToUint(slope), uint(first.x) | (uint(first.y) << 16u),
              uint(last.x) | (uint(last.y) << 16u));
}

// The colour of a triangle whose corners agree, as lists would hold it.
uvec2 one_color(uint triangle, uint draw, uint material) {
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    int offset = draws.elements[draw].vertex_offset;
    uvec2 tints[3];
    for (uint i = 0u; i < 3u; ++i) {
        uint vertex = uint(int(scene_indices.values[first + i]) + offset);
        tints[i] = uvec2(vertices.elements[vertex].color_rg, vertices.elements[vertex].color_ba);
    }
    bool unlit = (materials.elements[material].flags & kMaterialUnlit) != 0u;
    if (!unlit || tints[0] != tints[1] || tints[0] != tints[2] ||
        materials.elements[material].base_color_texture.texture >= 0)
        return uvec2(kManyColors);
    vec4 color = materials.elements[material].base_color * vertex_color(tints[0].x, tints[0].y);
    color = mix(color, vec4(0.0), isnan(color));
    if (kPacking == kHdrColors) {
        color = clamp(color, vec4(0.0), vec4(vec3(65504.0), 1.0));
        return uvec2(packHalf2x16(color.rg), packHalf2x16(color.ba));
    }
    return uvec2(packUnorm4x8(clamp(color, 0.0, 1.0)), 0u);
}

void main() {
    uint triangle = invocation_index();
    if (triangle >= params.triangle_count) return;
    uint draw = owners.values[triangle];
    uint material = draws.elements[draw].material;
    if (materials.elements[material].alpha_mode != kAlphaBlend) return;
    bool all_inside = true;
    bool sane = true;
    for (uint i = 0u; i < 3u; ++i) {
        uint at = 3u * corners.values[3u * triangle + i];
        vec4 place = params.view_projection * vec4(positions.values[at], positions.values[at + 1u],
                                                   positions.values[at + 2u], 1.0);
        polygon[i] = place;
        sane = sane && !any(isnan(place)) && !any(isinf(place));
        for (uint plane = 0u; plane < 6u; ++plane)
            all_inside = all_inside && distance_of(place, plane) >= 0.0;
        all_inside = all_inside && place.w > 0.0;
    }
    if (!sane) return;
    // Bit 0: drawn where it goes around counter-clockwise on the screen, bit 1: where clockwise.
    bool double_sided = (materials.elements[material].flags & kMaterialDoubleSided) != 0u;
    bool mirrored = (draws.elements[draw].flags & kDrawMirrored) != 0u;
    uint sides = double_sided ? 3u : (mirrored ? 2u : 1u);
    uint corner_count = 3u;
    if (!all_inside)
        for (uint plane = 0u; plane < 6u && corner_count >= 3u; ++plane)
            corner_count = cut_off(corner_count, plane);
    if (corner_count < 3u) return;
    colors.values[triangle] = one_color(triangle, draw, material);
    for (uint i = 2u; i < corner_count; ++i)
        add_record(polygon[0], polygon[i - 1u], polygon[i], triangle, sides);
}
