#version 460
//! variants BRICKS=0,1
// What a camera sees of a TSDF, at three levels: normals and depths of the surface, brightness, and of the
// finest level the colours (KinectFusion, section 3.4).
#include "camera.glsl"
#include "pyramid.glsl"
#include "tsdf.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

readonly buffer CameraPose { vec4 rows[]; } camera_pose;
writeonly uniform image2D geometry_0;
writeonly uniform image2D geometry_1;
writeonly uniform image2D geometry_2;
writeonly uniform image2D grey_0;
writeonly uniform image2D grey_1;
writeonly uniform image2D grey_2;
writeonly uniform image2D color; // alpha 0: nothing is seen

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec2 range; // of depths
    uvec3 dims;
    float side;
    vec3 corner;
    float truncation;
    float edge;
} params;

const int kMaxSteps = 4096;

struct Sample {
    float value; // truncations
    bool seen;
    bool whole; // all voxels around have been seen, and so the value is a mean of theirs
};

// p: voxels from the grid's corner.
Sample sample_at(vec3 p) {
    vec3 nearest = floor(p);
    if (any(lessThan(nearest, vec3(0.0))) || any(greaterThanEqual(nearest, vec3(params.dims)))) return Sample(1.0, false, false);
    vec2 own = unpackHalf2x16(voxel_at(params.dims, uvec3(nearest)).x);
    if (own.y == 0.0) return Sample(1.0, false, false);
    if (own.x == 1.0) return Sample(1.0, true, true);
    vec3 at = p - 0.5;
    vec3 low = floor(at);
    if (any(lessThan(low, vec3(0.0))) || any(greaterThanEqual(low + 1.0, vec3(params.dims)))) return Sample(own.x, true, false);
    vec3 f = at - low;
    float sum = 0.0;
    for (uint corner = 0u; corner < 8u; ++corner) {
        uvec3 step = uvec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
        vec2 one = unpackHalf2x16(voxel_at(params.dims, uvec3(low) + step).x);
        if (one.y == 0.0) return Sample(own.x, true, false);
        vec3 share = mix(1.0 - f, f, vec3(step));
        sum += share.x * share.y * share.z * one.x;
    }
    return Sample(sum, true, true);
}

// By how much the mean of the eight voxels around is too large, in truncations: where distances curve, a
// line between two samples is off by half the second difference times f (1 - f). Without this, surfaces
// would lie behind the true ones where they are convex, and a camera that is aligned with them would drift.
float excess_at(vec3 p) {
    vec3 at = p - 0.5;
    vec3 low = floor(at);
    if (any(lessThan(low, vec3(1.0))) || any(greaterThanEqual(low + 2.0, vec3(params.dims)))) return 0.0;
    vec3 f = at - low;
    float values[8];
    for (uint corner = 0u; corner < 8u; ++corner) {
        uvec3 step = uvec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
        values[corner] = unpackHalf2x16(voxel_at(params.dims, uvec3(low) + step).x).x;
    }
    float excess = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        float second = 0.0;
        for (uint corner = 0u; corner < 8u; ++corner) {
            uvec3 step = uvec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
            vec3 share = mix(1.0 - f, f, vec3(step));
            ivec3 beyond = ivec3(low) + ivec3(step);
            beyond[axis] += step[axis] == 0u ? -1 : 1;
            vec2 next = unpackHalf2x16(voxel_at(params.dims, uvec3(beyond)).x);
            if (next.y == 0.0 || next.x == 1.0) continue; // not seen, or no distance
            share[axis] = 0.5;
            second += share.x * share.y * share.z *
                      (next.x - 2.0 * values[corner] + values[corner ^ (1u << uint(axis))]);
        }
        excess += 0.5 * f[axis] * (1.0 - f[axis]) * second;
    }
    return excess;
}

// 0 where a voxel around has not been seen: such surfaces are shown, and nothing is aligned with them.
vec3 gradient_at(vec3 p) {
    vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 step = vec3(0.0);
        step[axis] = 1.0;
        Sample after = sample_at(p + step);
        Sample before = sample_at(p - step);
        if (!after.whole || !before.whole) return vec3(0.0);
        gradient[axis] = after.value - before.value;
    }
    return gradient;
}

vec4 color_at(vec3 p) {
    vec3 base = p - 0.5;
    vec3 low = floor(base);
    vec4 sum = vec4(0.0);
    for (uint corner = 0u; corner < 8u; ++corner) {
        vec3 step = vec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
        vec3 place = low + step;
        if (any(lessThan(place, vec3(0.0))) || any(greaterThanEqual(place, vec3(params.dims)))) continue;
        vec4 one = unpackUnorm4x8(voxel_at(params.dims, uvec3(place)).y);
        vec3 share = mix(1.0 - (base - low), base - low, step);
        if (one.a > 0.0) sum += share.x * share.y * share.z * vec4(one.rgb, 1.0);
    }
    return sum.a > 1e-3 ? vec4(sum.rgb / sum.a, 1.0) : vec4(0.0);
}

