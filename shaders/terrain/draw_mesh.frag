#version 460
// The surface of a mesh: colour, normal and height, and place.

#include "mesh_color.glsl"

uniform Params { // as in draw_mesh.vert
    mat4 clip_from_world;
    vec4 sun;
    vec2 bounds;
    float tint;
    float natural;
} params;

layout(location = 0) in vec3 world;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 place;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 normals;
layout(location = 2) out vec4 places;
layout(location = 3) out vec4 depths;

void main() {
    vec3 flat_normal = cross(dFdy(world), dFdx(world));
    vec3 own = dot(normal.xyz, normal.xyz) > 0.0 ? normal.xyz : flat_normal;
    own = normalize(own);
    MeshLook look = MeshLook(params.sun, params.bounds, params.tint, params.natural);
    color = vec4(mesh_color(own, normal.w, place.z, look), 1.0);
    normals = vec4(own, normal.w);
    places = place;
    depths = vec4(gl_FragCoord.z);
}
