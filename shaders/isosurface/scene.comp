#version 460
// The arrays of a scene of one mesh: vertices, and by the first invocation all else.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

uniform Params {
    vec4 color; // linear
    vec3 emissive;
    float metallic;
    float roughness;
    uint flags; // of the material
    uint vertex_count;
    uint index_count;
} params;

readonly buffer Positions { float numbers[]; } positions;
readonly buffer Normals { float numbers[]; } normals;
writeonly buffer Vertices { Vertex elements[]; } vertices;
writeonly buffer Draws { SceneDraw element; } draws;
writeonly buffer Starts { uvec2 element; } starts;
writeonly buffer Transforms { SceneTransform element; } transforms;
writeonly buffer Materials { SceneMaterial element; } materials;

vec3 tangent_of(vec3 normal) {
    vec3 across = abs(normal.x) < 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    vec3 tangent = across - normal * dot(normal, across);
    return dot(tangent, tangent) > 0.0 ? normalize(tangent) : vec3(1.0, 0.0, 0.0);
}

SceneMaterial plain_material() {
    TextureSlot none = TextureSlot(vec4(1.0, 0.0, 0.0, 1.0), vec2(0.0), -1, 0u);
    return SceneMaterial(params.color, params.emissive, params.metallic, params.roughness, 1.0, 1.0,
                         0.5, kAlphaOpaque, params.flags, 0u, 0u, none, none, none, none, none);
}

void main() {
    uint i = invocation_index();
    if (i == 0u) {
        draws.element = SceneDraw(0u, params.index_count, 0, 0u, 0u, 0u, 0u, params.vertex_count);
        starts.element = uvec2(0u);
        transforms.element = SceneTransform(mat4(1.0), mat4(1.0));
        materials.element = plain_material();
    }
    if (i >= params.vertex_count) return;
    vec3 position = vec3(positions.numbers[3u * i], positions.numbers[3u * i + 1u],
                         positions.numbers[3u * i + 2u]);
    vec3 normal =
        vec3(normals.numbers[3u * i], normals.numbers[3u * i + 1u], normals.numbers[3u * i + 2u]);
    if (normal == vec3(0.0)) normal = vec3(0.0, 0.0, 1.0);
    vertices.elements[i] = Vertex(position, 0xffffffffu, normal, 0xffffffffu,
                                  vec4(tangent_of(normal), 1.0), vec2(0.0), vec2(0.0));
}
