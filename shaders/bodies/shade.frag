#version 460
//! vertex bodies/around
// How far each body is from the sun.

#include "body.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Shapes { vec4 values[]; } shapes;
readonly buffer Geometry { vec4 values[]; } geometry;

uniform Params {
    mat4 view_projection;
    mat4 sun;
    vec3 eye;
    vec3 direction;
    uint parallel;
    uint color_by;
    float brightest;
    float texel;
} params;

#include "field.glsl"
#include "shape_hit.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) flat in uint body;

void main() {
    vec4 turn = turns.values[body];
    vec3 middle = places.values[body].xyz;
    Shape shape = shape_of(shapes.values[2u * body], shapes.values[2u * body + 1u]);
    // From before the box around it.
    float back = 2.5 * length(shape.size) + 2.0 * shape.size.y;
    vec3 from = place - back * params.direction;
    ShapeHit hit = hit_shape(shape, rotated_back(turn, from - middle), rotated_back(turn, params.direction));
    if (hit.t < 0.0) discard;
    vec4 projected = params.view_projection * vec4(from + hit.t * params.direction, 1.0);
    gl_FragDepth = clamp(projected.z, 0.0, 1.0);
}
