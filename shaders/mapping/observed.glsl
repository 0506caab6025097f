// What a frame says of a voxel: the distance along the ray to the depth there, in a running mean (B. Curless and M.
// Levoy, "A Volumetric Method for Building Complex Models from Range Images", SIGGRAPH 1996; KinectFusion, section
// 3.3).
#ifndef MAPPING_OBSERVED
#define MAPPING_OBSERVED

#include "camera.glsl"

readonly buffer CameraPose { vec4 rows[]; } camera_pose;
uniform sampler2D depth;
uniform sampler2D color;

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec2 range;
    uvec3 dims;
    float side;
    vec3 corner;
    float truncation;
    float edge;
    float max_weight;
} params;

const float kLeastWeight = 0.02;

float depth_at(ivec2 texel) {
    float z = texelFetch(depth, texel, 0).r;
    return is_finite(z) && z >= params.range.x ? z : 0.0;
}

// Between four pixels of one surface, else of the nearest pixel. Inverse depths are linear in a plane's picture.
float depth_between(vec2 pixel) {
    ivec2 nearest = ivec2(floor(pixel + 0.5));
    float own = depth_at(nearest);
    ivec2 low = ivec2(floor(pixel));
    if (own == 0.0 || any(lessThan(low, ivec2(0))) || any(greaterThanEqual(low + 1, params.size))) return own;
    vec4 z = vec4(depth_at(low), depth_at(low + ivec2(1, 0)), depth_at(low + ivec2(0, 1)), depth_at(low + 1));
    float least = min(min(z.x, z.y), min(z.z, z.w));
    float most = max(max(z.x, z.y), max(z.z, z.w));
    if (least == 0.0 || most - least > largest_step(params.edge, least, params.intrinsics.x)) return own;
    vec2 f = pixel - vec2(low);
    vec4 inverse = 1.0 / z;
    return 1.0 / mix(mix(inverse.x, inverse.y, f.x), mix(inverse.z, inverse.w, f.x), f.y);
}

// The voxel after the frame.
uvec2 observed(uvec2 voxel, vec3 point) {
    if (point.z <= 0.0) return voxel;
    vec2 pixel = pixel_of(params.intrinsics, point);
    if (any(lessThan(pixel, vec2(-0.5))) || any(greaterThanEqual(pixel, vec2(params.size) - 0.5))) return voxel;
    float z = depth_between(pixel);
    if (z == 0.0) return voxel;
    // What is farther than the camera can measure is only known to be free up to there.
    if (z > params.range.y && point.z > params.range.y) return voxel;
    float stretch = length(ray_of(params.intrinsics, pixel));
    float away = (z - point.z) * stretch;
    // What lies behind the surface may as well be free, and seen from elsewhere: it counts less.
    float counts = 1.0 + min(away / params.truncation, 0.0);
    if (counts < kLeastWeight) return voxel;
    vec2 was = unpackHalf2x16(voxel.x);
    float weight = min(was.y, params.max_weight - counts);
    float mean = (was.x * weight + min(away / params.truncation, 1.0) * counts) / (weight + counts);
    uint hue = voxel.y;
    if (abs(away) < params.truncation && z <= params.range.y) {
        vec4 seen = vec4(texelFetch(color, ivec2(floor(pixel + 0.5)), 0).rgb, 1.0);
        vec4 old = unpackUnorm4x8(voxel.y);
        // Colours are counted by alpha, up to 32 of them: voxels of free space have none yet.
        float colors = min(floor(old.a * 255.0 + 0.5), 31.0);
        hue = packUnorm4x8(vec4((old.rgb * colors + seen.rgb) / (colors + 1.0), (colors + 1.0) / 255.0));
    }
    return uvec2(packHalf2x16(vec2(mean, weight + counts)), hue);
}

// Of the voxel at `at`.
uvec2 after_frame(uvec2 voxel, uvec3 at) {
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    if (!pose.known) return voxel;
    vec3 world = params.corner + (vec3(at) + 0.5) * params.side;
    return observed(voxel, (world - pose.place) * pose.turn);
}

#endif
