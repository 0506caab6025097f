#version 460
// Three quads for each triangle of a scene: from a corner by the middles of its two edges to the
// middle of the triangle. What triangles share, their quads share to the bit.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "patch.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
readonly buffer Chosen { uvec2 values[]; } chosen; // of draws: first triangle among all cut, and number
writeonly buffer PatchMaterials { uint values[]; } patch_materials;
writeonly buffer Result { PatchRecord elements[]; } result;

uniform Params {
    uint chosen_count;
    uint triangle_count;
} params;

// The last draw whose triangles begin at `i` or before.
uvec2 draw_of(uint i) {
    uint first = 0u;
    uint end = params.chosen_count;
    while (end - first > 1u) {
        uint middle = (first + end) / 2u;
        if (chosen.values[middle].x <= i) first = middle;
        else end = middle;
    }
    return chosen.values[first];
}

struct Corner {
    vec3 place;
    vec3 normal;
    vec2 uv;
};

Corner middle_of(Corner a, Corner b) {
    precise vec3 place = 0.5 * (a.place + b.place);
    precise vec3 normal = 0.5 * (a.normal + b.normal);
    precise vec2 uv = 0.5 * (a.uv + b.uv);
    return Corner(place, normal, uv);
}

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    uvec2 from = draw_of(i);
    uint draw = from.y;
    uint first = draws.elements[draw].first_index + 3u * (i - from.x);
    uint transform = draws.elements[draw].transform;
    Corner corners[3];
    for (uint k = 0u; k < 3u; ++k) {
        uint vertex = uint(draws.elements[draw].vertex_offset) + indices.values[first + k];
        vec3 normal = mat3(transforms.elements[transform].normal) * vertices.elements[vertex].normal;
        float size = length(normal);
        corners[k] = Corner((transforms.elements[transform].world *
                             vec4(vertices.elements[vertex].position, 1.0)).xyz,
                            size > 0.0 ? normal / size : vec3(0.0), vertices.elements[vertex].uv0);
    }
    Corner all = Corner((corners[0].place + corners[1].place + corners[2].place) / 3.0,
                        (corners[0].normal + corners[1].normal + corners[2].normal) / 3.0,
                        (corners[0].uv + corners[1].uv + corners[2].uv) / 3.0);
    // A mirrored transform turns triangles round.
    bool turned = (draws.elements[draw].flags & kDrawMirrored) != 0u;
    for (uint k = 0u; k < 3u; ++k) {
        Corner to = middle_of(corners[k], corners[(k + 1u) % 3u]);
        Corner back = middle_of(corners[k], corners[(k + 2u) % 3u]);
        Corner b = turned ? back : to;
        Corner d = turned ? to : back;
        PatchRecord p;
        p.a = corners[k].place;
        p.u_a = corners[k].uv.x;
        p.b = b.place;
        p.u_b = b.uv.x;
        p.c = all.place;
        p.u_c = all.uv.x;
        p.d = d.place;
        p.u_d = d.uv.x;
        p.normal_a = corners[k].normal;
        p.v_a = corners[k].uv.y;
        p.normal_b = b.normal;
        p.v_b = b.uv.y;
        p.normal_c = all.normal;
        p.v_c = all.uv.y;
        p.normal_d = d.normal;
        p.v_d = d.uv.y;
        result.elements[3u * i + k] = p;
        patch_materials.values[3u * i + k] = draws.elements[draw].material;
    }
}
