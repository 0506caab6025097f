#version 460
// Claims the bricks of the voxels that lie within the truncation about what a frame sees. Two voxels more on all sides:
// along rays that graze a surface the band is thin, and a cell that the surface goes through, which may lie half a step
// from a ray's sample and half a pixel beside it, needs all its corners.
#include "camera.glsl"
#include "sparse/claim.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

readonly buffer CameraPose { vec4 rows[]; } camera_pose;
uniform sampler2D depth;

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec2 range;
    vec3 corner;
    float side;
    float truncation;
} params;

const float kMaxSteps = 1024.0;
const float kAbout = 2.0; // voxels

// `low` and `high`: bricks.
void claim_range(ivec3 low, ivec3 high) {
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                claim_brick(brick_number(ivec3(x, y, z)), kPendingBrick);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, params.size))) return;
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    float z = texelFetch(depth, texel, 0).r;
    if (!pose.known || !is_finite(z) || z < params.range.x || z > params.range.y) return;
    vec3 ray = ray_of(params.intrinsics, vec2(texel));
    vec3 toward = pose.turn * ray / params.side; // voxels a metre of depth
    vec3 eye = (pose.place - params.corner) / params.side;
    float reach = params.truncation / length(ray);
    float steps = clamp(ceil(2.0 * params.truncation / params.side), 1.0, kMaxSteps);
    ivec3 low_before = ivec3(-1);
    ivec3 high_before = ivec3(-1);
    for (float i = 0.0; i <= steps; ++i) {
        vec3 p = eye + (z + reach * (2.0 * i / steps - 1.0)) * toward;
        if (any(lessThan(p, vec3(-kAbout))) || any(greaterThan(p, vec3(kDomain) + kAbout))) continue;
        ivec3 low = clamp(ivec3(floor(p - kAbout)), ivec3(0), kLastCell) / kBrick;
        ivec3 high = clamp(ivec3(floor(p + kAbout)), ivec3(0), kLastCell) / kBrick;
        if (low == low_before && high == high_before) continue;
        claim_range(low, high);
        low_before = low;
        high_before = high;
    }
}
