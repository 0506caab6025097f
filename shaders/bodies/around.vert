#version 460
// The box around each body, seen from behind, so that each pixel of the body is covered once.

#include "body.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Shapes { vec4 values[]; } shapes;

uniform Params {
    mat4 view_projection;
    mat4 sun;
    vec3 eye;
    vec3 direction; // of all rays where `parallel`
    uint parallel;
    uint color_by;
    float brightest;
    float texel; // of the shadow map, world units
} params;

layout(location = 0) out vec3 place;
layout(location = 1) flat out uint body;

// Two triangles a side, whose back is outside.
vec3 corner(uint vertex) {
    uint side = vertex / 6u;
    uint k = vertex % 6u;
    uint axis = side >> 1u;
    bool high = (side & 1u) != 0u;
    vec2 uv = vec2(k == 1u || k == 2u || k == 4u ? 1.0 : -1.0, k == 2u || k == 4u || k == 5u ? 1.0 : -1.0);
    if (k == 3u) uv = vec2(-1.0, -1.0);
    vec3 at = vec3(0.0);
    at[axis] = high ? 1.0 : -1.0;
    at[(axis + 1u) % 3u] = high ? uv.x : -uv.x;
    at[(axis + 2u) % 3u] = uv.y;
    return at;
}

void main() {
    body = uint(gl_InstanceIndex);
    Shape shape = shape_of(shapes.values[2u * body], shapes.values[2u * body + 1u]);
    vec4 middle = places.values[body];
    vec4 turn = turns.values[body];
    vec3 size = shape.size;
    if (shape.kind == kSphere) size = shape.size.xxx;
    if (shape.kind == kCapsule) size = vec3(shape.size.x, shape.size.x + shape.size.y, shape.size.x);
    bool drawn = is_finite(middle) && is_finite(turn) && shape.kind != kPlane && shape.kind < kNothing;
    place = middle.xyz + rotated(turn, size * 1.001 * corner(uint(gl_VertexIndex)));
    gl_Position = drawn ? params.view_projection * vec4(place, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
