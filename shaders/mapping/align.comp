#version 460
// An iteration of an alignment: the camera moves so that its points come to the reference's surfaces (point to
// plane; pairs by projection) and its brightness to the reference's. The group that is last adds up and solves.
//
// For a small motion (w, t) a point p of the reference camera moves by w x p + t. Distances to a plane of normal
// n then change by (p x n, n) . (w, t), and brightness with gradient g by (p x g, g) . (w, t).
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "alignment.glsl"
#include "camera.glsl"
#include "solve.glsl"

layout(local_size_x = 256) in;

uniform sampler2D geometry; // normals and depths
uniform sampler2D grey;
uniform sampler2D reference_geometry;
uniform sampler2D reference_grey;
buffer State { Alignment now; } state;
coherent buffer Partials { float values[]; } partials; // kSums of each group
coherent buffer Arrived { uint groups; } arrived;
writeonly buffer Counts { uint words[]; } counts; // of the level's later iterations

uniform Params {
    vec4 intrinsics; // of this level
    ivec2 size;
    uint slots; // later iterations of this level
    uint finest;
    float distance;   // of pairs, metres
    float cosine;     // of their normals
    float geometric;  // weights
    float photometric;
    float least;      // pivot
    float small_step; // metres and radians
} params;

shared float rows[64 * kSums]; // of subgroups; at least four invocations each
shared uint is_last;

const float kGrazing = 0.2; // cosine
const float kUsualDifference = 0.03; // of brightness

float sums[kSums];

// Huber's weight: what is farther off than usual counts by its distance, not by the square of that.
float huber(float residual, float usual) {
    return min(1.0, usual / max(abs(residual), 1e-9));
}

// Adds an equation J (w, t) = -r to the normal equations.
void add_equation(vec3 point, vec3 gradient, float residual, float weight) {
    vec3 turning = cross(point, gradient);
    float j[6] = float[6](turning.x, turning.y, turning.z, gradient.x, gradient.y, gradient.z);
    uint at = 0u;
    [[unroll]] for (int a = 0; a < 6; ++a) {
        [[unroll]] for (int b = a; b < 6; ++b) sums[at++] += weight * j[a] * j[b];
        sums[kRight + uint(a)] += weight * j[a] * residual;
    }
}

void add_surface(vec3 point, vec3 normal, vec2 pixel) {
    vec4 surface = texelFetch(reference_geometry, ivec2(floor(pixel + 0.5)), 0);
    if (surface.w <= 0.0 || dot(surface.xyz, surface.xyz) < 0.5) return;
    vec3 between = point - ray_of(params.intrinsics, floor(pixel + 0.5)) * surface.w;
    if (dot(between, between) > params.distance * params.distance) return;
    if (dot(normal, surface.xyz) < params.cosine) return;
    // Where rays graze a surface its depth says little.
    if (-dot(surface.xyz, normalize(point)) < kGrazing) return;
    float residual = dot(surface.xyz, between);
    float noise = depth_noise(point.z);
    float share = depth_noise(1.0) / noise;
    float weight = params.geometric * share * share * huber(residual, 4.0 * noise);
    add_equation(point, surface.xyz, residual, weight);
    sums[kSquares] += weight * residual * residual;
    sums[kWeights] += weight;
    sums[kPairs] += 1.0;
}

void add_brightness(vec3 point, vec2 pixel, float own) {
    ivec2 low = ivec2(floor(pixel));
    if (any(lessThan(low, ivec2(0))) || any(greaterThanEqual(low + 1, params.size))) return;
    float a = texelFetch(reference_grey, low, 0).r;
    float b = texelFetch(reference_grey, low + ivec2(1, 0), 0).r;
    float c = texelFetch(reference_grey, low + ivec2(0, 1), 0).r;
    float d = texelFetch(reference_grey, low + ivec2(1, 1), 0).r;
    if (min(min(a, b), min(c, d)) < 0.0) return;
    float z = texelFetch(reference_geometry, ivec2(floor(pixel + 0.5)), 0).w;
    if (z <= 0.0 || abs(z - point.z) > params.distance) return; // hidden
    vec2 f = pixel - vec2(low);
    float residual = mix(mix(a, b, f.x), mix(c, d, f.x), f.y) - own;
    vec2 slope = vec2(mix(b - a, d - c, f.y), mix(c - a, d - b, f.x)) * params.intrinsics.xy / point.z;
    vec3 gradient = vec3(slope, -dot(slope, point.xy) / point.z);
    add_equation(point, gradient, residual, params.photometric * huber(residual, kUsualDifference));
    sums[kGreySquares] += residual * residual;
    sums[kLooks] += 1.0;
}

void add_pixel(ivec2 texel, mat3 turn, vec3 move) {
    vec4 own = texelFetch(geometry, texel, 0);
    if (own.w <= 0.0) return;
    vec3 point = turn * (ray_of(params.intrinsics, vec2(texel)) * own.w) + move;
    if (point.z <= 0.0) return;
    vec2 pixel = pixel_of(params.intrinsics, point);
    if (any(lessThan(pixel, vec2(-0.5))) || any(greaterThanEqual(pixel, vec2(params.size) - 0.5))) return;
    if (params.geometric > 0.0 && dot(own.xyz, own.xyz) > 0.5) add_surface(point, turn * own.xyz, pixel);
    if (params.photometric > 0.0) {
        float its_grey = texelFetch(grey, texel, 0).r;
        if (its_grey >= 0.0) add_brightness(point, pixel, its_grey);
    }
}

