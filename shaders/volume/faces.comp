#version 460
// Turns captured triangles into faces of media: where they are on a pixel's ray, and what they
// reflect. Those seen from the front and from the back are in lists of their own.

layout(local_size_x = 64) in;

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint fragment_room; // of each of the lists
    uint reflects;
    uint environment_lit;
    float environment_rotation;
    vec3 environment_scale;
    vec4 extinction[256];
    vec4 emission[256];
    vec4 scatter[256];
} params;

#include "fragment_lists.glsl"
#include "invocation.glsl"
#include "media.glsl"
#include "reflection.glsl"
#include "view.glsl"

readonly buffer Positions { float values[]; } positions;
readonly buffer Normals { float values[]; } normals;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Owners { uint values[]; } owners;
readonly buffer FrontHeads { uint values[]; } front_heads;
readonly buffer Fronts { uvec2 values[]; } fronts; // triangle, bits of depth
readonly buffer BackHeads { uint values[]; } back_heads;
readonly buffer Backs { uvec2 values[]; } backs;
writeonly buffer Heads { uint values[]; } heads;
writeonly buffer Fragments { uint words[]; } fragments;
writeonly buffer Total { uint word; } total;

vec3 position_of(uint vertex) {
    return vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                positions.values[3u * vertex + 2u]);
}

vec3 normal_of(uint vertex) {
    return vec3(normals.values[3u * vertex], normals.values[3u * vertex + 1u],
                normals.values[3u * vertex + 2u]);
}

// Of the corners, seen from the eye, where the ray meets their triangle, or comes nearest to it.
vec3 weights_at(vec3 direction, vec3 a, vec3 b, vec3 c) {
    vec3 weights = vec3(dot(direction, cross(b, c)), dot(direction, cross(c, a)),
                        dot(direction, cross(a, b)));
    if (weights.x + weights.y + weights.z < 0.0) weights = -weights;
    weights = max(weights, vec3(0.0));
    float sum = weights.x + weights.y + weights.z;
    return sum > 0.0 ? weights / sum : vec3(1.0 / 3.0);
}

void store_face(uint at, uint triangle, uint leaves, vec3 direction) {
    uvec3 corners = uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                          indices.values[3u * triangle + 2u]);
    vec3 a = position_of(corners.x);
    vec3 b = position_of(corners.y);
    vec3 c = position_of(corners.z);
    vec3 plane_normal = cross(b - a, c - a);
    a -= params.eye;
    b -= params.eye;
    c -= params.eye;
    vec3 weights = weights_at(direction, a, b, c);
    float interpolated = length(weights.x * a + weights.y * b + weights.z * c);
    vec3 normal = weights.x * normal_of(corners.x) + weights.y * normal_of(corners.y) +
                  weights.z * normal_of(corners.z);
    if (normal == vec3(0.0)) normal = plane_normal;
    uint medium = owners.values[triangle];
    fragments.words[kFaceWords * at] =
        floatBitsToUint(distance_to_plane(direction, plane_normal, a, interpolated));
    fragments.words[kFaceWords * at + 1u] = 2u * medium + leaves;
    fragments.words[kFaceWords * at + 2u] =
        pack_shared(reflected_radiance(direction, normal, params.extinction[medium].w));
}

void main() {
    uint pixel = invocation_index();
    uint pixels = params.size.x * params.size.y;
    if (pixel > pixels) return;
    uint front = front_heads.values[pixel];
    uint back = back_heads.values[pixel];
    uint at = front + back;
    heads.values[pixel] = at;
    if (pixel == pixels) {
        total.word = at;
        return;
    }
    uint front_end = front_heads.values[pixel + 1u];
    uint back_end = back_heads.values[pixel + 1u];
    if (front_end + back_end > params.fragment_room) return; // then neither part has to fit
    vec2 texel = vec2(pixel % params.size.x, pixel / params.size.x) + 0.5;
    vec3 direction = ray_through(texel, params.first, params.per_x, params.per_y);
    for (; front < front_end; ++front, ++at) store_face(at, fronts.values[front].x, 0u, direction);
    for (; back < back_end; ++back, ++at) store_face(at, backs.values[back].x, 1u, direction);
}
