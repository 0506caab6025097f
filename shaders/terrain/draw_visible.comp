#version 460
// The surface of a mesh whose visible triangles are known: colour, normal and height, and place.

layout(local_size_x = 8, local_size_y = 8) in;

#include "geometry/barycentrics.glsl"
#include "mesh_color.glsl"
#include "vertex.glsl"

uniform Params {
    mat4 clip_from_world;
    uvec2 size;
    vec4 background;
    vec4 sun;
    vec2 bounds;
    float tint;
    float natural;
} params;

readonly buffer Keys { uvec2 values[]; } keys;
readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Vertices { TerrainVertex elements[]; } vertices;
uniform writeonly image2D color;
uniform writeonly image2D normals;
uniform writeonly image2D places;

const uint kNone = 0xffffffffu;

vec3 position(uint i) {
    return vec3(positions.values[3u * i], positions.values[3u * i + 1u],
                positions.values[3u * i + 2u]);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    uint triangle = keys.values[uint(at.y) * params.size.x + uint(at.x)].x;
    if (triangle == kNone) {
        imageStore(color, at, params.background);
        imageStore(normals, at, vec4(0.0));
        imageStore(places, at, vec4(0.0, 0.0, -1.0, 0.0));
        return;
    }
    uvec3 i = uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                    indices.values[3u * triangle + 2u]);
    vec3 a = position(i.x);
    vec3 b = position(i.y);
    vec3 c = position(i.z);
    vec3 w = barycentrics(params.clip_from_world, params.size, a, b, c, at);
    vec4 normal = w.x * vertices.elements[i.x].normal + w.y * vertices.elements[i.y].normal +
                  w.z * vertices.elements[i.z].normal;
    vec4 place = w.x * vertices.elements[i.x].place + w.y * vertices.elements[i.y].place +
                 w.z * vertices.elements[i.z].place;
    place.zw = vertices.elements[i.x].place.zw;
    vec3 own = dot(normal.xyz, normal.xyz) > 0.0 ? normal.xyz : cross(b - a, c - a);
    own = normalize(own);
    MeshLook look = MeshLook(params.sun, params.bounds, params.tint, params.natural);
    imageStore(color, at, vec4(mesh_color(own, normal.w, place.z, look), 1.0));
    imageStore(normals, at, vec4(own, normal.w));
    imageStore(places, at, place);
}