// Sums over the group; in the first kSums values of `rows`.
void add_up_group(uint lane) {
    barrier();
    [[unroll]] for (uint i = 0u; i < kSums; ++i) {
        float sum = subgroupAdd(sums[i]);
        if (subgroupElect()) rows[gl_SubgroupID * kSums + i] = sum;
    }
    barrier();
    float total = 0.0;
    if (lane < kSums)
        for (uint i = 0u; i < gl_NumSubgroups; ++i) total += rows[i * kSums + lane];
    barrier();
    if (lane < kSums) rows[lane] = total;
}

void add_up_all(uint lane, uint groups) {
    float part = 0.0;
    for (uint g = lane / kSums; g < groups; g += 256u / kSums) part += partials.values[g * kSums + lane % kSums];
    rows[lane] = part;
    barrier();
    if (lane < kSums)
        for (uint i = 1u; i < 256u / kSums; ++i) part += rows[i * kSums + lane];
    barrier();
    if (lane < kSums) rows[lane] = part;
    barrier();
}

// Entry (a, b) of the upper triangle.
float entry(uint a, uint b) {
    uint low = min(a, b);
    return rows[low * 6u - low * (low + 1u) / 2u + max(a, b)];
}

// Translations and rotations are scaled so that the traces of their parts are 1: pivots then say which share of
// all that was seen holds a direction.
vec2 scales_of_system() {
    float turning = entry(0u, 0u) + entry(1u, 1u) + entry(2u, 2u);
    float moving = entry(3u, 3u) + entry(4u, 4u) + entry(5u, 5u);
    return vec2(turning > 0.0 ? inversesqrt(turning) : 0.0, moving > 0.0 ? inversesqrt(moving) : 0.0);
}

// Rodrigues' formula.
mat3 rotation(vec3 w) {
    float angle = length(w);
    if (angle < 1e-12) return mat3(1.0);
    vec3 k = w / angle;
    mat3 across = mat3(0.0, k.z, -k.y, -k.z, 0.0, k.x, k.y, -k.x, 0.0);
    return mat3(1.0) + sin(angle) * across + (1.0 - cos(angle)) * across * across;
}

void move_camera(vec3 turning, vec3 moving) {
    vec4 x = state.now.rows[0];
    vec4 y = state.now.rows[1];
    vec4 z = state.now.rows[2];
    mat3 turn = rotation(turning);
    mat3 turned = turn * mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
    vec3 place = turn * vec3(x.w, y.w, z.w) + moving;
    turned[0] = normalize(turned[0]); // rounding adds up
    turned[1] = normalize(turned[1] - dot(turned[0], turned[1]) * turned[0]);
    turned[2] = cross(turned[0], turned[1]);
    state.now.rows[0] = vec4(turned[0].x, turned[1].x, turned[2].x, place.x);
    state.now.rows[1] = vec4(turned[0].y, turned[1].y, turned[2].y, place.y);
    state.now.rows[2] = vec4(turned[0].z, turned[1].z, turned[2].z, place.z);
}

void finish_iteration(float turning_scale, float moving_scale) {
    vec3 turning = -vec3(solution[0], solution[1], solution[2]) * turning_scale;
    vec3 moving = -vec3(solution[3], solution[4], solution[5]) * moving_scale;
    bool good = is_finite(vec4(turning, 0.0)) && is_finite(vec4(moving, 0.0));
    if (good) move_camera(turning, moving);
    state.now.iterations += 1u;
    state.now.unconstrained = good ? unsolved : 6u;
    state.now.pairs = uint(rows[kPairs]);
    state.now.looks = uint(rows[kLooks]);
    state.now.residual = rows[kSquares] / max(rows[kWeights], 1e-20);
    state.now.grey_residual = rows[kGreySquares] / max(rows[kLooks], 1.0);
    arrived.groups = 0u;
    float step = max(length(turning), length(moving));
    if (!good || step < params.small_step)
        for (uint i = 0u; i < params.slots; ++i) counts.words[i * kCountStride] = 0u;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint groups = gl_NumWorkGroups.x;
    vec4 x = state.now.rows[0];
    vec4 y = state.now.rows[1];
    vec4 z = state.now.rows[2];
    mat3 turn = mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
    for (uint i = 0u; i < kSums; ++i) sums[i] = 0.0;
    uint texels = uint(params.size.x * params.size.y);
    for (uint i = gl_WorkGroupID.x * 256u + lane; i < texels; i += groups * 256u)
        add_pixel(ivec2(i % uint(params.size.x), i / uint(params.size.x)), turn, vec3(x.w, y.w, z.w));
    add_up_group(lane);
    if (lane < kSums) partials.values[gl_WorkGroupID.x * kSums + lane] = rows[lane];
    memoryBarrierBuffer();
    barrier();
    if (lane == 0u) is_last = uint(atomicAdd(arrived.groups, 1u) + 1u == groups);
    barrier();
    if (is_last == 0u) return;
    memoryBarrierBuffer();
    add_up_all(lane, groups);
    vec2 scales = scales_of_system();
    if (lane < 42u) {
        uint row = lane / kColumns;
        uint column = lane % kColumns;
        float own = row < 3u ? scales.x : scales.y;
        float other = column < 3u ? scales.x : scales.y;
        system[lane] = column < 6u ? entry(row, column) * own * other : rows[kRight + row] * own;
    }
    barrier();
    solve_system(lane, params.least);
    if (lane == 0u) finish_iteration(scales.x, scales.y);
}
