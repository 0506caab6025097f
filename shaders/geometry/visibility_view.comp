#version 460
// Colours what is visible by what is known of it.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kShows = 0u; // as VisibilityColor numbers it

uniform Params {
    mat4 clip_from_mesh;
    uvec2 size;
    vec4 background;
} params;

#include "hash.glsl"
#include "geometry/barycentrics.glsl"

readonly buffer Keys { uvec2 values[]; } keys;
readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
uniform writeonly image2D result;
uniform writeonly image2D normals;
uniform writeonly image2D weights;

const uint kNone = 0xffffffffu;
const uint kNumbers = 0u;
const uint kNormals = 1u;
const uint kWeights = 2u;

vec3 corner(uint triangle, uint i) {
    uint vertex = indices.values[3u * triangle + i];
    return vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                positions.values[3u * vertex + 2u]);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.size))) return;
    uvec2 key = keys.values[at.y * params.size.x + at.x];
    if (key.x == kNone) {
        imageStore(result, ivec2(at), params.background);
        imageStore(normals, ivec2(at), vec4(0.0));
        imageStore(weights, ivec2(at), vec4(0.0));
        return;
    }
    vec3 a = corner(key.x, 0u);
    vec3 b = corner(key.x, 1u);
    vec3 c = corner(key.x, 2u);
    vec3 w = barycentrics(params.clip_from_mesh, params.size, a, b, c, ivec2(at));
    vec3 across = cross(b - a, c - a);
    float area = length(across);
    vec3 normal = area > 0.0 ? across / area : vec3(0.0, 0.0, 1.0);
    vec3 color = unit_interval(pcg3d(uvec3(key.x, 1u, 2u)));
    if (kShows == kNormals) color = 0.5 + 0.5 * normal;
    if (kShows == kWeights) color = w;
    if (kShows > kWeights) color = vec3(1.0 - uintBitsToFloat(key.y));
    imageStore(result, ivec2(at), vec4(color, 1.0));
    imageStore(normals, ivec2(at), vec4(normal, 1.0));
    imageStore(weights, ivec2(at), vec4(w, 1.0));
}
