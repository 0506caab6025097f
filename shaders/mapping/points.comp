#version 460
// The points of a frame for octree/fuse.
#include "camera.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

struct Point {
    vec3 position;
    uint color;
};

uniform sampler2D depth;
uniform sampler2D color;
readonly buffer CameraPose { vec4 rows[]; } camera_pose;
writeonly buffer Points { Point elements[]; } points;
writeonly buffer Count { uint word; } count;
writeonly buffer Matrix { vec4 columns[4]; } matrix;

uniform Params {
    vec4 intrinsics;
    uvec2 size;
    vec2 range;
} params;

void main() {
    uint i = invocation_index();
    uint pixels = params.size.x * params.size.y;
    if (i >= pixels) return;
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    if (i == 0u) {
        count.word = pose.known ? pixels : 0u;
        for (int c = 0; c < 3; ++c) matrix.columns[c] = vec4(pose.turn[c], 0.0);
        matrix.columns[3] = vec4(pose.place, 1.0);
    }
    ivec2 texel = ivec2(i % params.size.x, i / params.size.x);
    float z = texelFetch(depth, texel, 0).r;
    vec3 position = vec3(uintBitsToFloat(0x7fc00000u));
    uint hue = 0u;
    if (pose.known && z >= params.range.x) {
        position = pose.turn * (ray_of(params.intrinsics, vec2(texel)) * min(z, params.range.y)) + pose.place;
        if (z <= params.range.y) hue = packUnorm4x8(vec4(texelFetch(color, texel, 0).rgb, 1.0));
    }
    points.elements[i] = Point(position, hue);
}
