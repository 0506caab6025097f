#version 460
// Lights in view space, once for all tiles: balls about what they reach, and their cones; and which
// columns and rows of blocks of tiles they may reach.

layout(local_size_x = 256) in;

layout(constant_id = 0) const uint has_nodes = 0u;
layout(constant_id = 1) const uint has_strips = 0u;

#include "invocation.glsl"
#include "light.glsl"
#include "tile.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
readonly buffer Nodes { vec4 values[]; } nodes; // balls about 32 lights, in the world
readonly buffer Tops { vec4 values[]; } tops;   // about 1024
// About all that is lit; no radius: nothing is. Every `stride`th vector; then those of the nodes.
writeonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Cones { vec4 values[]; } cones; // two each: apex, range; axis, cosine
writeonly buffer BadCounts { uint values[]; } bad_counts; // lights that shine nowhere, a group
writeonly buffer Strips { uint values[]; } strips; // [column, then row][word]: a bit for each light

// Where strips are wanted, invocations share the strips of a light, and a group has a word of lights.
const uint kShares = has_strips != 0u ? 8u : 1u;
const uint kGroupLights = 256u / kShares;

uniform Params {
    uint count;
    uint node_count;
    uint top_count;
    uint groups;
    uint stride; // 1, or 4 where all that is known of a light lies together
    mat4 view_from_world;
    uvec2 strips; // columns and rows of blocks
    uint block;   // side, pixels
    vec2 size;    // of the picture, pixels
    vec2 scale;
    float perspective;
} params;

// The least ball about a cone with a round end.
vec4 ball_of(vec4 apex, vec4 axis) {
    const float kDiagonal = 0.70710678;
    if (axis.w <= 0.0) return apex;
    if (axis.w < kDiagonal)
        return vec4(apex.xyz + axis.xyz * (apex.w * axis.w),
                    apex.w * sqrt(max(1.0 - axis.w * axis.w, 0.0)));
    float half_way = apex.w * 0.5 / axis.w;
    return vec4(apex.xyz + axis.xyz * half_way, half_way);
}

// A little more than it is, for places are rounded here and where surfaces are lit.
const float kRounding = 4e-6;

bool is_infinite(float v) {
    return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u;
}

vec3 seen_place(vec3 place) {
    return (params.view_from_world * vec4(place, 1.0)).xyz * vec3(1.0, 1.0, -1.0);
}

float moved_by(vec3 place) {
    return length(mat3(params.view_from_world) * place) + length(params.view_from_world[3].xyz);
}

void place_node(uint node) {
    bool top = node >= params.node_count;
    vec4 ball = top ? tops.values[node - params.node_count] : nodes.values[node];
    float room = kRounding * (moved_by(ball.xyz) + 2.0 * abs(ball.w));
    balls.values[params.stride * params.count + node] =
        vec4(seen_place(ball.xyz), ball.w > 0.0 ? ball.w + 4.0 * room : -1.0);
}

shared uint bad_lights;

// The ball about what the light reaches.
vec4 place_light(uint i, bool writes) {
    vec4 sphere = spheres.values[i];
    LightShade light = shades.values[i];
    bool good = shines(sphere, light);

    const float kCosineRounding = 1e-5;
    vec3 place = seen_place(sphere.xyz);
    float moved = moved_by(sphere.xyz);
    vec4 apex = vec4(place, sphere.w + kRounding * (moved + sphere.w));
    vec3 axis = mat3(params.view_from_world) * light.direction * vec3(1.0, 1.0, -1.0);
    vec4 cone = vec4(axis, light.cos_outer - kCosineRounding);
    vec4 ball = is_infinite(sphere.w) ? apex : ball_of(apex, cone);
    ball.w += kRounding * (moved + apex.w);
    if (!good) ball = vec4(0.0, 0.0, 0.0, -1.0);
    if (!writes) return ball;
    if (!good) atomicAdd(bad_lights, 1u);
    uint at = params.stride * i;
    balls.values[at] = ball;
    if (params.stride == 4u) {
        balls.values[at + 1u] = apex;
        balls.values[at + 2u] = cone;
        balls.values[at + 3u] = vec4(light.color, light.cos_inner);
    }
    cones.values[2u * i] = apex;
    cones.values[2u * i + 1u] = cone;
    return ball;
}

const uint kBatch = 256u; // strips at a time
shared uint reached[kBatch]; // bits of the group's lights
shared vec4 sides[kBatch];   // of strips: both slopes, and what their distances are scaled by

void find_sides(uint strip, uint at) {
    bool column = strip < params.strips.x;
    uvec2 block = uvec2(column ? strip : strip - params.strips.x);
    Window window = window_of(block, 1u, params.block, params.size);
    Cell cell = make_cell(slope_of(window.first, params.size, params.scale),
                          slope_of(window.last, params.size, params.scale), 0.0, 0.0,
                          params.perspective);
    sides[at] = column ? vec4(cell.low.x, cell.high.x, cell.low_norm.x, cell.high_norm.x)
                       : vec4(cell.low.y, cell.high.y, cell.low_norm.y, cell.high_norm.y);
}

void mark_strips(vec4 ball, uint share) {
    uint lane = gl_LocalInvocationID.x;
    uint words = (params.count + 31u) / 32u;
    uint all = params.strips.x + params.strips.y;
    float width = mix(1.0, ball.z, params.perspective);
    for (uint first = 0u; first < all; first += kBatch) {
        uint count = min(all - first, kBatch);
        reached[lane] = 0u;
        if (lane < count) find_sides(first + lane, lane);
        barrier();
        for (uint k = share; k < count; k += kShares) {
            float place = first + k < params.strips.x ? ball.x : ball.y;
            if (meets_axis(place, ball.w, width, sides[k]))
                atomicOr(reached[k], 1u << lane % kGroupLights);
        }
        barrier();
        if (lane < count && group_index() < words)
            strips.values[(first + lane) * words + group_index()] = reached[lane];
        barrier();
    }
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0u) bad_lights = 0u;
    barrier();
    uint i = group_index() * kGroupLights + lane % kGroupLights;
    uint share = lane / kGroupLights;
    vec4 ball = vec4(-1.0);
    if (i < params.count) {
        ball = place_light(i, share == 0u);
    } else if (share == 0u) {
        uint node = i - params.count;
        if (has_nodes != 0u && node < params.node_count + params.top_count) place_node(node);
    }
    if (has_strips != 0u) mark_strips(ball, share);
    barrier();
    if (lane == 0u && group_index() < params.groups) bad_counts.values[group_index()] = bad_lights;
}