#if BRICKS
// Where the ray leaves a brick without memory at depth z; z where it is in none.
float depth_behind_brick(vec3 origin, vec3 ray, vec3 inverse, float z) {
    ivec3 cell = ivec3(floor(origin + z * ray));
    if (!is_in_domain(cell)) return z;
    ivec3 brick = cell / kBrick;
    if (is_active(find_brick(brick_number(brick)))) return z;
    vec3 side = vec3((brick + ivec3(greaterThanEqual(ray, vec3(0.0)))) * kBrick);
    vec3 ends = (side - origin) * inverse;
    return min(min(ends.x, ends.y), ends.z);
}
#endif

// The depth at which the ray comes to a surface from in front of it; 0: nowhere. `origin` and `ray` are in voxels;
// the ray goes one metre of depth each unit.
float depth_of_surface(vec3 origin, vec3 ray) {
    vec3 inverse = 1.0 / (mix(vec3(-1.0), vec3(1.0), greaterThanEqual(ray, vec3(0.0))) * max(abs(ray), vec3(1e-9)));
    vec3 a = -origin * inverse;
    vec3 b = (vec3(params.dims) - origin) * inverse;
    vec3 low = min(a, b);
    vec3 high = max(a, b);
    float z = max(max(max(low.x, low.y), low.z), params.range.x);
    float end = min(min(min(high.x, high.y), high.z), params.range.y);
    float voxel = 1.0 / length(ray); // depth of a step of one voxel
    float reach = params.truncation / params.side * voxel;
    float z_before = 0.0;
    float value_before = 0.0;
    bool in_front = false;
    for (int i = 0; i < kMaxSteps && z < end; ++i) {
        Sample here = sample_at(origin + z * ray);
        if (here.seen && here.value < 0.0) {
            if (!in_front) return 0.0; // the back of a surface
            float hit = z_before + (z - z_before) * value_before / (value_before - here.value);
            Sample between = sample_at(origin + hit * ray); // the secant once more
            if (between.seen && between.value < 0.0)
                hit = z_before + (hit - z_before) * value_before / (value_before - between.value);
            else if (between.seen)
                hit += (z - hit) * between.value / (between.value - here.value);
            if (!sample_at(origin + hit * ray).whole) return hit;
            float slope = (value_before - here.value) / (z - z_before);
            return hit - clamp(excess_at(origin + hit * ray) / slope, -0.5 * voxel, 0.5 * voxel);
        }
        if (here.seen) {
            in_front = true;
            z_before = z;
            value_before = here.value;
        } else if (z - z_before > reach) { // a voxel that was missed is no end of what is free
            in_front = false;
        }
        // Distances were measured along other rays, so whole steps might go through a surface.
        float next = z + (here.seen ? max(0.6 * here.value * reach, 0.5 * voxel) : voxel);
#if BRICKS
        if (!here.seen) next = max(next, depth_behind_brick(origin, ray, inverse, z));
#endif
        z = next;
    }
    return 0.0;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * 16;
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    bool inside = all(lessThan(texel, params.size));
    vec4 geometry = vec4(0.0);
    float grey = -1.0;
    if (inside) {
        vec4 seen = vec4(0.0);
        if (pose.known) {
            vec3 ray = pose.turn * ray_of(params.intrinsics, vec2(texel)) / params.side;
            vec3 origin = (pose.place - params.corner) / params.side;
            float z = depth_of_surface(origin, ray);
            if (z > 0.0) {
                vec3 hit = origin + z * ray;
                vec3 normal = sample_at(hit).whole ? gradient_at(hit) * pose.turn : vec3(0.0);
                float square = dot(normal, normal);
                geometry = vec4(square > 1e-12 ? normal * inversesqrt(square) : vec3(0.0), z);
                seen = color_at(hit);
                if (seen.a > 0.0) grey = dot(seen.rgb, vec3(0.299, 0.587, 0.114));
            }
        }
        imageStore(geometry_0, texel, geometry);
        imageStore(grey_0, texel, vec4(grey));
        imageStore(color, texel, seen);
    }
    put_into_tile(gl_LocalInvocationID.xy, geometry, grey);
    barrier();
    uvec2 place = uvec2(lane % 8u, lane / 8u);
    ivec2 coarse = first / 2 + ivec2(place);
    if (lane < 64u) {
        mean_of_tile(place, 1u, params.edge, params.intrinsics.x, geometry, grey);
        if (all(lessThan(coarse, params.size / 2))) {
            imageStore(geometry_1, coarse, geometry);
            imageStore(grey_1, coarse, vec4(grey));
        }
    }
    barrier();
    if (lane < 64u) put_into_tile(place * 2u, geometry, grey);
    barrier();
    place = uvec2(lane % 4u, lane / 4u);
    coarse = first / 4 + ivec2(place);
    if (lane < 16u && all(lessThan(coarse, params.size / 4))) {
        mean_of_tile(place, 2u, params.edge, params.intrinsics.x, geometry, grey);
        imageStore(geometry_2, coarse, geometry);
        imageStore(grey_2, coarse, vec4(grey));
    }
}
