#version 460
// The points of a frame's pixels, in the world.
#include "camera.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform sampler2D depth;
uniform sampler2D color;
readonly buffer CameraPose { vec4 rows[]; } camera_pose;
readonly buffer Pixels { uint words[]; } pixels;
readonly buffer PixelCount { uint word; } pixel_count;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Colors { uint words[]; } colors;
writeonly buffer Count { uint word; } count;

uniform Params {
    vec4 intrinsics;
    uint width;
    uint room;
} params;

void main() {
    uint i = invocation_index();
    uint points = min(pixel_count.word, params.room);
    if (i == 0u) count.word = points;
    if (i >= points) return;
    uint pixel = pixels.words[i];
    ivec2 texel = ivec2(pixel % params.width, pixel / params.width);
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    vec3 seen = ray_of(params.intrinsics, vec2(texel)) * texelFetch(depth, texel, 0).r;
    positions.values[i] = vec4(pose.turn * seen + pose.place, 1.0);
    colors.words[i] = packUnorm4x8(vec4(texelFetch(color, texel, 0).rgb, 1.0 / 255.0));
}
