#version 460
// Lights in view space, once for all tiles: balls about what they reach, and their cones; and which
// columns and rows of blocks of tiles they may reach.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;

layout(constant_id = 0) const uint has_nodes = 0u;
layout(constant_id = 1) const uint has_strips = 0u;
layout(constant_id = 2) const uint by_ballots = 0u; // a subgroup has 32 invocations

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

// What is known of a light, seen from the camera.
struct Placed {
    bool good;
    vec4 ball; // about what it reaches
    vec4 apex;
    vec4 cone;
};

Placed place_light(vec4 sphere, LightShade light) {
    const float kCosineRounding = 1e-5;
    vec3 place = seen_place(sphere.xyz);
    float moved = moved_by(sphere.xyz);
    vec4 apex = vec4(place, sphere.w + kRounding * (moved + sphere.w));
    vec3 axis = mat3(params.view_from_world) * light.direction * vec3(1.0, 1.0, -1.0);
    vec4 cone = vec4(axis, light.cos_outer - kCosineRounding);
    vec4 ball = is_infinite(sphere.w) ? apex : ball_of(apex, cone);
    ball.w += kRounding * (moved + apex.w);
    bool good = shines(sphere, light);
    return Placed(good, good ? ball : vec4(0.0, 0.0, 0.0, -1.0), apex, cone);
}

void store_light(uint i, Placed placed, LightShade light) {
    uint at = params.stride * i;
    balls.values[at] = placed.ball;
    if (params.stride == 4u) {
        balls.values[at + 1u] = placed.apex;
        balls.values[at + 2u] = placed.cone;
        balls.values[at + 3u] = vec4(light.color, light.cos_inner);
    }
    cones.values[2u * i] = placed.apex;
    cones.values[2u * i + 1u] = placed.cone;
}

const uint kBatch = 256u; // strips at a time
shared uint reached[kBatch]; // bits of the group's lights
shared vec4 sides[kBatch];   // of strips: both slopes, and what their distances are scaled by
shared uint bad_lights;

// As make_cell has them, along one axis.
void find_sides(uint strip, uint at) {
    bool column = strip < params.strips.x;
    uint axis = column ? 0u : 1u;
    uvec2 block = uvec2(column ? strip : strip - params.strips.x);
    Window window = window_of(block, 1u, params.block, params.size);
    vec2 slopes = slope_of(vec2(window.first[axis], window.last[axis]), vec2(params.size[axis]),
                           vec2(params.scale[axis]));
    vec2 edges = vec2(min(slopes.x, slopes.y), max(slopes.x, slopes.y));
    sides[at] = vec4(edges, side_norms(edges, params.perspective));
}

bool meets_strip(vec4 ball, float width, uint strip, uint at) {
    return meets_axis(strip < params.strips.x ? ball.x : ball.y, ball.w, width, sides[at]);
}

// Strips from `first` on, whose sides are known to the group once it has met here.
void mark_strips(uint first, uint count, vec4 ball, uint share) {
    uint lane = gl_LocalInvocationID.x;
    uint words = (params.count + 31u) / 32u;
    float width = mix(1.0, ball.z, params.perspective);
    uint bits = 0u; // of the strip that this invocation stores
    uint at = lane;
    if (by_ballots == 0u) reached[lane] = 0u;
    barrier();
    if (by_ballots != 0u) {
        subgroupBarrier(); // all are here again
        at = share + kShares * (lane % kGroupLights);
        for (uint k = share; k < count; k += kShares) {
            uint met = subgroupBallot(meets_strip(ball, width, first + k, k)).x;
            if (k == at) bits = met;
        }
    } else {
        for (uint k = share; k < count; k += kShares)
            if (meets_strip(ball, width, first + k, k))
                atomicOr(reached[k], 1u << lane % kGroupLights);
        barrier();
        bits = reached[lane];
    }
    if (at < count && group_index() < words)
        strips.values[(first + at) * words + group_index()] = bits;
}

void count_bad(bool bad) {
    uint lane = gl_LocalInvocationID.x;
    uint count = 0u;
    if (by_ballots != 0u && has_strips != 0u) {
        subgroupBarrier();
        count = subgroupBallotBitCount(subgroupBallot(bad));
    } else {
        if (lane == 0u) bad_lights = 0u;
        barrier();
        if (bad) atomicAdd(bad_lights, 1u);
        barrier();
        count = bad_lights;
    }
    if (lane == 0u && group_index() < params.groups) bad_counts.values[group_index()] = count;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint i = group_index() * kGroupLights + lane % kGroupLights;
    uint share = lane / kGroupLights;
    uint all = has_strips != 0u ? params.strips.x + params.strips.y : 0u;
    Placed placed = Placed(true, vec4(-1.0), vec4(0.0), vec4(0.0));
    if (i < params.count) {
        vec4 sphere = spheres.values[i];
        LightShade light = shades.values[i];
        if (lane < all) find_sides(lane, lane);
        placed = place_light(sphere, light);
        if (share == 0u) store_light(i, placed, light);
    } else {
        if (lane < all) find_sides(lane, lane);
        uint node = i - params.count;
        if (has_nodes != 0u && share == 0u && node < params.node_count + params.top_count)
            place_node(node);
    }
    for (uint first = 0u; first < all; first += kBatch) {
        uint count = min(all - first, kBatch);
        if (first > 0u) {
            barrier();
            if (lane < count) find_sides(first + lane, lane);
        }
        mark_strips(first, count, placed.ball, share);
    }
    count_bad(share == 0u && !placed.good);
}
