#version 460
// Which pixels of a frame have a point.
#include "camera.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform sampler2D depth;
readonly buffer CameraPose { vec4 rows[]; } camera_pose;
writeonly buffer Flags { uint words[]; } flags;

uniform Params {
    uvec2 size;
    vec2 range;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.size.x * params.size.y) return;
    float z = texelFetch(depth, ivec2(i % params.size.x, i / params.size.x), 0).r;
    bool known = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]).known;
    flags.words[i] = uint(known && z >= params.range.x && z <= params.range.y);
}
