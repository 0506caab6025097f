#version 460
// What a depth camera sees of the room: colour, and depth with the noise of such cameras.
#include "hash.glsl"
#include "camera.glsl"
#include "room.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

writeonly uniform image2D depth; // metres; 0: nothing came back
writeonly uniform image2D color;
writeonly buffer CameraPose { vec4 rows[]; } camera_pose;

uniform Params {
    vec4 intrinsics;
    vec4 row_x; // camera to world
    vec4 row_y;
    vec4 row_z;
    vec4 ball;
    uvec2 size;
    vec2 range;
    uint seed;
    float noise;    // times that of a Kinect
    float relative; // standard deviation, of the depth
    float dropout;  // share of pixels without depth
} params;

const int kMaxSteps = 256;
const float kHit = 1e-5;
const float kFarthest = 12.0;
const float kGrazing = 0.12; // cosine below which light does not come back

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (texel == uvec2(0)) {
        camera_pose.rows[0] = params.row_x;
        camera_pose.rows[1] = params.row_y;
        camera_pose.rows[2] = params.row_z;
        camera_pose.rows[3] = vec4(0.0, 0.0, 0.0, 1.0);
    }
    if (any(greaterThanEqual(texel, params.size))) return;
    Pose pose = pose_of(params.row_x, params.row_y, params.row_z, vec4(0.0, 0.0, 0.0, 1.0));
    vec3 ray = ray_of(params.intrinsics, vec2(texel));
    float stretch = length(ray); // of the ray from one depth to the next metre
    vec3 direction = pose.turn * ray / stretch;
    float along = 0.0;
    float what = 0.0;
    for (int i = 0; i < kMaxSteps && along < kFarthest; ++i) {
        vec2 nearest = room_distance(pose.place + along * direction, params.ball);
        what = nearest.y;
        along += nearest.x;
        if (nearest.x < kHit) break;
    }
    vec3 p = pose.place + along * direction;
    vec3 normal = room_normal(p, params.ball);
    imageStore(color, ivec2(texel), vec4(room_color(p, normal, what), 1.0));

    float z = along / stretch;
    vec3 a = random_numbers(texel.x, texel.y, params.seed);
    vec3 b = random_numbers(texel.x + 0x10000u, texel.y, params.seed);
    float normal_number = sqrt(-2.0 * log(1.0 - a.x)) * cos(6.2831853 * a.y); // Box and Muller
    float spread = length(vec2(params.noise * depth_noise(z), params.relative * z));
    float measured = z + spread * normal_number;
    bool lost = b.x < params.dropout || z < params.range.x ||
                (params.dropout > 0.0 && -dot(direction, normal) < kGrazing);
    imageStore(depth, ivec2(texel), vec4(lost ? 0.0 : measured));
}
