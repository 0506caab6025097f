#version 460
// The vertices of all draws in world space, twisted about an upright axis and moved aside, and draws
// that refer to them.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Moved { Vertex elements[]; } moved;
writeonly buffer MovedDraws { SceneDraw elements[]; } moved_draws;
writeonly buffer Identity { SceneTransform element; } identity;

uniform Params {
    uint draw_count;
    uint vertex_count;
    float twist; // radians a unit of height
    float wave_phase;
    vec3 center; // what is not above it stays
    float wave_number; // radians a unit of height
    vec2 bend; // along x and z: displacement a square of height
    vec2 wave; // along x and z: displacement a unit of height
} params;

#include "scene/draw_of.glsl"

// What the deformation makes of a point, and of directions there. With h the height of the point and
// (x, z) its place beside the axis, it is (x, z) -> R(h) (x, z) + d(h): its matrix of derivatives is R,
// a column c beside it that says how (x, z) moves with h, and 1.
struct Deformation {
    vec3 position;
    vec2 turn;   // cosine and sine of R
    vec2 column; // c
};

vec2 turned(vec2 turn, vec2 v) {
    return vec2(turn.x * v.x + turn.y * v.y, turn.x * v.y - turn.y * v.x);
}

Deformation deformation_at(vec3 position) {
    float height = position.y - params.center.y;
    if (!(height > 0.0)) return Deformation(position, vec2(1.0, 0.0), vec2(0.0));
    float angle = params.twist * height;
    float phase = params.wave_number * height - params.wave_phase;
    vec2 turn = vec2(cos(angle), sin(angle));
    vec2 beside = turned(turn, position.xz - params.center.xz);
    vec2 aside = params.bend * height * height + params.wave * height * sin(phase);
    Deformation result;
    result.turn = turn;
    result.column = params.twist * vec2(beside.y, -beside.x) + 2.0 * params.bend * height +
                    params.wave * (sin(phase) + params.wave_number * height * cos(phase));
    result.position.xz = params.center.xz + beside + aside;
    result.position.y = position.y;
    return result;
}

// A direction in the surface moves with it; a normal, by the inverse transpose, stays perpendicular.
vec3 moved_direction(Deformation by, vec3 v) {
    vec2 beside = turned(by.turn, v.xz) + by.column * v.y;
    return vec3(beside.x, v.y, beside.y);
}
vec3 moved_normal(Deformation by, vec3 n) {
    vec2 beside = turned(by.turn, n.xz);
    return vec3(beside.x, n.y - dot(by.column, beside), beside.y);
}

vec3 unit(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : v;
}

void main() {
    uint i = invocation_index();
    if (i == 0u) identity.element = SceneTransform(mat4(1.0), mat4(1.0));
    if (i < params.draw_count) {
        SceneDraw draw = draws.elements[i];
        draw.vertex_offset = int(starts.values[i].x);
        draw.transform = 0u;
        moved_draws.elements[i] = draw;
    }
    if (i >= params.vertex_count) return;
    uint draw = draw_of(i, 0, params.draw_count);
    Vertex vertex = vertices.elements[uint(draws.elements[draw].vertex_offset) +
                                      (i - starts.values[draw].x)];
    uint transform = draws.elements[draw].transform;
    mat4 world = transforms.elements[transform].world;
    vec3 position = (world * vec4(vertex.position, 1.0)).xyz;
    Deformation by = deformation_at(position);
    vertex.position = by.position;
    vertex.normal = unit(
        moved_normal(by, mat3(transforms.elements[transform].normal) * vertex.normal));
    vertex.tangent.xyz = unit(moved_direction(by, mat3(world) * vertex.tangent.xyz));
    moved.elements[i] = vertex;
}
